"""What a benchmark returns: a table, with the data of its figure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Table:
    """Rows of text under a header.

    Attributes:
        title: what is measured.
        header: names of the columns.
        rows: cells as text, one row for each case.
        notes: sentences below the table.
        data: numbers behind the rows, for figures and tests.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    data: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """The table in Markdown, aligned to be read in a terminal."""
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        lines = [self.title, "", _line(self.header, widths)]
        lines.append("|" + "|".join("-" * (width + 2) for width in widths) + "|")
        lines += [_line(row, widths) for row in self.rows]
        if self.notes:
            lines += ["", *self.notes]
        return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """One row: the first column to the left, numbers to the right."""
    padded = [
        cell.ljust(width) if i == 0 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "| " + " | ".join(padded) + " |"


def verdict(value: float, target: float) -> str:
    """Whether a measured value keeps its target."""
    return "ok" if value <= target else "over"
