"""How thick rods are that touch: as thick as round ones, which is said of those that are not."""

import numpy as np
import pytest

import flexura as fx

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1100.0)
SECTIONS = {
    "tube": (fx.Tube(outer=5e-3, inner=4e-3), 5e-3),
    "circle": (fx.Circle(4e-3), 4e-3),
    "strip": (fx.Rectangle(width=0.02, height=0.002), np.sqrt(4e-5 / np.pi)),
    "any": (fx.Section(4e-5, 1e-10, 1e-10, 1e-10), np.sqrt(4e-5 / np.pi)),
}


def on_a_table(section, **more):
    return fx.Robot(
        "lies",
        rods=[fx.Rod("rod", 0.2, section, RUBBER)],
        obstacles=[fx.Obstacle("table", fx.Plane())],
        contacts=[fx.Contact("rod", "table", **more)],
        loads=[fx.Gravity()],
    )


@pytest.mark.parametrize("name", SECTIONS)
def test_what_is_not_round_lies_as_what_is_and_says_so(name):
    section, radius = SECTIONS[name]
    model = fx.build(on_a_table(section))
    place = {"rod": fx.lie.se3.pose((0.0, 0.0, radius + 1e-4))}
    motion = fx.simulate(model, 0.02, 2e-3, place=place)
    assert motion[-1].pose("rod", 0.1)[2, 3] == pytest.approx(radius, rel=1e-4)
    told = [x for x in motion.remarks if "is not round" in x]
    assert bool(told) == (name in ("strip", "any"))
    assert all(
        f"'rod' is not round: it touches as if its radius were {radius:.3g} m" in x for x in told
    )


def test_tapers_are_told_with_both_ends_and_what_is_given_is_taken():
    strips = (fx.Rectangle(0.02, 0.002), fx.Rectangle(0.01, 0.001))
    (told,) = on_a_table(fx.Taper(*strips)).doubts
    assert "0.00357 to 0.00178 m" in told
    assert not on_a_table(fx.Taper(fx.Tube(5e-3, 1e-3), fx.Tube(3e-3, 1e-3))).doubts
    assert not on_a_table(strips[0], radius=1e-3).doubts


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(("radius", "words"), [(5e-3, "thicker than 'v'"), (3e-3, None)])
def test_what_is_thicker_than_its_vessel_is_told_so(swapped, radius, words):
    pair = ("v", "rod") if swapped else ("rod", "v")
    robot = fx.Robot(
        "stuck",
        rods=[fx.Rod("rod", 0.2, fx.Circle(radius), RUBBER)],
        joints=[fx.Weld("world", "rod.base")],
        obstacles=[fx.Obstacle("v", fx.Vessel([(-0.1, 0, 0), (0, 0, 0), (0.3, 0, 0)], 4e-3))],
        contacts=[fx.Contact(*pair)],
    )
    if words is None:
        fx.statics(fx.build(robot)).unwrap()
        return
    with pytest.raises(fx.ModelError, match=words) as error:
        fx.statics(fx.build(robot))
    assert "0.005 m" in str(error.value)
    assert "0.004 m" in str(error.value)
    assert "begin where they are apart" not in str(error.value)


def test_what_fits_but_begins_in_the_wall_is_told_to_begin_elsewhere():
    robot = fx.Robot(
        "beside",
        rods=[fx.Rod("rod", 0.2, fx.Circle(3e-3), RUBBER)],
        joints=[fx.Weld("world", "rod.base", offset=fx.lie.se3.pose((0.0, 0.003, 0.0)))],
        obstacles=[fx.Obstacle("v", fx.Vessel([(-0.1, 0, 0), (0, 0, 0), (0.3, 0, 0)], 4e-3))],
        contacts=[fx.Contact("rod", "v")],
    )
    with pytest.raises(fx.ModelError, match="begins outside of 'v'"):
        fx.statics(fx.build(robot))


@pytest.mark.parametrize("swapped", [False, True])
def test_what_leaves_its_vessel_begins_outside_of_it(swapped):
    """Straight, where the vessel bends."""
    bend = [(-0.1, 0, 0), (0.1, 0, 0), (0.17, 0.03, 0), (0.2, 0.1, 0), (0.2, 0.3, 0)]
    robot = fx.Robot(
        "astray",
        rods=[fx.Rod("rod", 0.2, fx.Circle(1e-3), RUBBER)],
        joints=[fx.Weld("world", "rod.base")],
        obstacles=[fx.Obstacle("v", fx.Vessel(bend, 8e-3))],
        contacts=[fx.Contact(*(("v", "rod") if swapped else ("rod", "v")))],
    )
    with pytest.raises(fx.ModelError, match=r"'rod' begins outside of 'v' at s = 0\.2 m"):
        fx.statics(fx.build(robot))
