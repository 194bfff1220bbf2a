"""Motions without resistance: named, not followed, and no matter for the stability of the rest."""

import numpy as np
import pytest
from support import mixed, rod_of

import flexura as fx
from flexura.lie import se3
from flexura.result.status import Status

MESHES = [
    *(fx.Spline(3, n) for n in (3, 4, 5, 7, 12)),
    *(fx.LinearStrain(n) for n in (3, 6, 12)),
    *(fx.Hermite(n) for n in (3, 8)),
    fx.Power(3, 4),
    fx.VariableStrain(),
    fx.ConstantStrain(12),
    *(fx.RotationInterpolation(n) for n in (3, 6)),
]
FEW = [MESHES[i] for i in (1, 3, 6, 9, 10, 11, 12, 13)]  # one of each kind, two of splines


def on(meshes):
    """Parametrize by meshes; those that are not among few are only for ``make test-long``."""
    marked = [
        pytest.param(rods, id=str(rods), marks=() if rods in FEW else pytest.mark.long)
        for rods in meshes
    ]
    return pytest.mark.parametrize("rods", marked)


EACH = on(MESHES)
STRETCHING = on(MESHES[:-2])
FORWARD = se3.pose(position=(1.0, 0.0, 0.0))


def clamped(shortened):
    """A round rod, EA L²/EI = 1e4, between aligned clamps."""
    grip = fx.Weld("world", "rod.tip", offset=shorter_by(shortened), name="grip")
    return fx.Robot(
        "clamped",
        rods=[rod_of(EI=1.0, GJ=0.8, EA=1e4)],
        joints=[fx.Weld("world", "rod.base"), grip],
        loads=[fx.PointLoad("nudge", fx.At("rod", 0.5))],
    )


def shorter_by(length):
    """Pose of the far clamp."""
    return se3.pose(position=(1.0 - length, 0.0, 0.0))


def sliding(*force, axis=(0.0, 1.0, 0.0)):
    """A rod whose base slides freely, with a force at its tip."""
    return fx.Robot(
        "sliding",
        rods=[rod_of(EI=1.0)],
        joints=[fx.Slider("rail", "world", "rod.base", axis=axis)],
        loads=[fx.PointLoad("pull", "rod.tip", force=force)],
    )


def hanging(rod):
    """A rod on a ball joint, not hanging yet."""
    start = se3.pose(rotation=(0.0, np.pi / 2.0 - 0.3, 0.0))
    return fx.Robot(
        "hanging",
        rods=[rod],
        joints=[fx.Ball("ball", "world", f"{rod.name}.base", offset=start)],
        loads=[fx.PointLoad("weight", f"{rod.name}.tip", force=(0.0, 0.0, -3.0))],
    )


def door(axis, center=(0.3, 0.0, 0.0)):
    """A body on a free hinge, with its weight."""
    return fx.Robot(
        "door",
        bodies=[fx.Body("leaf", mass=2.0, center=center)],
        joints=[fx.Hinge("hinge", "world", "leaf", axis=axis)],
        loads=[fx.Gravity()],
    )


def about(result, word="freely"):
    """The remarks on free motions."""
    return [remark for remark in result.remarks if word in remark]


# --- rods between clamps ------------------------------------------------------------------------


@STRETCHING
@pytest.mark.parametrize("part", [-1.0, 0.5, 0.9])
def test_a_straight_rod_between_clamps_has_none(rods, part):
    """In tension, and compressed below 4π² EI/L²: EA times the shortening."""
    shortened = part * 4.0 * np.pi**2 / 1e4
    result = fx.statics(fx.build(clamped(shortened), rods=rods)).unwrap()
    assert result.stable
    assert not about(result)


@STRETCHING
def test_a_straight_rod_is_unstable_beyond_buckling(rods):
    """Followed from below, where it is not."""
    critical = 4.0 * np.pi**2 / 1e4
    model = fx.build(clamped(0.0), rods=rods)
    result = None
    for part in (0.5, 1.2):
        grip = {"grip": shorter_by(part * critical)}
        result = fx.statics(model, grip, start=result, seek_stable=False).unwrap()
    np.testing.assert_allclose(result.pose("rod", 0.5)[1:3, 3], 0.0, atol=1e-6)
    assert result.stable is False
    assert not about(result)


@EACH
def test_the_plane_of_a_buckled_round_rod_turns(rods):
    model = fx.build(clamped(0.2), rods=rods)
    bent = fx.statics(model, {"nudge": (0.0, 0.0, 0.0, 0.0, 0.5, 0.1)}).unwrap()
    result = fx.statics(model, start=bent).unwrap()
    assert result.stable
    (remark,) = about(result)
    assert "rod 'rod' turns as a shape freely about the axis (1, 0, 0) through (0, 0, 0)" in remark
    # The plane stays where the nudge had it.
    y, z = result.pose("rod", 0.5)[1:3, 3]
    assert np.hypot(y, z) > 0.2
    assert abs(0.5 * z - 0.1 * y) < 0.2 * np.hypot(y, z)


def test_the_plane_of_a_flat_rod_does_not():
    flat = fx.Rod("rod", 1.0, fx.Rectangle(0.02, 0.03), fx.Material(young=1e7, shear=4e6))
    robot = fx.Robot(
        "flat",
        rods=[flat],
        joints=[
            fx.Weld("world", "rod.base"),
            fx.Weld("world", "rod.tip", offset=se3.pose(position=(0.8, 0.0, 0.0))),
        ],
        loads=[fx.PointLoad("nudge", fx.At("rod", 0.5))],
    )
    model = fx.build(robot)
    for force in ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
        result = fx.statics(model, {"nudge": (0.0, 0.0, 0.0, *force)}).unwrap()
        assert not about(fx.statics(model, start=result).unwrap())


STEEL = fx.Material(young=2e11, poisson=0.3, density=7800.0)


@on(MESHES[1:])  # three spans do not bend like that
def test_a_thin_wire_that_is_buckled_turns(rods):
    """EA L²/EI = 4e6; a short way along the motion, it stretches by what is huge for it."""
    wire = fx.Rod("rod", 1.0, fx.Circle(1e-3), STEEL)
    grips = [fx.Weld("world", "rod.base"), fx.Weld("world", "rod.tip", offset=shorter_by(0.2))]
    result = fx.statics(fx.build(fx.Robot("wire", [wire], grips), rods=rods)).unwrap()
    assert result.stable
    (remark,) = about(result)
    assert "rod 'rod' turns as a shape freely about the axis (1, 0, 0) through (0, 0, 0)" in remark


def shaft():
    """A round rod between a clamp and a driven hinge along its axis."""
    rod = fx.Rod("rod", 1.0, fx.Circle(5e-3), fx.Material(young=1e9, poisson=0.3))
    tip = fx.Hinge("turn", "world", "rod.tip", (1, 0, 0), FORWARD, driven=True)
    return fx.Robot("shaft", [rod], [fx.Weld("world", "rod.base"), tip])


SHAFTS = [fx.Spline(), fx.LinearStrain(16), fx.Hermite(8), fx.ConstantStrain(16)]


@pytest.mark.parametrize("rods", [*SHAFTS, fx.VariableStrain()], ids=str)
@pytest.mark.parametrize("turns", [2.0, 2.5, 3.0])
def test_the_helix_of_a_wound_shaft_turns(rods, turns):
    """Beyond Greenhill's torque, between clamps: its radius is 2 to 6 mm, and it turns with it."""
    result = fx.statics(fx.build(shaft(), rods=rods), {"turn": 2.0 * np.pi * turns}).unwrap()
    assert np.hypot(*result.pose("rod", 0.5)[1:3, 3]) > 1e-3
    assert result.stable
    (remark,) = about(result)
    assert "rod 'rod' turns as a shape freely about the axis (1, 0, 0) through (0, 0, 0)" in remark


def test_a_shaft_is_wound_up_alike_in_all_descriptions():
    """Steps along its free motion, however small, are no steps to an equilibrium."""
    radii = []
    for rods in SHAFTS:
        model, result, own = fx.build(shaft(), rods=rods), None, []
        for quarter in range(1, 17):
            angle = 0.5 * np.pi * quarter
            result = fx.statics(model, {"turn": angle}, start=result).unwrap()
            assert result.stable
            own.append(np.hypot(*result.pose("rod", 0.5)[1:3, 3]))
        radii.append(own)
    np.testing.assert_allclose(radii, radii[:1] * len(radii), rtol=0.05, atol=1e-8)


# --- joints -------------------------------------------------------------------------------------


@EACH
@pytest.mark.parametrize("material", [fx.materials.nitinol, STEEL], ids=["nitinol", "steel"])
def test_a_rod_that_stood_on_a_ball_hangs(rods, material):
    """The ball has turned by half a turn, about one of two axes."""
    rod = fx.Rod("rod", 1.0, fx.Circle(1e-3), material)
    up = se3.pose(rotation=(0.0, -np.pi / 2.0, 0.0))
    ball = fx.Ball("ball", "world", "rod.base", offset=up)
    robot = fx.Robot("standing", [rod], [ball], [fx.Gravity()])
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.pose("rod.tip")[2, 3] == pytest.approx(-1.0, abs=1e-3)
    assert result.stable
    (remark,) = about(result)
    assert remark == "rod 'rod' turns freely about its own axis, (0, 0, 1), in joint 'ball'"
    weight = material.density * np.pi * 1e-6 * 9.81
    force = result.reaction("ball")[3:]
    assert np.linalg.norm(force) == pytest.approx(weight, rel=1e-3)


@EACH
@pytest.mark.parametrize("weightless", [True, False])
def test_a_wire_on_two_balls_turns_about_itself_and_about_them(rods, weightless):
    wire = fx.Rod("rod", 1.0, fx.Circle(1e-3), STEEL)
    end = se3.pose((0.7, 0.0, 0.0))
    balls = [fx.Ball("a", "world", "rod.base"), fx.Ball("b", "world", "rod.tip", offset=end)]
    robot = fx.Robot("wire", [wire], balls, [] if weightless else [fx.Gravity()])
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.stable
    line = "rod 'rod' turns freely about the line through joints 'a', 'b', (1, 0, 0)"
    names = [f"{line}, in joints 'a', 'b'"] if weightless else []
    names += ["rod 'rod' turns freely about its own axis, in joints 'a', 'b'"]
    assert about(result) == names


@EACH
def test_a_weightless_rod_on_a_ball_turns_about_three_axes(rods):
    robot = fx.Robot("rod", [rod_of(EI=50.0)], [fx.Ball("ball", "world", "rod.base")])
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.stable
    assert about(result) == [
        "rod 'rod' turns freely about its own axis, (1, 0, 0), in joint 'ball'",
        "rod 'rod' turns freely about the axis (0, 1, 0) through (0, 0, 0) m, in joint 'ball'",
        "rod 'rod' turns freely about the axis (0, 0, 1) through (0, 0, 0) m, in joint 'ball'",
    ]


@EACH
def test_a_rod_on_a_ball_turns_about_the_vertical(rods):
    result = fx.statics(fx.build(hanging(rod_of(EI=50.0)), rods=rods)).unwrap()
    assert result.stable
    (remark,) = about(result)
    assert remark == "rod 'rod' turns freely about its own axis, (0, 0, 1), in joint 'ball'"
    np.testing.assert_allclose(result.pose("rod.tip")[:2, 3], 0.0, atol=1e-9)


@EACH
def test_a_curved_rod_on_a_ball_turns_about_the_vertical(rods):
    """It does not hang along its own axis, but its weight hangs below the joint."""
    curved = rod_of(EI=50.0, rest=(0.0, 1.0, 0.0))
    result = fx.statics(fx.build(hanging(curved), rods=rods)).unwrap()
    assert result.stable
    (remark,) = about(result)
    assert "rod 'rod' turns freely about the axis (0, 0, 1) through (0, 0, 0) m" in remark
    np.testing.assert_allclose(result.pose("rod.tip")[:2, 3], 0.0, atol=1e-8)


@EACH
@pytest.mark.parametrize("force", [(0.0, 0.0, 0.0), (0.1, 0.0, -1.0)])
def test_a_free_slider_slides_and_stays(rods, force):
    result = fx.statics(fx.build(sliding(*force), rods=rods)).unwrap()
    assert result.stable
    assert about(result) == ["rod 'rod' slides freely along (0, 1, 0), in joint 'rail'"]
    assert abs(result.coordinate("rail")) < 1e-6


def test_sliders_of_any_size_slide(rng):
    """What holds rods that cannot stretch ties nothing that is stiff by itself."""
    for length, slender, elements in rng.uniform((-3.0, -3.0, 2.0), (0.5, -2.0, 17.0), (80, 3)):
        size = 10.0**length
        circle = fx.Circle(size * 10.0**slender)
        rod = fx.Rod("rod", size, circle, fx.Material(young=1e9, poisson=0.3))
        rail = fx.Slider("rail", "world", "rod.base", (1, 0, 0), se3.pose(*rng.normal(size=(2, 3))))
        robot = fx.Robot("sliding", [rod], [rail])
        result = fx.statics(fx.build(robot, rods=fx.RotationInterpolation(int(elements))))
        assert [x.split(" along")[0] for x in about(result)] == ["rod 'rod' slides freely"]


@EACH
def test_a_load_along_a_free_slider_has_no_equilibrium(rods):
    result = fx.statics(fx.build(sliding(0.1, 0.5, -1.0), rods=rods))
    assert result.status is Status.UNHELD
    assert result.iterations < 250  # it does not slide on and on
    assert result.stable is None
    assert about(result) == ["rod 'rod' slides freely along (0, 1, 0), in joint 'rail'"]
    assert abs(result.coordinate("rail")) < 1.0


def test_a_body_on_a_vertical_hinge_turns():
    result = fx.statics(fx.build(door((0.0, 0.0, 1.0)))).unwrap()
    assert result.stable
    (remark,) = about(result)
    assert remark.startswith("body 'leaf' turns freely about the axis (0, 0, 1) through (0, 0, 0)")
    assert abs(result.coordinate("hinge")) < 1e-6


def test_a_body_on_a_horizontal_hinge_hangs():
    result = fx.statics(fx.build(door((0.0, 1.0, 0.0)))).unwrap()
    assert result.stable
    assert not about(result)
    assert result.pose("leaf")[2, 0] == pytest.approx(-1.0)


def test_a_body_hinged_in_its_centre_stays_where_it_is():
    result = fx.statics(fx.build(door((0.0, 1.0, 0.0), center=(0.0, 0.3, 0.0)))).unwrap()
    assert result.stable
    assert len(about(result)) == 1


def four_bar(axis, height=0.5):
    """A parallelogram of bodies with hinges, which hold three directions more than needed."""
    up, across = se3.pose(position=(0.0, 0.0, height)), se3.pose(position=(1.0, 0.0, 0.0))
    return fx.Robot(
        "four bar",
        bodies=[fx.Body("left", mass=1.0), fx.Body("right"), fx.Body("top", mass=1.0)],
        joints=[
            fx.Hinge("a", "world", "left", axis),
            fx.Hinge("b", fx.At("left", offset=up), "top", axis),
            fx.Hinge("c", fx.At("top", offset=across), fx.At("right", offset=up), axis),
            fx.Hinge("d", "world", "right", axis, offset=across),
        ],
    )


def test_a_four_bar_linkage_moves_without_load():
    result = fx.statics(fx.build(four_bar((0.0, 1.0, 0.0)))).unwrap()
    assert result.stable
    assert about(result) == [
        "body 'left', body 'right' and body 'top' move freely, in joints 'a', 'b', 'c', 'd'"
    ]
    assert about(result, "more than needed")


def test_links_in_line_only_begin_to_move():
    """Two bodies between fixed hinges as far apart as both are long."""
    axis, end = (0.0, 1.0, 0.0), FORWARD
    robot = fx.Robot(
        "in line",
        bodies=[fx.Body("one"), fx.Body("two")],
        joints=[
            fx.Hinge("a", "world", "one", axis),
            fx.Hinge("b", fx.At("one", offset=end), "two", axis),
            fx.Hinge("c", "world", fx.At("two", offset=end), axis, offset=end @ end),
        ],
    )
    result = fx.statics(fx.build(robot)).unwrap()
    assert result.stable is None
    assert about(result, "does not go on")


def test_two_sliders_are_told_apart():
    rods = [rod_of(name="one"), rod_of(name="two")]
    robot = fx.Robot(
        "two",
        rods=rods,
        joints=[
            fx.Slider("x", "world", "one.base", axis=(1.0, 0.0, 0.0)),
            fx.Slider("z", "world", "two.base", axis=(0.0, 0.0, 1.0)),
        ],
    )
    result = fx.statics(fx.build(robot)).unwrap()
    assert sorted(about(result)) == [
        "rod 'one' slides freely along (1, 0, 0), in joint 'x'",
        "rod 'two' slides freely along (0, 0, 1), in joint 'z'",
    ]


def strand(rods, joint, *, of, length, radius):
    """Steel wires one after the other, the first one clamped or on a joint, and its result."""
    steel = fx.Material(young=210e9, poisson=0.3125)
    wires = [fx.Rod(f"w{i}", length, fx.Circle(radius), steel) for i in range(of)]
    welds = [fx.Weld(f"w{i}.tip", f"w{i + 1}.base") for i in range(of - 1)]
    return fx.statics(fx.build(fx.Robot("strand", wires, [joint, *welds]), rods))


@pytest.mark.parametrize("rods", [fx.LinearStrain(1), fx.ConstantStrain(2)], ids=str)
@pytest.mark.parametrize(("of", "length"), [(30, 1.0), (60, 0.5), (100, 0.1)])
def test_a_long_strand_of_many_wires_is_not_free(rods, of, length):
    """Each of them bends by 1e-7 rad or so as the whole of it sways."""
    found = strand(rods, fx.Weld("world", "w0.base"), of=of, length=length, radius=1e-4)
    assert found.converged
    assert found.stable
    assert found.remarks == ()


def test_what_many_parts_do_is_told_of_all():
    hinge = fx.Hinge("pin", "world", "w0.base", axis=(0, 0, 1))
    found = strand(fx.LinearStrain(1), hinge, of=12, length=0.1, radius=1e-3)
    (remark,) = found.remarks
    assert "rod 'w4' and 7 more parts turn freely about the axis (0, 0, 1) through" in remark


@mixed(
    rods=[fx.Spline(), fx.LinearStrain(16), fx.ConstantStrain(), fx.VariableStrain(), fx.Hermite()],
    ids=lambda rods: type(rods).__name__,
    turns=[1.91, 2.0],
)
def test_a_wire_that_has_just_buckled_under_torsion_turns_freely(rods, turns):
    """Greenhill's shape is 0.1 mm high, and turns about its clamps: that was taken for stuck."""
    wire = fx.Rod("wire", 0.3, fx.Circle(radius=4e-4), fx.Material(young=70e9, poisson=0.3))
    tip = se3.pose((0.3, 0, 0))
    turn = fx.Hinge("turn", "world", "wire.tip", (1, 0, 0), tip, driven=True)
    robot = fx.Robot("wire", [wire], [fx.Weld("world", "wire.base"), turn])
    result = fx.statics(fx.build(robot, rods), {"turn": 2.0 * np.pi * turns}).unwrap()
    height = np.abs(result.pose("wire", np.linspace(0.0, 0.3, 61))[:, 1:3, 3]).max()
    assert 1e-5 < height < 3e-4
    assert result.stable
    assert any("turns as a shape freely about its own axis" in x for x in result.remarks)
