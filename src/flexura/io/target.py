"""Files to be written: checked before the work that fills them, and written whole."""

import os
import secrets
from collections.abc import Collection
from pathlib import Path
from typing import TypeAlias

from flexura.errors import FileError, show

PathLike: TypeAlias = str | os.PathLike[str]


def as_path(path: PathLike) -> Path:
    """A path, or FileError."""
    try:
        return Path(path)
    except TypeError:
        raise FileError(f"a path must be a text or a Path, got {show(path)}") from None


def target(path: PathLike, what: str, suffixes: Collection[str]) -> Path:
    """The path of a file to write, if it can be one.

    Args:
        path: where to.
        what: what the file holds, for the message.
        suffixes: endings that it may have, such as ".png".

    Raises:
        FileError: for another ending, or if there is no such folder.
    """
    file = as_path(path)
    if file.suffix.lower() not in suffixes:
        *most, last = suffixes
        allowed = f"{', '.join(most)} or {last}" if most else last
        got = repr(file.suffix) if file.suffix else "a name without ending"
        raise FileError(f"{file}: {what} is written as {allowed}, got {got}; change the name")
    if not _is_folder(file.parent):
        raise FileError(f"{file}: there is no folder {str(file.parent)!r}; make it first")
    return file


def _is_folder(path: Path) -> bool:
    """Whether there is a folder; a name that is too long is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def write_whole(file: Path, content: bytes) -> None:
    """Write a temporary file next to the target and let it take the target's place.

    Raises:
        FileError: if it cannot be written.
    """
    try:
        place = file.resolve()
        if place.exists() and not place.is_file():
            raise OSError("there is something else than a file")
        temporary = place.with_name(f".{place.name}.{secrets.token_hex(4)}.tmp")
        try:
            temporary.write_bytes(content)
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{file}: cannot be written: {reason}; check the folder") from error
