"""Motions that were played, as files to keep."""

import tempfile
from pathlib import Path

from flexura.result.motion import Motion
from flexura.view.animate import animate


def animated(motion: Motion, color: str | None, suffix: str) -> bytes:
    """The content of a file that plays a motion: a page, or a film.

    Raises:
        MissingExtra: for a film, if PyVista is not installed.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"motion{suffix}"
        animate(motion, file, color=color, progress=False)
        return file.read_bytes()
