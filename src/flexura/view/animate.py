"""Motions as films and as pages that play them."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from flexura.errors import ModelError
from flexura.io.target import PathLike, target, write_whole
from flexura.progress import Progress
from flexura.result.motion import Motion
from flexura.robot.check import flag, positive
from flexura.typing import ArrayLike
from flexura.view.extra import require
from flexura.view.film import Film, film, frame_times
from flexura.view.film_file import FASTEST_GIF, gif, mp4
from flexura.view.picture import TOWARDS, checked_way
from flexura.view.rod import STATIONS
from flexura.view.web import STATIONS as WEB_STATIONS
from flexura.view.web import page

if TYPE_CHECKING:
    from flexura.view.plotter import Pixels

SUFFIXES = (".mp4", ".gif", ".html")
PACKAGES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {".mp4": ("pyvista", "imageio_ffmpeg"), ".gif": ("pyvista",), ".html": ()}
)
# Pictures of a GIF are smaller: it has each of them whole, and nobody wants to wait for it.
SIZES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {".mp4": (960, 600), ".gif": (640, 400), ".html": (960, 600)}
)
SAMPLES = 4  # pictures that a GIF has its colours from, about


def animate(
    motion: Motion,
    path: PathLike,
    *,
    speed: float = 1.0,
    fps: float = 30.0,
    color: str | None = "bending",
    size: tuple[int, int] | None = None,
    ghost: bool = False,
    labels: bool = False,
    towards: ArrayLike = TOWARDS,
    background: Literal["sky", "white"] = "sky",
    opacity: float | None = None,
    lines: Mapping[str, ArrayLike] | None = None,
    progress: bool | None = None,
) -> None:
    """A film of a motion, or a page for a browser that plays it.

    The camera stands where it sees the whole motion, and colours mean the same all the time.
    Between instants of the motion, the robot is where ``motion.at`` has it. A page is one file that
    needs no network: it plays, stops, goes to any time and turns the robot; it needs no PyVista.

    Args:
        motion: what ``simulate`` returned.
        path: where to write it, by its ending as MP4, GIF or HTML.
        speed: time of the motion by time of the film: 0.1 is ten times slower than real time.
        fps: pictures per second of the film, at most 50 for GIF.
        color: name of one of ``view.COMPONENTS``, or None for plain colours.
        size: width and height in pixels, made even for MP4; None is 960 x 600, and 640 x 400 for
            GIF; a page is as large as its window.
        ghost: whether to show the unloaded shape.
        labels: whether to show sizes of loads and names; they move with the robot.
        towards: direction from the robot to the eye, world axes.
        background: "sky", or "white" for a page.
        opacity: of the rods, above 0 and up to 1; None is 1, but 0.32 for rods with tendons inside.
        lines: what else to show, points [m], (n, 3), by names.
        progress: whether to show a bar; None does on a terminal.

    Raises:
        ModelError: for something else than a motion with instants, or values that make no sense.
        UnknownName: for an unknown colour or background.
        FileError: for another ending, or if the file cannot be written.
        MissingExtra: if PyVista or, for MP4, imageio-ffmpeg is not installed.
    """
    file = target(path, "a film", SUFFIXES)
    suffix = file.suffix.lower()
    if not isinstance(motion, Motion) or not len(motion):
        got = "an empty one" if isinstance(motion, Motion) else type(motion).__name__
        raise ModelError(f"animate shows a Motion with instants, got {got}; make one with simulate")
    if suffix == ".gif" and positive("animate", "fps", fps) > FASTEST_GIF:
        raise ModelError(
            f"{file}: GIF has at most {FASTEST_GIF:g} pictures per second, got fps = {fps:g}; "
            "take less, or write MP4"
        )
    for package in PACKAGES[suffix]:
        require("view.animate", package)
    pixels, away, behind = checked_way(size or SIZES[suffix], towards, background)
    ghost, labels = flag("animate", "ghost", ghost), flag("animate", "labels", labels)
    times = frame_times(motion, speed, fps)
    sections = WEB_STATIONS if suffix == ".html" else STATIONS
    found = film(motion, times, color, ghost, labels, opacity, lines, sections)
    if suffix == ".html":
        content = page(found, speed, away, behind, progress).encode()
    else:
        content = _film(found, suffix, fps, pixels, away, behind, progress)
    write_whole(file, content)


def _film(
    film: Film,
    suffix: str,
    fps: float,
    size: tuple[int, int],
    towards: ArrayLike,
    background: str,
    progress: bool | None,
) -> bytes:
    """The content of a film."""
    from flexura.view.plotter import photographs

    if suffix == ".mp4":
        size = _even(size)

    count = len(film.times)
    some = range(0, count, max(1, count // SAMPLES)) if suffix == ".gif" else range(0)
    shot = photographs(film.scenes(some), size, towards, background)
    samples = dict(zip(some, shot, strict=True))
    others = [i for i in range(count) if i not in samples]

    def frames() -> Iterator["Pixels"]:
        rest = photographs(film.scenes(others), size, towards, background)
        with Progress(count, "pictures", progress) as bar:
            for i in range(count):
                yield samples[i] if i in samples else next(rest)
                bar.advance()

    return mp4(frames(), fps) if suffix == ".mp4" else gif(frames(), fps, list(samples.values()))


def _even(size: tuple[int, int]) -> tuple[int, int]:
    """The next size with an even width and height, as video has colours for two pixels each."""
    width, height = size
    return width + width % 2, height + height % 2
