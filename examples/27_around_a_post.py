"""A tendon arm winds around a post by more than half a turn, increment by increment."""

import numpy as np

import flexura as fx


def robot() -> fx.Robot:
    silicone = fx.Material(young=1e6, poisson=0.45, density=1000.0)
    arm = fx.Rod("arm", length=0.25, section=fx.Circle(radius=4e-3), material=silicone)
    post = fx.Cylinder(radius=0.03, length=0.1, axis=(0, 0, 1))
    return fx.Robot(
        "winds",
        rods=[arm],
        joints=[fx.Weld("world", "arm.base")],
        tendons=[fx.Tendon("pull", "arm", fx.Parallel(y=3e-3, z=0.0))],
        obstacles=[fx.Obstacle("post", post, pose=fx.lie.se3.pose((0.08, 0.035, 0.0)))],
        contacts=[fx.Contact("arm", "post")],
    )


def main() -> list[fx.StaticResult]:
    model = fx.build(robot(), rods=fx.Spline(degree=3, spans=24))
    result, found = None, []
    for tension in np.linspace(0.3, 3.0, 10):
        result = fx.statics(model, {"pull": tension}, start=result).unwrap()
        found.append(result)
    return found


def wound(result: fx.StaticResult) -> float:
    """The angle around the post from where the arm touches it first to where it does last [rad]."""
    normals = np.array([x.normal for x in sorted(result.contacts, key=lambda x: x.s)])
    return float(np.ptp(np.unwrap(np.arctan2(normals[:, 1], normals[:, 0]))))


def figure(results: list[fx.StaticResult], path: str = "around_a_post.png") -> None:
    from flexura import view

    view.picture(results[-1], path, towards=(0.1, -0.4, 1.0))


if __name__ == "__main__":
    shown = main()
    for one in shown:
        pressing = sum(x.pressing for x in one.contacts)
        print(f"{one.tension('pull'):.1f} N: {pressing:.3f} N over {np.degrees(wound(one)):.0f}°")
    figure(shown)
