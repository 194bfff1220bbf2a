"""What a benchmark returns: a table, with the data of its figure; and what it claims."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

NONE = "–"  # what there is none of


class Claim(NamedTuple):
    """A line of the summary of the report; ``claims(table)`` of a benchmark makes them."""

    what: str
    theirs: str
    reference: str
    ours: str


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

    @property
    def named(self) -> list[dict[str, str]]:
        """Cells of each row by the names of their columns, the first of each name."""
        pairs = [[*zip(self.header, row, strict=True)] for row in self.rows]
        return [dict(reversed(row)) for row in pairs]

    def column(self, name: str, number: int = 0) -> list[str]:
        """Cells of a column; of several with that name, by its number."""
        place = [i for i, other in enumerate(self.header) if other == name][number]
        return [row[place] for row in self.rows]

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


def largest(cells: Iterable[str]) -> str:
    """The largest number among cells, as it is written; ``NONE`` if there is no number."""
    found = [(number, cell) for cell in cells if not math.isnan(number := _number(cell))]
    return max(found)[1] if found else NONE


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.nan
