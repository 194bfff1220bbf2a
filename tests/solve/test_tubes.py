"""Sets of tubes in their limits: rods that are known, tubes that are hidden, ends that coincide."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from support import OFFSET, refused

import flexura as fx
from flexura.lie import se3
from flexura.model.tube_start import grown
from flexura.solve import followed
from flexura.solve.search import Search

STEEL = fx.Material(young=60e9, shear=23e9, density=6450.0)
RODS = [fx.VariableStrain((6, 8, 8, 3, 4, 4), steps=48), fx.Spline(4, 16)]
REFINED = [fx.VariableStrain((8, 10, 10, 4, 5, 5), steps=160), fx.Spline(4, 40)]
EACH = pytest.mark.parametrize("rods", RODS, ids=["strain", "spline"])
PUSH = (0.001, -0.002, 0.003, 0.05, 0.1, -0.2)


def tube(name, length=0.2, outer=0.6e-3, curvature=0.0, straight=0.0):
    rest = fx.PiecewiseRest([(straight, (0, 0, 0)), (length, (0, curvature, 0))])
    return fx.Rod(name, length, fx.Tube(outer, 0.8 * outer), STEEL, rest=rest)


def lifted(tube):
    """What leaves the plate of a needle has been lifted there, by length [N]."""
    return tube.mass_per_length(0.0) * 9.81 * OFFSET[2, 3]


def needle(*tubes, loads=(), **more):
    return fx.Robot(
        "needle",
        tubes=[fx.TubeSet("set", tubes)],
        joints=[fx.Weld("world", "set.base", offset=OFFSET)],
        loads=[fx.Gravity(), fx.PointLoad("push", f"{tubes[0].name}.tip"), *loads],
        **more,
    )


@pytest.mark.parametrize("rods", REFINED, ids=["strain", "spline"])
def test_one_tube_is_the_rod_of_statics(rods):
    """A tube that is all outside, turned at the plate, is a rod that is turned there.

    Frames of the two twist differently along it, so that they agree as they are refined.
    """
    rod = tube("rod", curvature=8.0)
    fed = fx.statics(fx.build(needle(rod), rods=rods), {"push": PUSH, "rod.rotation": 0.7}).unwrap()
    turn = OFFSET @ se3.exp(np.array([0.7, 0, 0, 0, 0, 0]))
    held = fx.Robot(
        "held",
        rods=[rod],
        joints=[fx.Weld("world", "rod.base", offset=turn)],
        loads=[fx.Gravity(), fx.PointLoad("push", "rod.tip")],
    )
    known = fx.statics(fx.build(held, rods=rods), {"push": PUSH}).unwrap()
    s = np.linspace(0.0, 0.2, 7)
    np.testing.assert_allclose(fed.pose("rod", s), known.pose("rod", s), atol=3e-8)
    np.testing.assert_allclose(fed.energy, known.energy, rtol=1e-6)
    torque = known.reaction("world-rod.base")[0]
    assert fed.torque("rod.rotation") == pytest.approx(torque, abs=1e-8)


@EACH
def test_equal_tubes_without_relative_angle_are_one_rod(rods):
    """Of the sum of their stiffnesses and masses."""
    first, second = tube("a", curvature=8.0), tube("b", 0.2, 0.8e-3, curvature=8.0)
    area, iy, iz, torsion = first.section_constants(0.0) + second.section_constants(0.0)
    one = fx.Rod("a", 0.2, fx.Section(area, iy, iz, torsion), STEEL, rest=(0.0, 8.0, 0.0))
    planar = {"push": (0, 0.002, 0, 0.05, 0, -0.2)}
    a, b = (
        fx.statics(fx.build(replace(needle(*tubes), joints=UPRIGHT), rods=rods), planar).unwrap()
        for tubes in ((first, second), (one,))
    )
    np.testing.assert_allclose(a.pose("a.tip"), b.pose("a.tip"), atol=1e-9)
    # as many steps of integration are shared by more sections
    assert a.energy == pytest.approx(b.energy, rel=1e-6)


UPRIGHT = [fx.Weld("world", "set.base")]  # so that the weight bends in the plane of the rest shape


@EACH
@pytest.mark.parametrize("inside", [0.0, 1e-7, 1e-4])
def test_a_tube_that_is_inside_leaves_the_others(rods, inside):
    """At the plate it holds nothing any more, and just outside hardly anything."""
    tubes = tube("a", curvature=8.0, straight=0.1), tube("b", 0.15, 0.8e-3, curvature=10.0)
    inputs = {"push": PUSH, "a.insertion": 0.12, "b.insertion": inside, "b.rotation": 2.0}
    nested = fx.statics(fx.build(needle(*tubes), rods=rods), inputs).unwrap()
    alone = fx.statics(
        fx.build(needle(tubes[0]), rods=rods), {"push": PUSH, "a.insertion": 0.12}
    ).unwrap()
    apart = np.linalg.norm(nested.pose("a.tip")[:3, 3] - alone.pose("a.tip")[:3, 3])
    assert apart < 1e-9 + 3.0 * inside
    assert nested.stable


@EACH
def test_insertion_passes_ends_that_coincide(rods):
    """Poses are continuous where the order of ends changes, and tips may pass each other."""
    tubes = tube("a", curvature=8.0, straight=0.1), tube("b", 0.15, 0.8e-3, 10.0, straight=0.1)
    model = fx.build(needle(*tubes), rods=rods)
    found, result = [], None
    for inserted in (0.0999, 0.1 - 1e-7, 0.1, 0.1 + 1e-7, 0.1001):
        inputs = {"push": PUSH, "a.insertion": inserted, "b.insertion": 0.1, "b.rotation": 1.0}
        result = fx.statics(model, inputs, start=result).unwrap()
        cold = fx.statics(model, inputs).unwrap()
        np.testing.assert_allclose(result.pose("b.tip"), cold.pose("b.tip"), atol=1e-8)
        found.append(result.pose("a.tip")[:3, 3])
        assert any("ends inside" in text for text in result.remarks) == (inserted < 0.1)
    steps = np.linalg.norm(np.diff(found, axis=0), axis=1)
    assert (steps[1:3] < 2e-7).all()
    assert (steps < 2e-4).all()


def test_sets_pickle_copy_and_go_through_files(tmp_path):
    robot = needle(tube("a", curvature=8.0, straight=0.1), tube("b", 0.15, 0.8e-3, 10.0))
    fx.save(robot, tmp_path / "needle.toml")
    assert fx.load(tmp_path / "needle.toml") == robot
    result = fx.statics(fx.build(robot, rods=RODS[0]), {"push": PUSH}).unwrap()
    fx.save_result(result, tmp_path / "needle.npz")
    for other in (
        fx.load_result(tmp_path / "needle.npz"),
        pickle.loads(pickle.dumps(result)),
        copy.deepcopy(result),
    ):
        np.testing.assert_array_equal(other.pose("b", [0.0, 0.1]), result.pose("b", [0.0, 0.1]))
        assert other == result
        assert fx.statics(other.model, {"push": PUSH}, start=result).converged


def test_bad_input():
    a, b = tube("a"), tube("b", 0.15, 0.5e-3)
    with refused(["set", "no joint", "set.base"]):
        fx.Robot("r", tubes=[fx.TubeSet("set", [a])])
    with refused(["'a'", "another name"]):
        fx.Robot("r", tubes=[fx.TubeSet("s", [a]), fx.TubeSet("t", [a])])
    with refused(["tubes", "at least one Rod"]):
        fx.TubeSet("set", [])
    with refused(["sheared"]):
        fx.TubeSet("set", [replace(a, rest=(0, 0, 0, 1, 0.1, 0))])
    model = fx.build(needle(a, b), rods=RODS[0])
    for value in (-0.01, 0.21):
        with refused(["a.insertion", "from 0 to 0.2"]):
            fx.statics(model, {"a.insertion": value})
    with refused(["LineLoad", "dead forces only"]):
        fx.build(needle(a, loads=[fx.LineLoad("l", "a", force=(0, 0, 1), follower=True)]))
    with refused(["Hermite", "Spline"]):
        fx.build(needle(a), rods=fx.Hermite(3))
    with refused(["a.base"]):
        needle(a, loads=[fx.PointLoad("x", "a.base")])
    with refused(["tube 'a'", "rods={'set': ...}"]):
        fx.build(needle(a, b), rods={"a": RODS[0]})
    with refused(["Tendon 't'", "'a' is a tube of set 'set'", "cannot run"]):
        needle(a, tendons=[fx.Tendon("t", "a", fx.Parallel(1e-3, 0.0))])
    doubt = fx.statics(model).unwrap().remarks
    assert any("does not fit" in text and "clearance" in text for text in doubt)


@pytest.mark.parametrize(("curvature", "word"), [(0.025, "hardly"), (25e3, "tighter")])
def test_curvatures_in_other_units_are_asked_about(curvature, word):
    (doubt,) = fx.TubeSet("set", [tube("a", curvature=curvature, straight=0.1)]).doubts
    assert f"{curvature:.3g} 1/m" in doubt
    assert word in doubt
    assert fx.TubeSet("set", [tube("a"), tube("b", outer=1e-3, curvature=8.0)]).doubts == ()


@EACH
def test_strains_at_ends_are_those_of_the_section_before(rods):
    """At a tip another section begins, where the other tube goes on or nothing is left."""
    model = fx.build(needle(tube("a", curvature=8.0), tube("b", outer=1e-3)), rods=rods)
    for inputs in ({"a.rotation": 1.0}, {"a.insertion": 0.15, "b.insertion": 0.06}):
        result = fx.statics(model, inputs).unwrap()
        for name in "ab":
            end, before = result.strain(name, [0.2, 0.2 - 1e-8])
            np.testing.assert_allclose(end, before, atol=1e-5)
            there = result.pose(name, 0.2)
            np.testing.assert_allclose(there, result.pose(f"{name}.tip"), atol=1e-12)


def test_shooting_takes_no_tubes():
    with pytest.raises(fx.ModelError, match="has a TubeSet"):
        fx.shooting(needle(tube("a")))


def test_motions_begin_unloaded_and_stay_there():
    model = fx.build(
        fx.Robot(
            "curved",
            tubes=[fx.TubeSet("set", [tube("a", curvature=8.0)])],
            joints=[fx.Weld("world", "set.base")],
        ),
        rods=fx.VariableStrain((3, 4, 4, 0, 0, 0)),
    )
    motion = fx.simulate(model, 0.02, 1e-3).unwrap()
    assert motion.energy == pytest.approx(0.0, abs=1e-12)
    tip = fx.statics(model).pose("a.tip")
    np.testing.assert_allclose(motion.pose("a.tip"), np.tile(tip, (21, 1, 1)), atol=1e-9)


def test_points_that_anything_acts_on_stay_outside():
    """Behind the plate nothing can be welded to a tube, and loads would act elsewhere."""
    body = {"bodies": [fx.Body("mass", mass=0.01)]}
    robot = needle(tube("a"), tube("b", outer=1e-3), **body)
    robot = replace(robot, joints=[*robot.joints, fx.Weld(fx.At("a", 0.1), "mass")])
    model = fx.build(robot)
    with pytest.raises(fx.ModelError, match=r"0\.1 .*point at s = 0\.1 m"):
        fx.statics(model, {"a.insertion": 0.05})
    result = fx.statics(model, {"a.insertion": 0.1, "b.insertion": 0.02}).unwrap()
    np.testing.assert_allclose(result.pose("mass"), result.pose(fx.At("a", 0.1)), atol=1e-9)


@EACH
def test_torques_and_forces_at_ends_are_slopes_of_the_potential(rods):
    """What leaves the plate, curved, has been bent straight there, and weighs from there on."""
    tubes = tube("a", curvature=8.0, straight=0.1), tube("b", 0.15, 0.8e-3, 10.0, straight=0.02)
    model = fx.build(needle(*tubes), rods=rods)
    inputs = {"push": (0, 0, 0, *PUSH[3:]), "a.insertion": 0.14, "b.insertion": 0.11}
    inputs |= {"a.rotation": 0.3, "b.rotation": 1.0}
    result = fx.statics(model, inputs).unwrap()
    for name, h in (("a.insertion", 1e-5), ("b.insertion", 1e-5), ("b.rotation", 1e-4)):
        ends = [
            fx.statics(model, inputs | {name: inputs[name] + x * h}, start=result).potential
            for x in (-1, 1)
        ]
        expected = (ends[1] - ends[0]) / (2.0 * h)
        if name.endswith("insertion"):
            expected -= lifted(tubes[name == "b.insertion"])
        if name == "b.insertion":
            expected -= 0.5 * tubes[1].stiffness(0.04)[1] * 10.0**2
        assert result.torque(name) == pytest.approx(expected, rel=1e-6)


@EACH
def test_tubes_that_do_not_twist_are_arcs(rods):
    """Of infinite stiffness against torsion: curvatures are means by stiffness on each section."""
    rigid = replace(STEEL, shear=1e18)
    tubes = [
        replace(x, material=rigid, rest=x.rest)
        for x in (
            tube("a", curvature=8.0, straight=0.1),
            tube("b", 0.15, 0.8e-3, 10.0, straight=0.1),
        )
    ]
    robot = fx.Robot("n", tubes=[fx.TubeSet("set", tubes)], joints=UPRIGHT)
    inputs = {"a.insertion": 0.14, "b.insertion": 0.11, "b.rotation": 2.5}
    result = fx.statics(fx.build(robot, rods=rods), inputs).unwrap()
    stiff = np.array([x.stiffness(0.0)[1] for x in tubes])
    bent = np.array([[8.0, 0.0], [10.0 * np.cos(2.5), 10.0 * np.sin(2.5)]])
    pose, begin = np.eye(4), 0.0
    # where a and b begin to be curved, where b ends, where a ends
    for end, curved in ((0.04, (0, 0)), (0.06, (1, 0)), (0.11, (1, 1)), (0.14, (1, 0))):
        present = np.array([1.0, float(end <= 0.11)]) * stiff
        mean = (np.array(curved) * present) @ bent / present.sum()
        pose = pose @ se3.exp((end - begin) * np.array([0.0, *mean, 1.0, 0.0, 0.0]))
        begin = end
    # with 4e7 times the stiffness of steel they still twist by 8e-9 rad
    np.testing.assert_allclose(result.pose("a.tip"), pose, atol=3e-8)


@pytest.mark.parametrize(("rods", "exact"), [(RODS[0], 1e-7), (RODS[1], 1e-3)])
@pytest.mark.parametrize("inserted", [0.0, 0.05, 0.04])
def test_slopes_where_ends_meet_are_those_to_one_side(rods, exact, inserted):
    """A tube that is about to leave the plate, one whose kink is, a tip that meets another's kink.

    Sections of splines without length are stiff as if they had 1e-8 of that of the set.
    """
    tubes = tube("a", curvature=8.0, straight=0.1), tube("b", 0.15, 0.8e-3, 10.0, straight=0.1)
    model = fx.build(needle(*tubes), rods=rods)
    inputs = {"push": PUSH, "a.insertion": 0.14, "b.insertion": inserted, "b.rotation": 1.0}
    here, h = fx.statics(model, inputs).unwrap(), 1e-5
    for name in ("a.insertion", "b.insertion"):
        found, off = here.jacobian("a.tip", by=[name])[:, 0], []
        for side in (h, -h) if inputs[name] else (h,):
            moved = [
                fx.statics(model, inputs | {name: inputs[name] + k * side}, start=here)
                for k in (1, 2)
            ]
            twist = [se3.log(se3.inverse(here.pose("a.tip")) @ x.pose("a.tip")) for x in moved]
            slope = (4.0 * twist[0] - twist[1]) / (2.0 * side)
            off.append(np.abs(found - slope).max() / np.abs(slope).max())
        assert min(off) < exact


@pytest.mark.parametrize(
    ("rods", "h", "exact"),
    [(fx.VariableStrain((3, 4, 4, 0, 0, 0), steps=24), 2e-6, 1e-6), (fx.Spline(4, 12), 2e-5, 1e-3)],
)
def test_slopes_of_a_tube_that_is_about_to_leave_the_plate(rods, h, exact):
    """Curved, beside a curved one: they begin to twist each other there, behind the plate.

    Where a spline begins, a section without length is stiff as if it had 1e-8 of the set's.
    """
    tubes = tube("a", curvature=8.0), tube("b", 0.15, 0.8e-3, 12.0)
    model = fx.build(needle(*tubes), rods=rods)
    inputs = {"push": (0, 0, 0, *PUSH[3:]), "a.rotation": 0.3, "a.insertion": 0.14}
    inputs |= {"b.rotation": 1.0, "b.insertion": 0.0}
    here = fx.statics(model, inputs).unwrap()
    ahead = [fx.statics(model, inputs | {"b.insertion": k * h}, start=here) for k in (1, 2)]
    twist = [se3.log(se3.inverse(here.pose("a.tip")) @ x.pose("a.tip")) for x in ahead]
    slope = (4.0 * twist[0] - twist[1]) / (2.0 * h)
    found = here.jacobian("a.tip", by=["b.insertion"])[:, 0]
    np.testing.assert_allclose(found, slope, atol=exact * np.abs(slope).max())
    rise = [x.potential - here.potential for x in ahead]
    pushed = (4.0 * rise[0] - rise[1]) / (2.0 * h) - lifted(tubes[1])
    pushed -= 0.5 * tubes[1].stiffness(0.0)[1] * 12.0**2
    assert here.torque("b.insertion") == pytest.approx(pushed, rel=exact)


@EACH
@pytest.mark.parametrize("turn", [1.0, np.pi, -7.0, 30.0])
def test_sets_that_are_turned_as_a_whole_are_found_at_once(rods, turn):
    """From a start, too, however far they turn: the robot turns about the axis of its plate."""
    tubes = tube("a", curvature=8.0, straight=0.1), tube("b", 0.15, 0.8e-3, 10.0, straight=0.1)
    robot = fx.Robot("n", tubes=[fx.TubeSet("set", tubes)], joints=UPRIGHT)
    model = fx.build(robot, rods=rods)
    inputs = {"a.insertion": 0.14, "b.insertion": 0.11, "a.rotation": 0.3, "b.rotation": 1.0}
    here = fx.statics(model, inputs).unwrap()
    more = {name: inputs[name] + turn for name in ("a.rotation", "b.rotation")}
    there = fx.statics(model, inputs | more, start=here).unwrap()
    about = se3.exp(np.array([turn, 0, 0, 0, 0, 0]))
    np.testing.assert_allclose(there.pose("a.tip"), about @ here.pose("a.tip"), atol=1e-8)
    assert there.iterations <= 5
    assert there.angle("a", 0.2) == pytest.approx(here.angle("a", 0.2) + turn)


def test_a_tube_that_is_pushed_out_begins_as_the_arc_that_it_is():
    rod = tube("rod", curvature=8.0)
    model = fx.build(replace(needle(rod), loads=()), rods=fx.VariableStrain((3, 4, 4, 0, 0, 0)))
    short, long = (fx.statics(model, {"rod.insertion": x}).unwrap() for x in (0.1, 0.15))
    strains = short.evaluation.strains
    state, strains = grown(model, short.state, strains, short.given, long.given)
    np.testing.assert_allclose(state.numbers, long.state.numbers, atol=1e-12)
    np.testing.assert_allclose(strains[0], long.evaluation.strains[0], atol=1e-12)


@pytest.mark.parametrize("force", [4e-3, 4e-6])
@pytest.mark.parametrize("turn", [0.1, 0.3])
def test_a_section_without_length_and_a_small_load(turn, force):
    """The kink of a tube is in its plate: what is that short is stiff, and rounds its forces."""
    rest = fx.PiecewiseRest([(0.031, (0.0, 0.0, 0.0)), (0.062, (0.0, 1.0, 0.0))])
    tube = fx.Rod("a", 0.062, fx.Tube(5e-4, 4e-4), fx.Material(young=60e9, poisson=0.3), rest=rest)
    base = fx.Weld("world", "set.base", offset=se3.pose(rotation=(0.0, turn, 0.0)))
    push = fx.PointLoad("push", "a.tip", force=(0.0, 0.0, force))
    robot = fx.Robot("set", joints=[base], loads=[push], tubes=[fx.TubeSet("set", [tube])])
    tips = [
        fx.statics(fx.build(robot, rods=rods), {"a.insertion": 0.031}).unwrap().pose("a.tip")
        for rods in (fx.Spline(3, 12), fx.VariableStrain())
    ]
    np.testing.assert_allclose(*tips, atol=1e-8)


class Lost(Search):
    """A search that fails from any start, and finds what it finds from cold."""

    def run(self):
        found = super().run()
        return found if self._cold else replace(found, status=fx.Status.LIMIT)


def test_a_set_that_cannot_be_followed_says_so(monkeypatch):
    """What is found from cold may be another equilibrium; beyond half a turn it is none at all."""
    tubes = tube("a", curvature=8.0, straight=0.1), tube("b", 0.15, 0.8e-3, 10.0, straight=0.1)
    model = fx.build(fx.Robot("n", tubes=[fx.TubeSet("set", tubes)], joints=UPRIGHT))
    assert fx.statics(model, {"a.rotation": 2.0}).unwrap().remarks == ()
    monkeypatch.setattr(followed, "Search", Lost)
    (remark,) = fx.statics(model, {"a.rotation": 2.0}).unwrap().remarks
    assert "could not be followed from where tubes of a set are turned alike" in remark
    far = fx.statics(model, {"a.rotation": 4.0})
    assert not far.converged
    assert far.load_factor < 1.0


def test_a_set_is_followed_in_shorter_steps(monkeypatch):
    """Where one fails; the load comes last."""
    tubes = tube("a", curvature=8.0, straight=0.1), tube("b", 0.15, 0.8e-3, 10.0, straight=0.1)
    model = fx.build(needle(*tubes))
    inputs = {"a.rotation": 2.0, "push": PUSH}
    direct = fx.statics(model, inputs).unwrap()

    class Short(Search):
        def run(self):
            begin, end = self._span
            found, short = super().run(), self._cold or end - begin < 0.2
            return found if short else replace(found, status=fx.Status.LIMIT)

    monkeypatch.setattr(followed, "Search", Short)
    slowly = fx.statics(model, inputs).unwrap()
    np.testing.assert_allclose(slowly.pose("a.tip"), direct.pose("a.tip"), atol=1e-9)
