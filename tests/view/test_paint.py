import numpy as np
import pytest

import flexura as fx
from flexura.view.coat import coats
from flexura.view.paint import BANDS, painted, shades
from flexura.view.scene import scene
from flexura.view.style import SIGNED, UNSIGNED
from flexura.view.tube import arrow, tube


@pytest.fixture(scope="module")
def bent():
    rod = fx.Rod("arm", 0.3, fx.Circle(5e-3), fx.materials.nitinol)
    robot = fx.Robot(
        "arm",
        rods=[rod],
        joints=[fx.Weld("world", "arm.base")],
        loads=[fx.PointLoad("tip", at="arm.tip", force=(0, 0, 20.0))],
    )
    return scene(fx.statics(fx.build(robot, fx.LinearStrain(6))))


def test_every_triangle_is_painted_once(bent):
    meshes = painted(bent)
    assert sum(len(m.triangles) for m in meshes.values()) == sum(
        len(coat.surface.triangles) for coat in coats(bent)
    )
    area = sum(_area(m.points, m.triangles) for m in meshes.values())
    exact = sum(_area(c.surface.points, c.surface.triangles) for c in coats(bent))
    assert area == pytest.approx(exact, rel=1e-5)  # points have seven digits


def test_bending_falls_from_band_to_band(bent):
    """Of a cantilever the colours are in order along the rod."""
    order = {color: i for i, color in enumerate(shades(signed=False))}
    rod = {order[c]: m for (c, a), m in painted(bent).items() if c in order and a == 1.0}
    places = [rod[i].points[:, 0].mean() for i in sorted(rod)]
    assert len(places) > BANDS // 2
    assert (np.diff(places) < 0.0).all()


def test_what_is_no_longer_true_is_grey(bent):
    assert len(painted(bent, faded=True)) == 1


@pytest.mark.parametrize(("signed", "stops"), [(True, SIGNED), (False, UNSIGNED)])
def test_shades_end_at_the_colours_of_the_scale(signed, stops):
    """The middle of the outermost bands is half a band from the ends: a small step of colour."""
    found = shades(signed)
    assert len(set(found)) == BANDS

    def channels(color):
        return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])

    for shade, end, inner in ((found[0], stops[0], stops[1]), (found[-1], stops[-1], stops[-2])):
        part = 0.5 / BANDS * (len(stops) - 1)
        mixed = (1.0 - part) * channels(end) + part * channels(inner)
        np.testing.assert_allclose(channels(shade), mixed, atol=0.5)


@pytest.mark.parametrize("turns", [0.4, 3.0])
def test_tubes_along_any_path_are_round(turns):
    t = np.linspace(0.0, 1.0, 80)
    angle = 2.0 * np.pi * turns * t
    loop = np.stack([np.cos(angle), np.sin(angle) * np.cos(angle), np.sin(angle)], axis=1)
    surface = tube("loop", loop, 0.02, "#000000", "tendon")
    far = np.linalg.norm(surface.points.reshape(80, -1, 3) - loop[:, None], axis=-1)
    np.testing.assert_allclose(far, 0.01, rtol=1e-12)


def test_normals_of_an_arrow_are_those_of_its_triangles():
    found = arrow("pull", np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), 0.05, "#000000", sides=40)
    a, b, c = np.moveaxis(found.points[found.triangles], 1, 0)
    flat = np.cross(b - a, c - a)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    smooth = found.normals[found.triangles].mean(axis=1)
    assert (np.einsum("ij,ij->i", flat, smooth) > 0.99).all()


def _area(points, triangles):
    a, b, c = (points[triangles[:, i]].astype(float) for i in range(3))
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
