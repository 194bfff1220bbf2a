"""A tree of rods: each branch carries two more. It bends under its weight, and a rope pulls it."""

import numpy as np

import flexura as fx
from flexura.lie import se3

LEVELS = 5
UPRIGHT = np.eye(4)[[1, 2, 0, 3]]  # rods run along their local x axis: upwards


def tree() -> fx.Robot:
    wood = fx.Material(young=1e8, poisson=0.35, density=700.0)  # green twigs
    rods, joints, names = [], [fx.Weld("world", "t.base", offset=UPRIGHT)], ["t"]
    for level in range(LEVELS):
        length, radius = 0.5 * 0.75**level, 0.012 * 0.65**level
        rods += [fx.Rod(name, length, fx.Circle(radius), wood) for name in names]
        if level == LEVELS - 1:
            break
        # Turn about the branch by a golden angle, then open to both sides.
        roll = se3.pose(rotation=(2.4, 0.0, 0.0))
        for name in names:
            for side, angle in (("l", 0.5), ("r", -0.6)):
                fork = roll @ se3.pose(rotation=(0.0, angle, 0.0))
                joints.append(fx.Weld(f"{name}.tip", f"{name}{side}.base", offset=fork))
        names = [name + side for name in names for side in "lr"]
    fruit = [fx.Body(f"apple {name}", mass=0.002, shape=fx.Sphere(0.02)) for name in names[::4]]
    joints += [fx.Weld(f"{name}.tip", f"apple {name}") for name in names[::4]]
    rope = fx.Pulley("rope", at="tl.tip", point=(0.9, 0.0, 0.2), force=0.0)
    return fx.Robot("tree", rods, joints, [fx.Gravity(), rope], bodies=fruit)


def main() -> list[fx.StaticResult]:
    model = fx.build(tree(), rods=fx.LinearStrain(2))
    calm = fx.statics(model).unwrap()
    return [calm, fx.statics(model, {"rope": 1.5}, start=calm).unwrap()]


def figure(results: list[fx.StaticResult], path: str = "tree.png") -> None:
    from flexura import view

    view.picture(results[1], path, labels=False)


if __name__ == "__main__":
    solved = main()
    for state, what in zip(solved, ("calm", "pulled"), strict=True):
        moment = np.linalg.norm(state.reaction("world-t.base")[:3])
        print(f"{what:>6}: {state.model.n_dof} unknowns, root moment {moment:.3f} N m")
        print(f"  top of the trunk at {np.round(state.pose('t.tip')[:3, 3], 3)}")
    figure(solved)
