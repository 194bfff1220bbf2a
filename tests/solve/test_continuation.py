"""Paths of equilibria: published limit loads, bifurcations and their branches, and bad input."""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk
from support import cantilever, rod_of, tangent_of, wire

import flexura as fx
from benchmarks.lie_group_framework.chiral import cases as chiral
from benchmarks.rods import limit_points
from benchmarks.rods.cases import reference
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.result.path import PathStatus

OTHERS = (  # that stretch
    fx.Spline(3, 24, assumed_strain=False),
    fx.LinearStrain(24),
    fx.VariableStrain(),
)
RISE, STIFFNESS = 0.06, 2e4


def turned(angle, position=(0.0, 0.0, 0.0)):
    """A pose in the plane."""
    return se3.pose(position=position, rotation=(0.0, 0.0, angle))


def flat_rod(name, length, EA=STIFFNESS):
    """A rod with EI = 1 in the plane, and too stiff to leave it."""
    section = fx.Section(area=EA, iy=100.0, iz=1.0, torsion=100.0)
    return fx.Rod(name, length, section, fx.Material(young=1.0, shear=1.0))


def shallow_arch(rise=RISE):
    """Two rods, welded at the crown and to the world, with a load at the crown."""
    slope = np.arctan2(rise, 0.5)
    return fx.Robot(
        "arch",
        rods=[flat_rod(name, np.hypot(0.5, rise)) for name in ("left", "right")],
        joints=[
            fx.Weld("world", "left.base", turned(slope)),
            fx.Weld("left.tip", "right.base", turned(-2.0 * slope)),
            fx.Weld("world", "right.tip", turned(-slope, (1.0, 0.0, 0.0))),
        ],
        loads=[fx.PointLoad("push", "left.tip")],
    )


def down(load):
    return (0.0, 0.0, 0.0, 0.0, -load, 0.0)


def push(load):
    return (0.0, 0.0, 0.0, -load, 0.0, 0.0)


@pytest.fixture(scope="module")
def snap():
    """The path of the shallow arch."""
    return fx.continuation(fx.build(shallow_arch()), "push", down(40.0)).unwrap()


@pytest.fixture(scope="module")
def buckling():
    """The straight column past its first bifurcation."""
    model = limit_points.column(fx.Spline(5, 12))
    return fx.continuation(model, "load", push(4.0)).unwrap()


@pytest.mark.slow
def test_published_limit_loads():
    """Of the deep arch and Lee's frame; tolerance: the error of 12 spans (see the benchmark)."""
    table = limit_points.run(quick=True)
    assert len(table.data) == 4
    for ours, exact in table.data.values():
        assert ours == pytest.approx(exact, rel=limit_points.QUICK_TOLERANCE)


def test_the_deep_arch_is_where_the_reference_has_it():
    """At the limit point: the load is stationary there, displacements are not."""
    data = reference(limit_points.ARCH)
    model = limit_points.deep_arch(data["data"], fx.Spline(5, 24))
    limit = fx.continuation(model, "load", down(1000.0)).unwrap().limits[0]
    exact = data["reference"][limit_points.ARCH_VARIANT]["limit_points"][0]
    crown = limit.result.pose(model.robot.loads[0].at)[:3, 3] - (0.0, 100.0, 0.0)
    # The spline is 5e-9 off in the load, and 1e-8 in the place.
    assert limit.fraction * 1000.0 == pytest.approx(exact["P"], rel=2e-8)
    assert -crown[1] == pytest.approx(exact["apex_drop"], rel=5e-8)
    assert crown[0] == pytest.approx(exact["apex_horizontal"], rel=5e-8)


def test_a_follower_load_has_limit_points_too():
    """Its tangent is not symmetric. Published: 35447, on a few elements, as 18532 for the dead load
    is, which is 8e-4 off."""
    data = reference(limit_points.FRAME)
    model = limit_points.lee_frame(data["data"], fx.Spline(), follower=True)
    path = fx.continuation(model, "load", down(40000.0)).unwrap()
    assert 40000.0 * path.limits[0].fraction == pytest.approx(35447.0, rel=2e-3)
    assert set(path.unstable_modes[1:]) == {None}


def platform():
    """A plate on three legs; its pose is in the border of the tangent."""
    angles = 2.0 * np.pi / 3.0 * np.arange(3)
    feet = [(0.3 * np.cos(a), 0.3 * np.sin(a), 0.0) for a in angles]
    up = (0.0, -np.pi / 2.0, 0.0)
    return fx.Robot(
        "platform",
        rods=[flat_rod(f"leg{i}", 1.0, EA=1e8) for i in range(3)],
        bodies=[fx.Body("plate")],
        joints=[
            *(fx.Weld("world", f"leg{i}.base", se3.pose(p, up)) for i, p in enumerate(feet)),
            *(fx.Weld("plate", f"leg{i}.tip", se3.pose(p, up)) for i, p in enumerate(feet)),
        ],
        loads=[fx.PointLoad("weight", "plate")],
    )


def test_a_platform_sways_where_its_legs_buckle():
    """Legs clamped at both ends sway at π² EI / L² each, in the plane where they are flexible.

    What they shorten lets the plate tilt: EI / (EA r²), 4e-7 of the load.
    """
    model = fx.build(platform())
    assert model.layout.structure.n_border > 0
    path = fx.continuation(model, "weight", (0.0, 0.0, 0.0, 0.0, 0.0, -40.0)).unwrap()
    load = 40.0 * path.bifurcations[0].fraction
    assert load == pytest.approx(3.0 * np.pi**2, rel=1e-6)
    assembly = Assembly(model)
    for point in (path[1], path[-1]):
        assembly.evaluate(point.state, point.given)
        expected = np.count_nonzero(np.linalg.eigvalsh(tangent_of(assembly)) < 0.0)
        assert model.layout.structure.inertia(assembly.values) == expected


def test_a_path_passes_both_limit_points(snap):
    assert snap.status is PathStatus.REACHED
    assert snap.fraction[0] == 0.0
    assert snap.fraction[-1] == 1.0
    high, low = (mark.fraction for mark in snap.limits)
    before = snap.fraction[: snap.limits[0].index + 2]
    assert high == pytest.approx(before.max(), rel=0.01)
    assert high > low
    for mark in snap.limits:
        before, after = snap.fraction[mark.index], snap.fraction[mark.index + 1]
        extreme = max if mark is snap.limits[0] else min
        assert extreme(before, after, mark.fraction) == mark.fraction
    height = snap.pose("left.tip")[:, 1, 3]
    assert (np.diff(height) < 0.0).all()
    assert height[-1] < -0.5 * RISE  # on the other side


def test_every_point_is_an_equilibrium(snap):
    """Newton with the same inputs stays there, and the tangent counts the same modes."""
    for point, modes in zip(snap, snap.unstable_modes, strict=True):
        assert point.converged
        again = fx.statics(point.model, point.inputs, start=point, seek_stable=False)
        np.testing.assert_allclose(again.state.poses, point.state.poses, atol=1e-8)
        assert point.stable is (modes == 0)


def test_raising_the_load_agrees_where_the_path_is_stable(snap):
    """Load steps follow the stable part before the first limit point, and that after the last."""
    model = snap[0].model
    last = snap.limits[-1].index + 2
    for i in [*range(1, 4), *range(last, len(snap))]:
        assert snap.stable[i]
        start = snap[0] if i < last else snap[-1]
        found = fx.statics(model, snap[i].inputs, start=start).unwrap()
        ours, theirs = snap[i].pose("left.tip"), found.pose("left.tip")
        np.testing.assert_allclose(ours, theirs, atol=1e-9)


def test_a_limit_point_is_the_largest_load(snap):
    """Just below it there is an equilibrium nearby, just above there is none on this side."""
    model, limit = snap[0].model, snap.limits[0]
    for factor, near in ((1.0 - 1e-5, True), (1.0 + 1e-5, False)):
        load = down(40.0 * limit.fraction * factor)
        found = fx.statics(model, {"push": load}, start=limit.result, seek_stable=False)
        apart = abs(found.pose("left.tip")[1, 3] - limit.result.pose("left.tip")[1, 3])
        assert bool(found.converged and apart < 1e-2) is near


@pytest.mark.parametrize("rods", OTHERS, ids=str)
def test_limit_points_do_not_depend_on_the_description(snap, rods):
    """The coarsest, ``VariableStrain``, is 4e-4 off in the second load, others at most 2e-5."""
    path = fx.continuation(fx.build(shallow_arch(), rods=rods), "push", down(40.0)).unwrap()
    ours = [mark.fraction for mark in path.limits]
    np.testing.assert_allclose(ours, [mark.fraction for mark in snap.limits], rtol=1e-3)


def test_without_arc_length_the_path_stops_at_the_limit(snap):
    path = fx.continuation(snap[0].model, "push", down(40.0), arc_length=False)
    assert path.status is PathStatus.LIMIT
    assert (np.diff(path.fraction) > 0.0).all()
    # The last step is shorter than 1e-6, and λ is flat here: it ends 1e-10 below.
    assert path.fraction[-1] == pytest.approx(snap.limits[0].fraction, rel=1e-8)
    with pytest.raises(fx.NotConverged, match="limit point; pass it with arc_length=True"):
        path.unwrap()


def test_a_column_buckles_where_it_should(buckling):
    """Compressed and sheared: ``limit_points.column_load``; located to 1e-8 of the path."""
    first = buckling.bifurcations[0]
    assert 4.0 * first.fraction == pytest.approx(limit_points.column_load(), rel=2e-8)
    assert len(buckling.bifurcations) == 1
    assert not buckling.limits
    assert buckling.unstable_modes[first.index : first.index + 2] == (0, 1)


@pytest.mark.parametrize("side", [1, -1])
def test_the_branch_of_a_column_is_the_elastica(buckling, side):
    """Against shooting from a slightly disturbed column, the disturbance taken away again."""
    model = buckling[0].model
    branch = fx.continuation(model, "load", push(4.0), buckling.bifurcations[0], side=side).unwrap()
    assert all(branch.stable[1:])
    tip = branch[-1].pose("column.tip")
    sign = np.sign(tip[1, 3])
    bent = fx.shooting(model.robot, {"load": (0, 0, 0, -4.0, sign * 1e-2, 0)})
    exact = fx.shooting(model.robot, {"load": push(4.0)}, start=bent).unwrap()
    assert abs(tip[1, 3]) > 0.5
    # The spline of degree 5 on 12 spans is 3e-11 off, shooting as much as its tolerance, 1e-10.
    np.testing.assert_allclose(tip, exact.pose("column.tip"), atol=1e-9)


def test_both_sides_of_a_branch(buckling):
    model, cross = buckling[0].model, buckling.bifurcations[0]
    up, down = (fx.continuation(model, "load", push(3.0), cross, side=side) for side in (1, -1))
    mirror = np.array([1.0, -1.0, 1.0])
    np.testing.assert_allclose(
        up[-1].pose("column.tip")[:3, 3], mirror * down[-1].pose("column.tip")[:3, 3], atol=1e-9
    )


def test_a_round_column_has_a_motion_without_resistance():
    """Both planes at once; on the branch the plane may turn freely, and that is said."""
    model = fx.build(cantilever(rod_of(EI=1.0)))
    path = fx.continuation(model, "tip", push(3.0)).unwrap()
    assert 3.0 * path.bifurcations[0].fraction == pytest.approx(np.pi**2 / 4.0, rel=1e-6)
    assert path.unstable_modes[-1] == 2
    branch = fx.continuation(model, "tip", push(3.0), path.bifurcations[0]).unwrap()
    assert set(branch.stable[1:]) == {True}
    assert all(
        any("turns as a shape freely" in x for x in point.remarks) for point in branch.results[1:]
    )
    assert not branch.bifurcations


def test_a_turned_clamp_snaps_a_thin_wire():
    """A steel wire between clamps, EA L²/EI = 1e6: an angle is followed through its limit."""
    robot = fx.Robot(
        "wire",
        rods=[wire()],
        joints=[
            fx.Hinge("clamp", "world", "rod.base", axis=(0, 0, 1), driven=True),
            fx.Weld("world", "rod.tip", turned(0.0, (0.22, 0.0, 0.0))),
        ],
    )
    model = fx.build(robot, rods=fx.LinearStrain(16))
    start = fx.statics(model, {"clamp": 0.8}).unwrap()
    path = fx.continuation(model, "clamp", -2.0, start=start, steps=25)
    assert path.limits
    limit = path.limits[0]
    angles = path.value()
    assert limit.result.inputs["clamp"] < angles[limit.index]
    assert angles.shape == (len(path),)
    for point in path:
        again = fx.statics(model, point.inputs, start=point, seek_stable=False).unwrap()
        np.testing.assert_allclose(again.state.poses, point.state.poses, atol=1e-8)


def test_a_moving_base_carries_an_open_robot():
    """Turning the clamp of a loaded cantilever, as solving for every angle does."""
    load = fx.PointLoad("tip", "rod.tip", force=(0.0, 2.0, 0.0))
    base = fx.Weld("world", "rod.base", name="base")
    robot = fx.Robot("r", [rod_of(EI=1.0, EA=1e7)], [base], [load])
    model = fx.build(robot)
    path = fx.continuation(model, "base", turned(-2.0, (0.3, 0.1, 0.0))).unwrap()
    for point in path:
        same = fx.statics(model, point.inputs, start=point).unwrap()
        np.testing.assert_allclose(point.pose("rod.tip"), same.pose("rod.tip"), atol=1e-9)
    np.testing.assert_allclose(path[-1].pose("rod.base"), turned(-2.0, (0.3, 0.1, 0.0)), atol=1e-12)


def test_tension_is_followed_too():
    tendon = fx.Tendon("left", "rod", fx.Parallel(0.02, 0.0))
    robot = fx.Robot("r", [rod_of()], [fx.Weld("world", "rod.base")], tendons=[tendon])
    path = fx.continuation(fx.build(robot), "left", 30.0).unwrap()
    np.testing.assert_allclose(path.tension("left"), path.value("left"), atol=1e-12)
    np.testing.assert_allclose(path.value("left"), 30.0 * path.fraction, atol=1e-12)
    assert (np.diff(path.tendon_length("left")) < 0.0).all()


def test_a_path_ends_where_an_input_cannot_go():
    """The second limit load of this arch is negative, but a pulley cannot push."""
    arch = shallow_arch(rise=0.15)
    pulley = fx.Pulley("pull", "left.tip", point=(0.5, -50.0, 0.0), force=0.0)
    robot = fx.Robot("arch", arch.rods, arch.joints, [pulley])
    path = fx.continuation(fx.build(robot), "pull", 400.0)
    assert path.status is PathStatus.LEAST
    assert path.value()[-1] == pytest.approx(0.0, abs=1e-9)
    assert path[-1].converged


def test_steps_run_out(snap):
    path = fx.continuation(snap[0].model, "push", down(40.0), steps=3)
    assert path.status is PathStatus.STEPS
    assert len(path) == 4
    assert "the steps ran out" in str(path)


def test_shorter_steps_give_more_points_of_the_same_path(snap):
    path = fx.continuation(snap[0].model, "push", down(40.0), longest=0.02, steps=np.int64(300))
    assert len(path.unwrap()) > 2 * len(snap)
    assert np.abs(np.diff(path.fraction)).max() <= 0.02
    for ours, theirs in zip(path.limits, snap.limits, strict=True):
        # They are located to 1e-8 of the path, where λ is flat.
        assert ours.fraction == pytest.approx(theirs.fraction, rel=1e-10)


def column_in_a_press(side):
    """A column, clamped at both ends, that a press shortens; a small force bends it to one side."""
    shoe = turned(0.0, (1.0, 0.0, 0.0))
    return fx.Robot(
        "press",
        rods=[flat_rod("column", 1.0, EA=1e4)],
        bodies=[fx.Body("shoe")],
        joints=[
            fx.Weld("world", "column.base"),
            fx.Slider("press", "world", "shoe", axis=(1.0, 0.0, 0.0), offset=shoe, driven=True),
            fx.Weld("shoe", "column.tip"),
        ],
        loads=[fx.PointLoad("side", fx.At("column", 0.5), force=(0.0, side, 0.0))],
    )


def elastica_force(shortening):
    """Force on an inextensible column, clamped at both ends and shortened by a part of itself.

    P = 16 K(m)² EI / L²,    shortening = 2 (1 - E(m) / K(m))
    """
    m = brentq(lambda m: 2.0 * (1.0 - ellipe(m) / ellipk(m)) - shortening, 1e-9, 0.9)
    return 16.0 * ellipk(m) ** 2


@pytest.mark.parametrize("side", [1.0, 0.1, 0.01, -0.1])
def test_a_path_is_not_left_for_one_that_comes_close(side):
    """The bent column passes the straight one, which is unstable and pushes 40 times as hard."""
    model = fx.build(column_in_a_press(side))
    path = fx.continuation(model, "press", -0.2).unwrap()
    assert all(path.stable)
    assert not path.bifurcations
    middle = path.pose("column", 0.5)[:, 1, 3]
    assert (np.diff(np.sign(side) * middle) > 0.0).all()
    # The column is compressed and sheared by 0.3 %; a side force of 1 changes the force by 1.3 %.
    exact = elastica_force(0.2)
    assert -path[-1].torque("press") == pytest.approx(exact, rel=0.005 if abs(side) < 1.0 else 0.02)


def test_a_path_without_potential_is_not_left_either():
    """The chiral mechanism under a torque, which has none; the straight one would need 1500 N."""
    model = fx.build(chiral.robot(driven=True), rods=fx.LinearStrain(8))
    torque = {"load": (0.0, 0.0, 0.1, 0.0, 0.0, 0.0)}
    path = fx.continuation(model, "slide", -0.24, inputs=torque).unwrap()
    assert set(path.unstable_modes) == {None}
    assert all(path.stable)
    assert not path.bifurcations
    assert -path[-1].torque("slide") < 190.0


def test_a_bifurcation_under_a_load_without_potential_is_found():
    """A follower force does no work on a column that is guided straight; it buckles as under a
    dead one, where its ends cannot turn."""
    shoe = turned(0.0, (1.0, 0.0, 0.0))
    found = []
    for follower in (False, True):
        robot = fx.Robot(
            "guided",
            rods=[flat_rod("column", 1.0, EA=1e4)],
            bodies=[fx.Body("shoe")],
            joints=[
                fx.Weld("world", "column.base"),
                fx.Slider("guide", "world", "shoe", axis=(1.0, 0.0, 0.0), offset=shoe),
                fx.Weld("shoe", "column.tip"),
            ],
            loads=[fx.PointLoad("push", "shoe", follower=follower)],
        )
        path = fx.continuation(fx.build(robot), "push", push(45.0)).unwrap()
        assert (path.unstable_modes[0] is None) is follower
        found.append(45.0 * path.bifurcations[0].fraction)
    assert found[1] == pytest.approx(found[0], rel=1e-7)


@pytest.mark.parametrize("rods", [fx.Spline(3, 6), fx.LinearStrain(12)], ids=str)
def test_the_sign_of_a_determinant_is_that_of_the_whole_matrix(rods):
    """Of a band alone, and of one with a border."""
    tip = fx.PointLoad("tip", "rod.tip", follower=True)
    beam = fx.build(fx.Robot("r", [rod_of()], [fx.Weld("world", "rod.base")], [tip]), rods=rods)
    plate = fx.build(platform(), rods=rods)
    assert [bool(model.layout.structure.n_border) for model in (beam, plate)] == [False, True]
    for model, load in ((beam, {"tip": down(0.3)}), (plate, {"weight": (0, 0, 0, 0, 0, -40.0)})):
        result = fx.statics(model, load, seek_stable=False).unwrap()
        assembly = Assembly(model)
        assembly.evaluate(result.state, result.given)
        sign, _ = np.linalg.slogdet(tangent_of(assembly))
        assert model.layout.structure.factorise(assembly.values, False).sign == sign


@pytest.mark.parametrize("side", [1, -1])
def test_a_closed_path_ends_where_it_began(snap, side):
    """The arch may tilt between two bifurcations; the way back is the mirror image."""
    model = snap[0].model
    path = fx.continuation(model, "push", down(40.0), snap.bifurcations[0], side=side)
    assert path.status is PathStatus.CLOSED
    assert not path.reached
    first, second = (mark.result for mark in snap.bifurcations)
    # The spline is not quite symmetric: the branch misses its bifurcations by 1e-5 of the load. The
    # last point may be 2e-3 of the path from the first.
    for ours, exact, off in ((path.limits[0].result, second, 2e-3), (path[-1], first, 0.05)):
        np.testing.assert_allclose(ours.inputs["push"], exact.inputs["push"], atol=off)
    tilt = path.pose("left.tip")[:, 1, 0] - first.pose("left.tip")[1, 0]
    assert tilt.min() == pytest.approx(-tilt.max(), rel=0.05)  # at points of the path


@pytest.mark.parametrize("place", [0.25, 0.5, 0.75])
def test_a_loop_may_be_entered_anywhere(place):
    """λ passes that of the first point on the way too, at another equilibrium, without an end.

    These elements are as symmetric as the arch: at its bifurcations the branch goes straight on.
    """
    model = fx.build(shallow_arch(), rods=fx.LinearStrain(8))
    main = fx.continuation(model, "push", down(40.0)).unwrap()
    around = fx.continuation(model, "push", down(40.0), main.bifurcations[0])
    begin = around[int(place * len(around))]
    path = fx.continuation(model, "push", down(40.0), begin)
    assert path.status is PathStatus.CLOSED
    assert len(path.limits) == 2
    np.testing.assert_allclose(
        [mark.result.inputs["push"][4] for mark in path.limits],
        [mark.result.inputs["push"][4] for mark in main.bifurcations],
        rtol=1e-4,
    )


def test_nothing_to_follow():
    robot = fx.Robot(
        "block",
        rods=[],
        bodies=[fx.Body("body")],
        joints=[fx.Weld("world", "body")],
        loads=[fx.PointLoad("push", "body")],
    )
    with pytest.raises(fx.ModelError, match="nothing can move in 'block'"):
        fx.continuation(fx.build(robot), "push", down(1.0))


def test_a_path_answers_like_many_results(snap):
    assert snap.pose("left.tip").shape == (len(snap), 4, 4)
    assert snap.strain("left", [0.1, 0.2]).shape == (len(snap), 2, 6)
    assert snap.internal_wrench("left", 0.1).shape == (len(snap), 6)
    assert snap.value("push").shape == (len(snap), 6)
    assert snap.energy.shape == (len(snap),)
    assert [point.energy for point in snap] == snap.energy.tolist()
    assert "limit points   λ = " in str(snap)
    with pytest.raises(fx.UnknownName, match="Did you mean 'push'"):
        snap.value("pusch")
    with pytest.raises(ValueError, match="read-only"):
        snap.fraction[0] = 1.0


def test_negative_eigenvalues_are_those_of_the_whole_matrix(snap):
    model = snap[0].model
    assembly = Assembly(model)
    for point in (snap[0], snap[len(snap) // 2], snap[-1]):
        assembly.evaluate(point.state, point.given)
        expected = np.count_nonzero(np.linalg.eigvalsh(tangent_of(assembly)) < 0.0)
        assert model.layout.structure.inertia(assembly.values) == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"input": "puhs"}, "Did you mean 'push'"),
        ({"to": (1.0, 2.0)}, "takes 6 finite numbers"),
        ({"to": down(0.0)}, "has the value .* at the start already"),
        ({"steps": 0}, "whole number from 1 to 1000000000, got 0"),
        ({"steps": 2.5}, "whole number from 1 to 1000000000, got 2.5"),
        ({"side": 2}, "side must be 1 or -1"),
        ({"arc_length": "no"}, "arc_length must be True or False, got 'no'"),
        ({"longest": 0.0}, "longest must be a number > 1e-07, got 0.0"),
        ({"longest": float("nan")}, "longest must be a number > 1e-07, got nan"),
        ({"longest": "short"}, "longest must be a number > 1e-07, got 'short'"),
        ({"start": 3}, "start must be a StaticResult"),
        ({"model": None}, "takes the Model that build returns, got NoneType"),
    ],
)
def test_bad_input(snap, options, message):
    given = {"model": snap[0].model, "input": "push", "to": down(1.0), **options}
    with pytest.raises(fx.ModelError, match=message):
        fx.continuation(**given)


def test_a_start_of_another_model_or_without_balance_is_refused(snap):
    other = fx.build(shallow_arch(), rods=fx.Spline(3, 13))
    with pytest.raises(fx.ModelError, match="same model"):
        fx.continuation(other, "push", down(1.0), start=snap[0])
    unfinished = fx.statics(other, {"push": down(1e6)}, iterations=2)
    with pytest.raises(fx.ModelError, match="must be an equilibrium"):
        fx.continuation(other, "push", down(1.0), start=unfinished)


def arm(drive, names=("left", "right")):
    """A soft rod with tendons on its sides, and a load at its tip."""
    tendons = [
        fx.Tendon(name, "rod", fx.Parallel(0.05 if name == "left" else -0.05, 0.0), drive=drive)
        for name in names
    ]
    load = fx.PointLoad("tip", "rod.tip")
    rod = rod_of(EA=1e4)
    return fx.Robot("arm", [rod], [fx.Weld("world", "rod.base")], [load], tendons=tendons)


@pytest.mark.parametrize("rods", [fx.Spline(), fx.VariableStrain()], ids=["spline", "strain"])
def test_tendons_driven_by_length_are_followed(rods):
    """Pulled by its length, a tendon has a tension that bends the rod just as far.

    Every point is the equilibrium that ``statics`` finds, and the one of its tension.
    """
    model, other = (fx.build(arm(drive, ["left"]), rods=rods) for drive in ("length", "tension"))
    path = fx.continuation(model, "left", 0.06).unwrap()
    assert len(path) > 5
    assert (np.diff(path.tension("left")) > 0.0).all()
    np.testing.assert_allclose(path.tendon_length("left"), 1.0 - path.value(), atol=1e-9)
    for point in (path[3], path[-1]):
        again = fx.statics(model, {"left": point.inputs["left"]}).unwrap()
        np.testing.assert_allclose(point.pose("rod.tip"), again.pose("rod.tip"), atol=1e-9)
        same = fx.statics(other, {"left": point.tension("left")}).unwrap()
        np.testing.assert_allclose(point.pose("rod.tip"), same.pose("rod.tip"), atol=1e-8)


def test_a_load_is_followed_while_tendons_become_taut():
    """Tendons are longer than their ways: pushed aside, one becomes taut and then holds the tip."""
    model, loose = fx.build(arm("length")), {"left": -0.01, "right": -0.01}
    path = fx.continuation(model, "tip", down(3.0), inputs=loose).unwrap()
    taut = path.tension("left") > 0.0
    assert not taut[0]
    assert taut[-1]
    assert np.count_nonzero(np.diff(taut)) == 1
    assert (path.tension("right") == 0.0).all()
    free = fx.build(arm("tension"))
    for i in (int(np.argmax(taut)) - 1, len(path) - 1):
        again = fx.statics(model, path[i].inputs).unwrap()
        np.testing.assert_allclose(path[i].pose("rod.tip"), again.pose("rod.tip"), atol=1e-9)
        given = {"tip": path[i].inputs["tip"], "left": path[i].tension("left")}
        same = fx.statics(free, given).unwrap()
        np.testing.assert_allclose(path[i].pose("rod.tip"), same.pose("rod.tip"), atol=1e-8)


def test_paths_say_what_equilibria_say_of_their_stability():
    """What moves freely is named at every point, and why stability is not told."""
    nylon = fx.Material(young=2e9, poisson=0.4, density=1150.0)
    rod = fx.Rod("rod", 1.0, fx.Circle(2e-3), nylon)
    ends = [
        fx.Ball("a", "world", "rod.base"),
        fx.Ball("b", "world", "rod.tip", offset=se3.pose((0.8, 0.0, 0.0))),
    ]
    pull = fx.PointLoad("pull", fx.At("rod", 0.5))
    model = fx.build(fx.Robot("on balls", [rod], ends, [fx.Gravity(), pull]))
    path = fx.continuation(model, "pull", (0, 0, 0, 0, 0.2, 0)).unwrap()
    assert not path.limits  # nor does it turn on about its own axis
    for point in path.results:
        assert point.stable
        assert any("turns freely about its own axis" in remark for remark in point.remarks)

    turned = fx.PointLoad("turned", "rod.tip")  # a moment that is fixed in space
    robot = fx.Robot("turned", [rod], [fx.Weld("world", "rod.base")], [turned])
    model, moments = fx.build(robot), (0.1, 0.05, 0.05, 0, 0, 0)
    cold = fx.statics(model, {"turned": moments}, seek_stable=False)
    last = fx.continuation(model, "turned", moments).results[-1]
    assert last.stable is cold.stable
    assert last.remarks == cold.remarks
    assert cold.remarks


@pytest.mark.parametrize("rods", [fx.LinearStrain(16), fx.Spline()], ids=str)
@pytest.mark.parametrize("held", [fx.Weld, partial(fx.Ball, "end")], ids=["clamp", "ball"])
def test_what_a_load_turns_freely_is_turned_as_it_begins(held, rods):
    """All planes of a buckled round rod are equilibria without it: the path went round in circles.

    It was CLOSED after 134 points, with 68 limit points at λ < 1e-14.
    """
    rod = fx.Rod("rod", 1.0, fx.Circle(5e-3), fx.Material(young=1e8, poisson=0.4))
    joints = [fx.Weld("world", "rod.base"), held("world", "rod.tip", se3.pose((0.6, 0, 0)))]
    push = fx.PointLoad("push", fx.At("rod", 0.4))
    model = fx.build(fx.Robot("buckled", [rod], joints, [push]), rods)
    load = (0, 0, 0, 0.05, 0.3, 0.2)
    path = fx.continuation(model, "push", load).unwrap()
    assert (path.limits, path.bifurcations) == ((), ())
    assert path[-1].potential == pytest.approx(fx.statics(model, {"push": load}).potential)
    across = path[-1].pose(fx.At("rod", 0.4))[1:3, 3]
    assert across @ (0.3, 0.2) == pytest.approx(np.hypot(*across) * np.hypot(0.3, 0.2))


@pytest.mark.parametrize("rods", [fx.LinearStrain(4), fx.ConstantStrain(4)], ids=str)
def test_each_point_says_how_wrong_it_may_be(rods):
    """Only the last one did: tips were up to 5 % off, "CONTINUED, stable", without a word."""
    rod = fx.Rod("rod", 1.0, fx.Circle(2e-3), fx.Material(young=1e9, poisson=0.3))
    model = fx.build(cantilever(rod), rods=rods)
    bent = (0, 0, 0, 0, 0, 120.0 * rod.stiffness(0.0)[1])
    path = fx.continuation(model, "tip", bent).unwrap()

    def said(result):
        return [remark for remark in result.remarks if "may be wrong" in remark]

    for point in path[1:]:
        assert len(said(point)) == len(said(fx.statics(model, point.inputs, point)))
    assert sum(bool(said(point)) for point in path) > 1


def test_what_begins_turned_says_all_once():
    rod = fx.Rod("rod", 1.0, fx.Circle(5e-3), fx.Material(young=1e8, poisson=0.4))
    joints = [fx.Weld("world", "rod.base"), fx.Weld("world", "rod.tip", se3.pose((0.3, 0, 0)))]
    push = fx.PointLoad("push", fx.At("rod", 0.4))
    model = fx.build(fx.Robot("buckled", [rod], joints, [push]), fx.LinearStrain(3))
    path = fx.continuation(model, "push", (0, 0, 0, 0.05, 0.3, 0.2)).unwrap()
    for point in path[1:]:
        assert len([x for x in point.remarks if "may be wrong" in x]) == 1
