"""Jacobians and compliances: against differences of solves, and closed forms."""

import pickle
from dataclasses import replace

import differences
import numpy as np
import pytest
from support import cantilever, rod_of

import flexura as fx
from benchmarks.lie_group_framework import finger
from benchmarks.lie_group_framework.chiral import cases as chiral
from benchmarks.parallel_robot_constraint_free import cases as parallel
from benchmarks.tendon_newton_lagrange import cases as tendons
from benchmarks.tendon_newton_lagrange import discs
from flexura.lie import se3
from flexura.solve.derivative.response import Response

EVERY = {
    "spline": fx.Spline(3, 8),
    "hermite": fx.Hermite(4),
    "power": fx.Power(3, 4),
    "linear strain": fx.LinearStrain(6),
    "variable strain": fx.VariableStrain(),
    "constant strain": fx.ConstantStrain(8),
    "rotation interpolation": fx.RotationInterpolation(2),
}
EACH = pytest.mark.parametrize("rods", EVERY.values(), ids=EVERY.keys())
HOOK = fx.At("hand", offset=se3.pose((0.1, 0.0, 0.0)))
# What solves leave of differences: 1e-12 of positions over steps of 1e-3, and their fourth power.
CLOSE = 1e-7


def by_length(robot, stiffness=None):
    """The robot with tendons that are driven by their lengths."""
    own = [replace(t, drive="length", stiffness=stiffness) for t in robot.tendons]
    return replace(robot, tendons=own)


def joined():
    """A rod on a driven hinge, with a free hinge and a slider at its tip, and a driven slider."""
    return fx.Robot(
        "joined",
        rods=[rod_of(EI=1.0, EA=1e4)],
        bodies=[fx.Body("cart"), fx.Body("hand", mass=0.1)],
        joints=[
            fx.Slider("rail", "world", "cart", axis=(0, 1, 0), driven=True),
            fx.Hinge("shoulder", "cart", "rod.base", axis=(0, 0, 1), driven=True),
            fx.Hinge("knee", "rod.tip", "hand", axis=(0, 1, 0)),
        ],
        loads=[fx.Gravity((0.0, 0.0, -9.81)), fx.PointLoad("pull", HOOK, (0.3, 0.1, -0.5))],
    )


def families():
    """Robots of the benchmarks with inputs, by name."""
    found = {}
    for name, tensions in {
        "A": (3, 1, 0.5), "B": (6, 1), "C": (8, 3),
        "D": (5, 0.1, 0.1, 3.75, 0.1, 0.1, 2.5, 0.1, 1), "E": (4, 0.1, 3, 0.1, 2, 0.1),
    }.items():  # fmt: skip
        robot = tendons.robot(name, physical=True)
        names = [tendon.name for tendon in robot.tendons]
        found[name] = (robot, dict(zip(names, map(float, tensions), strict=True)))
    lengths = {"t1": 2e-3, "t2": 0.5e-3, "t3": -5e-3}  # the last one is slack
    found["lengths"] = (by_length(tendons.robot("A", physical=True)), lengths)
    elastic = by_length(tendons.robot("A", physical=True), 1e3)
    found["elastic"] = (elastic, lengths)
    found["discs"] = (discs.with_discs(6), {"t1": 2.0, "t2": 1.0, "t3": 0.3})
    six = parallel.three_motors_references()
    found["six rods"] = (six[-1].robot, six[-1].inputs)
    gough = parallel.stewart_gough_references()[-1]
    found["Stewart-Gough"] = (gough.robot, gough.inputs)
    found["chiral"] = (chiral.robot(driven=True), {"slide": -1e-3})
    found["finger"] = (finger.robot(("I", "II")), finger.inputs(1.5))
    found["joined"] = (joined(), {"shoulder": 0.3, "rail": 0.1})
    return found


FAMILIES = families()


SLOW = [
    # a third of the others of each family; the rest take as long, and tell the same
    pytest.param(name, rods, marks=[pytest.mark.slow] if i % 3 == j % 3 else [pytest.mark.long])
    for i, name in enumerate(FAMILIES)
    for j, rods in enumerate(list(EVERY)[1:])
    if name != "chiral" or rods == "linear strain"  # which takes long
    if name != "finger" or rods != "rotation interpolation"  # whose rods are sheared at rest
]


@pytest.mark.parametrize(("family", "rods"), [*((name, "spline") for name in FAMILIES), *SLOW])
def test_jacobian_is_the_derivative_of_solves(family, rods):
    robot, inputs = FAMILIES[family]
    result = fx.statics(fx.build(robot, rods=EVERY[rods]), inputs).unwrap(unstable=True)
    # the slider of the chiral mechanism takes the forces on it, and nothing moves
    names = ["slide"] if family == "chiral" else list(result.model.inputs)[:6]
    frames = differences.frames_of(robot)
    found, expected = differences.jacobians(result, frames, names)
    assert np.abs(expected).max() > 0.0
    assert differences.apart(found, expected, result.model.length) < CLOSE


def follower():
    """A rod under a load that turns with it: its tangent is not symmetric."""
    loads = [fx.PointLoad("push", "rod.tip", force=(-0.5, 0.2, 0.3), follower=True), fx.Gravity()]
    return fx.Robot(
        "f", [rod_of(EI=1.0, EA=1e4)], joints=[fx.Weld("world", "rod.base")], loads=loads
    )


@pytest.mark.parametrize("family", [*FAMILIES, "follower"])
def test_one_solve_for_each_output_is_as_good(family):
    """What transposed solves find is what solves for each input find."""
    robot, inputs = (follower(), {}) if family == "follower" else FAMILIES[family]
    result = fx.statics(fx.build(robot, rods=EVERY["spline"]), inputs).unwrap(unstable=True)
    response = Response("a test", result)
    changes = response.changes(response.names(None))
    for frame in differences.frames_of(robot):
        rows = response.twist(frame)
        expected = response.tangent.along(changes).moved(rows)
        found = response.tangent.back(rows, changes)
        close = 1e-9 * np.abs(expected).max()  # both solve with the same factor
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=close)
    for tendon in list(result.model.tendons.names)[:1]:  # one output, and all inputs
        by_all = fx.sensitivity(result, f"{tendon}.length", list(result.model.inputs))
        each = [fx.sensitivity(result, f"{tendon}.length", [name]) for name in result.model.inputs]
        size = 1e-9 * np.abs(by_all).max()
        np.testing.assert_allclose(by_all, np.concatenate(each), rtol=0.0, atol=size)


@pytest.mark.parametrize("family", ["A", "lengths", "elastic", "discs", "joined", "six rods"])
def test_compliance_is_the_derivative_by_a_wrench(family):
    """A load that is there already, of zero, has the derivative that a frame without one has."""
    robot, inputs = FAMILIES[family]
    frame = HOOK if family == "joined" else differences.frames_of(robot)[-1]
    if isinstance(frame, fx.At) and frame.rod == robot.rods[0].name:
        frame = f"{frame.rod}.tip"  # a load inside makes another model
    rods = EVERY["spline"]
    result = fx.statics(fx.build(robot, rods=rods), inputs).unwrap()
    found = result.compliance(frame)
    expected = differences.compliance(robot, rods, inputs, frame, found)
    assert differences.apart(found[None], expected[None], result.model.length) < CLOSE


@EACH
def test_compliance_of_a_cantilever(rods):
    """L/GJ, L/EI, L²/2EI, L³/3EI + L/GA, L/EA, without load; rods that do not shear have no L/GA.

    All strains are linear in s, which but for constant strains every description follows.
    """
    EI, GJ, EA, GA, L = 2.0, 1.5, 1e4, 4e3, 0.8
    robot = cantilever(rod_of(EI=EI, GJ=GJ, EA=EA, GA=GA, length=L))
    found = fx.statics(fx.build(robot, rods=rods)).unwrap().compliance("rod.tip")
    soft = 0.0 if isinstance(rods, fx.RotationInterpolation) else 1.0
    bend, lean, sink = L / EI, L**2 / (2.0 * EI), L**3 / (3.0 * EI) + soft * L / GA
    expected = np.diag([L / GJ, bend, bend, soft * L / EA, sink, sink])
    expected[2, 4] = expected[4, 2] = lean
    expected[1, 5] = expected[5, 1] = -lean
    # eight sections of constant strain are off by (1/8)² / 4 of what bends the tip aside
    tolerance = 5e-3 if isinstance(rods, fx.ConstantStrain) else 1e-9
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance * np.abs(expected).max())


@EACH
def test_jacobian_of_an_arc(rods):
    """A tendon beside the axis bends a rod to a circle: κ = τ y/EI, where it does not stretch."""
    EI, L, y, pull = 1.0, 1.0, 0.02, 40.0
    rod = rod_of(EI=EI, EA=1e9, length=L)
    tendon = fx.Tendon("pull", "rod", fx.Parallel(y=y, z=0.0))
    robot = fx.Robot("arc", [rod], [fx.Weld("world", "rod.base")], tendons=[tendon])
    result = fx.statics(fx.build(robot, rods=rods), {"pull": pull}).unwrap()
    found = result.jacobian("rod.tip", ["pull"])[:, 0]
    k, dk = pull * y / EI, y / EI
    turn = k * L
    # position (sin kL, 1 - cos kL)/k by k, in world axes; the tip is turned by kL
    aside = np.array([turn * np.cos(turn) - np.sin(turn), turn * np.sin(turn) + np.cos(turn) - 1.0])
    aside *= dk / k**2
    c, s = np.cos(turn), np.sin(turn)
    expected = [0.0, 0.0, dk * L, c * aside[0] + s * aside[1], c * aside[1] - s * aside[0], 0.0]
    # splines follow a circle to 1e-5 with 8 spans, stretch is 1e-7, and y κ of it
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=2e-5 * dk * L)


@pytest.mark.parametrize("family", ["A", "D", "lengths", "discs", "six rods", "chiral", "joined"])
def test_compliance_is_symmetric_where_loads_have_a_potential(family):
    robot, inputs = FAMILIES[family]
    result = fx.statics(fx.build(robot, rods=EVERY["spline"]), inputs).unwrap()
    assert result.potential is not None
    for frame in differences.frames_of(robot):
        found = result.compliance(frame)
        assert np.abs(found - found.T).max() <= 1e-12 * np.abs(found).max()


def test_stiffness_vanishes_at_a_limit_point():
    """There the load is F - c (u - u₀)², so the stiffness is 2 √(c (F - load)).

    The arch would bow to a side before, but is kept from it.
    """
    rod = fx.Rod("arch", 1.0, fx.Circle(0.01), fx.Material(young=1e7, poisson=0.3), (0, 0.4, 0))
    whole = fx.statics(fx.build(fx.Robot("drawn", [rod], [fx.Weld("world", "arch.base")])))
    robot = fx.Robot(
        "arch",
        rods=[rod],
        joints=[
            fx.Weld("world", "arch.base"),
            fx.Weld("world", "arch.tip", offset=whole.pose("arch.tip")),
        ],
        loads=[fx.PointLoad("push", fx.At("arch", 0.5))],
    )
    up = whole.pose(fx.At("arch", 0.5))[:3, 2]
    model = fx.build(robot, rods=fx.Spline(3, 16))
    end = np.array([0.0, 0.0, 0.0, *(-3.0 * up)])
    path = fx.continuation(model, "push", end)
    limit, start, constants = path.limits[0].fraction, path[path.limits[0].index], []
    for below in (1e-2, 1e-3, 1e-4, 1e-5):
        inputs = {"push": (1.0 - below) * limit * end}
        result = fx.statics(model, inputs, start=start, seek_stable=False).unwrap(unstable=True)
        stiffness = 1.0 / result.compliance(fx.At("arch", 0.5))[5, 5]
        constants.append(stiffness / np.sqrt(below))
    assert min(constants) > 0.0
    np.testing.assert_allclose(constants[2:], constants[1:-1], rtol=0.05)


def test_frames_of_the_world_and_of_fixed_parts_do_not_move():
    robot, inputs = FAMILIES["A"]
    result = fx.statics(fx.build(robot), inputs).unwrap()
    base = f"{robot.rods[0].name}.base"
    assert not result.jacobian(base).any()
    assert not result.compliance(base).any()
    assert result.jacobian("world").shape == (6, 6)
    assert not result.jacobian("world").any()


def test_by_says_which_inputs_in_which_order():
    robot, inputs = FAMILIES["A"]
    result = fx.statics(fx.build(robot), inputs).unwrap()
    frame = tendons.tip(robot)
    every = result.jacobian(frame)
    names = list(result.model.inputs)
    assert names[0] == "gravity"
    assert every.shape == (6, 6)  # gravity has three numbers
    some = result.jacobian(frame, ["t3", "gravity"])
    parts = dict(zip(names, np.split(every, np.cumsum([3, 1, 1]), axis=1), strict=True))
    expected = np.hstack([parts["t3"], parts["gravity"]])
    np.testing.assert_array_equal(some, expected)
    assert result.jacobian(frame, []).shape == (6, 0)


def test_many_results_answer_together():
    robot, _ = FAMILIES["A"]
    model = fx.build(robot)
    many = fx.statics_many(model, [[1.0, 2.0, 0.5], [0.3, 0.1, 2.0]], progress=False)
    frame = tendons.tip(robot)
    assert many.jacobian(frame, ["t1"]).shape == (2, 6, 1)
    np.testing.assert_array_equal(many.jacobian(frame)[1], many[1].jacobian(frame))
    np.testing.assert_array_equal(many.compliance(frame)[0], many[0].compliance(frame))


def test_results_that_were_asked_are_the_same_as_before():
    robot, inputs = FAMILIES["lengths"]
    result = fx.statics(fx.build(robot), inputs).unwrap()
    before = pickle.dumps(result)
    found = result.jacobian(tendons.tip(robot))
    assert pickle.dumps(result) == before
    again = pickle.loads(before)
    assert again == result
    np.testing.assert_array_equal(again.jacobian(tendons.tip(robot)), found)


def test_solves_between_questions_change_nothing():
    """A result keeps arrays of its own, which other solves of the model do not touch."""
    robot, inputs = FAMILIES["A"]
    model, frame = fx.build(robot), tendons.tip(robot)
    result = fx.statics(model, inputs).unwrap()
    found = result.compliance(frame)
    for pull in (0.5, 1.0, 4.0):
        fx.statics(model, {"t1": pull}).unwrap().jacobian(frame)
    np.testing.assert_array_equal(result.compliance(frame), found)


def test_free_motions_that_a_frame_does_not_see_do_not_matter():
    """Rods between balls spin about themselves, and the plate on them does not mind."""
    corners = [se3.pose((np.cos(a), np.sin(a), 0.0)) for a in 2.0 * np.pi / 3.0 * np.arange(3)]
    rods = [rod_of(EI=5.0, EA=1e3, name=f"rod{k}") for k in range(3)]
    up = se3.pose(rotation=(0.0, -np.pi / 2.0, 0.0))
    robot = fx.Robot(
        "tripod",
        rods=rods,
        bodies=[fx.Body("plate")],
        joints=[
            *(fx.Weld("world", f"rod{k}.base", corners[k] @ up) for k in range(2)),
            fx.Ball("foot", "world", "rod2.base", corners[2] @ up),
            *(fx.Weld("plate", f"rod{k}.tip", corners[k] @ up) for k in range(2)),
            fx.Ball("knee", "plate", "rod2.tip", corners[2] @ up),
        ],
        loads=[fx.PointLoad("pull", "plate", force=(0.3, 0.1, -0.2))],
    )
    result = fx.statics(fx.build(robot, rods=fx.Spline(3, 6))).unwrap()
    found, expected = differences.jacobians(result, ["plate"], ["pull"])
    assert differences.apart(found, expected, 1.0) < CLOSE
    with pytest.raises(fx.ModelError, match=r"rod2.*turns freely"):
        result.jacobian(fx.At("rod2", 0.5))


# --- what makes no sense -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def arm():
    robot, inputs = FAMILIES["A"]
    return fx.statics(fx.build(robot), inputs).unwrap()


def test_unknown_names_are_told(arm):
    with pytest.raises(fx.UnknownName, match=r"no frame 'segment1.tp'.*mean 'segment1.tip'"):
        arm.jacobian("segment1.tp")
    with pytest.raises(fx.UnknownName, match=r"no frame 'segment1'.*mean 'segment1.tip'"):
        arm.compliance("segment1")
    for odd in (["segment1.tip"], np.zeros(3), None):
        with pytest.raises(fx.UnknownName, match="no frame"):
            arm.jacobian(odd)
        with pytest.raises(fx.UnknownName, match="no quantity"):
            fx.sensitivity(arm, odd, "t1")
    with pytest.raises(fx.UnknownName, match=r"no input 't4'"):
        arm.jacobian("segment1.tip", ["t4"])
    with pytest.raises(fx.ModelError, match=r"by= takes a list.*'t1'"):
        arm.jacobian("segment1.tip", "t1")
    with pytest.raises(fx.ModelError, match=r"on rod 'segment1'"):
        arm.jacobian(fx.At("segment1", 7.0))


def test_there_are_no_derivatives_without_an_equilibrium():
    robot, inputs = FAMILIES["A"]
    result = fx.statics(fx.build(robot), {"t1": 5.0}, iterations=1)
    assert not result.converged
    with pytest.raises(fx.ModelError, match="belongs to an equilibrium"):
        result.jacobian(tendons.tip(robot))
    exact = fx.shooting(robot, inputs)
    with pytest.raises(fx.ModelError, match="shooting has none"):
        exact.compliance(tendons.tip(robot))


def test_motions_without_resistance_are_named():
    robot = fx.Robot(
        "spinner",
        rods=[rod_of()],
        joints=[fx.Hinge("pin", "world", "rod.base", axis=(1, 0, 0))],
        loads=[fx.PointLoad("pull", "rod.tip", force=(1.0, 0.0, 0.0))],
    )
    result = fx.statics(fx.build(robot)).unwrap()
    with pytest.raises(fx.ModelError, match=r"'spinner'.*meets no force.*pin"):
        result.jacobian("rod.tip")
