"""The studio in a real browser: load, turn, drag, play, switch, edit, and what must not happen."""

import os
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.browser.panels.look import SIZE
from flexura.browser.panels.reach import HANDLE
from flexura.browser.words import size

EXAMPLES = Path(__file__).parents[2] / "examples"
BROWSER = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chrome")
ARGUMENTS = [
    "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
    "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip
VIEW = {"width": 800, "height": 500}  # small, as pixels are drawn without a graphics card
WAIT = 60_000  # [ms]: drawn without a graphics card, on a busy machine

pytestmark = pytest.mark.slow
if BROWSER is None and not os.environ.get("CI"):
    pytest.skip("no Chromium is installed here (apt install chromium)", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api")
viser = pytest.importorskip("viser")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        yield found
        found.close()


def _open(browser, folder, name, **options):
    """A copy of a robot file in a studio, and a page on it."""
    file = folder / name
    file.write_text((EXAMPLES / name).read_text())
    studio = fx.studio(file, show=False, **options)
    page = browser.new_page(viewport=VIEW)
    page.goto(studio.url)
    page.get_by_text("stability").wait_for(timeout=WAIT)
    assert studio.desk.worker.wait()
    _settle(page)
    return studio, page, file


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a robot file in a studio and a page on it."""
    studios = []

    def open_(name, **options):
        studios.append(_open(browser, tmp_path, name, **options))
        return studios[-1]

    yield open_
    for studio, page, _ in studios:
        page.close()
        studio.close()


@pytest.fixture(scope="module")
def kept():
    """The studio of an arm that tests leave to each other."""
    studios = []
    yield studios
    for studio, page, _ in studios:
        page.close()
        studio.close()


@pytest.fixture
def arm(browser, kept, tmp_path_factory):
    """The arm in a studio and a page on it, opened anew where a test has left it changed."""
    if kept and not _as_new(*kept[-1]):
        studio, page, _ = kept.pop()
        page.close()
        studio.close()
    if not kept:
        kept.append(_open(browser, tmp_path_factory.mktemp("arm"), "arm.toml"))
    return kept[-1]


def _as_new(studio, page, file):
    """Whether a studio of the arm is as it was opened."""
    desk = studio.desk
    if not desk.worker.wait() or file.read_text() != (EXAMPLES / "arm.toml").read_text():
        return False
    found = desk.study.finding.shown
    return (
        not any(np.any(found.inputs[name]) for name in ("right", "back", "front"))
        and desk.study.model.robot.rods[0].length == 0.242
        and not desk.lines
        and desk.drive is None
        and desk.beside is None
        and page.get_by_text("stability").count() == 1
    )


def _settle(page, seconds=60.0):
    """The scene once it does not change any more."""
    before, end = None, time.monotonic() + seconds
    while time.monotonic() < end:
        now = page.locator("canvas").first.screenshot()
        if now == before:
            return now
        before = now
        page.wait_for_timeout(200)
    return before


def _becomes(true, page, seconds=60.0):
    """Whether something is so before long: what a page says arrives after a while."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        page.wait_for_timeout(50)
    return true()


def _pixel(studio, page, point):
    """Where the page shows a point of the world."""
    (client,) = studio.desk.server.get_clients().values()
    camera, box = client.camera, page.locator("canvas").first.bounding_box()
    ahead = np.subtract(camera.look_at, camera.position)
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, camera.up_direction)
    right /= np.linalg.norm(right)
    up = np.cross(right, ahead)
    away = np.subtract(point, camera.position)
    scale = 0.5 * box["height"] / np.tan(0.5 * camera.fov) / (away @ ahead)
    middle = np.array([box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]])
    return middle + scale * np.array([away @ right, -(away @ up)])


def _choose(page, label, value):
    page.get_by_label(label, exact=True).first.click()
    page.get_by_role("option", name=value, exact=True).click()


def _write(page, label, number):
    """Write a number into the field beside a slider."""
    row = page.get_by_text(label, exact=True).first.locator("xpath=ancestor::*[.//input][1]")
    field = row.locator("input").last
    field.fill(str(number))
    field.press("Enter")


def _write_input(studio, page, tension):
    """Let the arm bend, and wait until it has."""
    page.get_by_role("tab", name="Inputs").click()
    _write(page, "right [N]", tension)
    study = studio.desk.study
    assert _becomes(lambda: abs(study.finding.shown.inputs["right"] - tension) < 0.01, page)
    assert studio.desk.worker.wait()


def _write_file_back(studio, page, file):
    """The robot as it was, for whoever is next."""
    file.write_text((EXAMPLES / file.name).read_text())
    page.get_by_role("tab", name="File").click()
    for what in ("srcdoc", "rods[0]"):
        page.get_by_text(what).first.wait_for(state="hidden", timeout=WAIT)
    assert _becomes(lambda: studio.desk.study.model.robot.rods[0].length == 0.242, page)


@pytest.mark.parametrize(
    "name",
    [
        "parallel.toml",
        pytest.param("held_rod.toml", marks=pytest.mark.long),
        pytest.param("chain.toml", marks=pytest.mark.long),
        pytest.param("cantilever.toml", marks=pytest.mark.long),
    ],
)
def test_examples_are_drawn(opened, name):
    studio, page, _ = opened(name)
    assert studio.desk.study.finding.good
    pixels = _pixels(page)
    assert np.ptp(pixels, axis=(0, 1)).max() > 100  # something stands out from the background


def test_a_slider_moves_the_tip(arm):
    studio, page, _ = arm
    before, tip = _settle(page), studio.desk.study.finding.shown.pose("backbone.tip")
    _write_input(studio, page, 1.5)
    found = studio.desk.study.finding.shown
    assert found.inputs["right"] == pytest.approx(1.5, abs=0.01)
    assert np.linalg.norm(found.pose("backbone.tip")[:3, 3] - tip[:3, 3]) > 0.05
    assert _settle(page) != before
    _write_input(studio, page, 0.0)


def test_another_description_and_one_beside_it(opened):
    studio, page, _ = opened("arm.toml", bounds={"right": (0.0, 3.0)})
    page.get_by_role("tab", name="Rods").click()
    _choose(page, "Rods", "linear strain")
    page.get_by_text("LinearStrain").wait_for(timeout=WAIT)
    assert studio.desk.worker.wait()
    assert "LinearStrain" in str(studio.desk.study.model)
    _choose(page, "Beside it", "spline")
    page.get_by_text("of the length").wait_for(timeout=WAIT)
    assert studio.desk.apart is not None


def test_the_tip_follows_the_mouse(opened):
    """Dragged by an arrow of its handle, the tip goes where inputs within their ranges bring it."""
    studio, page, _ = opened("arm.toml")
    page.get_by_role("tab", name="Drag").click()
    _choose(page, "Drag", "backbone.tip")
    page.wait_for_timeout(500)
    _settle(page)
    before = studio.desk.study.finding.shown
    pose = before.pose("backbone.tip")
    size = HANDLE * before.model.length
    ends = [
        (_pixel(studio, page, pose[:3, 3]), _pixel(studio, page, pose[:3, 3] + 0.6 * size * axis))
        for axis in pose[:3, 1:3].T  # across the arm
    ]
    base, arrow = max(ends, key=lambda pair: np.linalg.norm(pair[1] - pair[0]))
    page.mouse.move(*arrow)
    page.mouse.down()
    for part in np.linspace(0.2, 2.0, 10):
        page.mouse.move(*(arrow + part * (arrow - base)))
        page.wait_for_timeout(50)
    page.wait_for_timeout(500)
    assert studio.desk.worker.wait()
    page.mouse.up()
    found = studio.desk.study.finding.shown
    way = _pixel(studio, page, found.pose("backbone.tip")[:3, 3]) - base
    assert way @ (arrow - base) > 0.5 * np.linalg.norm(arrow - base) ** 2
    assert any(found.inputs[name] > 0.01 for name in ("right", "back", "front"))
    assert all(found.inputs[name] >= 0.0 for name in ("right", "back", "front"))


def test_a_sweep_shows_the_way_of_the_tip(arm):
    studio, page, _ = arm
    before = _settle(page)
    page.get_by_role("tab", name="Sweep").click()
    page.get_by_role("button", name="Sweep").click()
    page.get_by_text("equilibria:").wait_for(timeout=WAIT)
    assert studio.desk.worker.wait()
    (name, way), *_ = studio.desk.lines.items()
    assert name == "way of backbone.tip"
    assert np.linalg.norm(way[-1] - way[0]) > 0.02
    assert _settle(page) != before
    page.get_by_role("button", name="Clear").click()
    assert _becomes(lambda: not studio.desk.lines, page)
    assert studio.desk.worker.wait()


def test_a_motion_is_played_and_paused(arm):
    studio, page, _ = arm
    page.get_by_role("tab", name="Play").click()
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").wait_for(timeout=WAIT)
    page.get_by_text("t = ").wait_for(timeout=WAIT)
    page.wait_for_timeout(1500)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play").wait_for(timeout=WAIT)
    page.get_by_role("button", name="Back to equilibria").click()
    assert _becomes(lambda: studio.desk.drive is None, page)
    assert studio.desk.worker.wait()


def test_a_mode_is_seen_moving(arm):
    studio, page, _ = arm
    page.get_by_role("tab", name="Sweep").click()
    still = _settle(page)
    page.get_by_role("button", name="Modes").click()
    page.get_by_label("Mode", exact=True).first.wait_for(timeout=WAIT)
    assert "Hz" in page.get_by_label("Mode", exact=True).first.input_value()
    seen, end = set(), time.monotonic() + 60.0
    while len(seen) < 4 and time.monotonic() < end:
        seen.add(page.screenshot(timeout=WAIT))
    assert len(seen) >= 4
    _write_input(studio, page, 1.5)  # which ends it
    assert _settle(page) != still
    _write_input(studio, page, 0.0)


def test_a_picture_of_what_is_seen_is_kept(arm):
    from matplotlib.image import imread

    _, page, _ = arm
    page.get_by_role("tab", name="Look").click()
    with page.expect_download(timeout=WAIT) as found:
        page.get_by_role("button", name="Picture (PNG)").click()
    assert found.value.suggested_filename == "robot.png"
    pixels = imread(found.value.path())
    assert pixels.shape[:2] == SIZE[::-1]
    assert np.ptp(pixels[..., :3], axis=(0, 1)).max() > 0.4


@pytest.mark.long
def test_a_motion_is_kept_as_a_page_and_as_a_film(opened, browser, tmp_path):
    from PIL import Image

    _, page, _ = opened("arm.toml", inputs={"right": 1.0})
    page.get_by_role("tab", name="Play").click()
    _choose(page, "Begins", "unloaded, at rest")
    page.get_by_role("button", name="Play").click()
    page.wait_for_timeout(1000)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play").wait_for(timeout=WAIT)
    kept = {}
    for kind in ("HTML", "GIF"):
        with page.expect_download(timeout=2 * WAIT) as found:
            page.get_by_role("button", name=kind).click()
        kept[kind] = tmp_path / found.value.suggested_filename
        found.value.save_as(kept[kind])
    with Image.open(kept["GIF"]) as film:
        assert film.n_frames > 3
    alone, asked = browser.new_page(viewport=VIEW), []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(kept["HTML"].as_uri())
    alone.wait_for_timeout(500)
    assert np.ptp(_pixels(alone), axis=(0, 1)).max() > 100
    assert len(asked) == 1  # the file, and nothing else
    alone.close()


def test_a_notebook_shows_the_studio(arm, browser):
    """As Jupyter does: in a frame of a page from elsewhere."""
    studio, _, _ = arm
    notebook = browser.new_page(viewport=VIEW)
    notebook.set_content(studio._repr_html_())
    notebook.frame_locator("iframe").get_by_text("stability").wait_for(timeout=WAIT)
    notebook.close()


def test_no_script_of_a_file_runs(arm):
    """An error that quotes a key of the file, with what would be markup in it."""
    studio, page, file = arm
    page.get_by_role("tab", name="File").click()
    evil = "<iframe srcdoc='<script>parent.PWNED=1</script>'></iframe>"
    file.write_text(f'name = "x"\n"a\\n```\\n\\n{evil}\\n\\n```" = 1\n')
    page.get_by_text("srcdoc", exact=False).first.wait_for(timeout=WAIT)
    page.wait_for_timeout(1000)
    assert page.locator("iframe").count() == 0
    assert page.evaluate("window.PWNED") is None
    _write_file_back(studio, page, file)


def test_a_file_with_an_error_leaves_the_robot(arm):
    studio, page, file = arm
    page.get_by_role("tab", name="File").click()
    file.write_text(file.read_text().replace("length = 0.242", "length = -1"))
    page.get_by_text("length", exact=False).first.wait_for(timeout=WAIT)
    page.get_by_text("rods[0]").wait_for(timeout=WAIT)  # the error names the key
    assert studio.desk.study.model.robot.rods[0].length == 0.242
    _write_file_back(studio, page, file)


def test_a_file_that_changes_is_read_again(arm):
    studio, page, file = arm
    file.write_text(file.read_text().replace("length = 0.242", "length = 0.2"))
    end = time.monotonic() + 60.0
    while studio.desk.study.model.robot.rods[0].length != 0.2 and time.monotonic() < end:
        page.wait_for_timeout(200)
    assert studio.desk.study.model.robot.rods[0].length == 0.2
    _write_file_back(studio, page, file)


def test_malformed_messages_do_not_stop_it(arm):
    studio, page, _ = arm
    url = studio.url.replace("http", "ws")
    heard = page.evaluate(
        """([url, protocol]) => new Promise(done => {
            const socket = new WebSocket(url, [protocol]);
            socket.onopen = () => {
                socket.send('not a message'); socket.send(new Uint8Array([255, 1, 2, 3]));
                setTimeout(() => { socket.close(); done(true); }, 300);
            };
            socket.onerror = () => done(false);
        })""",
        [url, f"viser-v{viser.__version__}"],
    )
    assert heard  # the socket was opened, and took them
    assert studio.desk.worker.wait()
    page.reload()
    page.get_by_text("stability").wait_for(timeout=WAIT)


def test_two_pages_see_the_same(arm, browser):
    studio, page, _ = arm
    other = browser.new_page(viewport=VIEW)
    other.goto(studio.url)
    other.get_by_text("stability").wait_for(timeout=WAIT)
    _write_input(studio, page, 1.0)
    energy = size(studio.desk.study.finding.shown.energy, "J")
    for one in (page, other):
        one.get_by_text(energy).wait_for(timeout=WAIT)
    other.close()
    _write_input(studio, page, 0.0)


def _pixels(page):
    import io

    from matplotlib.image import imread

    return 255.0 * imread(io.BytesIO(page.locator("canvas").first.screenshot()))[..., :3]
