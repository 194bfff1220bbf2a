"""Readable tables for a terminal."""

import sys
from collections.abc import Iterable, Sequence


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Lines of a name and what it is."""
    rows = list(rows)
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}   {value}" for name, value in rows)


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns under a heading: the first flush left, numbers flush right, texts flush left."""
    body = [list(row) for row in rows]
    columns = list(zip(heading, *body, strict=True))
    widths = [max(len(cell) for cell in column) for column in columns]
    right = [all(_is_number(cell) for cell in column[1:]) for column in columns]
    lines = []
    for row in ([*heading], *body):
        cells = [
            f"{cell:>{width}}" if number else f"{cell:<{width}}"
            for cell, width, number in zip(row, widths, right, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def announce(path: str) -> None:
    """Say that a file was written."""
    print(f"wrote {path}")


def progress(text: str) -> None:
    """Say on the error stream what is being done; on a terminal the next line overwrites it."""
    terminal = sys.stderr.isatty()
    if text or terminal:
        print(
            f"\r\033[K{text}" if terminal else text, end="" if terminal else "\n", file=sys.stderr
        )
        sys.stderr.flush()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text in ("", "-")
    return True
