"""Three tubes inside each other: turned and pushed at their ends, they bend each other.

Each tube is straight, then curved. The outer ones are stiffer; behind the plate all of them twist.
"""

import numpy as np

import flexura as fx

NITINOL = fx.Material(young=65e9, poisson=0.32, density=6450.0)


def tube(name, straight, curved, curvature, outer, inner):
    rest = fx.PiecewiseRest([(straight, (0, 0, 0)), (straight + curved, (0, curvature, 0))])
    section = fx.Tube(outer_diameter=outer, inner=inner / 2.0)
    return fx.Rod(name, straight + curved, section, NITINOL, rest=rest)


def robot():
    needle = fx.TubeSet(
        "needle",
        tubes=[
            tube("inner", 0.19, 0.06, 25.0, 0.92e-3, 0.80e-3),
            tube("middle", 0.12, 0.08, 10.0, 1.10e-3, 0.97e-3),
            tube("outer", 0.09, 0.04, 7.0, 1.40e-3, 1.20e-3),
        ],
    )
    return fx.Robot(
        "concentric",
        tubes=[needle],
        joints=[fx.Weld("world", "needle.base")],
        loads=[fx.PointLoad("tissue", "inner.tip")],
    )


def main():
    model = fx.build(robot(), rods=fx.VariableStrain(orders=(5, 6, 6, 0, 0, 0), steps=36))
    inputs = {"inner.insertion": 0.144, "middle.insertion": 0.113, "outer.insertion": 0.065}
    results, start = [], None
    for turn in np.linspace(0.0, 2.4, 4):
        inputs |= {"inner.rotation": turn, "outer.rotation": -0.5 * turn}
        inputs["tissue"] = (0, 0, 0, 0, 0, 0.05)
        start = fx.statics(model, inputs, start=start).unwrap()
        results.append(start)
    return results


def figure(results, path="concentric_tubes.png"):
    from flexura import view

    view.picture(results[-1], path, color=None, ghost=False)


if __name__ == "__main__":
    solved = main()
    for result in solved:
        print(np.round(1e3 * result.pose("inner.tip")[:3, 3], 2), "mm", end=", ")
        print(f"{1e3 * result.torque('inner.rotation'):.3f} mN m at the end of the inner tube")
    figure(solved)
