import numpy as np
import pytest

from flexura.view.ground import GAP, ground
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
