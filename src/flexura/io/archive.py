"""NumPy archives: written whole, read without trust."""

import io
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FileError
from flexura.io.target import write_whole

LEVEL = 1  # of compression: higher ones take longer and make numbers no smaller
SAMPLE = 1 << 16  # [bytes] of an array, to see whether it can be made smaller
WORTHWHILE = 0.85  # of its size: what shrinks less is stored as it is

# What NumPy and zip raise for files that are cut off, changed, or something else.
BROKEN = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    MemoryError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
)


def write_archive(file: Path, entries: Mapping[str, Any]) -> None:
    """Write arrays and texts by their keys.

    Raises:
        FileError: if the file cannot be written.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compresslevel=LEVEL) as archive:
        for key, value in entries.items():  # np.savez has no place for a key called "file"
            array = np.asarray(value)
            info = zipfile.ZipInfo(f"{key}.npy", time.localtime()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED if _shrinks(array) else zipfile.ZIP_STORED
            with archive.open(info, "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
    write_whole(file, content.getvalue())


def _shrinks(array: NDArray[Any]) -> bool:
    """Whether compression is worth its time, by a sample from the middle."""
    if array.nbytes <= SAMPLE:
        return True
    flat = array.ravel()
    middle, half = len(flat) // 2, SAMPLE // (2 * array.itemsize)
    sample = flat[middle - half : middle + half].tobytes()
    return len(zlib.compress(sample, LEVEL)) < WORTHWHILE * len(sample)


class Archive:
    """An archive that is open for reading; nothing in it is executed."""

    def __init__(self, file: Path) -> None:
        """Open a file.

        Raises:
            FileError: if it is none, or no archive.
        """
        self.file = file
        with ExitStack() as stack:
            try:
                stream = stack.enter_context(file.open("rb"))
                self._check_kind(stream.read(len(np.lib.format.MAGIC_PREFIX)))
                stream.seek(0)
                found = np.load(stream, allow_pickle=False)
            except FileNotFoundError:
                raise FileError(f"{file}: there is no such file; check the path") from None
            except BROKEN as error:
                raise self.broken(f"cannot be read as a NumPy archive ({error})") from error
            if not isinstance(found, np.lib.npyio.NpzFile):
                raise self.broken("is a single NumPy array and no result")
            self._data = stack.enter_context(found)
            self._open = stack.pop_all()

    def _check_kind(self, begin: bytes) -> None:
        """Raise for what is no archive: NumPy takes that for objects, and offers to run them."""
        if begin.startswith((b"PK", np.lib.format.MAGIC_PREFIX)):
            return
        if self.file.suffix.lower() == ".toml":
            raise FileError(
                f"{self.file}: this is no saved result but a robot file; load reads it, and so "
                "does flexura show"
            )
        raise self.broken("cannot be read as a NumPy archive, which begins with other bytes")

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def __iter__(self) -> Iterator[str]:
        return iter(self._data.files)

    def __contains__(self, key: str) -> bool:
        return key in self._data.files

    def broken(self, what: str) -> FileError:
        """The error for a file that is not what it should be."""
        return FileError(f"{self.file}: {what}; give a file that save_result wrote")

    def array(self, key: str, kinds: str = "f", shape: tuple[int, ...] | None = None) -> Any:
        """An array of the archive.

        Args:
            key: its name.
            kinds: the kinds of numbers that it may hold, as in ``dtype.kind``.
            shape: that it must have; None for any.
        """
        if key not in self:
            raise self.broken(f"has no {key!r}")
        try:
            found: NDArray[Any] = self._data[key]
        except BROKEN as error:
            raise self.broken(f"is cut off or changed: {key!r} cannot be read ({error})") from error
        if found.dtype.kind not in kinds or (shape is not None and found.shape != shape):
            wanted = "" if shape is None else f", not {shape}"
            got = f"{found.dtype} {found.shape}"
            raise self.broken(f"has {key!r} as {got}{wanted}, which does not fit")
        return found

    def text(self, key: str) -> str:
        """A text of the archive."""
        return str(self.array(key, "U", ()))

    def number(self, key: str) -> int:
        """A whole number of the archive."""
        return int(self.array(key, "iub", ()))
