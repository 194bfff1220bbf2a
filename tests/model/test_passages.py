"""Which inputs a loop passes: found at bodies that inputs move, as on the way along all edges."""

import numpy as np
import pytest
from support import RUBBER

import flexura as fx
from flexura.lie import se3
from flexura.model.loop import loops, passages


def bodies_with_loops(seed):
    """A random tree of bodies on joints and rods, and rods that close loops; many are driven."""
    rng = np.random.default_rng(seed)
    names = ["world", *(f"b{i}" for i in range(rng.integers(2, 9)))]
    rods, joints = [], []

    def pose():
        return se3.pose(rng.normal(size=3))

    def rod(name, a, b):
        rods.append(fx.Rod(name, 0.5, fx.Circle(0.01), RUBBER))
        driven = bool(rng.integers(0, 2))
        joints.append(fx.Weld(a, f"{name}.base", pose()))
        joints.append(fx.Hinge(f"at {name}", f"{name}.tip", b, (0, 1, 0), pose(), driven=driven))

    for i, name in enumerate(names[1:]):
        before = names[rng.integers(0, i + 1)]
        kind = rng.integers(0, 4)
        if kind == 0:
            joints.append(fx.Hinge(f"h{i}", before, name, (1, 0, 0), pose(), driven=True))
        elif kind == 1:
            joints.append(fx.Slider(f"s{i}", before, name, (1, 0, 0), pose()))
        elif kind == 2:
            joints.append(fx.Weld(before, name, pose(), name=f"w{i}"))
        else:
            rod(f"r{i}", before, name)
    for j in range(rng.integers(1, 5)):
        rod(f"c{j}", *rng.choice(names, 2, replace=False))
    bodies = [fx.Body(name, 0.1, inertia=(1e-4, 1e-4, 1e-4)) for name in names[1:]]
    return fx.build(fx.Robot("loops", rods, joints, bodies=bodies), rods=fx.LinearStrain(1))


def along_all_edges(model, loop):
    """Inputs that move one of the nodes by which the loop comes to a body and leaves it."""
    moved = {
        node: {factor.motion: factor.forward for factor in factors if factor.pose is None}
        for node, factors in model.layout.moving
    }
    edges = loop.edges()
    for come, leave in zip(edges, (*edges[1:], edges[0]), strict=True):
        there, on = moved.get(come.far, {}), moved.get(leave.near, {})
        for mover in there.keys() ^ on.keys():
            forward = on[mover] if mover in on else not there[mover]
            yield mover, come, leave, 1.0 if forward else -1.0


@pytest.mark.parametrize("seed", range(25))
def test_passages(seed):
    """The same inputs, with the same edges and signs, in the same order."""
    model = bodies_with_loops(seed)
    for loop in loops(model):
        found = [(own.mover, own.come, own.leave, own.sign) for own in passages(model, loop)]
        at = {own: i for i, own in enumerate(loop.edges())}
        assert found == sorted(along_all_edges(model, loop), key=lambda own: (at[own[1]], own[0]))


def test_loops_are_closed():
    """Each edge leaves the body that the one before comes to."""
    for seed in range(5):
        model = bodies_with_loops(seed)
        on = model.layout.coordinate
        for loop in loops(model):
            edges = loop.edges()
            for come, leave in zip(edges, (*edges[1:], edges[0]), strict=True):
                assert on[come.far] == on[leave.near]
