"""The studio as a browser draws it: scenes that reach the screen while a slider is dragged.

Chromium without a window and without a graphics card: it draws with the processor that the studio
solves on, too. The page's own work, until it has handed a scene to the graphics, is told apart.
"""

import re
import shutil
import time
from typing import Any

import numpy as np

from benchmarks.speed.page_client import served
from benchmarks.speed.studio import EXAMPLES, ROBOTS
from benchmarks.table import Table

PORT = 18470
SIZE = {"width": 800, "height": 600}
SECONDS = 6.0
ARGUMENTS = [
    "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
    "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip
# Notes the pictures for which points were sent to the graphics, and how long the page took.
NOTES = """
window.drawn = []; let sent = false;
for (const name of ['bufferData', 'bufferSubData']) {
  const own = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...given) {
    sent = true; return own.apply(this, given);
  };
}
const frame = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = act => frame(t => {
  const began = performance.now(); sent = false; act(t);
  if (sent) window.drawn.push(performance.now() - began);
});
"""


def run(quick: bool = False) -> Table:
    """Drag a slider of each robot.

    Args:
        quick: for a second.
    """
    from playwright.sync_api import sync_playwright

    seconds = 1.0 if quick else SECONDS
    rows, data = [], {}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        for i, (file, (slider, _)) in enumerate(ROBOTS.items()):
            with served(EXAMPLES / file, PORT + i) as (_, client):
                page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
                spent = dragged(page, client.url, slider, seconds)
                page.close()
            data[file] = {"rate": len(spent) / seconds, "spent": spent}
            rows.append(
                [f"{file}, {slider}", f"{len(spent) / seconds:.1f}", f"{np.median(spent):.1f}"]
            )
        browser.close()
    width, height = SIZE.values()
    return Table(
        title=f"studio, drawn without a graphics card, {width} x {height}",
        header=("robot, slider", "scenes drawn / s", "work of the page [ms]"),
        rows=rows,
        notes=["Work of the page: for each scene, until it is handed to the graphics; median."],
        data=data,
    )


def dragged(page: Any, url: str, slider: str, seconds: float) -> list[float]:
    """What the page takes for each scene that it draws while a slider is dragged [ms]."""
    page.add_init_script(NOTES)
    page.goto(url)
    page.get_by_text("stability").wait_for()
    page.wait_for_timeout(3000)
    row = page.get_by_text(re.compile(rf"^{slider}( \[|$)")).first.locator(
        "xpath=ancestor::*[.//*[@role='slider']][1]"
    )
    knob, track = (row.locator(x).first for x in ("[role=slider]", ".mantine-Slider-track"))
    box, way = knob.bounding_box(), track.bounding_box()
    height = box["y"] + 0.5 * box["height"]
    page.mouse.move(box["x"] + 0.5 * box["width"], height)
    page.mouse.down()
    page.evaluate("window.drawn.length = 0")
    began = time.perf_counter()
    while (t := time.perf_counter() - began) < seconds:
        part = 0.05 + 0.15 * (1.0 - np.cos(1.5 * t))
        page.mouse.move(way["x"] + part * way["width"], height)
    found: list[float] = page.evaluate("window.drawn")
    page.mouse.up()
    return found
