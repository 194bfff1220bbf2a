"""A tendon arm is pulled around a post: contact without friction, increment by increment."""

import numpy as np

import flexura as fx


def robot() -> fx.Robot:
    silicone = fx.Material(young=2e6, poisson=0.45, density=1000.0)
    arm = fx.Rod("arm", length=0.3, section=fx.Circle(radius=5e-3), material=silicone)
    post = fx.Cylinder(radius=0.025, length=0.1, axis=(0, 0, 1))
    return fx.Robot(
        "winds",
        rods=[arm],
        joints=[fx.Weld("world", "arm.base")],
        tendons=[fx.Tendon("pull", "arm", fx.Parallel(y=4e-3, z=0.0))],
        obstacles=[fx.Obstacle("post", post, pose=fx.lie.se3.pose((0.12, 0.04, 0.0)))],
        contacts=[fx.Contact("arm", "post")],
    )


def main() -> list[fx.StaticResult]:
    model = fx.build(robot(), rods=fx.Spline(degree=3, spans=16))
    result, found = None, []
    for tension in np.linspace(0.4, 3.2, 8):
        result = fx.statics(model, {"pull": tension}, start=result).unwrap()
        found.append(result)
    return found


def figure(results: list[fx.StaticResult], path: str = "around_a_post.png") -> None:
    from flexura import view

    view.picture(results[-1], path, towards=(0.1, -0.4, 1.0))


if __name__ == "__main__":
    shown = main()
    for one in shown:
        pressing = sum(x.pressing for x in one.contacts)
        print(f"{one.tension('pull'):.1f} N: the post carries {pressing:.3f} N")
    figure(shown)
