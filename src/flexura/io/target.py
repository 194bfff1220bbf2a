"""Files to be written: checked before the work that fills them, and written whole."""

from collections.abc import Collection
from pathlib import Path

from flexura.errors import FileError
from flexura.io.robot_file import PathLike, _as_path, _write


def target(path: PathLike, what: str, suffixes: Collection[str]) -> Path:
    """The path of a file to write, if it can be one.

    Args:
        path: where to.
        what: what the file holds, for the message.
        suffixes: endings that it may have, such as ".png".

    Raises:
        FileError: for another ending, or if there is no such folder.
    """
    file = _as_path(path)
    if file.suffix.lower() not in suffixes:
        *most, last = suffixes
        allowed = f"{', '.join(most)} or {last}" if most else last
        got = repr(file.suffix) if file.suffix else "a name without ending"
        raise FileError(f"{file}: {what} is written as {allowed}, got {got}; change the name")
    if not file.parent.is_dir():
        raise FileError(f"{file}: there is no folder {str(file.parent)!r}; make it first")
    return file


def write_whole(file: Path, content: bytes) -> None:
    """Write a file so that it appears whole or not at all.

    Raises:
        FileError: if it cannot be written.
    """
    _write(file, content)
