"""Motions that were played, as files to keep."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from flexura.result.instant import Instant
from flexura.result.motion import Motion, MotionStatus
from flexura.view.animate import animate


def page_of(instants: Sequence[Instant], step: float, color: str | None) -> bytes:
    """A page that plays a motion by itself."""
    return _animated(instants, step, color, ".html")


def gif_of(instants: Sequence[Instant], step: float, color: str | None) -> bytes:
    """A film of a motion.

    Raises:
        MissingExtra: if PyVista is not installed.
    """
    return _animated(instants, step, color, ".gif")


def _animated(instants: Sequence[Instant], step: float, color: str | None, suffix: str) -> bytes:
    motion = Motion(tuple(instants), MotionStatus.REACHED, step, (), ())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"motion{suffix}"
        animate(motion, file, color=color, progress=False)
        return file.read_bytes()
