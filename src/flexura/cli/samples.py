"""Inputs over time: constants, and samples of CSV files; nothing in them is executed."""

import csv
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from flexura.cli.option import inputs, pose_of_numbers
from flexura.errors import FileError, ModelError
from flexura.model.inputs import Input

LARGEST = 100_000_000  # [bytes] of a file of samples


def inputs_over_time(entries: Mapping[str, Input], texts: Iterable[str]) -> dict[str, Any]:
    """Values of inputs from texts such as "left=2" and "left=@left.csv".

    Raises:
        ModelError: for a text of another form, or a name that is given twice.
        FileError: for a file that does not have samples.
    """
    constant, sampled = [], {}
    for text in texts:
        name, sign, value = text.partition("=@")
        if not sign:
            constant.append(text)
        elif name in sampled:
            raise ModelError(f"--input {name!r} is given twice; give it once")
        elif not name:
            raise ModelError(f"--input {text!r} has no name; write --input left=@left.csv")
        else:
            sampled[name] = _samples(Path(value), entries.get(name))
    found: dict[str, Any] = {**inputs(entries, constant)}
    for name in sampled:
        if name in found:
            raise ModelError(f"--input {name!r} is given twice; give it once")
    return {**found, **sampled}


def _samples(file: Path, entry: Input | None) -> tuple[list[float], Any]:
    """Times and values of a file."""
    rows = _rows(file)
    times = [row[0] for row in rows]
    for i, (a, b) in enumerate(pairwise(times)):
        if not b > a:
            raise FileError(f"{file}: times must grow, got {a:g} and then {b:g} in sample {i + 2}")
    if entry is not None and entry.manifold == "pose":
        return times, np.array([pose_of_numbers(f"{file}: a sample", row[1:]) for row in rows])
    values = np.array([row[1:] for row in rows])
    return times, values[:, 0] if values.shape[1] == 1 else values


def _rows(file: Path) -> list[list[float]]:
    """The numbers of a file, two or more in each row; a heading is left out."""
    try:
        if file.stat().st_size > LARGEST:
            raise FileError(f"{file}: larger than {LARGEST} bytes")
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise FileError(f"{file}: there is no such file; check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{file}: cannot be read: {reason}; give a CSV file") from error
    lines = [row for row in csv.reader(text.splitlines()) if any(cell.strip() for cell in row)]
    found = [_numbers(row) for row in lines]
    if found and found[0] is None:
        found = found[1:]
    rows = [row for row in found if row is not None]
    if len(rows) < len(found) or len(rows) < 2 or len({len(row) for row in rows}) > 1:
        raise FileError(
            f"{file}: must have two samples or more, a time [s] and as many numbers in each row, "
            "between commas"
        )
    if len(rows[0]) < 2 or not np.isfinite(rows).all():
        raise FileError(f"{file}: each row must have a time [s] and values, all finite numbers")
    return rows


def _numbers(row: list[str]) -> list[float] | None:
    """The numbers of a row; None if they are none."""
    try:
        return [float(cell) for cell in row]
    except ValueError:
        return None
