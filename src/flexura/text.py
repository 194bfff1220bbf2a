"""Numbers and names as short texts, for all that is printed."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from flexura.typing import Array

FEW = 6  # names or values in a line; of more, the first ones and how many there are


def numbers(values: Array | Sequence[float], largest: float | None = None) -> list[str]:
    """Numbers to six digits; those that are rounding beside ``largest`` as zero."""
    floor = 1e-12 * (largest if largest is not None else max((abs(v) for v in values), default=0))
    return [f"{0.0 if abs(v) <= floor else float(v):.6g}" for v in values]


def in_parentheses(values: Array | Sequence[float], largest: float | None = None) -> str:
    """Numbers as (1, 2, 3), a single one as it is."""
    found = numbers(values, largest)
    return found[0] if len(found) == 1 else f"({', '.join(found)})"


def roughly(value: float) -> str:
    """A number to two digits, with all of its digits from 100 to a million: "12", "137"."""
    return f"{value:.0f}" if 99.5 <= abs(value) < 1e6 else f"{value:.2g}"


def few(texts: Iterable[str]) -> str:
    """Texts between commas; of many, the first ones and how many there are."""
    found = list(texts)
    if len(found) <= FEW:
        return ", ".join(found)
    return f"{', '.join(found[: FEW - 1])}, ... ({len(found)})"


def counted(number: int, thing: str) -> str:
    """A number of things: "1 rod", "3 rods", "2 bodies"."""
    if number == 1:
        return f"1 {thing}"
    return f"{number} {thing[:-1]}ies" if thing.endswith("y") else f"{number} {thing}s"


def answer(fact: bool | None) -> str:
    """Whether something is so, in a word; None where it is not known."""
    return "not known" if fact is None else "yes" if fact else "no"


def cell(value: Any) -> str:
    """An entry of a table: a number to six digits, a fact, or a text up to its first colon."""
    if value is None or isinstance(value, bool | np.bool_):
        return answer(value if value is None else bool(value))
    return f"{value:.6g}" if isinstance(value, float) else str(value).split(":")[0]
