"""Loops of rods and joints that begin open, far from closed: they are drawn together."""

import numpy as np
from support import mixed

import flexura as fx
from flexura.lie import se3
from flexura.model.start import start_state
from flexura.solve.drawn import Giving
from flexura.solve.equilibrium import Iterate
from flexura.solve.workspace import workspace

PLASTIC = fx.Material(young=1e9, poisson=0.3, density=1000.0)
DESCRIPTIONS = [fx.Spline(3, 8), fx.LinearStrain(8), fx.VariableStrain()]


def joint(kind, name, a, b, offset):
    """A joint of a kind."""
    if kind == "weld":
        return fx.Weld(a, b, offset)
    if kind == "ball":
        return fx.Ball(name, a, b, offset)
    return fx.Hinge(name, a, b, (0.0, 1.0, 0.0), offset=offset)


def loop(seed, last):
    """Up to four rods from the world to the world again, with joints of any kind between them."""
    rng = np.random.default_rng(seed)
    count, section = rng.integers(2, 5), fx.Circle(np.exp(rng.uniform(*np.log([1e-3, 1e-2]))))
    rods = [fx.Rod(f"r{i}", rng.uniform(0.3, 1.0), section, PLASTIC) for i in range(count)]
    kinds = ["weld", *rng.choice(["weld", "ball", "hinge"], size=count - 1)]
    before = ["world", *(f"{rod.name}.tip" for rod in rods)]
    joints = [
        joint(kind, f"j{i}", before[i], f"r{i}.base", se3.pose(rotation=0.7 * rng.normal(size=3)))
        for i, kind in enumerate(kinds)
    ]
    way = rng.normal(size=3)
    way *= rng.uniform(0.1, 0.9) * sum(rod.length for rod in rods) / np.linalg.norm(way)
    end = se3.pose(way, rotation=rng.normal(size=3))
    joints.append(joint(last, "last", "world", before[-1], end))
    return fx.Robot("loop", rods, joints, [fx.Gravity()]), way


@mixed(seed=range(10), last=["ball", "hinge"], rods=DESCRIPTIONS)
def test_loops_close(seed, last, rods):
    robot, end = loop(seed, last)
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.stable is not False
    tip = f"{robot.rods[-1].name}.tip"
    np.testing.assert_allclose(result.pose(tip)[:3, 3], end, atol=1e-9)


def test_joints_that_give_have_an_exact_tangent():
    """With springs in them: residual and tangent are those of one potential."""
    model = fx.build(loop(1, "ball")[0], rods=fx.Spline(3, 4))
    inputs = model.read_inputs(None)
    state = start_state(model, inputs.unloaded, inputs).state
    rng = np.random.default_rng(0)
    step = rng.normal(size=model.n_dof)
    with workspace(model) as assembly:
        layout = assembly.layout
        problem = Giving(assembly, inputs, np.full(len(layout.brought), 0.3))
        problem.evaluate(Iterate(state))
        tangent = layout.structure.dense(assembly.values) @ step
        found = []
        for h in (1e-6, -1e-6):
            problem.evaluate(Iterate(layout.retract(state, h * step, 0.0 * state.multipliers)))
            found.append(assembly.residual.copy())
    rows = layout.brought
    change = (found[0] - found[1]) / 2e-6
    np.testing.assert_allclose(change[rows], tangent[rows], atol=1e-6 * np.abs(tangent).max())
