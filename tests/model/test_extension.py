"""Laws, terms and constraints that the library does not know, added from outside."""

import inspect
from dataclasses import fields, replace

import numpy as np
import pytest
from model import own_mechanics as own
from model.test_tendon_term import tentacle
from support import check_gradient, check_tangent, random_state, rod_of

import flexura as fx
from flexura.model.assemble import Assembly
from flexura.model.law import Law
from flexura.model.term import NodeForces, Term
from flexura.rods.discretization import PointForces

CHOICES = [
    fx.Spline(3, 12),
    fx.Hermite(6),
    fx.Power(2, 8),
    fx.LinearStrain(8),
    fx.VariableStrain(),
    fx.RotationInterpolation(4),
]
EACH = pytest.mark.parametrize("rods", CHOICES, ids=lambda c: type(c).__name__)


def beam(also_rods=(), joints=(), **load):
    """A rod along x, clamped at the origin, with a load at its tip."""
    return fx.Robot(
        "beam",
        rods=[rod_of(EI=1.0, EA=1e7), *also_rods],
        joints=[fx.Weld("world", "rod.base"), *joints],
        loads=[fx.PointLoad("tip", "rod.tip", **load)],
    )


@pytest.mark.parametrize("kind", ["Bed", "Spring", "Rope"])
def test_each_takes_less_than_forty_lines(kind):
    classes = [getattr(own, name) for name in dir(own) if name.startswith(kind)]
    assert sum(len(inspect.getsource(c).splitlines()) for c in classes) < 40


@EACH
def test_a_bed_of_springs(rods):
    """A stiff bed holds a beam like an endless one: w = 2 F β / k at its end, β⁴ = k / (4 EI)."""
    k, F = 5e3, 1e-3
    beta = (k / 4.0) ** 0.25  # the beam is six times 1 / β long
    fine = {"spans": 24, "elements": 24, "orders": (5, 12, 12, 3, 3, 3)}
    names = {field.name for field in fields(rods)}
    rods = replace(rods, **{name: value for name, value in fine.items() if name in names})
    model = fx.build(beam(force=(0.0, F, 0.0)), rods=rods, also=[own.Bed("rod", k)])
    result = fx.statics(model).unwrap()
    expected = 2.0 * F * beta / k
    assert result.pose("rod.tip")[1, 3] == pytest.approx(expected, rel=2e-4)
    assert result.stable


@EACH
def test_the_bed_has_an_exact_tangent(rods, rng):
    model = fx.build(beam(force=(0.0, 1.0, 0.0)), rods=rods, also=[own.Bed("rod", 30.0)])
    state, direction = random_state(model, rng), rng.normal(size=model.n_dof)
    check_tangent(model, state, model.read_inputs(None), direction, 1e-8)
    if not isinstance(rods, fx.RotationInterpolation):  # its ties have multipliers
        check_gradient(model, state, model.read_inputs(None), direction)


@EACH
def test_a_spring_between_two_frames(rods, rng):
    """Two beams side by side, tied at their tips: the second one and the spring are in series."""
    far = np.eye(4)
    far[1, 3] = 0.2
    robot = beam(
        [rod_of(EI=1.0, EA=1e7, name="other")], [fx.Weld("world", "other.base", offset=far)]
    )
    k, F = 20.0, 1e-4
    model = fx.build(robot, rods=rods, also=[own.Spring("rod.tip", "other.tip", k, 0.2)])
    check_tangent(
        model, random_state(model, rng), model.read_inputs(None), rng.normal(size=model.n_dof), 1e-7
    )
    result = fx.statics(model, {"tip": (0, 0, 0, 0, F, 0)}).unwrap()
    series = 1.0 / (1.0 / 3.0 + 1.0 / k)  # 3 EI / L³ of a beam
    expected = F / (3.0 + series)
    assert result.pose("rod.tip")[1, 3] == pytest.approx(expected, rel=1e-4)


@EACH
@pytest.mark.parametrize("slack", [True, False])
def test_a_rope_of_given_length(rods, slack):
    """A rope from a point above keeps the tip from sinking by more than it is long."""
    F, length = 0.1, 0.6 if slack else 0.51
    robot = beam(force=(0.0, -F, 0.0))
    post = fx.Weld("world", "post", offset=_at(1.0, 0.5))
    robot = replace(robot, joints=[*robot.joints, post], bodies=[fx.Body("post")])
    model = fx.build(robot, rods=rods, also=[own.Rope("post", "rod.tip", length)])
    result = fx.statics(model).unwrap()
    tip = result.pose("rod.tip")[:3, 3]
    (tension,) = result.state.multipliers
    if slack:
        assert tension == 0.0
        assert tip[1] == pytest.approx(-F / 3.0, rel=2e-3)
    else:
        assert np.linalg.norm(tip - [1.0, 0.5, 0.0]) == pytest.approx(length, abs=1e-10)
        assert tension == pytest.approx(F - 3.0 * 0.01, rel=2e-3)  # 3 EI / L³ times the way


@EACH
@pytest.mark.parametrize("F", [-0.1, 0.1], ids=["pulled", "pushed"])
def test_a_bar_holds_both_ways_beside_a_rope(rods, F):
    """The bar keeps its length, whatever the sign of its force; the longer rope stays slack."""
    robot = beam(force=(0.0, F, 0.0))
    post = fx.Weld("world", "post", offset=_at(1.0, 0.5))
    robot = replace(robot, joints=[*robot.joints, post], bodies=[fx.Body("post")])
    also = [own.Rope("post", "rod.tip", 0.6), own.Bar("post", "rod.tip", 0.5)]
    result = fx.statics(fx.build(robot, rods=rods, also=also)).unwrap()
    tip = result.pose("rod.tip")[:3, 3]
    assert np.linalg.norm(tip - [1.0, 0.5, 0.0]) == pytest.approx(0.5, abs=1e-10)
    rope, bar = result.state.multipliers
    assert rope == 0.0
    assert bar == pytest.approx(-F, rel=1e-6)  # the tip stays where it was


def _at(x, y):
    T = np.eye(4)
    T[:2, 3] = x, y
    return T


@EACH
def test_a_rail_with_an_input_of_its_own(rods, rng):
    """It holds a loose end too; its slope is found by differences, and paths are followed."""
    model = fx.build(beam(), rods=rods, also=[own.Rail("rod.tip")])
    state, inputs = random_state(model, rng), model.read_inputs({"rail": 0.1})
    check_tangent(model, state, inputs, rng.normal(size=model.n_dof), 1e-7)
    result = fx.statics(model, {"rail": 1e-3}).unwrap()
    assert result.pose("rod.tip")[1, 3] == pytest.approx(1e-3, abs=1e-12)
    (force,) = result.state.numbers[model.layout.term_rows[-1]]
    assert -force == pytest.approx(3.0 * 1e-3, rel=2e-3)  # 3 EI / L³
    path = fx.continuation(model, "rail", 0.3).unwrap()
    assert path.pose("rod.tip")[-1, 1, 3] == pytest.approx(0.3, abs=1e-9)


@EACH
def test_what_acts_inside_a_rod_needs_a_node(rods):
    spring = own.Spring("world", fx.At("rod", 0.37), 20.0, 0.5)
    with pytest.raises(fx.ModelError, match=r"no node at 'rod@0.37'.*jumps"):
        fx.build(beam(), rods=rods, also=[spring])
    inside = fx.build(beam(), rods=rods, also=[own.Rail(fx.At("rod", 0.37))])
    result = fx.statics(inside, {"rail": 0.01}).unwrap()
    assert result.pose("rod", 0.37)[1, 3] == pytest.approx(0.01, abs=1e-9)


def test_slopes_by_differences_are_those_by_hand(rng):
    """What a law or a term gives by itself, and what it inherits."""
    model = fx.build(tentacle())
    assembly, inputs = Assembly(model), model.read_inputs({"helix": 3.0, "discs": 2.0})
    assembly.evaluate(random_state(model, rng), inputs)
    change = rng.normal(size=model.inputs.n_values)
    for term in assembly.terms:
        by_hand, inherited = (NodeForces.of(term.term, np.zeros_like(assembly.force)) for _ in "ab")
        numbers = assembly.state.numbers[term.rows]
        term.term.add_slope(assembly.nodes, numbers, assembly.given, change, by_hand)
        Term.add_slope(term.term, assembly.nodes, numbers, assembly.given, change, inherited)
        np.testing.assert_allclose(inherited.force, by_hand.force, atol=1e-9)
    (part,) = assembly.parts
    for law in part.part.laws:
        pair = [PointForces(len(part.forces.stress), part.part.n_nodes) for _ in "ab"]
        law.add_slope(part.work, assembly.given, change, pair[0])
        Law.add_slope(law, part.work, assembly.given, change, pair[1])
        np.testing.assert_allclose(pair[1].stress, pair[0].stress, atol=1e-7)
        np.testing.assert_allclose(pair[1].load, pair[0].load, atol=1e-7)
