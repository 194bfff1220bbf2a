"""More pairs than there is room for are refused, with their number."""

from importlib import import_module
from itertools import combinations

import numpy as np
import pytest
from meshes import block

import flexura as fx
from flexura.model import touch_rows
from flexura.model.mechanics import contact
from flexura.value import size_of

simulate = import_module("flexura.solve.motion.simulate")


def test_too_many_pairs(monkeypatch):
    monkeypatch.setattr(contact, "ROOM", 1e4)
    rubber = fx.Material(young=1e6, poisson=0.4, density=1000.0)
    robot = fx.Robot(
        "crowd",
        rods=[fx.Rod("rod", 0.3, fx.Circle(5e-3), rubber)],
        obstacles=[fx.Obstacle("floor", fx.Plane(point=(0, 0, -1)))],
        contacts=[fx.Contact("rod", "floor")],
    )
    words = r"are \d\d pairs that may touch, which take .* GB, and there is room for 1e-05 GB"
    with pytest.raises(fx.ModelError, match=words):
        fx.build(robot, rods=fx.Spline(3, 8))


def test_too_many_places_at_once(monkeypatch):
    """What is near has rows for all unknowns, and all rows a compliance with each other."""
    monkeypatch.setattr(touch_rows, "ROOM", 1e5)
    rubber = fx.Material(young=1e6, poisson=0.4, density=1000.0)
    robot = fx.Robot(
        "crowd",
        rods=[fx.Rod("rod", 0.3, fx.Circle(5e-3), rubber)],
        joints=[fx.Weld("world", "rod.base", offset=fx.lie.se3.pose((0, 0, 5.01e-3)))],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("floor", fx.Plane(normal=(0, 0, 1), point=(0, 0, 0)))],
        contacts=[fx.Contact("rod", "floor", friction=0.3)],
    )
    words = r"\d\d places of 'crowd' touch at once.* \d\d rows of \d\d unknowns take .* GB"
    with pytest.raises(fx.ModelError, match=words):
        fx.statics(fx.build(robot, rods=fx.Spline(3, 8)))


def falling(count=20):
    """Balls side by side, any two of which may touch, above a floor that one of them is on."""
    names = [f"ball {k}" for k in range(count)]
    robot = fx.Robot(
        "balls",
        bodies=[fx.Body(x, 0.1, (1e-4,) * 3, shape=fx.Sphere(0.01)) for x in names],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("floor", fx.Plane((0.6, 0.0, 0.8)))],
        contacts=[fx.Contact(*x, friction=0.1) for x in combinations([*names, "floor"], 2)],
    )
    place = {x: fx.lie.se3.pose((0.0, 0.1 * k, 0.0125 + k)) for k, x in enumerate(names)}
    return fx.build(robot), place


def test_instants_keep_how_far_things_slid_of_what_slides_alone():
    model, place = falling()
    last = fx.simulate(model, 2e-3, 1e-3, place=place)[-1]
    (touching,) = last.contacts
    assert np.linalg.norm(touching.slip) > 0.0
    assert len(last.evaluation.slip.pairs) == 1
    assert size_of(last.evaluation.slip) < 100


def test_more_instants_than_there_is_room_for(monkeypatch):
    """They are counted before the first step; what may be stopped before goes on."""
    model, place = falling()
    monkeypatch.setattr(simulate, "ROOM", 1e6)
    words = r"simulate: 10001 instants of 'balls' take .* GB, and there is room for 0.001 GB"
    with pytest.raises(fx.ModelError, match=words):
        fx.simulate(model, 10.0, 1e-3, place=place)
    stopped = fx.simulate(model, 10.0, 1e-3, place=place, until=lambda at: True)
    assert len(stopped) == 2
    assert len(fx.simulate(model, 5e-3, 1e-3, place=place, every=5)) == 2


@pytest.mark.parametrize("slides", [False, True])
def test_what_only_inputs_move_is_ignored_and_said(slides):
    """A body that stands, or that a driven slider moves, is not stopped by an obstacle."""
    ball = fx.Body("ball", mass=1.0, inertia=(1.0,) * 3, shape=fx.Sphere(0.02))
    above = fx.lie.se3.pose((0, 0, 0.5))
    weld = fx.Weld("world", "ball", offset=above)
    slider = fx.Slider("go", "world", "ball", axis=(0, 0, 1), offset=above, driven=True)
    robot = fx.Robot(
        "led",
        bodies=[ball],
        joints=[slider if slides else weld],
        obstacles=[fx.Obstacle("floor", fx.Plane(normal=(0, 0, 1), point=(0, 0, 0)))],
        contacts=[fx.Contact("ball", "floor")],
    )
    remarks = " ".join(fx.statics(fx.build(robot)).remarks)
    assert "nothing but inputs moves them against each other; the contact is ignored" in remarks


def test_welded_neighbours_are_ignored_and_said():
    parts = [
        fx.Body(name, mass=1.0, inertia=(1.0,) * 3, shape=fx.Box(0.1, 0.1, 0.1))
        for name in ("a", "b")
    ]
    robot = fx.Robot(
        "neighbours",
        bodies=parts,
        joints=[fx.Weld("world", "a"), fx.Weld("a", "b", fx.lie.se3.pose((0.1, 0, 0)))],
        contacts=[fx.Contact("a", "b")],
    )
    remarks = " ".join(fx.statics(fx.build(robot)).remarks)
    assert "the contact is ignored" in remarks


PIN = fx.Rod("pin", 0.018, fx.Circle(5e-3), fx.Material(young=1e6, poisson=0.4, density=1e3))
PEG = fx.Rod("peg", 0.3, fx.Circle(5e-3), PIN.material)
HELD = fx.Body("held", 0.1, (1e-4,) * 3, shape=fx.Box(0.02, 0.02, 0.02))
AWAY = fx.lie.se3.pose((0.0, 0.0, 0.1))


@pytest.mark.parametrize("other", ["cube", "held", "peg", "pin", "ball"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_contact_is_ignored_where_it_has_no_pair_and_only_there(other, swapped):
    """All of a pin is near its joints: no solid touches it, and it does not come back to itself."""
    points, cells = block((0.02,) * 3, (1, 1, 1))
    cube = fx.Volume("cube", (points + np.array([0.0, 0.0, 0.3]), cells), PIN.material)
    pair = (other, "pin") if swapped else ("pin", other)
    robot = fx.Robot(
        "pinned",
        rods=[PIN, PEG],
        bodies=[HELD],
        volumes=[cube],
        joints=[
            fx.Weld("world", "pin.base"),
            fx.Weld("pin.tip", "held"),
            fx.Weld("pin.tip", "peg.base", AWAY),
        ],
        obstacles=[fx.Obstacle("ball", fx.Sphere(0.1), pose=fx.lie.se3.pose((0.0, 9.0, 0.0)))],
        contacts=[fx.Contact(*pair)],
    )
    model = fx.build(robot)
    ignored = any("the contact is ignored" in text for text in model.contacts.ignored)
    assert ignored == (model.contacts.count == 0)
    assert ignored == (other in ("held", "pin", "ball"))
