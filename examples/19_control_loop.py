"""A controller in the loop: two tendons lift the tip of a soft arm to a height, then to another.

The simulation goes on step by step; at each, the controller sees the tip and its velocity.
"""

import numpy as np

import flexura as fx

STEP = 4e-3  # [s]
STIFFNESS, DAMPING, PATIENCE = 80.0, 6.0, 500.0  # [N/m, N s/m, N/(m s)] of the controller


def arm() -> fx.Robot:
    silicone = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=1000.0)
    return fx.Robot(
        "arm with a controller",
        rods=[fx.Rod("arm", 0.3, fx.Circle(radius=0.01), silicone)],
        joints=[fx.Weld("world", "arm.base")],
        loads=[fx.Gravity()],
        tendons=[
            fx.Tendon("up", "arm", fx.Parallel(0.0, 8e-3)),
            fx.Tendon("down", "arm", fx.Parallel(0.0, -8e-3)),
        ],
    )


def wanted(t: float) -> float:
    """Height of the tip [m], which hangs at first."""
    return float(np.interp(t, [0.0, 0.4, 0.8, 1.2], [-0.215, -0.05, -0.05, 0.05]))


def main() -> fx.Motion:
    model = fx.build(arm(), rods=fx.Spline(degree=3, spans=6))
    simulation = fx.Simulation(model, STEP, start=fx.statics(model).unwrap())
    kept, missing = [simulation.instant], 0.0
    while simulation.t < 1.6:
        tip = simulation.instant.pose("arm.tip")
        climbing = (tip[:3, :3] @ simulation.instant.velocity("arm.tip")[3:])[2]
        error = wanted(simulation.t) - tip[2, 3]
        missing += error * STEP
        pull = STIFFNESS * error - DAMPING * climbing + PATIENCE * missing
        kept.append(simulation.step({"up": max(pull, 0.0), "down": max(-pull, 0.0)}))
    return fx.Motion(tuple(kept), fx.MotionStatus.REACHED, STEP)


def height(instant: fx.Instant) -> dict[str, float]:
    return {"tip": instant.pose("arm.tip")[2, 3], "wanted": wanted(instant.t)}


def figure(motion: fx.Motion, path: str = "control_loop.png") -> None:
    from flexura import view

    view.plot(motion, [height, "tension"], path, label="height [m]")


if __name__ == "__main__":
    moved = main()
    print(moved)
    figure(moved)
