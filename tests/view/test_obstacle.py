"""Planes and vessels in pictures."""

import numpy as np
import pytest
from meshes import block

import flexura as fx
from flexura.view.scene import scene

FLOOR = fx.Obstacle("floor", fx.Plane())
CEILING = fx.Obstacle("ceiling", fx.Plane(normal=(0.0, 0.0, -1.0), point=(0.0, 0.0, 0.06)))
SHELF = fx.Obstacle("shelf", fx.Plane(point=(0.0, 0.0, 0.01)))


def drawn(robot, name):
    """The points of an obstacle in a picture, and the height of the grid."""
    found = scene(robot)
    (own,) = (x for x in found.surfaces if x.name == name)
    return own.points, found.ground.corners[0, 2]


def test_planes_are_drawn_beside_volumes_alone():
    """Its middle is below the block, and wide enough for it; what is above it is no floor."""
    mesh = block(cells=(2, 2, 2))
    volume = fx.Volume("block", mesh, fx.Material(young=2e5, poisson=0.3))
    low, high = mesh[0].min(axis=0)[:2], mesh[0].max(axis=0)[:2]
    for others in ((), (CEILING,), (SHELF,)):
        points, height = drawn(fx.Robot("r", volumes=[volume], obstacles=[FLOOR, *others]), "floor")
        np.testing.assert_allclose(points[:, :2].mean(axis=0), 0.5 * (low + high), atol=1e-12)
        assert (points[:, :2].min(axis=0) <= low).all()
        assert (points[:, :2].max(axis=0) >= high).all()
        assert points[:, 2].max() == pytest.approx(0.0, abs=1e-15)
        assert -0.01 < height < 0.0


def test_planes_lie_still_in_all_results_of_a_picture():
    """One sheet, wherever the robot is, not one for each."""
    rod = fx.Rod("arm", 0.2, fx.Circle(0.003), fx.Material(young=1e6, poisson=0.4))
    joints = [fx.Weld("world", "arm.base", offset=fx.lie.se3.pose((0.0, 0.0, 0.1)))]
    robot = fx.Robot(
        "r", rods=[rod], joints=joints, obstacles=[FLOOR], loads=[fx.PointLoad("f", at="arm.tip")]
    )
    model = fx.build(robot)
    both = [fx.statics(model, {"f": (0.0, 0.0, 0.0, 0.0, y, 0.0)}) for y in (-1e-4, 1e-4)]
    assert [x.name for x in scene(both).surfaces].count("floor") == 1
