"""Every description of a rod solves the same robots, with the same results."""

import numpy as np
import pytest
from support import (
    OFFSET,
    TURNED,
    branched,
    cantilever,
    check_tangent,
    moved,
    random_state,
    rod_of,
    slope,
)

import flexura as fx
from flexura.lie import se3

COARSE = [
    fx.Spline(3, 4),
    fx.Spline(2, 4, assumed_strain=False),
    fx.Hermite(3),
    fx.Power(2, 3),  # white noise at more points of an element has no twists
    fx.LinearStrain(3),
    fx.VariableStrain((2, 3, 3, 1, 2, 2), steps=6),
    fx.VariableStrain((2, 3, 3, 0, 0, 0), basis="bspline", steps=6),
    fx.ConstantStrain(3),
    fx.RotationInterpolation(2),
]
FINE = {  # and the position error that each may have, over the length
    "spline": (fx.Spline(3, 24), 2e-6),
    "hermite": (fx.Hermite(24), 2e-6),
    "power": (fx.Power(4, 8), 2e-6),
    "linear strain": (fx.LinearStrain(24), 2e-6),
    "variable strain": (fx.VariableStrain((9, 10, 10, 4, 4, 4), steps=64), 1e-8),
    "constant strain": (fx.ConstantStrain(32), 1e-3),
    "rotation interpolation": (fx.RotationInterpolation(8), 2e-6),
}
EACH = pytest.mark.parametrize(("choice", "tolerance"), FINE.values(), ids=FINE.keys())
# Inextensible descriptions differ from the others by P/EA: 1e-8 here.
THIN = {"EI": 1.0, "GJ": 0.8, "EA": 1e8}


def held(grip, name="grip"):
    rod = rod_of(**THIN)
    welds = [fx.Weld("world", "rod.base"), fx.Weld("world", "rod.tip", offset=grip, name=name)]
    return fx.Robot("held", rods=[rod], joints=welds)


@pytest.mark.parametrize(("follower", "moment"), [(False, 0.0), (True, 2.0), (False, 2.0)])
@pytest.mark.parametrize("choice", COARSE, ids=lambda c: type(c).__name__)
def test_tangent_is_the_derivative_of_the_residual(choice, follower, moment, rng):
    """At random states of a branched robot, with constraints violated."""
    model = fx.build(branched(follower, moment), rods=choice)
    state = moved(model, random_state(model, rng), 0.1 * rng.normal(size=model.n_dof))
    direction = rng.normal(size=model.n_dof)
    check_tangent(model, state, model.read_inputs(None), direction, 2e-9)


INTEGRATED = [
    fx.VariableStrain((2, 3, 3, 1, 2, 2), steps=6),
    fx.VariableStrain((2, 3, 3, 0, 0, 0), steps=6),
    fx.ConstantStrain(3),
    fx.RotationInterpolation(2),
    fx.Power(2, 3),
]
TIP_LOADS = [
    {},
    {"force": (0.3, 2.0, -1.0)},
    {"force": (0.0, 2.0, -1.0), "moment": (0.5, 0.0, 1.0)},
    {"force": (0.0, 2.0, -1.0), "moment": (0.5, 0.0, 1.0), "follower": True},
]


def dangling(load, tip=None):
    """A rod between two clamps, one that dangles from its middle, and a body at the end or not."""
    bodies = [] if tip is None else [fx.Body("ball")]
    joints = [
        fx.Weld("world", "held.base"),
        fx.Weld("world", "held.tip", offset=se3.pose((0.8, 0.2, 0.0), (0.0, 0.0, 0.4))),
        fx.Weld(fx.At("held", 0.5), "arm.base", offset=OFFSET),
    ]
    if tip is not None:
        joints.append(fx.Weld("arm.tip", "ball", offset=tip))
    at = fx.At("arm", 0.7, TURNED)
    return fx.Robot(
        "dangling",
        rods=[rod_of(**THIN, name="held"), rod_of(**THIN, length=0.7, name="arm")],
        bodies=bodies,
        joints=joints,
        loads=[fx.PointLoad("tip", at, **load), fx.LineLoad("wind", "arm", force=(0.0, 0.3, 0.5))],
    )


@pytest.mark.parametrize("load", TIP_LOADS)
@pytest.mark.parametrize("choice", INTEGRATED, ids=lambda c: type(c).__name__)
def test_a_loose_end_is_no_unknown(choice, load, rng):
    """The end of a rod that nothing else holds follows: same tangent, same solution.

    A body without mass makes it a pose of its own, with multipliers that tie the rod to it.
    """
    loose = fx.build(dangling(load), rods=choice)
    held = fx.build(dangling(load, tip=np.eye(4)), rods=choice)
    assert loose.n_dof == held.n_dof - 12
    state = moved(loose, random_state(loose, rng), 0.1 * rng.normal(size=loose.n_dof))
    direction = rng.normal(size=loose.n_dof)
    check_tangent(loose, state, loose.read_inputs(None), direction, 2e-9)
    one, other = fx.statics(loose).unwrap(), fx.statics(held).unwrap()
    for frame in (fx.At("arm", 0.7), fx.At("arm", 0.35), fx.At("held", 0.5)):
        np.testing.assert_allclose(one.pose(frame), other.pose(frame), atol=1e-9)
    np.testing.assert_allclose(one.pose("arm.tip"), one.pose(fx.At("arm", 0.7)), atol=1e-12)
    assert one.stable == other.stable
    assert one.energy == pytest.approx(other.energy, rel=1e-9)


@pytest.mark.parametrize("choice", COARSE, ids=lambda c: type(c).__name__)
def test_a_solve_leaves_nothing_behind(choice):
    """Arrays are kept from solve to solve, also from loads with a potential to others."""
    robot = cantilever(rod_of(**THIN), force=(0.0, 1.0, 0.0), moment=(0.0, 0.0, 0.0))
    model = fx.build(robot, rods=choice)
    turned = {"tip": (0.5, 1.0, 2.0, 0.0, 1.0, 3.0)}
    fresh = fx.statics(fx.build(robot, rods=choice), turned).unwrap()
    before = fx.statics(model).unwrap()
    after = fx.statics(model, turned).unwrap()
    again = fx.statics(model).unwrap()
    assert after.potential is fresh.potential is None
    assert (after.iterations, after.stable) == (fresh.iterations, fresh.stable)
    np.testing.assert_array_equal(after.pose("rod.tip"), fresh.pose("rod.tip"))
    assert again.potential == before.potential
    np.testing.assert_array_equal(again.pose("rod.tip"), before.pose("rod.tip"))


@pytest.mark.parametrize("choice", [fx.VariableStrain(), fx.ConstantStrain(4), fx.Power(2, 1)])
def test_a_step_that_only_stretches_has_a_size(choice):
    """Without a pose among the unknowns the strain tells how far the rod moves."""
    robot = cantilever(rod_of(EI=1.0, EA=100.0), force=(2.0, 0.0, 0.0))
    result = fx.statics(fx.build(robot, rods=choice)).unwrap()
    assert result.steps[0] == pytest.approx(0.02, rel=1e-9)
    assert result.pose("rod.tip")[0, 3] == pytest.approx(1.02, rel=1e-12)


@EACH
def test_agrees_with_shooting(choice, tolerance):
    """A curved rod in space under a tip force, a line load and a load inside."""
    rod = rod_of(**THIN, rest=(0.3, 0.0, 0.8))
    robot = fx.Robot(
        "r",
        rods=[rod],
        joints=[fx.Weld("world", "rod.base")],
        loads=[
            fx.PointLoad("tip", "rod.tip", force=(0.5, 2.0, -1.5)),
            fx.LineLoad("wind", "rod", force=(0.0, 0.5, 1.0)),
            fx.PointLoad("inside", fx.At("rod", 0.5), force=(0.0, 0.0, 0.7)),
        ],
    )
    exact = fx.shooting(robot).unwrap()
    result = fx.statics(fx.build(robot, rods=choice)).unwrap()
    assert fx.shape_error(result, exact).max_position < max(tolerance, 5e-6)
    assert result.energy == pytest.approx(exact.energy, rel=max(tolerance, 1e-5))
    wall = result.reaction("world-rod.base")
    np.testing.assert_allclose(wall, exact.reaction("world-rod.base"), atol=10 * tolerance)


@EACH
def test_rigid_motion_of_everything_moves_the_result(choice, tolerance):
    base = se3.pose(position=(1.0, -2.0, 0.5), rotation=(0.4, 1.2, -0.7))
    force = np.array([0.5, 2.0, -1.5])
    rod = rod_of(**THIN)
    here = fx.statics(fx.build(cantilever(rod, force=force), rods=choice)).unwrap()
    turned = cantilever(rod, base=base, force=base[:3, :3] @ force)
    there = fx.statics(fx.build(turned, rods=choice)).unwrap()
    np.testing.assert_allclose(there.pose("rod.tip"), base @ here.pose("rod.tip"), atol=1e-8)
    assert there.energy == pytest.approx(here.energy, rel=1e-8)


@EACH
@pytest.mark.parametrize("twist", [0.0, np.pi / 2.0, np.pi])
def test_held_at_both_ends_from_cold(choice, tolerance, twist):
    """One call from the straight rod; reactions balance and the end is where it is held."""
    grip = se3.pose(position=(0.5, 0.0, -0.5), rotation=(0.0, np.pi / 2.0, 0.0))
    grip = grip @ se3.pose(rotation=(twist, 0.0, 0.0))
    exact = fx.statics(
        fx.build(held(grip), rods=fx.VariableStrain((14, 14, 14, 0, 0, 0), steps=96))
    )
    result = fx.statics(fx.build(held(grip), rods=choice)).unwrap()
    assert result.load_steps == 1
    assert result.stable
    assert result.energy == pytest.approx(exact.energy, rel=max(20 * tolerance, 2e-5))
    np.testing.assert_allclose(result.pose("rod.tip"), grip, atol=1e-9)
    at_base = result.reaction("world-rod.base")
    at_tip = se3.Ad_dual(grip) @ result.reaction("grip")
    np.testing.assert_allclose(at_base + at_tip, 0.0, atol=1e-6 * np.abs(at_tip).max())


@EACH
def test_a_moving_end_is_followed(choice, tolerance):
    """Bent to a quarter turn, then twisted past half a turn, from each result to the next."""
    bent = se3.pose(position=(0.5, 0.0, -0.5), rotation=(0.0, np.pi / 2.0, 0.0))
    model = fx.build(held(bent), rods=choice)
    result = None
    energies = []
    for twist in np.linspace(0.0, 1.25 * np.pi, 11):
        grip = bent @ se3.pose(rotation=(twist, 0.0, 0.0))
        result = fx.statics(model, {"grip": grip}, start=result).unwrap()
        assert result.iterations <= 12
        assert result.load_steps == 1
        energies.append(result.energy)
        if twist == np.pi / 2.0:
            cold = fx.statics(model, {"grip": grip}).unwrap()
            assert result.energy == pytest.approx(cold.energy, rel=1e-8)
    assert (np.diff(energies) > 0.0).all()  # on the same branch beyond pi, where a colder one is


@pytest.mark.parametrize(
    ("family", "sizes"),
    [
        (lambda n: fx.Spline(2, n), (8, 16, 32)),
        (lambda n: fx.Spline(3, n), (8, 16, 32)),
        (lambda n: fx.Hermite(n), (8, 16, 32)),
        (lambda n: fx.Power(1, n), (4, 8, 16)),
        (lambda n: fx.Power(3, n), (2, 4, 8)),  # 16 differ by P/EA
        (lambda n: fx.LinearStrain(n), (4, 8, 16)),
        (lambda n: fx.RotationInterpolation(n), (4, 8, 16)),
    ],
    ids=[
        "spline 2",
        "spline 3",
        "hermite",
        "power 1",
        "power 3",
        "linear strain",
        "rotation interpolation",
    ],
)
def test_order_of_convergence(family, sizes):
    """Positions along a thin rod in space, at least at the declared order."""
    robot = cantilever(rod_of(**THIN), force=(1.0, 3.0, -2.0), moment=(0.3, 0.0, 0.0))
    exact = fx.statics(fx.build(robot, rods=fx.RotationInterpolation(48))).unwrap()
    error = []
    for n in sizes:
        model = fx.build(robot, rods=family(n))
        error.append(fx.shape_error(fx.statics(model).unwrap(), exact).mean_position)
    assert slope(1.0 / np.array(sizes), error) > model.parts[0].group.order - 0.3


def test_variable_strain_converges_faster_than_any_power():
    robot = cantilever(rod_of(**THIN), force=(1.0, 3.0, -2.0), moment=(0.3, 0.0, 0.0))
    exact = fx.statics(fx.build(robot, rods=fx.RotationInterpolation(48))).unwrap()
    error = []
    for n in (3, 5, 7, 9):
        choice = fx.VariableStrain((n, n, n, 0, 0, 0), steps=128)
        result = fx.statics(fx.build(robot, rods=choice)).unwrap()
        error.append(fx.shape_error(result, exact).max_position)
    ratios = np.array(error[:-1]) / np.array(error[1:])
    assert ratios.min() > 5.0
    assert error[-1] < 1e-6


def test_constant_strain_is_the_spline_of_degree_one():
    robot = cantilever(rod_of(EA=1e3, GA=500.0), force=(0.3, 2.0, -1.0), moment=(0.2, 0.0, 0.0))
    sections = fx.statics(fx.build(robot, rods=fx.ConstantStrain(10))).unwrap()
    spline = fx.statics(fx.build(robot, rods=fx.Spline(1, 10, assumed_strain=False))).unwrap()
    s = np.linspace(0.0, 1.0, 21)
    np.testing.assert_allclose(sections.pose("rod", s), spline.pose("rod", s), atol=1e-9)
    inside = s[:-1] + 0.01
    np.testing.assert_allclose(
        sections.strain("rod", inside), spline.strain("rod", inside), atol=1e-8
    )


@pytest.mark.parametrize("basis", ["chebyshev", "monomial"])
def test_polynomial_bases_span_the_same_shapes(basis):
    robot = cantilever(rod_of(**THIN), force=(1.0, 3.0, -2.0))
    orders = (3, 5, 5, 2, 2, 2)
    one = fx.statics(fx.build(robot, rods=fx.VariableStrain(orders))).unwrap()
    other = fx.statics(fx.build(robot, rods=fx.VariableStrain(orders, basis))).unwrap()
    np.testing.assert_allclose(other.pose("rod.tip"), one.pose("rod.tip"), atol=1e-8)


def test_components_that_are_switched_off_stay_at_rest():
    robot = cantilever(rod_of(EA=100.0), force=(5.0, 2.0, -1.0), moment=(0.5, 0.0, 0.0))
    choice = fx.VariableStrain((0, 6, 6, 0, 0, 0))
    strain = fx.statics(fx.build(robot, rods=choice)).unwrap().strain("rod", [0.1, 0.9])
    np.testing.assert_array_equal(strain[:, [0, 3, 4, 5]], [[0.0, 1.0, 0.0, 0.0]] * 2)


@pytest.mark.parametrize(
    "choice", [fx.VariableStrain((6, 6, 6, 0, 0, 0)), fx.RotationInterpolation(2)]
)
def test_ends_too_far_apart_for_a_rod_that_cannot_stretch(choice):
    result = fx.statics(fx.build(held(se3.pose(position=(1.1, 0.0, 0.0))), rods=choice))
    assert result.status is fx.Status.APART
    assert "further apart" in str(result.status)


def test_a_twist_that_a_rod_without_torsion_cannot_follow():
    """Planar bending only: the end cannot turn about the rod's own axis."""
    grip = se3.pose(position=(0.8, 0.0, 0.2), rotation=(1.0, 0.0, 0.0))
    result = fx.statics(fx.build(held(grip), rods=fx.VariableStrain((0, 6, 0, 0, 0, 0))))
    assert result.status is fx.Status.SWITCHED_OFF


def test_components_that_are_switched_off_although_loads_act_on_them():
    """One radian of torsion, and a stretch of two parts in a thousand: one is worth a word."""
    robot = cantilever(rod_of(EA=1e3), force=(2.0, 0.0, 0.0), moment=(1.0, 0.0, 0.0))
    planar = fx.statics(fx.build(robot, rods=fx.VariableStrain((0, 6, 6, 0, 0, 0)))).unwrap()
    (remark,) = planar.remarks
    assert remark.startswith(
        "torsion of rod 'rod' is switched off; its loads would make it up to 1 "
    )
    assert remark in str(planar)
    assert fx.statics(fx.build(robot, rods=fx.RotationInterpolation(4))).unwrap().remarks == ()
    assert fx.statics(fx.build(robot)).unwrap().remarks == ()


def test_a_moment_at_a_loose_end_is_remarked():
    """Two torques cancel each other: only the half of the rod between them feels any."""
    robot = fx.Robot(
        "twisted",
        rods=[rod_of(**THIN)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[
            fx.PointLoad("tip", "rod.tip", moment=(0.4, 0.0, 0.0)),
            fx.PointLoad("middle", fx.At("rod", 0.5), moment=(-0.4, 0.0, 0.0)),
        ],
    )
    result = fx.statics(fx.build(robot, rods=fx.VariableStrain((0, 5, 5, 3, 3, 3)))).unwrap()
    (remark,) = result.remarks
    assert "torsion of rod 'rod' is switched off" in remark
    assert "up to 0.5 rad" in remark


def test_a_twist_that_one_interpolation_cannot_tell():
    """Followed past a whole turn; two elements can."""
    bent = se3.pose(position=(0.5, 0.0, -0.5), rotation=(0.0, np.pi / 2.0, 0.0))
    ends = {}
    for elements in (1, 2):
        model = fx.build(held(bent), rods=fx.RotationInterpolation(elements))
        result = None
        for twist in np.linspace(0.0, 2.5 * np.pi, 21):
            grip = bent @ se3.pose(rotation=(twist, 0.0, 0.0))
            result = fx.statics(model, {"grip": grip}, start=result)
        ends[elements] = result
    assert ends[1].status is fx.Status.COARSE
    assert "use more spans or elements" in str(ends[1].status)
    assert ends[2].converged


def test_a_rod_that_can_stretch_does():
    result = fx.statics(fx.build(held(se3.pose(position=(1.1, 0.0, 0.0))))).unwrap()
    np.testing.assert_allclose(result.strain("rod", 0.5)[3], 1.1, atol=1e-9)
    np.testing.assert_allclose(result.reaction("grip")[3:], (1e7, 0.0, 0.0), rtol=1e-6, atol=1e-3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: fx.VariableStrain((5, 5, 5)), "six whole numbers"),
        (lambda: fx.VariableStrain((0,) * 6), "not all 0"),
        (lambda: fx.VariableStrain(5), "six whole numbers"),
        (lambda: fx.VariableStrain((1, 1, 1, 0, 0, -1)), "six whole numbers"),
        (lambda: fx.VariableStrain(basis="legendr"), "Did you mean 'legendre'"),
        (lambda: fx.VariableStrain(steps=0), "steps must be"),
        (lambda: fx.ConstantStrain(0), "sections must be"),
        (lambda: fx.ConstantStrain(2.5), "got 2.5"),
        (lambda: fx.Hermite(0), "elements"),
        (lambda: fx.Power(0), "degree"),
        (lambda: fx.LinearStrain(0), "elements"),
        (lambda: fx.RotationInterpolation(0), "elements"),
    ],
)
def test_bad_options(make, message):
    with pytest.raises(fx.ModelError, match=message):
        make()


@pytest.mark.parametrize("force", [1e-12, 1e-6])
@pytest.mark.parametrize(
    "rods", [fx.VariableStrain((7, 9, 9, 5, 5, 5), steps=32), fx.LinearStrain(4)]
)
def test_a_curved_rod_that_hardly_anything_pulls(rods, force):
    """What its steps miss of the rest shape is no work that tension does."""
    soft = fx.Material(young=1e6, poisson=0.3)
    rod = fx.Rod("rod", 0.1, fx.Circle(0.004), soft, rest=lambda s: (0.0, 0.0, 200.0 * s))
    pull = fx.PointLoad("pull", "rod.tip", force=(force, 0.0, 0.0))
    robot = fx.Robot("curved", [rod], [fx.Weld("world", "rod.base")], [pull])
    result = fx.statics(fx.build(robot, rods=rods))
    assert result.status is fx.Status.CONVERGED
