import numpy as np
import pytest
from view.view_robots import arm, chain, solved, wire

import flexura as fx
from flexura.errors import ModelError, UnknownName
from flexura.lie import se3
from flexura.view import COMPONENTS, scene
from flexura.view.part import THINNEST
from flexura.view.rod import AROUND, FEW, stations


def directions(found, name, role):
    """Unit vectors from tail to tip of the arrows of a load."""
    paths = [a.path for a in found.arrows if (a.name, a.role) == (name, role)]
    return [(p[-1] - p[0]) / np.linalg.norm(p[-1] - p[0]) for p in paths]


@pytest.mark.parametrize("color", [x for x in COMPONENTS if COMPONENTS[x].quantity != "volume"])
def test_colours_are_the_values_of_the_result(color):
    result = solved(arm)
    surface = scene(result, color).of("rod")[0]
    s = stations(result.model.robot, result.model.robot.rods[0])
    ring = surface.values[: AROUND * len(s)].reshape(len(s), AROUND)
    rest = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    chosen = COMPONENTS[color]
    vectors = {
        "strain": result.strain("arm", s) - rest,
        "wrench": result.internal_wrench("arm", s),
    }[chosen.quantity]
    expected = vectors[:, chosen.axes]
    expected = expected[:, 0] if chosen.signed else np.linalg.norm(expected, axis=1)
    np.testing.assert_array_equal(ring, np.tile(expected[:, None], AROUND))


@pytest.mark.parametrize("color", ["bending", "moment_y"])
def test_colour_scale_holds_all_values(color):
    found = scene(solved(chain), color)
    low, high = found.scale.limits
    values = np.concatenate([rod.values for rod in found.of("rod")])
    assert low <= values.min()
    assert high >= values.max()
    assert max(-low, high) == pytest.approx(np.abs(values).max())
    assert (low == -high) if found.scale.component.signed else (low == 0.0)


def test_rounding_gets_no_colours():
    """A planar bend has no torsion: its scale is that of the bending, not of the rounding."""
    result = solved(wire)
    torsion, bending = (scene(result, color).scale.limits[1] for color in ("torsion", "bending"))
    assert torsion == pytest.approx(bending, rel=1e-9)


@pytest.mark.parametrize("color", ["bending", "moment", "force_x"])
def test_no_strain_no_colours(color):
    nothing = fx.statics(fx.build(arm()), {"gravity": (0.0, 0.0, 0.0), "pull": np.zeros(6)})
    assert scene(nothing, color).scale.limits[1] == 1.0


def test_force_leaves_its_point_along_the_force():
    result = solved(arm)
    found = scene(result)
    (arrow,) = [a for a in found.arrows if (a.name, a.role) == ("pull", "force")]
    np.testing.assert_allclose(arrow.path[0], result.pose("arm.tip")[:3, 3], atol=1e-12)
    (direction,) = directions(found, "pull", "force")
    np.testing.assert_allclose(direction, np.array([0.0, 0.6, 1.2]) / np.hypot(0.6, 1.2))


def test_moment_turns_by_the_right_hand():
    result = solved(arm)
    (arrow,) = [a for a in scene(result).arrows if a.role == "moment"]
    arms = arrow.path - result.pose("arm.tip")[:3, 3]
    turn = np.cross(arms[:-1], arms[1:])
    np.testing.assert_allclose(turn / np.linalg.norm(turn, axis=1)[:, None], [[0, 0, 1]] * 40)


def test_followers_turn_with_the_rod():
    result = solved(chain)
    found = scene(result)
    pose = result.pose(fx.At("ribbon", 0.15))
    np.testing.assert_allclose(directions(found, "push", "force"), pose[None, :3, 1], atol=1e-12)


def test_comb_presses_on_the_loaded_part():
    result = solved(chain)
    found = scene(result)
    tips = np.array([a.path[-1] for a in found.arrows if a.name == "wind"])
    s = np.linspace(0.1, 0.35, len(tips))
    poses = result.pose("tube", s)
    np.testing.assert_allclose(directions(found, "wind", "force"), poses[:, :3, 1], atol=1e-12)
    distance = np.linalg.norm(tips - poses[:, :3, 3], axis=1)
    np.testing.assert_allclose(distance, 0.012 + THINNEST * found.extent)
    assert len(found.lines) == 1


def test_gravity_points_down_and_its_input_counts():
    model = fx.build(arm())
    down = scene(solved(arm))
    assert directions(down, "gravity", "gravity")[0] == pytest.approx([0.0, 0.0, -1.0])
    sideways = scene(fx.statics(model, {"gravity": (0.0, 1.0, 0.0)}))
    assert directions(sideways, "gravity", "gravity")[0] == pytest.approx([0.0, 1.0, 0.0])
    np.testing.assert_array_equal(sideways.ground.up, [0.0, -1.0, 0.0])
    none = scene(fx.statics(model, {"gravity": (0.0, 0.0, 0.0), "pull": np.zeros(6)}))
    assert none.arrows == ()


def test_larger_loads_have_longer_arrows():
    paths = {a.name: a.path for a in scene(solved(chain)).arrows if a.name in ("push", "pull")}
    push, pull = (np.linalg.norm(paths[name][1] - paths[name][0]) for name in ("push", "pull"))
    assert push > pull > 0.0


def test_axes_are_at_the_frames():
    result = solved(chain)
    axes = {a.name: a.pose for a in scene(result).axes}
    # the base of the ribbon is too near to the tip of the tube, the tip of the tail to the ribbon's
    names = {"world", "tube.base", "tube.tip", "ribbon.tip", "tail.base", "ribbon@0.15"}
    assert set(axes) == names
    for name in set(axes) - {"world", "ribbon@0.15"}:
        np.testing.assert_array_equal(axes[name], result.pose(name))


def test_frames_that_coincide_are_drawn_once():
    names = [a.name for a in scene(solved(arm)).axes]
    assert names == ["world", "arm.tip"]


def test_axes_are_not_drawn_over_each_other_and_those_of_loads_come_first():
    found = scene(solved(chain))
    near = found.axes[-1].size
    bent = fx.Weld("tube.tip", "ribbon.base", offset=se3.pose((0.0, 0.0, 0.5 * near)))
    loads = [fx.PointLoad("push", "ribbon.base", force=(0.0, 0.0, 0.1))]
    robot = fx.Robot("chain", chain().rods[:2], [chain().joints[0], bent], loads)
    names = {a.name for a in scene(robot).axes}
    assert "ribbon.base" in names
    assert "tube.tip" not in names


def test_plates_are_behind_fixed_ends_and_links_bridge_gaps():
    result = solved(chain)
    plate, link = scene(result).of("holder")
    assert plate.name == "tube.base"
    assert plate.points[:, 0].max() == pytest.approx(0.0, abs=1e-12)
    ends = [result.pose(frame)[:3, 3] for frame in ("tube.tip", "ribbon.base")]
    np.testing.assert_allclose(link.points.mean(axis=0), np.mean(ends, axis=0), atol=1e-12)


def test_a_plate_at_a_fixed_tip_is_ahead_of_it():
    rod = arm().rods[0]
    robot = fx.Robot("held", [rod], [fx.Weld("world", "arm.tip")])
    (plate,) = scene(robot).of("holder")
    assert plate.points[:, 0].min() == pytest.approx(0.0, abs=1e-12)


def test_ghost_is_the_unloaded_robot():
    result = solved(arm)
    (ghost,) = scene(result).of("ghost")
    assert ghost.values is None
    assert ghost.points[:, 0].max() == pytest.approx(1.0, abs=1e-9)
    assert np.abs(ghost.points[:, 1:]).max() == pytest.approx(0.03, rel=1e-9)
    assert scene(result, ghost=False).of("ghost") == ()


def test_ghost_is_held_where_the_robot_is():
    base = fx.Weld("world", "arm.base", name="wall")
    robot = fx.Robot("arm", arm().rods, [base], arm().loads)
    moved = fx.statics(fx.build(robot), {"wall": se3.pose((2.0, 0.0, 0.0))})
    (ghost,) = scene(moved).of("ghost")
    assert ghost.points[:, 0].min() == pytest.approx(2.0, abs=1e-9)


def test_a_loop_has_no_ghost_and_is_drawn_in_balance():
    rod = fx.Rod("arch", 1.0, fx.Circle(1e-3), fx.Material(young=36.5e9, shear=3e9))
    grip = fx.Weld("world", "arch.tip", offset=se3.pose((0.6, 0.2, 0.0), (0.0, 0.5, 0.5)))
    push = fx.PointLoad("push", fx.At("arch", 0.5), force=(0.0, 0.0, -0.05))
    robot = fx.Robot("held", [rod], [fx.Weld("world", "arch.base"), grip], [push])
    result = fx.statics(fx.build(robot)).unwrap()
    assert scene(result).of("ghost") == ()
    drawn = scene(robot)
    assert drawn.remark == "unloaded"
    assert len(drawn.of("holder")) == 2
    free = fx.statics(fx.build(robot), {"push": np.zeros(6)}).unwrap()
    middle = free.pose("arch", 0.5)[:3, 3]
    # within the radius drawn and the distance of stations: 0.01 m
    assert np.linalg.norm(drawn.of("rod")[0].points - middle, axis=1).min() < 0.01


def test_ghost_much_larger_than_the_robot_is_left_out():
    strip = fx.Rod("strip", 1.0, fx.Circle(0.002), fx.Material(young=1e9, poisson=0.3))
    load = fx.PointLoad("roll", "strip.tip", moment=(0.0, 0.0, 4 * np.pi * strip.stiffness(0)[2]))
    robot = fx.Robot("ring", [strip], [fx.Weld("world", "strip.base")], [load])
    found = scene(fx.statics(fx.build(robot)).unwrap())
    assert found.extent == pytest.approx(np.hypot(1, 1) / (2 * np.pi), rel=1e-2)
    assert found.of("ghost") == ()
    assert found.points[:, 0].max() < 0.5


def test_thin_rods_are_widened_and_thick_ones_are_not():
    found = scene(solved(wire))
    s = 0.0
    start = found.of("rod")[0].points[:FEW]
    radius = np.linalg.norm(start - solved(wire).pose("wire", s)[:3, 3], axis=1)
    np.testing.assert_allclose(radius, THINNEST * found.extent)
    thick = scene(solved(arm)).of("rod")[0].points[:AROUND]
    np.testing.assert_allclose(np.linalg.norm(thick, axis=1), 0.03)


def test_labels_name_loads_and_rods():
    texts = {label.text for label in scene(solved(chain)).labels}
    assert texts == {"push 0.4 N", "pull 0.1 N", "wind 1 N/m", "tube", "ribbon", "tail"}
    assert scene(solved(chain), labels=False).labels == ()


def test_robot_without_a_solve_has_its_loads_but_no_colours():
    found = scene(arm())
    assert found.scale is None
    assert found.of("rod")[0].values is None
    assert found.of("ghost") == ()
    assert found.remark == "unloaded"
    assert {a.name for a in found.arrows} == {"pull", "gravity"}


def test_a_failed_solve_says_so():
    model = fx.build(arm())
    failed = fx.statics(model, iterations=1)
    assert not failed.converged
    found = scene(failed)
    assert not found.converged
    assert str(failed.status).startswith(found.remark)


def test_a_distant_world_is_left_out():
    far = fx.Weld("world", "arm.base", offset=se3.pose((100.0, 0.0, 0.0)))
    robot = fx.Robot("far", arm().rods, [far])
    found = scene(robot)
    assert "world" not in {a.name for a in found.axes}
    assert np.ptp(found.points, axis=0).max() < 3.0


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_size_of_the_robot_does_not_matter(scale):
    rod = fx.Rod("arm", scale, fx.Circle(0.03 * scale), fx.Material(young=1e6, poisson=0.45))
    found = scene(fx.Robot("sized", [rod], [fx.Weld("world", "arm.base")]))
    assert found.extent == pytest.approx(scale)
    assert 0.05 * scale < found.ground.cell < 0.2 * scale


def test_unknown_colour_is_named_with_the_known():
    with pytest.raises(UnknownName, match=r"no component 'bendin'.*Did you mean 'bending'"):
        scene(solved(arm), "bendin")


@pytest.mark.parametrize("subject", [None, "arm", 3.0, np.eye(4)])
def test_only_results_and_robots_are_shown(subject):
    with pytest.raises(ModelError, match="or a list of them, got"):
        scene(subject)


@pytest.mark.parametrize(
    ("color", "meant"), [("curvature", "bending"), ("twist", "torsion"), ("bendin", "bending")]
)
def test_an_unknown_colour_is_answered_with_the_one_that_is_meant(color, meant):
    with pytest.raises(UnknownName, match=f"no component '{color}'.*Did you mean '{meant}'"):
        scene(arm(), color)


def test_names_of_tubes_are_where_no_other_is_around_them():
    steel = fx.Material(young=60e9, poisson=0.3)
    tubes = [
        fx.Rod("inner", 0.1, fx.Tube(1e-3, 0.8e-3), steel),
        fx.Rod("outer", 0.06, fx.Tube(1.4e-3, 1.2e-3), steel),
    ]
    joints = [fx.Weld("world", "set.base")]
    robot = fx.Robot("needle", tubes=[fx.TubeSet("set", tubes)], joints=joints)
    model = fx.build(robot, rods=fx.VariableStrain((1, 1, 1, 0, 0, 0), steps=4))
    result = fx.statics(model, {"inner.insertion": 0.08, "outer.insertion": 0.05}).unwrap()
    names = {label.text: label.along[:, 0] for label in scene(result).labels}
    assert 0.05 <= names["inner"].min() < names["inner"].max() <= 0.08 + 1e-9
    assert 0.0 <= names["outer"].min() < names["outer"].max() <= 0.05 + 1e-9
