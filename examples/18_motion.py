"""A silicone arm swings: one tendon is pulled within 0.2 s, held, and let go.

Viscosity takes the energy that the tendon has brought in.
"""

import numpy as np

import flexura as fx


def arm() -> fx.Robot:
    silicone = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=1000.0)
    angles = np.radians([90.0, 210.0, 330.0])
    return fx.Robot(
        "silicone arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(radius=0.01), silicone)],
        joints=[fx.Weld("world", "arm.base")],
        loads=[fx.Gravity()],
        tendons=[
            fx.Tendon(name, "arm", fx.Parallel(8e-3 * np.cos(a), 8e-3 * np.sin(a)))
            for name, a in zip(("top", "left", "right"), angles, strict=True)
        ],
    )


def main() -> fx.Motion:
    model = fx.build(arm(), rods=fx.Spline(degree=3, spans=8))
    hanging = fx.statics(model).unwrap()
    pulled = ([0.0, 0.2, 0.6, 0.65, 1.2], [0.0, 5.0, 5.0, 0.0, 0.0])  # times [s], tensions [N]
    return fx.simulate(model, 1.2, 4e-3, {"top": pulled}, start=hanging).unwrap()


def figure(motion: fx.Motion, path: str = "motion.png") -> None:
    from flexura import view

    view.plot(motion, ["position", "energy", "tension"], path)


def animation(motion: fx.Motion, path: str = "motion.gif") -> None:
    from flexura import view

    view.animate(motion, path, speed=0.5)


if __name__ == "__main__":
    swung = main()
    print(swung)
    fast = np.linalg.norm(swung.velocity("arm.tip")[:, 3:], axis=1)
    print(f"tip at most {fast.max():.2f} m/s, at t = {swung.t[fast.argmax()]:.2f} s")
    figure(swung)
    animation(swung)
    animation(swung, "motion.html")  # for a browser, which turns it
