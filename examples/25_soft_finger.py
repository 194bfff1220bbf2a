"""A soft finger with a cable inside: the cable is a rod that slides, and its stiffness counts.

Pulled by the same 4 mm, a thick cable bends the silicone less than a thin one.
"""

from pathlib import Path

import numpy as np

import flexura as fx
from flexura import view
from flexura.lie import se3

MESH = Path(__file__).parent / "meshes" / "finger.msh"  # made by make.py beside it
SILICONE = fx.Material(young=5e5, poisson=0.45, density=1070.0)
NYLON = fx.Material(young=5e9, poisson=0.4, density=1150.0)
LENGTH = 0.081


def robot(radius: float, y: float) -> fx.Robot:
    mesh = fx.Volume("finger", str(MESH), SILICONE).mesh
    moved = np.add(mesh.points, (0.0, y, 0.0)), mesh.cells
    way = [(x, y, 0.006) for x in np.linspace(0.0, LENGTH, 9)]
    return fx.Robot(
        f"finger with a cable of {1e3 * radius:g} mm",
        rods=[fx.Rod("cable", LENGTH, fx.Circle(radius), NYLON)],
        volumes=[fx.Volume("finger", moved, SILICONE, quadratic=True)],
        joints=[
            fx.Clamp("world", fx.Nodes("finger", box=((0, -1, -1), (0, 1, 1)))),
            fx.Slider("pull", "world", "cable.base", (-1, 0, 0), se3.pose(way[0]), True),
            fx.Threaded("cable", "finger", points=way),
        ],
        loads=[fx.Gravity()],
    )


def main() -> list[fx.StaticResult]:
    sides = ((3e-4, -0.015), (1.2e-3, 0.015))
    models = [fx.build(robot(*side), rods=fx.LinearStrain(8)) for side in sides]
    return [fx.statics(model, {"pull": 4e-3}).unwrap() for model in models]


def figure(results: list[fx.StaticResult], file: str) -> None:
    view.picture(results, file, color="von_mises", opacity=0.5, ghost=False)


if __name__ == "__main__":
    figure(main(), "soft_finger.png")
