"""Newton for thin stiff rods: the table of docs/theory.md, section 4."""

import numpy as np
import pytest
from support import cantilever, moved, tangent_of, wire

import flexura as fx
from flexura.model.assemble import Assembly
from flexura.model.start import start_state

ROD = wire()
EI, LENGTH = ROD.stiffness(0.0)[1], ROD.length
LOADS = [  # what acts, the iterations of the table and one to spare
    *(("moment", angle, 5) for angle in (0.5, 1.5, 3.0, 6.0)),
    *(("force", size, its) for size, its in ((1.0, 6), (5.0, 8), (20.0, 8), (100.0, 10))),
]


def model_of(kind, size, degree=3, spans=12, assumed_strain=True):
    scale = EI / LENGTH if kind == "moment" else EI / LENGTH**2
    direction = np.array([0.0, 0.0, 1.0]) if kind == "moment" else np.array([0.0, 1.0, 0.0])
    robot = cantilever(ROD, **{kind: size * scale * direction})
    return fx.build(robot, rods=fx.Spline(degree, spans, assumed_strain=assumed_strain))


def textbook_newton_converges(model, iterations=30):
    """Full steps along the exponential map of every pose, tangent with the true stress."""
    assembly, inputs = Assembly(model), model.read_inputs(None)
    state = start_state(model, inputs).state
    for _ in range(iterations):
        assembly.evaluate(state, inputs)
        step = -np.linalg.solve(tangent_of(assembly), assembly.residual)
        rotation = np.abs(step.reshape(-1, 6)[:, :3]).max()
        if not rotation < 1e3:
            return False
        if rotation < 1e-9:
            return True
        state = moved(model, state, step)
    return False


@pytest.mark.parametrize("assumed_strain", [True, False])
@pytest.mark.parametrize(("kind", "size", "iterations"), LOADS)
def test_thin_wire_from_straight_at_once(kind, size, iterations, assumed_strain):
    result = fx.statics(model_of(kind, size, assumed_strain=assumed_strain))
    assert result.status is fx.Status.CONVERGED
    assert result.load_steps == 1
    assert result.iterations <= iterations


@pytest.mark.parametrize("spans", [6, 12, 24, 48, 100])
@pytest.mark.parametrize("degree", [2, 3, 4, 5])
def test_thin_wire_on_any_mesh(degree, spans):
    result = fx.statics(model_of("force", 100.0, degree, spans))
    assert result.load_steps == 1
    assert result.iterations <= 10
    assert result.stable


@pytest.mark.parametrize(("kind", "size"), [("moment", 1.5), ("moment", 6.0), ("force", 20.0)])
def test_textbook_newton_diverges(kind, size):
    assert not textbook_newton_converges(model_of(kind, size, assumed_strain=False))


def test_textbook_newton_is_a_fair_comparison():
    """It does converge for a small load."""
    assert textbook_newton_converges(model_of("force", 0.1, assumed_strain=False))


def test_last_steps_are_quadratic():
    """While above rounding, e_{k+1} / e_k² stays bounded."""
    rod = fx.Rod("rod", 1.0, fx.Circle(0.02), fx.Material(young=1e6, poisson=0.45))
    for load in ({"force": (0.2, 0.5, -0.3)}, {"force": (0.0, 0.5, 0.0), "follower": True}):
        steps = np.array(fx.statics(fx.build(cantilever(rod, **load))).unwrap().steps)
        last = steps[(steps < 0.1) & (steps > 1e-12)]
        assert len(last) >= 3
        order = np.log(last[2:] / last[1:-1]) / np.log(last[1:-1] / last[:-2])
        assert order.max() > 1.8


def test_residual_ends_near_rounding():
    """A step that would be lost in rounding is left out, if 1e-12 of the forces or less is left.

    Where strains give the stress, its rounding is eps·EA: 1e-9 of a bending force of 0.07 N.
    """
    soft = fx.Rod("rod", 1.0, fx.Circle(0.02), fx.Material(young=1e6, poisson=0.45))
    assert fx.statics(fx.build(cantilever(soft, force=(0.0, 0.5, 0.0)))).residual < 1e-12
    assert fx.statics(model_of("force", 1.0)).residual < 1e-12
    thin = fx.statics(model_of("force", 1.0, assumed_strain=False))
    floor = 10.0 * np.finfo(float).eps * ROD.stiffness(0.0)[3] / (EI / LENGTH**2)
    assert thin.residual < floor
