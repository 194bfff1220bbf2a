"""Films of motions, and pages that play them."""

import base64
import io
import json
import re
import subprocess
import sys
import zlib

import numpy as np
import pytest
from PIL import Image
from view.view_motions import arm, spaghetto, waving

import flexura as fx
from flexura import view
from flexura.errors import FileError, MissingExtra, ModelError, UnknownName
from flexura.view.film import film, frame_times, outermost
from flexura.view.film_file import durations

SMALL = (160, 100)
MOTIONS = pytest.mark.parametrize("motion", [arm, spaghetto, waving], ids=lambda f: f.__name__)


def shot(motion, times, **options):
    usual = {
        "color": "bending",
        "ghost": False,
        "labels": False,
        "opacity": None,
        "lines": None,
        "count": 20,
    }
    return film(motion, np.array(times), **{**usual, **options})


def test_pictures_are_in_real_time():
    motion = arm()  # of 0.2 s
    np.testing.assert_allclose(frame_times(motion, 1.0, 30.0), [*(np.arange(6) / 30), 0.2])
    assert len(frame_times(motion, 1.0, 30.0)) == 7
    assert len(frame_times(motion, 0.1, 50.0)) == 101
    assert frame_times(motion[3:4], 1.0, 30.0) == pytest.approx([motion.t[3]])


def test_pictures_of_a_gif_add_up_to_the_time():
    assert durations(7, 30.0) == [30, 40, 30, 30, 40, 30, 30]
    assert sum(durations(301, 30.0)) == pytest.approx(1e3 * 301 / 30.0, abs=10)


@MOTIONS
def test_camera_and_colours_are_those_of_the_whole_motion(motion):
    found = shot(motion(), motion().t)
    scenes = list(found.scenes())
    assert len(scenes) == len(motion())
    low, high = found.stage.points.min(axis=0), found.stage.points.max(axis=0)
    for scene, instant in zip(scenes, motion(), strict=True):
        rod = scene.of("rod")[0]
        assert (rod.points >= low - 1e-12).all()
        assert (rod.points <= high + 1e-12).all()
        assert scene.ground is found.stage.ground
        assert scene.scale is found.stage.scale
        assert rod.values.max() <= scene.scale.limits[1]
        assert scene.remark == f"t = {instant.t:.2f} s"
    assert max(scene.of("rod")[0].values.max() for scene in scenes) == scenes[0].scale.limits[1]


def test_between_instants_the_robot_is_where_the_motion_has_it():
    motion = arm()
    (scene,) = shot(motion, [0.123], color=None).scenes()
    expected = motion.at(0.123).pose("arm.tip")[:3, 3]
    ring = scene.of("rod")[0].points[-80:-40]  # around the tip
    np.testing.assert_allclose(ring.mean(axis=0), expected, atol=1e-12)


def test_the_outermost_points_are_kept(rng):
    points = rng.normal(size=(500, 3))
    kept = outermost(points)
    assert len(kept) < 100
    np.testing.assert_array_equal(kept.min(axis=0), points.min(axis=0))
    np.testing.assert_array_equal(kept.max(axis=0), points.max(axis=0))


def test_a_gif_moves(tmp_path):
    view.animate(arm(), tmp_path / "arm.gif", fps=20, size=SMALL)
    with Image.open(tmp_path / "arm.gif") as image:
        assert image.size == SMALL
        frames, times = [], []
        for i in range(image.n_frames):
            image.seek(i)
            frames.append(np.asarray(image.convert("RGB")).astype(int))
            times.append(image.info["duration"])
    assert len(frames) == 5
    assert times == [50] * 5
    changed = [np.abs(a - frames[0]).max(axis=-1) > 40 for a in frames[1:]]
    assert [c.mean() > 0.002 for c in changed] == [True] * 4
    assert not changed[-1][:, 145:].any()  # the colour bar stays


def test_a_video_plays(tmp_path):
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    view.animate(arm(), tmp_path / "arm.mp4", speed=0.5, fps=10, size=(161, 101), color=None)
    command = [ffmpeg.get_ffmpeg_exe(), "-i", str(tmp_path / "arm.mp4")]
    raw = subprocess.run(
        [*command, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True
    )
    assert b"h264" in raw.stderr
    assert b"10 fps" in raw.stderr
    pixels = np.frombuffer(raw.stdout, np.uint8).reshape(-1, 102, 162, 3).astype(int)
    assert len(pixels) == 5  # 0.2 s, twice as slow, ten per second
    assert np.abs(pixels[0] - pixels[-1]).max() > 60


def contents(file):
    """The table and the arrays of a page."""
    text = file.read_text()
    data = re.search(r'type="application/json">(.*?)</script>', text, re.DOTALL)[1]
    block = re.search(r'<script id="block" type="text/plain">(.*?)</script>', text, re.DOTALL)[1]
    return text, json.loads(data), zlib.decompress(base64.b64decode(block))


def positions(data, block, mesh):
    """Where a mesh of a page is, (frames, n, 3)."""
    begin, count = mesh["points"]
    moves = np.frombuffer(block, "<u2", count, begin).reshape(-1, mesh["size"], 3)
    whole = np.cumsum(moves, axis=0, dtype=np.uint16)
    return np.array(data["low"]) + data["size"] * whole / 65535.0


@MOTIONS
def test_a_page_has_the_motion_in_it(motion, tmp_path):
    view.animate(motion(), tmp_path / "page.html", fps=100, labels=True)
    text, data, block = contents(tmp_path / "page.html")
    assert not re.search(r"https?://|src=|@DATA@|@BLOCK@", text)  # nothing from elsewhere
    np.testing.assert_allclose(data["times"], motion().t, atol=1e-9)
    rod = data["meshes"][0]
    found = positions(data, block, rod)
    scenes = shot(motion(), motion().t, count=60).scenes()
    instants = [scene.of("rod")[0].points for scene in scenes]
    assert found.shape == np.shape(instants)
    np.testing.assert_allclose(found, instants, atol=1e-5 * data["size"])
    begin, count = rod["triangles"]
    assert np.frombuffer(block, "<u4", count, begin).max() == rod["size"] - 1
    begin, count = rod["values"]
    assert count == len(motion()) * rod["size"]
    assert np.frombuffer(block, "u1", count, begin).max() == 255


def test_what_stands_still_is_sent_once(tmp_path):
    view.animate(arm(), tmp_path / "page.html", fps=100)
    _, data, _ = contents(tmp_path / "page.html")
    still = [mesh["still"] for mesh in data["meshes"]]
    assert not still[0]
    assert any(still)
    for mesh in data["meshes"]:
        pictures = 1 if mesh["still"] else len(mesh["frames"])
        assert mesh["points"][1] == 3 * pictures * mesh["size"]
    assert (tmp_path / "page.html").stat().st_size < 400_000


def test_names_cannot_break_the_page(tmp_path):
    rod = fx.Rod("arm", 0.3, fx.Circle(0.01), fx.Material(young=1e6, poisson=0.4, density=1e3))
    robot = fx.Robot("</script><b>", [rod], [fx.Weld("world", "arm.base")], [fx.Gravity()])
    motion = fx.simulate(fx.build(robot, rods=fx.Spline(3, 2)), 0.02, 0.01)
    view.animate(motion, tmp_path / "page.html")
    text, data, _ = contents(tmp_path / "page.html")
    assert data["title"] == "</script><b>"
    assert text.count("<b>") == 0


@pytest.mark.parametrize("name", ["arm.avi", "arm", "arm.png"])
def test_other_endings_are_refused_before_the_work(name, tmp_path):
    with pytest.raises(FileError, match=r"a film is written as \.mp4, \.gif or \.html, got"):
        view.animate(None, tmp_path / name)


def test_what_makes_no_sense(tmp_path):
    motion, gif = arm(), tmp_path / "arm.gif"
    for wrong, got in ((motion[0], "Instant"), (None, "NoneType"), (motion[:0], "an empty one")):
        with pytest.raises(ModelError, match=f"a Motion with instants, got {got}"):
            view.animate(wrong, gif)
    for options, message in (
        ({"speed": 0.0}, "speed"),
        ({"fps": -1.0}, "fps"),
        ({"fps": "fast"}, "fps"),
        ({"fps": None}, "fps"),
        ({"fps": 60}, "at most 50 pictures per second"),
        ({"speed": 1e-6}, "more than 20000"),
        ({"size": (1, 1)}, "size of a picture"),
        ({"opacity": 2.0}, "opacity"),
        ({"labels": "yes"}, "labels"),
    ):
        with pytest.raises(ModelError, match=message):
            view.animate(motion, gif, **options)
    with pytest.raises(UnknownName, match="no component"):
        view.animate(motion, gif, color="bend")
    assert not gif.exists()


def test_progress_is_shown(tmp_path, capsys):
    view.animate(arm(), tmp_path / "arm.html", fps=20, progress=True)
    assert "5/5 pictures" in capsys.readouterr().err
    view.animate(arm(), tmp_path / "arm.html", fps=20, progress=False)
    assert capsys.readouterr().err == ""


def test_missing_extras_are_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingExtra, match=r"view\.animate needs imageio_ffmpeg.*flexura\[view\]"):
        view.animate(arm(), tmp_path / "arm.mp4")


@MOTIONS
def test_instants_have_pictures(motion):
    one = view.scene(motion()[5])
    assert one.remark == "t = 0.05 s"
    several = view.scene([motion()[i] for i in (0, 10, 20)])
    assert several.remark == ""
    assert [label.text for label in several.labels][:3] == ["0 s", "0.1 s", "0.2 s"]
    assert len(several.of("rod")) == 3


def test_motions_show_themselves_in_notebooks():
    page = spaghetto()._repr_html_()
    assert "reached: the robot was followed" in page
    data = re.search(r'base64,([^"]*)"', page)[1]
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        assert image.size == (960, 600)
    assert "t = 0.03 s" in repr(spaghetto()[3])


def test_nothing_is_left_of_the_scene_before():
    """Robots of other parts, one after the other, look as each of them does alone."""
    from flexura.view.plotter import photograph, photographs

    (first,) = shot(arm(), [0.1], color=None).scenes()
    (other,) = shot(spaghetto(), [0.05], color=None).scenes()
    scenes, way = (first, other, first), ((1.0, -1.5, 0.8), "sky")
    for scene, found in zip(scenes, photographs(scenes, SMALL, *way), strict=True):
        alone = photograph(scene, SMALL, *way).astype(int)
        off = np.abs(found - alone).max(axis=-1) > 60  # edges are smoothed in other ways
        assert off.mean() <= 0.02
