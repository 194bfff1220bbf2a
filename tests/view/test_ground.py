import numpy as np
import pytest
from support import RUBBER

import flexura as fx
from flexura.view.ground import GAP, ground
from flexura.view.obstacle import planes_below
from flexura.view.primitive import Surface

BOX = np.array([[0.0, 0.0, 0.0], [1.0, 0.4, 0.3]])
AXES = np.eye(3)


@pytest.mark.parametrize("up", [*AXES, *-AXES], ids=str)
def test_ground_is_below_everything(up):
    found = ground(BOX, 9.81 * up, extent=1.0)
    np.testing.assert_array_equal(found.up, up)
    heights = BOX @ up
    np.testing.assert_allclose(found.corners @ up, heights.min() - GAP, atol=1e-12)
    np.testing.assert_allclose(found.lines.reshape(-1, 3) @ up, heights.min() - GAP, atol=1e-12)


def test_ground_is_larger_than_the_robot_and_lines_are_whole_cells():
    found = ground(BOX, AXES[2], extent=1.0)
    assert (found.corners.min(axis=0)[:2] < 0.0).all()
    assert (found.corners.max(axis=0)[:2] > [1.0, 0.4]).all()
    cells = found.lines[..., :2] / found.cell
    np.testing.assert_allclose(cells, np.round(cells), atol=1e-9)


@pytest.mark.parametrize(
    ("extent", "cell"), [(1.0, 0.1), (1.5, 0.2), (4.0, 0.5), (0.01, 0.001), (2e3, 200.0)]
)
def test_cells_are_round_numbers(extent, cell):
    assert ground(extent * BOX, AXES[2], extent).cell == pytest.approx(cell)


def test_labels_are_coordinates():
    found = ground(BOX, AXES[2], extent=1.0)
    for label in found.labels:
        along = 0 if abs(label.away[1]) > 0 else 1
        assert float(label.text) == pytest.approx(label.point[along], abs=1e-9)


def test_tilted_gravity_takes_the_nearest_axis():
    found = ground(BOX, np.array([0.2, -0.1, 0.9]), extent=1.0)
    np.testing.assert_array_equal(found.up, [0.0, 0.0, 1.0])


def test_shadow_lies_on_the_ground():
    found = ground(BOX, AXES[2], extent=1.0)
    surface = Surface("x", BOX, BOX, np.array([[0, 1, 0]]))
    shadow = found.shadow(surface)
    np.testing.assert_allclose(shadow.points[:, 2], found.corners[0, 2])
    np.testing.assert_array_equal(shadow.points[:, :2], BOX[:, :2])


def test_ground_is_below_the_highest_flat_plane():
    """Shadows lie on the table where the robot stands, not below what else is drawn."""
    planes = [(np.array([5.0, 0.0, height]), AXES[2]) for height in (-3.0, 0.4)]
    planes.append((np.array([0.0, 0.0, 0.7]), np.array([0.6, 0.0, 0.8])))
    found = ground(BOX, AXES[2], 1.0, planes)
    assert 0.4 - GAP < found.corners[0, 2] < 0.4


def test_planes_beside_a_robot_are_not_below_it():
    robot = fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.2, fx.Circle(0.005), RUBBER)],
        joints=[fx.Weld("world", "arm.base")],
        obstacles=[
            fx.Obstacle("table", fx.Plane(point=(0.0, 0.0, -0.02))),
            fx.Obstacle("shelf", fx.Plane(point=(0.0, 0.0, 0.02))),
        ],
    )
    [(point, normal)] = planes_below(robot, ((0.0, 0.0, -0.01), (0.2, 0.0, 0.0)), 0.2)
    np.testing.assert_allclose((*point, *normal), (0.0, 0.0, -0.02, 0.0, 0.0, 1.0), atol=1e-15)
