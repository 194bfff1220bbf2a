"""Rods that are threaded through volumes."""

import numpy as np
import pytest
from meshes import block

import flexura as fx
from flexura.model.assemble import Assembly
from flexura.robot.volume_place import place_on
from flexura.rods.windows import check_window, window

SILICONE = fx.Material(young=5e5, poisson=0.3, density=1000.0)
STEEL = fx.Material(young=5e9, poisson=0.3, density=2000.0)
WAY = [(x, 0.01, 0.015) for x in (0.0, 0.025, 0.05, 0.075, 0.1)]
CHOICES = [
    fx.Hermite(elements=4),
    fx.Power(degree=3, elements=3),
    fx.RotationInterpolation(elements=4),
    fx.ConstantStrain(sections=6),
    fx.VariableStrain(orders=(3, 5, 5, 0, 0, 0)),
    fx.VariableStrain(),
    fx.LinearStrain(elements=6),
    fx.Spline(degree=3, spans=6),
]


def threaded(radius=0.5e-3, rest=None, **more):
    volume = fx.Volume("block", block(cells=(8, 2, 2)), SILICONE, **more)
    rod = fx.Rod("cable", 0.1, fx.Circle(radius), STEEL, rest=rest)
    return fx.Robot(
        "finger",
        rods=[rod],
        volumes=[volume],
        joints=[
            fx.Clamp("world", fx.Nodes("block", box=((0, 0, 0), (0, 0.02, 0.02)))),
            fx.Slider(
                "push", "world", "cable.base", axis=(1, 0, 0), driven=True,
                offset=fx.lie.se3.pose(position=WAY[0]),
            ),
            fx.Threaded("cable", "block", points=WAY),
        ],
    )  # fmt: skip


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_windows_are_the_rods_that_they_show(choice):
    """Poses of windows are those of the shape; what they carry back is a derivative."""
    rod = fx.Rod("r", 0.3, fx.Circle(1e-3), STEEL, rest=(0.0, 3.0, 1.0))
    robot = fx.Robot("r", rods=[rod], joints=[fx.Weld("world", "r.base")])
    model, rng = fx.build(robot, rods=choice), np.random.default_rng(0)
    group = model.parts[0].group
    links, inner = group.rest()
    nodes = [np.eye(4)]
    for link in links[1:]:
        nodes.append(nodes[-1] @ link @ fx.lie.se3.exp(0.02 * rng.normal(size=6)))
    nodes, inner = np.array(nodes), inner + 0.3 * rng.normal(size=inner.shape) * ~group.multiplier
    s, none = np.array([0.0, 0.11, 0.2, 0.29, 0.3]), np.zeros(5, dtype=np.int64)
    f = rng.normal(size=3)

    def look(nodes, inner):
        seen = window(group, none, s)
        seen.place(nodes, inner)
        turned = np.einsum("nji,j->ni", seen.pose[:, :3, :3], f)
        load = np.concatenate([0.0 * turned, turned], axis=1)
        return seen, seen.pose[:, :3, 3] @ f, seen.carry(load)

    seen, _, carried = look(nodes, inner)
    if not group.integrated:
        pose, strain = group.shape(nodes, inner, 0, s)
        assert seen.pose == pytest.approx(pose, abs=1e-14)
        assert seen.strain == pytest.approx(strain, abs=1e-12)
    dn, di = rng.normal(size=(len(nodes), 6)), rng.normal(size=inner.shape) * ~group.multiplier
    h = 1e-5
    ends = [
        look(np.array([g @ fx.lie.se3.exp(x * z) for g, z in zip(nodes, dn, strict=True)]),
             inner + x * di)[1]
        for x in (-h, h)
    ]  # fmt: skip
    columns = seen.inner_begin[:, :, None] + np.arange(seen.n_inner)
    inside = di[seen.inner_nodes[:, :, None], columns].reshape(5, -1)
    motion = np.concatenate([dn[seen.nodes].reshape(5, -1), inside], axis=1)
    slope = np.einsum("mw,mw->m", carried, motion)
    assert (ends[1] - ends[0]) / (2 * h) == pytest.approx(slope, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_slopes_of_strains_are_those_of_one_element(choice):
    """Close to its ends they are what they are a little further inside, whatever is beyond."""
    rod = fx.Rod("r", 0.3, fx.Circle(1e-3), STEEL)
    model = fx.build(fx.Robot("r", rods=[rod], joints=[fx.Weld("world", "r.base")]), rods=choice)
    group, rng = model.parts[0].group, np.random.default_rng(0)
    links, inner = group.rest()
    nodes = [np.eye(4)]
    for link in links[1:]:
        nodes.append(nodes[-1] @ link @ fx.lie.se3.exp(0.02 * rng.normal(size=6)))
    inner = inner + 0.3 * rng.normal(size=inner.shape) * ~group.multiplier
    ends = np.unique(group.knots[0] if isinstance(choice, fx.Spline) else group.breaks[0])
    for at, side in (ends[:-1], 0.3e-6), (ends[1:], -0.3e-6):
        close, far = (window(group, np.zeros(len(at), int), at + x * side) for x in (1.0, 20.0))
        for seen in (close, far):
            seen.place(np.array(nodes), inner)
        scale = np.abs(far.slope).max()
        assert close.slope == pytest.approx(far.slope, abs=1e-3 * scale)


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_tangent_of_threads_is_a_derivative(choice):
    model = fx.build(threaded(), rods=choice)
    result = fx.statics(model, {"push": -2e-3}).unwrap()
    assembly, rng = Assembly(model), np.random.default_rng(0)
    units = np.where(model.layout.multiplier, 1.0, 1e-3)
    dq, h = units * rng.normal(size=model.n_dof), 1e-5

    def at(x):
        assembly.evaluate(model.layout.retract(result.state, x * dq), result.given)
        return assembly.residual.copy()

    slope = (at(h) - at(-h)) / (2 * h)
    at(0.0)
    expected = model.layout.structure.dense(assembly.values) @ dq
    poses = model.layout.pose_dof[:, None] + np.arange(6)
    free = np.setdiff1d(np.arange(model.n_dof), poses)
    scale = np.abs(expected[free]).max()
    assert slope[free] == pytest.approx(expected[free], abs=1e-6 * scale)


def test_all_descriptions_agree_and_converge_at_once():
    """A stiff cable pulled by 2 mm: tip of the block and pull, description by description."""
    tips, pulls = {True: [], False: []}, {True: [], False: []}
    for choice in CHOICES:
        result = fx.statics(fx.build(threaded(), rods=choice), {"push": -2e-3}).unwrap()
        assert result.load_steps == 1
        stretches = bool(result.model.parts[0].group.free[3])
        tips[stretches].append(result.points("block")[-1])
        pulls[stretches].append(result.torque("push"))
        s, force = result.sliding("cable-block")
        assert s[-1] == 0.1
        # the block shrinks less than the cable slides; points follow each other along it
        assert (np.diff(s) > 0.0).all()
        after, before = (result.pose("cable", s[:-1] + x)[:, :3, 3] for x in (1e-6, -1e-6))
        along = np.einsum("mi,mi->m", force[:-1], (after - before) / 2e-6)
        # but for what poses of integrated rods differ from their strains, of fourth order
        assert np.abs(along).max() < 1e-4 * np.abs(force).max()
        # what the base pulls with goes to the volume, and from there to its clamp
        assert result.reaction("world-block")[3] == pytest.approx(-result.torque("push"), rel=1e-8)
    for stretches in (True, False):  # six sections of constant strain are the coarsest
        assert np.ptp(tips[stretches], axis=0).max() < 1.2e-4
        assert np.ptp(pulls[stretches]) < 0.006 * np.abs(pulls[stretches]).max()
    assert np.mean(pulls[False]) < np.mean(pulls[True]) < 0.0


def test_pull_does_the_work_that_is_stored():
    model = fx.build(threaded(), rods=fx.ConstantStrain(sections=6))
    ways = np.array([-1.9e-3, -2e-3, -2.1e-3])
    results = [fx.statics(model, {"push": x}).unwrap() for x in ways]
    gained = results[2].energy - results[0].energy
    assert gained == pytest.approx(results[1].torque("push") * (ways[2] - ways[0]), rel=1e-4)


def test_thicker_cables_bend_less_and_pre_bent_ones_bend_by_themselves():
    """Figures 7 and 8 of the paper."""
    bends = []
    for radius in (0.5e-3, 1.5e-3):
        result = fx.statics(fx.build(threaded(radius), rods=fx.LinearStrain(6)), {"push": -2e-3})
        bends.append(result.unwrap().points("block")[-1, 2] - 0.02)
    assert bends[0] > 1.3 * bends[1] > 0.0
    bent = fx.statics(fx.build(threaded(1e-3, rest=(0.0, 20.0, 0.0)), rods=fx.LinearStrain(6)))
    tip = bent.unwrap().volume("block").displacements[-1]
    assert tip[2] < -1e-3


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_rods_bent_far_from_their_points_are_laid_through_them(choice):
    """A rest shape of 2.5 rad that begins nowhere near its points: the first guess passes them."""
    result = fx.statics(fx.build(threaded(0.4e-3, (0.0, 0.0, 25.0)), rods=choice), {"push": -5e-4})
    assert result.unwrap().iterations <= 15
    s, _ = result.sliding("cable-block")
    nodes, weights = place_on("test", "points", result.model.robot.volume("block"), WAY)
    at = np.einsum("mk,mkc->mc", weights, result.points("block")[nodes])
    # strains are integrated in other steps for results than for windows, to the fourth order
    assert result.pose("cable", s)[:, :3, 3] == pytest.approx(at, abs=1e-7)


@pytest.mark.parametrize("bent", [0.0, 8.0])
def test_a_rod_through_two_volumes_passes_one_after_the_other(bent):
    """The first of them, which does not anchor it, is passed first, not at the tip."""
    points, cells = block((0.1, 0.02, 0.02), (4, 1, 1))
    volumes = [
        fx.Volume(name, (points + np.array([x, 0.0, 0.0]), cells), SILICONE)
        for name, x in (("far", 0.1), ("near", 0.0))
    ]
    face = ((0.1, 0, 0), (0.1, 1, 1))
    joints = [
        fx.Clamp("world", fx.Nodes("near", box=((0, 0, 0), (0, 1, 1)))),
        fx.Clamp("plate", fx.Nodes("near", box=face), name="a"),
        fx.Clamp("plate", fx.Nodes("far", box=face), name="b"),
        fx.Slider("push", "world", "rod.base", (1, 0, 0), fx.lie.se3.pose((0, 0.01, 0.01)),
                  driven=True),
        fx.Threaded("rod", "far", [(x, 0.01, 0.01) for x in (0.13, 0.16, 0.2)]),
        fx.Threaded("rod", "near", [(x, 0.01, 0.01) for x in (0.03, 0.06)], anchored=False),
    ]  # fmt: skip
    rod = fx.Rod("rod", 0.2, fx.Circle(5e-4), STEEL, rest=(0, 0, bent))
    robot = fx.Robot("two", rods=[rod], bodies=[fx.Body("plate")], volumes=volumes, joints=joints)
    result = fx.statics(fx.build(robot, rods=fx.LinearStrain(8)), {"push": -5e-4}).unwrap()
    assert result.iterations <= 6
    assert result.sliding("rod-near")[0] == pytest.approx([0.03, 0.06], abs=1e-3)
    assert result.sliding("rod-far")[0] == pytest.approx([0.13, 0.16, 0.2], abs=1e-3)


def test_rods_that_leave_their_points_are_told():
    model = fx.build(threaded(), rods=fx.LinearStrain(4))
    pushed = fx.statics(model, {"push": 1e-3}, seek_stable=False)
    (remark,) = (x for x in pushed.remarks if "beyond its end" in x)
    assert "'cable-block': the rod passes point 0" in remark
    assert pushed.status is fx.Status.UNTHREADED
    assert not fx.statics(model, {"push": -1e-3}).unwrap().remarks


@pytest.mark.parametrize("way", [-0.02, 0.02])
def test_rods_beyond_their_ends_hold_nothing(way):
    """Neither the tip that was pulled out of its points, nor the base that was pushed in."""
    robot = threaded()
    points = [(x, 0.01, 0.015) for x in (0.01, 0.06, 0.09)]
    joints = [*robot.joints[:2], fx.Threaded("cable", "block", points, anchored=False)]
    loose = fx.Robot("loose", rods=robot.rods, volumes=robot.volumes, joints=joints)
    result = fx.statics(fx.build(loose, rods=fx.LinearStrain(4)), {"push": way})
    assert result.status is fx.Status.UNTHREADED
    assert any("beyond its end" in x for x in result.remarks)


def test_motions_end_where_rods_leave_their_points():
    model = fx.build(threaded(), rods=fx.LinearStrain(4))
    ways = {"push": lambda t: 0.05 * t**2}  # into the block, with the first point at the base
    motion = fx.simulate(model, 0.02, 0.01, ways, integrator=fx.ImplicitEuler(linearised=True))
    assert motion.status is fx.MotionStatus.UNTHREADED
    assert any("the rod passes point 0" in x for x in motion.remarks)
    simulation = fx.Simulation(model, 0.01)
    with pytest.raises(fx.NotConverged, match="the rod passes point 0"):
        simulation.step({"push": 1e-4})


def test_threads_need_a_description_that_shows_places():
    with pytest.raises(fx.ModelError, match=r"'cable' is threaded .* object shows no places"):
        check_window("cable", object())


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_derivatives_by_the_pull_and_what_the_cable_carries(choice):
    model = fx.build(threaded(), rods=choice)
    result, h = fx.statics(model, {"push": -2e-3}).unwrap(), 1e-6
    slope = result.jacobian("cable.tip", ["push"])[3:, 0]
    ends = [fx.statics(model, {"push": -2e-3 + x}, start=result).unwrap() for x in (-h, h)]
    before, after = (x.pose("cable.tip")[:3, 3] for x in ends)
    R = result.pose("cable.tip")[:3, :3]
    assert slope == pytest.approx(R.T @ (after - before) / (2 * h), abs=1e-5)
    # the cable carries the pull up to its anchor, where points push across only
    carried = result.internal_wrench("cable", 0.05)
    assert carried[3] == pytest.approx(-result.torque("push"), rel=0.02)
