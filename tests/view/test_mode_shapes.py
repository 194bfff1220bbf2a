"""Pictures of modes."""

import numpy as np
import pytest
from support import RUBBER, refused

import flexura as fx
from flexura import view
from flexura.view.mode_shapes import _scenes


@pytest.fixture(scope="module")
def modes():
    rod = fx.Rod("rod", 0.4, fx.Circle(0.01), RUBBER)
    robot = fx.Robot("arm", [rod], joints=[fx.Weld("world", "rod.base")], loads=[fx.Gravity()])
    return fx.modes(fx.statics(fx.build(robot)), 4)


def test_panels_of_modes(modes, tmp_path):
    file = tmp_path / "modes.png"
    pixels = view.mode_shapes(modes, file, count=3)
    assert pixels.shape == (1200, 1920, 3)  # two rows of two, one of them empty
    assert (pixels[600:, 960:] == 255).all()
    assert pixels[:600, :960].std() > 5.0
    assert file.stat().st_size > 10_000
    first, second = pixels[:600, :960].astype(int), pixels[:600, 960:].astype(int)
    moved = np.abs(first - second).max(axis=-1) > 60
    assert 0.01 < moved.mean() < 0.2  # one camera, another shape
    assert view.mode_shapes(modes, count=1).shape == (600, 960, 3)


def test_modes_are_called_by_frequency_and_damping(modes):
    found = list(_scenes(modes, 2, None))
    for i, scene in enumerate(found):
        assert f"mode {i}: {modes.frequency[i]:.4g} Hz" in scene.remark
        assert len(scene.of("ghost")) == len(scene.of("rod")) == 1  # the equilibrium, and the shape
    np.testing.assert_array_equal(found[0].of("ghost")[0].points, found[1].of("ghost")[0].points)


def test_a_shape_is_drawn_like_any_result(modes):
    assert view.picture(modes.shape(1), size=(320, 200)).shape == (200, 320, 3)


def test_bad_input(modes, tmp_path):
    with refused(["fx.modes", "StaticResult"]):
        view.mode_shapes(modes.result)
    with refused(["count", "1 to 8"]):
        view.mode_shapes(modes, count=9)
    with pytest.raises(fx.FileError):
        view.mode_shapes(modes, tmp_path / "modes.txt")
