"""Soft blocks that friction holds where the floor they stand on is tilted, in several frames."""

import numpy as np
import pytest
from meshes import block
from scipy.spatial.transform import Rotation

import flexura as fx

SIZE = np.array([0.10075502, 0.05500523, 0.03834248])
TILTS = [(0.1574, 3.4991), (0.0511, 4.6497), (0.1269, 2.4941)]


@pytest.mark.parametrize("frame", range(6))
def test_what_friction_holds_is_held_in_every_frame(frame):
    """Two of its corners took turns in what held it, and it was said to slide."""
    turn = Rotation.random(random_state=frame).as_matrix()
    points, corners = block(SIZE, (1, 2, 1))
    away = (-0.5 * SIZE[0], -0.5 * SIZE[1], 0.0115)
    stuff = fx.Material(young=8.03e7, poisson=0.3, density=1000.0)
    soft = fx.Volume("block", ((points + away) @ turn.T, corners), stuff, law="neo-hookean")
    robot = fx.Robot(
        "tilted",
        volumes=[soft],
        loads=[fx.Gravity(tuple(-9.81 * turn[:, 2]))],
        obstacles=[fx.Obstacle("floor", fx.Plane(tuple(turn[:, 2])))],
        contacts=[fx.Contact("block", "floor", friction=0.2)],
    )
    model = fx.build(robot)
    found = fx.statics(model)
    for tilt, way in TILTS:  # of 0.197 rad that friction holds
        assert found.converged, found.status
        down = np.array([np.sin(tilt) * np.cos(way), np.sin(tilt) * np.sin(way), -np.cos(tilt)])
        found = fx.statics(model, {"gravity": tuple(9.81 * turn @ down)}, start=found)
    assert found.converged, found.status
