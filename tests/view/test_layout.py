from functools import cache

import numpy as np
import pytest
from view.view_robots import chain, linkage, nine, platform, puppet, solved

from flexura.view import scene
from flexura.view.camera import frame_points
from flexura.view.cells import mark
from flexura.view.heading import room_at_top
from flexura.view.layout import FAR, LETTERS, place, text_box
from flexura.view.picture import TOWARDS
from flexura.view.render import MARGINS

SIZE = (1600.0, 1000.0)
ROBOTS = [chain, linkage, nine, platform, puppet]


def margins(found):
    return (*MARGINS, room_at_top(found, SIZE))


@cache
def laid_out(robot):
    """A scene, and the middle and the half size of each label of it in the picture."""
    found = scene(solved(robot))
    camera = frame_points(found.points, TOWARDS, found.ground.up, 1.6, margins(found))

    def seen(points):
        return SIZE[1] * camera.project(np.atleast_2d(points))

    places = place(found, camera, SIZE)
    boxes = [
        (seen(where.point)[0] + (where.x, where.y), text_box(label.text, LETTERS))
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
    shown = {x.name: seen(x.points) for x in (*found.of("rod"), *found.of("joint"))}
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
    points = np.concatenate([seen(rod.points) for rod in found.of("rod")])
    hidden = [covered(box, points) for box in boxes]
    assert sum(hidden) <= 0.005 * len(points)


@pytest.mark.parametrize("robot", ROBOTS)
def test_labels_that_are_far_away_have_a_line_to_their_point(robot):
    _, boxes, places, seen = laid_out(robot)
    for (middle, half), where in zip(boxes, places, strict=True):
        point = seen(where.point)[0]
        gap = np.linalg.norm(np.maximum(np.abs(middle - point) - half, 0.0))
        if gap > FAR:
            assert where.leader is not None
            assert (np.abs(point + where.leader - middle) <= half).all()
        elif where.leader is not None:
            assert gap > 0.5 * FAR  # the text is a little smaller than its box


def test_a_scene_without_labels():
    found = scene(solved(chain), labels=False)
    camera = frame_points(found.points, TOWARDS, found.ground.up, 1.6, margins(found))
    assert place(found, camera, SIZE) == []


def inside(triangle, points):
    """Which points (n, 2) are in a triangle: on the same side of all of its sides."""
    sides = np.roll(triangle, -1, axis=0) - triangle
    to = points[:, None] - triangle
    turns = sides[:, 0] * to[..., 1] - sides[:, 1] * to[..., 0]
    return (turns > 0.0).all(axis=1) | (turns < 0.0).all(axis=1)


def touches(triangle, middle):
    """Whether no line separates a triangle from the cell around a point."""
    sides = np.roll(triangle, -1, axis=0) - triangle
    normals = np.vstack([np.eye(2), sides @ [[0.0, 1.0], [-1.0, 0.0]]])
    reach = normals @ (triangle - middle).T
    half = 0.5 * np.abs(normals).sum(axis=1) + 1e-9
    return ((reach.min(axis=1) <= half) & (reach.max(axis=1) >= -half)).all()


@pytest.mark.parametrize("size", [0.3, 3.0, 30.0, 300.0])
def test_cells_are_marked_where_triangles_are(size):
    rng = np.random.default_rng(7)
    columns, rows = np.meshgrid(np.arange(40), np.arange(25), indexing="ij")
    middles = np.stack([columns.ravel(), rows.ravel()], axis=1) + 0.5
    for triangle in rng.uniform(-0.5, 0.5, (20, 3, 2)) * size + rng.uniform(0, 25, (20, 1, 2)):
        taken = np.zeros((40, 25), dtype=np.int64)
        mark(taken, triangle[None])
        assert taken.ravel()[inside(triangle, middles)].all()
        assert all(touches(triangle, middle) for middle in middles[taken.ravel() == 1])


def test_what_is_far_out_of_the_picture_costs_nothing():
    """Triangles a billion cells large, one behind the eye: as many as half cells would be 1e18."""
    taken = np.zeros((40, 25), dtype=np.int64)
    mark(taken, np.array([[[50.0, -1e9], [1e9, 0.0], [50.0, 1e9]], np.full((3, 2), np.nan)]))
    assert not taken.any()
    mark(taken, np.array([[[20.0, -1e9], [1e9, 0.0], [20.0, 1e9]]]))
    assert taken[20:].all()
    assert not taken[:20].any()


def test_what_is_behind_the_eye_is_not_seen():
    camera = frame_points(np.eye(3), TOWARDS, np.array([0.0, 0.0, 1.0]), 1.6, (0, 0, 0, 0))
    behind = camera.position + (camera.position - camera.target)
    assert np.isnan(camera.project(behind[None])).all()
    assert np.isfinite(camera.project(camera.target[None])).all()
