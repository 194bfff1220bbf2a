"""Three soft fingers close around a cube, lift it by friction and hold it while it is shaken."""

import numpy as np

import flexura as fx

SIDE, SIZE = 0.04, (0.01, 0.014, 0.06)  # of the cube; thickness, width and length of fingers [m]
CLOSED, HIGH = 0.008, 0.05  # how far fingers close and the hand lifts [m]
CORNERS = list(np.ndindex(2, 2, 2))
SIX = [(0, 4, 6, 7), (0, 5, 4, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 1, 5, 7), (0, 3, 1, 7)]
FINGERS = {"a": (1.0, 0.0), "b": (-1.0, 0.011), "c": (-1.0, -0.011)}  # side, place across it


def finger(side: float, across: float, counts: tuple[int, ...] = (2, 2, 6)) -> tuple:
    """A bar of tetrahedra, 4 mm beside the cube and 1 cm above the table."""
    shape, begin = np.add(counts, 1), (0.029 * side - 0.5 * SIZE[0], across - 0.5 * SIZE[1], 0.01)
    points = np.indices(shape).reshape(3, -1).T / counts * SIZE + begin
    number = np.arange(len(points)).reshape(shape)
    cells = [[number[*np.add(c, CORNERS[i])] for i in t] for c in np.ndindex(counts) for t in SIX]
    return points, cells


def robot() -> fx.Robot:
    silicone, mass = fx.Material(young=8e5, poisson=0.4, density=1100.0), 0.05
    cube = fx.Body("cube", mass, (mass * SIDE**2 / 6.0,) * 3, shape=fx.Box(SIDE, SIDE, SIDE))
    bodies, volumes = [cube, fx.Body("hand", 0.2, (1e-4,) * 3)], []
    joints = [fx.Slider("lift", "world", "hand", (0, 0, 1), driven=True)]
    contacts = [fx.Contact("cube", "table", friction=0.5)]
    for name, (side, across) in FINGERS.items():
        volumes.append(fx.Volume(name, finger(side, across), silicone, damping=(0.0, 2e-3)))
        bodies.append(fx.Body(f"jaw {name}", 0.05, (1e-5,) * 3))
        joints.append(fx.Slider(f"close {name}", "hand", f"jaw {name}", (-side, 0, 0), driven=True))
        joints.append(fx.Clamp(f"jaw {name}", fx.Nodes(name, box=((-1, -1, 0.069), (1, 1, 0.071)))))
        contacts.append(fx.Contact(name, "cube", friction=0.7))
    return fx.Robot("gripper", joints=joints, loads=[fx.Gravity()], bodies=bodies, volumes=volumes,
                    obstacles=[fx.Obstacle("table", fx.Plane())], contacts=contacts)  # fmt: skip


def lifting(t: float) -> float:
    """The hand goes up from 0.25 s on, and shakes from 0.6 s on, by 4 mm and 5 Hz."""
    up = 0.5 - 0.5 * np.cos(np.pi * np.clip((t - 0.25) / 0.3, 0.0, 1.0))
    return float(HIGH * up + (4e-3 * np.sin(10.0 * np.pi * (t - 0.6)) if t > 0.6 else 0.0))


def main(step: float = 0.02) -> fx.Motion:
    inputs = {f"close {name}": lambda t: CLOSED * min(t / 0.2, 1.0) for name in FINGERS}
    place = {"cube": fx.lie.se3.pose((0.0, 0.0, 0.5 * SIDE))}
    return fx.simulate(fx.build(robot()), 1.0, step, inputs | {"lift": lifting}, place=place)


def figure(motion: fx.Motion, path: str = "soft_gripper.png") -> None:
    from flexura import view

    view.picture(motion[-1], path, color="von_mises", towards=(0.6, -1.0, 0.3))


if __name__ == "__main__":
    moved = main()
    print(f"the cube is lifted by {1e3 * (moved[-1].pose('cube')[2, 3] - 0.5 * SIDE):.1f} mm")
    figure(moved)
