"""How a tendon-driven arm vibrates, and what it does when its tendon is pulled or its base shakes.

Modes belong to an equilibrium: weight and tendons bend the arm, and frequencies change with them.
"""

import numpy as np
from scipy.signal import StateSpace, lsim

import flexura as fx

TENSIONS = (0.0, 1.0, 2.0)  # [N]


def arm() -> fx.Robot:
    rubber = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=500.0)
    return fx.Robot(
        "soft arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(radius=0.01), rubber)],
        joints=[fx.Weld("world", "arm.base", name="base")],  # a name makes its pose an input
        tendons=[fx.Tendon("left", "arm", fx.Parallel(y=8e-3, z=0.0))],
        loads=[fx.Gravity()],
    )


def main() -> list[fx.StaticResult]:
    model = fx.build(arm(), rods=fx.Spline(degree=3, spans=12))
    return [fx.statics(model, {"left": tension}).unwrap() for tension in TENSIONS]


def answer(result: fx.StaticResult) -> tuple[np.ndarray, np.ndarray]:
    """How far the tip moves when the tendon is pulled by 1 mN more at once: times, x y z [m]."""
    linear = fx.linearize(result, inputs=["left"], outputs=["arm.tip"])
    t = np.linspace(0.0, 3.0, 301)
    twist = lsim(StateSpace(*linear.state_space()), np.full(301, 1e-3), t)[1]
    return t, twist[:, 3:]


def figure(results: list[fx.StaticResult], path: str = "modes.png") -> None:
    from flexura import view

    view.mode_shapes(fx.modes(results[-1], count=4), path, count=4)


if __name__ == "__main__":
    solved = main()
    for tension, result in zip(TENSIONS, solved, strict=True):
        modes = fx.modes(result, count=4)
        print(f"{tension} N:", np.round(modes.frequency, 3), "Hz, damping", modes.damping.round(4))
    print(modes)
    t, moved = answer(result)
    print("the tip ends", moved[-1], "m away, on the way it is", np.abs(moved).max(axis=0))
    shaken = fx.linearize(result, inputs=["base"], outputs=["arm.tip"])
    print("tip over base at 1, 2, 5 Hz, along z:", np.abs(shaken.response([1, 2, 5]))[:, 5, 5])
    figure(solved)
