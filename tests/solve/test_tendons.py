"""Tendon robots in equilibrium: closed forms, references, drives, and every description alike."""

from dataclasses import replace

import numpy as np
import pytest
from support import mixed, rod_of, slope

import flexura as fx
from benchmarks.tendon_newton_lagrange import cases, discs
from flexura.lie import se3

REFINED = {
    "spline": fx.Spline(3, 48),
    "hermite": fx.Hermite(24),
    "power": fx.Power(4, 8),
    "linear strain": fx.LinearStrain(48),
    "variable strain": fx.VariableStrain((10, 12, 12, 8, 8, 8), steps=96),
}
COARSE = {
    "spline": fx.Spline(),
    "hermite": fx.Hermite(8),
    "power": fx.Power(3, 4),
    "linear strain": fx.LinearStrain(8),
    "variable strain": fx.VariableStrain(),
    "constant strain": fx.ConstantStrain(16),
    "rotation interpolation": fx.RotationInterpolation(4),
}
EACH = pytest.mark.parametrize("rods", COARSE.values(), ids=COARSE.keys())


def pulled(rod, routing=None, **options):
    """A clamped rod with one tendon."""
    routing = fx.Parallel(0.05, 0.0) if routing is None else routing
    return fx.Robot(
        "pulled",
        rods=[rod],
        joints=[fx.Weld("world", "rod.base")],
        tendons=[fx.Tendon("pull", "rod", routing, **options)],
    )


def driven(robot, **options):
    """The same robot with tendons that are driven by their length."""
    tendons = [replace(tendon, drive="length", **options) for tendon in robot.tendons]
    return replace(robot, tendons=tendons)


@mixed(together=2, scenario=cases.SCENARIOS, physical=[False, True], refined=REFINED)
def test_references(scenario, physical, refined):
    """All published scenarios, to a millionth of the length, in one load step from straight."""
    robot = cases.robot(scenario, physical)
    exact = cases.reference(scenario, physical)
    model = fx.build(robot, rods=REFINED[refined])
    results = fx.statics_many(model, exact.tensions, warm=False).unwrap()
    tips = results.pose(cases.tip(robot))
    length = sum(rod.length for rod in robot.rods)
    np.testing.assert_allclose(tips[:, :3, 3], exact.position, atol=1e-6 * length)
    np.testing.assert_allclose(tips[:, :3, :3], exact.rotation, atol=1e-5)
    assert (results.load_steps == 1).all()
    assert set(results.stable) == {True}


@EACH
@pytest.mark.parametrize("scenario", "DE")
def test_tendons_may_end_and_kink_inside_a_rod(scenario, rods):
    """One rod with tendons that end inside is the chain of its parts."""
    chain, single = cases.robot(scenario), cases.robot(scenario, joined=False)
    inputs = dict(zip(("t1", "t3", "t5"), (2.0, 1.5, 1.0), strict=True))
    finer = fx.ConstantStrain(48) if isinstance(rods, fx.ConstantStrain) else rods
    a = fx.statics(fx.build(chain, rods=rods), inputs).unwrap()
    b = fx.statics(fx.build(single, rods=finer), inputs).unwrap()
    np.testing.assert_allclose(
        b.pose(cases.tip(single))[:3, 3], a.pose(cases.tip(chain))[:3, 3], atol=3e-5
    )


@EACH
def test_parallel_tendon_bends_to_a_circle(rods):
    """κ EI = τ r / |Γ| (1 + ε - κ r) = τ r, and the axis shortens by τ / EA."""
    EI, EA, r, tension = 2.0, 1e5, 0.05, 30.0
    result = fx.statics(fx.build(pulled(rod_of(EI, EA=EA)), rods=rods), {"pull": tension})
    strain = result.unwrap().strain("rod", 0.37)
    kappa = tension * r / EI  # about z: the tendon is at +y
    stretch = 1.0 if isinstance(rods, fx.RotationInterpolation) else 1.0 - tension / EA
    np.testing.assert_allclose(strain, [0.0, 0.0, kappa, stretch, 0.0, 0.0], atol=1e-8)
    assert result.tendon_length("pull") == pytest.approx(stretch - kappa * r, abs=1e-9)
    assert result.tension("pull") == tension
    np.testing.assert_allclose(result.reaction("world-rod.base"), 0.0, atol=1e-8)


@EACH
def test_work_of_the_tendon_is_stored_in_the_rod(rods):
    """dU = -τ dl along a path of tensions, through a helix."""
    robot = pulled(rod_of(0.5, GJ=0.3, EA=1e4), fx.Helical(0.06, 0.7))
    model = fx.build(robot, rods=rods)
    x, w = np.polynomial.legendre.leggauss(8)
    ends = [fx.statics(model, {"pull": t}).unwrap() for t in (0.0, 6.0)]
    inside = fx.statics_many(model, {"pull": 3.0 * (x + 1.0)}).unwrap()
    lengths = inside.tendon_length("pull")  # ∫ τ dl = [τ l] - ∫ l dτ
    work = 6.0 * ends[1].tendon_length("pull") - 3.0 * w @ lengths
    assert ends[1].energy - ends[0].energy == pytest.approx(-work, rel=2e-7)
    assert ends[1].potential == pytest.approx(ends[1].energy + 6.0 * ends[1].tendon_length("pull"))


@EACH
def test_length_drive_is_the_inverse_of_tension_drive(rods):
    robot = cases.robot("E")
    tensions = dict(zip(("t1", "t3", "t6"), (2.0, 1.5, 1.0), strict=True))
    by_tension = fx.build(robot, rods=rods)
    result = fx.statics(by_tension, tensions).unwrap()
    # Only some are held: an inextensible rod cannot tell tendons that pull against each other.
    held = [replace(t, drive="length" if t.name in tensions else "tension") for t in robot.tendons]
    by_length = fx.build(replace(robot, tendons=held), rods=rods)
    shortening = {
        name: rest - result.tendon_length(name)
        for name, rest in zip(by_tension.tendons.names, by_tension.tendons.rest, strict=True)
        if name in tensions
    }
    again = fx.statics(by_length, shortening).unwrap()
    assert again.load_steps == 1
    assert again.stable
    for name, tension in tensions.items():
        assert again.tension(name) == pytest.approx(tension, rel=1e-6)
        assert not again.slack(name)
    tip = cases.tip(robot)
    np.testing.assert_allclose(again.pose(tip), result.pose(tip), atol=1e-8)


@EACH
def test_a_tendon_that_would_push_is_slack(rods):
    """Of an antagonistic pair the one that is let out hangs, and the other bends alone."""
    robot = driven(cases.robot("B"))
    model = fx.build(robot, rods=rods)
    both = fx.statics(model, {"t1": 4e-3, "t2": -6e-3}).unwrap()
    assert both.slack("t2")
    assert both.tension("t2") == 0.0
    assert both.tension("t1") > 0.1
    assert both.tendon_length("t2") < model.tendons.rest[1] + 6e-3
    alone = replace(robot, tendons=robot.tendons[:1])
    single = fx.statics(fx.build(alone, rods=rods), {"t1": 4e-3}).unwrap()
    assert single.tension("t1") == pytest.approx(both.tension("t1"), rel=1e-9)
    assert "slack" not in str(single.status)


def test_an_elastic_tendon_gives():
    """(l0 - u)(1 + τ/EA) = l, and softer tendons carry less."""
    rod = rod_of(2.0, EA=1e5)
    found = []
    for stiffness in (1e3, 1e5, None):
        robot = driven(pulled(rod), stiffness=stiffness)
        model = fx.build(robot)
        result = fx.statics(model, {"pull": 0.02}).unwrap()
        tension = result.tension("pull")
        own = (1.0 - 0.02) * (1.0 if stiffness is None else 1.0 + tension / stiffness)
        assert result.tendon_length("pull") == pytest.approx(own, rel=1e-9)
        found.append(tension)
    assert found == sorted(found)


def test_pulling_more_than_the_robot_can_give_is_a_status():
    result = fx.statics(fx.build(driven(pulled(rod_of()))), {"pull": 2.0})
    assert not result.converged
    assert result.status is fx.Status.PULLED
    assert 0.0 <= result.load_factor < 1.0


def test_discs_approach_the_channel_with_the_square_of_their_spacing():
    data = discs.run(quick=True).data
    assert slope(1.0 / np.array(data["counts"][1:]), data["errors"][1:]) == pytest.approx(
        2.0, abs=0.15
    )


@EACH
def test_discs_are_the_same_in_every_description(rods):
    """Four discs: straight cables between them, and the rod free in between."""
    inputs = {"t1": 1.0, "t2": 0.3}
    robot = discs.with_discs(4)
    exact = fx.statics(fx.build(robot, rods=fx.LinearStrain(64)), inputs).unwrap()
    result = fx.statics(fx.build(robot, rods=rods), inputs).unwrap()
    away = fx.shape_error(result, exact).max_position
    assert away < (2e-3 if isinstance(rods, fx.ConstantStrain) else 3e-5)
    path = result.tendon_path("t1")
    assert path.shape == (5, 3)
    length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    assert result.tendon_length("t1") == pytest.approx(length, rel=1e-12)


def test_path_of_a_tendon_is_as_long_as_the_tendon():
    robot = cases.robot("E")
    result = fx.statics(fx.build(robot), {"t3": 2.0, "t6": 1.0}).unwrap()
    for name in ("t1", "t3", "t6"):
        path = result.tendon_path(name, points=2000)
        length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
        assert result.tendon_length(name) == pytest.approx(length, rel=1e-6)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"pull": -1.0}, "a tension .* cannot push; got -1.0"),
        ({"pull": (1.0, 2.0)}, "takes a finite number"),
        ({"pull": np.nan}, "takes a finite number"),
        ({"pul": 1.0}, "Did you mean 'pull'"),
    ],
)
def test_bad_inputs(inputs, message):
    with pytest.raises(fx.ModelError, match=message):
        fx.statics(fx.build(pulled(rod_of())), inputs)


@pytest.mark.parametrize("value", [-np.inf, np.inf, np.nan, np.float64(-np.inf)])
def test_a_shortening_is_finite(value):
    """It may be negative, a tendon that is let out, but no more."""
    model = fx.build(pulled(rod_of(), drive="length"))
    with pytest.raises(fx.ModelError, match="takes a finite number"):
        fx.statics(model, {"pull": value})
    assert fx.statics(model, {"pull": np.float64(-0.01)}).slack("pull")


def test_unknown_tendon():
    result = fx.statics(fx.build(pulled(rod_of())))
    with pytest.raises(fx.UnknownName, match="Did you mean 'pull'"):
        result.tension("pulll")


def jointed(offset, tendons):
    """Two rods with something rigid between them."""
    rods = [replace(rod_of(), name=name) for name in ("near", "far")]
    joints = [fx.Weld("world", "near.base"), fx.Weld("near.tip", "far.base", offset=offset)]
    return fx.Robot("jointed", rods=rods, joints=joints, tendons=tendons)


@EACH
@pytest.mark.parametrize(
    "offset",
    [
        se3.pose(),
        se3.pose(rotation=(2.0 * np.pi, 0.0, 0.0)),  # nothing but rounding
        se3.pose((0.2, 0.0, 0.0), (0.0, 0.0, 0.3)),
    ],
    ids=["nothing", "rounding", "a part"],
)
def test_one_cable_through_a_rigid_part_pulls_like_one_across_each_side(rods, offset):
    length = rod_of().length
    cut = [fx.Tendon(name, name, fx.Discs([0.0, length], 0.02, 0.05)) for name in ("near", "far")]
    whole = fx.Tendon("whole", ["near", "far"], fx.Discs([0.0, length, 2.0 * length], 0.02, 0.05))
    model = fx.build(jointed(offset, cut), rods=rods)
    two = fx.statics(model, dict.fromkeys(model.inputs, 0.3)).unwrap()
    one = fx.statics(fx.build(jointed(offset, [whole]), rods=rods), {"whole": 0.3}).unwrap()
    unloaded = fx.statics(model).unwrap().pose("far.tip")
    assert np.linalg.norm(two.pose("far.tip")[:3, 3] - unloaded[:3, 3]) > 0.01 * length
    np.testing.assert_allclose(one.pose("far.tip"), two.pose("far.tip"), atol=1e-10)
    hole = np.array([0.0, 0.02, 0.05, 1.0])
    between = np.linalg.norm(one.model.robot.joints[1].transform @ hole - hole)  # it never changes
    parts = two.tendon_length("near") + two.tendon_length("far")
    assert one.tendon_length("whole") == pytest.approx(parts + between, rel=1e-10)
    path = one.tendon_path("whole")
    assert len(path) == 4
    measured = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    assert one.tendon_length("whole") == pytest.approx(measured, rel=1e-8)


def test_lengths_under_a_load_without_potential():
    """With a dead moment the compliance of the tendons is not symmetric; both are taut."""
    rod = fx.Rod("r", 1.0, fx.Circle(0.02), fx.Material(young=1e6, poisson=0.4))
    tendons = [
        fx.Tendon("t", "r", fx.Parallel(0.03, 0.0), drive="length"),
        fx.Tendon("u", "r", fx.Parallel(0.0, 0.03), drive="length"),
    ]
    load = fx.PointLoad("p", "r.tip", moment=(0.05, 0.0, 0.0))
    robot = fx.Robot("a", [rod], [fx.Weld("world", "r.base")], [load], tendons=tendons)
    model = fx.build(robot)
    result = fx.statics(model, {"t": 0.02, "u": 0.015})
    assert result.status is fx.Status.CONVERGED
    assert result.iterations <= 6
    np.testing.assert_allclose(result.tendon_lengths, model.tendons.rest - [0.02, 0.015], atol=1e-9)
    again = fx.statics(model, {"t": 0.02, "u": 0.015}, start=result)
    assert again.iterations <= 2


@pytest.mark.parametrize("routing", [fx.Parallel(0.02, 0.0), fx.Discs([0.1, 0.2, 0.4], 0.02, 0.0)])
def test_a_tendon_that_passes_a_driven_joint(routing):
    """A slider that parts two rods by 0.1 m makes a tendon that much longer, and holds its pull."""
    rods = [
        fx.Rod(name, 0.2, fx.Circle(0.01), fx.Material(young=1e6, poisson=0.45)) for name in "ab"
    ]
    gap = se3.pose(position=(0.05, 0.0, 0.0))
    slider = fx.Slider("gap", "a.tip", "b.base", (1.0, 0.0, 0.0), gap, driven=True)
    tendon = fx.Tendon("tendon", ["a", "b"], routing)
    robot = fx.Robot("r", rods, [fx.Weld("world", "a.base"), slider], tendons=[tendon])
    model = fx.build(robot)
    near, far = (fx.statics(model, {"tendon": 1.0, "gap": x}).unwrap() for x in (0.0, 0.1))
    longer = far.tendon_length("tendon") - near.tendon_length("tendon")
    assert longer == pytest.approx(0.1, abs=1e-3)
    assert far.torque("gap") == pytest.approx(1.0, abs=1e-2)
