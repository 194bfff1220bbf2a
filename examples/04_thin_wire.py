"""A steel wire, a million times stiffer in stretch than in bending, under a huge tip force.

The full load is applied to the straight wire at once: P L² / EI = 100.
"""

import flexura as fx


def main() -> fx.StaticResult:
    steel = fx.Material(young=210e9, poisson=0.3125)
    wire = fx.Rod("wire", length=0.242, section=fx.Circle(radius=0.4e-3), material=steel)
    force = 100.0 * wire.stiffness(0.0)[1] / wire.length**2
    robot = fx.Robot(
        "wire",
        rods=[wire],
        joints=[fx.Weld("world", "wire.base")],
        loads=[fx.PointLoad("pull", at="wire.tip", force=(0.0, 0.0, force))],
    )
    return fx.statics(fx.build(robot, rods=fx.Spline(degree=4, spans=24))).unwrap()


def figure(result: fx.StaticResult, path: str = "wire.png") -> None:
    from flexura import view

    view.picture(result, path, color="bending_y")


if __name__ == "__main__":
    solved = main()
    print(solved)
    print("Newton steps:", *(f"{step:.1e}" for step in solved.steps))
    figure(solved)
