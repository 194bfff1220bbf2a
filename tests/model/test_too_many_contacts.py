"""More pairs than there is room for are refused, with their number."""

import pytest

import flexura as fx
from flexura.model.mechanics import contact


def test_too_many_pairs(monkeypatch):
    monkeypatch.setattr(contact, "MOST", 10)
    rubber = fx.Material(young=1e6, poisson=0.4, density=1000.0)
    robot = fx.Robot(
        "crowd",
        rods=[fx.Rod("rod", 0.3, fx.Circle(5e-3), rubber)],
        obstacles=[fx.Obstacle("floor", fx.Plane(point=(0, 0, -1)))],
        contacts=[fx.Contact("rod", "floor")],
    )
    with pytest.raises(fx.ModelError, match=r"are \d\d pairs that may touch, more than 10"):
        fx.build(robot, rods=fx.Spline(3, 8))


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
