"""A shallow steel arch that is pushed down until it snaps through: its path past both limit loads.

A machine that raises the force jumps at the first limit load, and back at the second one; between
them the arch is in balance too, but unstable.
"""

import numpy as np

import flexura as fx
from flexura.lie import se3

LENGTH, RADIUS = 0.2, 1.0  # [m]
CROWN = fx.At("strip", LENGTH / 2.0)


def arch() -> fx.Robot:
    steel = fx.Material(young=210e9, poisson=0.3)
    section = fx.Rectangle(width=1e-3, height=20e-3)
    slope = LENGTH / (2.0 * RADIUS)  # of the ends [rad]
    right = se3.pose(position=(2.0 * RADIUS * np.sin(slope), 0, 0), rotation=(0, 0, -slope))
    return fx.Robot(
        "shallow arch",
        rods=[fx.Rod("strip", LENGTH, section, steel, rest=(0.0, 0.0, -1.0 / RADIUS))],
        joints=[
            fx.Weld("world", "strip.base", offset=se3.pose(rotation=(0, 0, slope))),
            fx.Weld("world", "strip.tip", offset=right),
        ],
        loads=[fx.PointLoad("push", at=CROWN)],
    )


def main() -> fx.EquilibriumPath:
    model = fx.build(arch(), rods=fx.Spline(degree=3, spans=12))
    return fx.continuation(model, "push", to=(0, 0, 0, 0, -60.0, 0)).unwrap()


def drop(result: fx.StaticResult) -> float:
    """How far the crown has come down [mm]."""
    return 1e3 * (RADIUS * (1.0 - np.cos(LENGTH / (2.0 * RADIUS))) - result.pose(CROWN)[1, 3])


def figure(followed: fx.EquilibriumPath, path: str = "snap_through.png") -> None:
    from flexura import view

    view.diagram(followed, drop, path, label="crown pushed down by [mm]")


if __name__ == "__main__":
    snap = main()
    print(snap)
    figure(snap)
