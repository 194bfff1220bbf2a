import numpy as np
import pytest
from view.view_robots import chain, linkage, nine, platform, puppet, solved

from flexura.view import scene
from flexura.view.camera import frame_points
from flexura.view.layout import FAR, LETTERS, place, text_box
from flexura.view.picture import TOWARDS
from flexura.view.render import MARGINS

SIZE = (1600.0, 1000.0)
ROBOTS = [chain, linkage, nine, platform, puppet]


def laid_out(robot):
    """A scene, and the middle and the half size of each label of it in the picture."""
    found = scene(solved(robot))
    camera = frame_points(found.points, TOWARDS, found.ground.up, 1.6, MARGINS)

    def seen(points):
        return SIZE[1] * camera.project(np.atleast_2d(points))

    places = place(found, camera, SIZE)
    boxes = [
        (seen(label.point)[0] + (where.x, where.y), text_box(label.text, LETTERS))
        for label, where in zip(found.labels, places, strict=True)
    ]
    return found, boxes, places, seen


def covered(box, points):
    """How many of the points are under a label."""
    middle, half = box
    return np.count_nonzero((np.abs(points - middle) < half).all(axis=1))


@pytest.mark.parametrize("robot", ROBOTS)
def test_labels_are_in_the_picture_and_not_over_each_other(robot):
    _, boxes, _, _ = laid_out(robot)
    assert len(boxes) > 2
    for i, (middle, half) in enumerate(boxes):
        assert (np.abs(middle) + half <= np.array(SIZE) / 2.0).all()
        for other, size in boxes[:i]:
            assert (np.abs(middle - other) >= half + size - 1e-9).any()


@pytest.mark.parametrize("robot", ROBOTS)
def test_labels_do_not_cover_what_they_name(robot):
    found, boxes, _, seen = laid_out(robot)
    shown = {x.name: seen(x.points) for x in (*found.rods, *found.joints)}
    shown |= {x.name: seen(x.path) for x in (*found.tendons, *found.arrows)}
    named = 0
    for label, box in zip(found.labels, boxes, strict=True):
        for name, points in shown.items():
            if label.text == name or label.text.startswith(f"{name} "):
                assert covered(box, points) == 0, label.text
                named += 1
    assert named >= len(boxes) - 1  # all but that of gravity, whose arrow has a name, too


@pytest.mark.parametrize("robot", ROBOTS)
def test_labels_cover_next_to_nothing_else(robot):
    found, boxes, _, seen = laid_out(robot)
    points = np.concatenate([seen(rod.points) for rod in found.rods])
    hidden = [covered(box, points) for box in boxes]
    assert sum(hidden) <= 0.005 * len(points)


@pytest.mark.parametrize("robot", ROBOTS)
def test_labels_that_are_far_away_have_a_line_to_their_point(robot):
    found, boxes, places, seen = laid_out(robot)
    for label, (middle, half), where in zip(found.labels, boxes, places, strict=True):
        point = seen(label.point)[0]
        gap = np.linalg.norm(np.maximum(np.abs(middle - point) - half, 0.0))
        if gap > FAR:
            assert where.leader is not None
            assert (np.abs(point + where.leader - middle) <= half).all()
        elif where.leader is not None:
            assert gap > 0.5 * FAR  # the text is a little smaller than its box


def test_a_scene_without_labels():
    found = scene(solved(chain), labels=False)
    camera = frame_points(found.points, TOWARDS, found.ground.up, 1.6, MARGINS)
    assert place(found, camera, SIZE) == []
