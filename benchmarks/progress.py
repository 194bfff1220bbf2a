"""A line that counts, on the standard error stream of a terminal."""

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def track(items: Sequence[Item], label: str) -> Iterator[Item]:
    """The items one by one, with a line that says how many are done."""
    live = sys.stderr is not None and sys.stderr.isatty()
    for done, item in enumerate(items):
        if live:
            sys.stderr.write(f"\r  {label}: {done}/{len(items)} ")
            sys.stderr.flush()
        yield item
    if live:
        sys.stderr.write("\r" + " " * (len(label) + 20) + "\r")
        sys.stderr.flush()
