"""A rubber rod falls on a table, beside a post: contact with friction, in time."""

import flexura as fx


def robot() -> fx.Robot:
    rubber = fx.Material(young=1e6, poisson=0.45, density=1100.0)
    rod = fx.Rod("rod", length=0.3, section=fx.Circle(radius=8e-3), material=rubber)
    post = fx.Cylinder(radius=0.03, length=0.1, axis=(0, 1, 0))
    return fx.Robot(
        "dropped",
        rods=[rod],
        loads=[fx.Gravity()],
        obstacles=[
            fx.Obstacle("table", fx.Plane(normal=(0, 0, 1))),
            fx.Obstacle("post", post, pose=fx.lie.se3.pose((0.2, 0.0, 0.03))),
        ],
        contacts=[
            fx.Contact("rod", "table", friction=0.5),
            fx.Contact("rod", "post", friction=0.3),
        ],
    )


def main() -> list[fx.StaticResult]:
    model = fx.build(robot(), rods=fx.Spline(degree=3, spans=8))
    above = fx.lie.se3.pose((0.0, 0.0, 0.1))
    motion = fx.simulate(model, 0.5, 0.005, place={"rod": above}).unwrap()
    return [motion[0], motion[25], motion[-1]]


def figure(results: list[fx.StaticResult], path: str = "dropped.png") -> None:
    from flexura import view

    view.picture(results[-1], path, towards=(0.4, -1.0, 0.3))


if __name__ == "__main__":
    shown = main()
    for touching in shown[-1].contacts:
        print(touching)
    figure(shown)
