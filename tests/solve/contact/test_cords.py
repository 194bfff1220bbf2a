"""Cords that are longer than it is far to the floor: they begin beside it and lie down."""

import numpy as np
import pytest

import flexura as fx

pose = fx.lie.se3.pose
LENGTH, APART, FLOOR = 2.0, 1.4, 0.3
CORDS = {
    "silicone": (2e-3, fx.Material(young=1e6, poisson=0.45, density=1100.0)),
    "nylon": (2e-3, fx.Material(young=2e9, poisson=0.4, density=1150.0)),
    "steel": (2e-4, fx.Material(young=2e11, poisson=0.3, density=7800.0)),
}


def cord(name, joint, friction=0.0, floor=FLOOR, turn=None):
    """Between two points, above a floor; all of it may be turned."""
    radius, material = CORDS[name]
    place = np.eye(4) if turn is None else turn
    ends = [place, place @ pose((APART, 0, 0))]
    if joint == "ball":
        joints = [
            fx.Ball(x, "world", f"cord.{x}", offset=end)
            for x, end in zip(("base", "tip"), ends, strict=True)
        ]
    else:
        joints = [
            fx.Weld("world", f"cord.{x}", offset=end)
            for x, end in zip(("base", "tip"), ends, strict=True)
        ]
    up = place[:3, :3] @ (0.0, 0.0, 1.0)
    below = place[:3, 3] - floor * up
    robot = fx.Robot(
        "cord",
        rods=[fx.Rod("cord", LENGTH, fx.Circle(radius), material)],
        joints=joints,
        loads=[fx.Gravity(tuple(-9.81 * up))],
        obstacles=[fx.Obstacle("floor", fx.Plane(tuple(up), tuple(below)))],
        contacts=[fx.Contact("cord", "floor", friction=friction)],
    )
    return fx.build(robot)


def heights(result, up=(0.0, 0.0, 1.0), origin=(0.0, 0.0, 0.0)):
    places = result.pose("cord", np.linspace(0.0, LENGTH, 41))[:, :3, 3]
    return (places - origin) @ np.asarray(up)


@pytest.mark.parametrize("joint", ["ball", "weld"])
@pytest.mark.parametrize("name", CORDS)
def test_a_cord_lies_on_the_floor(name, joint):
    model = cord(name, joint)
    result = fx.statics(model).unwrap()
    assert result.stable
    radius, material = CORDS[name]
    # elements are chords between the places that touch
    assert heights(result).min() > -FLOOR + radius - 5e-3
    weight = 9.81 * material.density * np.pi * radius**2 * LENGTH
    carried = sum(x.pressing for x in result.contacts)
    assert 0.1 * weight < carried < weight
    free = fx.statics(cord(name, joint, floor=2.0)).unwrap()
    assert result.potential > free.potential


def test_where_all_of_it_is_and_how_it_is_turned_changes_nothing():
    turn = pose((3.0, -2.0, 1.0), (0.4, 0.9, -0.3))
    here, there = (fx.statics(cord("nylon", "weld", turn=x)).unwrap() for x in (None, turn))
    assert there.energy == pytest.approx(here.energy, rel=1e-6)


def test_friction_holds_what_lies():
    result = fx.statics(cord("steel", "weld", friction=0.3)).unwrap()
    assert heights(result).min() > -FLOOR
    assert result.contacts


def test_what_does_not_hang_begins_inside_as_ever():
    """A straight rod through a wall has no other side to begin on."""
    radius, material = CORDS["steel"]
    robot = fx.Robot(
        "rod",
        rods=[fx.Rod("rod", 1.0, fx.Circle(radius), material)],
        joints=[fx.Weld("world", "rod.base")],
        obstacles=[fx.Obstacle("wall", fx.Plane((-1, 0, 0), (0.5, 0, 0)))],
        contacts=[fx.Contact("rod", "wall")],
    )
    with pytest.raises(fx.ModelError, match="begins inside"):
        fx.statics(fx.build(robot))
