"""The studio: from the event of a slider to the scene that a page is sent.

The server is a process of its own, as for users; the page moves a slider, and moves it on as soon
as it was sent the new scene. What a browser needs to draw it is not counted.
"""

import time
from pathlib import Path

import numpy as np

from benchmarks.speed.page_client import Page, served
from benchmarks.table import Table

EXAMPLES = Path(__file__).parents[2] / "examples"
# Robot, slider, and how many updates a second it should have.
ROBOTS = {
    "arm.toml": ("right", 30.0),
    "parallel.toml": ("east", 20.0),
}
PORT = 18410
SWING = 0.3  # part of the range that the slider goes through


def run(quick: bool = False) -> Table:
    """Updates a second, one after the other.

    Args:
        quick: move fewer times.
    """
    rows, data = [], {}
    for i, (file, (slider, target)) in enumerate(ROBOTS.items()):
        with served(EXAMPLES / file, PORT + i) as (_, page):
            times = latencies(page, slider, 20 if quick else 200)
        low, median, high = np.quantile(times, [0.1, 0.5, 0.9])
        rate = 1.0 / median
        data[file] = {"times": times, "rate": rate}
        rows.append(
            [
                f"{file}, {slider}",
                f"{rate:.1f}",
                f"{target:g}",
                "ok" if rate >= target else "under",
                f"{1e3 * low:.1f}",
                f"{1e3 * median:.1f}",
                f"{1e3 * high:.1f}",
            ]
        )
    return Table(
        title="studio, from the event of a slider to the scene that the page is sent",
        header=("robot, slider", "updates / s", "target", "", "10 % [ms]", "median", "90 %"),
        rows=rows,
        notes=["One move after the other. Windows of the server's messages are 16.7 ms long."],
        data=data,
    )


def latencies(page: Page, slider: str, count: int) -> np.ndarray:
    """Times from moves of a slider to the scenes that they lead to [s]."""
    times = []
    for i in range(count + 5):  # the first ones load what was not needed before
        part = 0.05 + SWING * (0.5 - 0.5 * np.cos(0.3 * i))
        began = time.perf_counter()
        page.move(slider, float(part))
        if not page.scene():
            raise RuntimeError(f"{slider} was moved, and no scene came")
        times.append(time.perf_counter() - began)
    return np.array(times[5:])
