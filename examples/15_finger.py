"""A finger of rigid phalanges: the drawn shapes of its soft joints make the path of its tip.

The finger is that of section 8.4 of LieGroup2025, with shapes of our own; a cable closes it.
"""

import numpy as np

import flexura as fx
from flexura.lie import se3

# Control poses of the joints: x, z [mm] and angle about y [degrees]; and the degree of the spline.
ARCH = [(0, 0, 0), (10, 7, -70), (20, 7, 70), (30, 0, 0)], 2
WAVE = [(0, 0, 0), (8.4, 3.1, -40), (15, 0, 90), (21.6, -3.1, -40), (30, 0, 0)], 3
HOLE, TIP = -0.008, fx.At("fingertip", offset=se3.pose((0.015, 0.0, 0.0)))  # of the cable [m]


def joint(name: str, drawn: list[tuple[float, ...]], degree: int) -> fx.Rod:
    poses = [se3.pose((1e-3 * x, 0.0, 1e-3 * z), (0.0, np.radians(a), 0.0)) for x, z, a in drawn]
    rest = fx.rest_from_spline(poses, degree)
    plastic = fx.Material(young=1e9, poisson=0.35)
    return fx.Rod(name, rest.length, fx.Rectangle(0.02, 1e-3), plastic, rest=rest)


def finger() -> fx.Robot:
    rods = [joint("knuckle", *ARCH), joint("joint", *WAVE)]
    sizes = {"palm": 0.03, "phalanx": 0.04, "fingertip": 0.03}
    chain = ["palm", "knuckle", "phalanx", "joint", "fingertip"]
    joints = [fx.Weld("world", "palm")]
    for body, rod, following in (chain[:3], chain[2:]):
        half, ahead = (se3.pose((0.5 * sizes[name], 0.0, 0.0)) for name in (body, following))
        joints.append(fx.Weld(body, f"{rod}.base", offset=half))
        joints.append(fx.Weld(f"{rod}.tip", following, offset=ahead))
    # The cable runs straight across the joints and slides through the phalanx between them.
    holes = fx.Discs([0, rods[0].length, rods[0].length + rods[1].length], 0, HOLE)
    cable = [fx.Tendon("cable", ["knuckle", "joint"], holes)]
    bodies = [fx.Body(name, shape=fx.Box(x, 0.02, 0.02)) for name, x in sizes.items()]
    return fx.Robot("finger", rods, joints, tendons=cable, bodies=bodies)


def main() -> list[fx.StaticResult]:
    model = fx.build(finger(), rods=fx.Spline(degree=3, spans=16))
    results: list[fx.StaticResult] = []
    for tension in np.linspace(0.0, 3.3, 12):
        start = results[-1] if results else None
        results.append(fx.statics(model, {"cable": tension}, start).unwrap())
    return results


def figure(results: list[fx.StaticResult], path: str = "finger.png") -> None:
    from flexura import view

    view.picture(results[-1], path, towards=(0.3, -1.0, 0.3))


if __name__ == "__main__":
    solved = main()
    for result in solved:
        x, _, z = 1e3 * result.pose(TIP)[:3, 3]
        print(f"{result.tension('cable'):.1f} N: fingertip at {x:.1f}, {z:.1f} mm")
    figure(solved)
