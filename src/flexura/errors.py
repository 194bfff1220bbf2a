"""The errors that flexura raises: each says who, what was got, what is allowed, what to do."""

import re
from collections.abc import Collection, Iterable
from difflib import get_close_matches

from flexura.shown import Shown

LINES = re.compile(r"\s*\n\s*")
LETTERS = 3  # a word has at least so many; fewer are found in too many names


class FlexuraError(Exception):
    """Anything that flexura raises on purpose."""


class ModelError(FlexuraError, ValueError):
    """A description, an input or an option that makes no sense."""


class FileError(FlexuraError, ValueError):
    """A file that cannot be read or written, with its path and the offending key."""


class NotConverged(FlexuraError, RuntimeError):
    """Raised by ``result.unwrap()``: the solve ended without an equilibrium."""


class MissingExtra(FlexuraError, ImportError):
    """A package that is not installed, with the extra of flexura that brings it."""

    def __init__(self, who: str, package: str, extra: str) -> None:
        self._parts = (who, package, extra)
        super().__init__(
            f"{who} needs {package}: install it with pip install 'flexura[{extra}]', "
            f"in a clone of flexura with pip install '.[{extra}]'",
            name=package,
        )

    def __reduce__(self) -> tuple[type["MissingExtra"], tuple[str, str, str]]:
        return MissingExtra, self._parts


class UnknownName(ModelError, KeyError):
    """A name that nothing answers to, with the names that exist and the closest of them.

    Args:
        kind: what was looked for.
        name: what was got.
        available: the names that exist.
        meant: the one that is meant, if that is known; else one like the name is looked for.
    """

    def __init__(
        self, kind: str, name: object, available: Iterable[str], meant: str | None = None
    ) -> None:
        names = sorted(available)
        self._parts = (kind, name, tuple(names), meant)
        listed = ", ".join(repr(n) for n in names) or "none at all"
        close = meant or (_closest(name, names) if isinstance(name, str) else None)
        hint = f" Did you mean {close!r}?" if close else ""
        super().__init__(f"no {kind} {show(name)}; there is {listed}.{hint}")

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[type["UnknownName"], tuple[object, ...]]:
        return UnknownName, self._parts


def _closest(name: str, names: list[str]) -> str | None:
    """The name that is written nearly so, or that has it in it, if there is one."""
    near = get_close_matches(name, names, n=1)
    holding = [other for other in names if len(name) >= LETTERS and name.lower() in other.lower()]
    return next(iter([*near, *holding]), None)


def known(kind: str, name: object, available: Collection[str]) -> str:
    """The name, if something answers to it.

    Raises:
        UnknownName: if nothing does, or if it is no text.
    """
    if not isinstance(name, str) or name not in available:
        raise UnknownName(kind, name, available)
    return name


def show(value: object) -> str:
    """The value as a short text, whatever it is."""
    try:
        text = value._facts().title if isinstance(value, Shown) else repr(value)
    except Exception:  # an endless integer, a nest too deep, a user's class
        text = f"a {type(value).__name__} that cannot be printed"
    text = LINES.sub(" ", text)
    return text if len(text) <= 120 else text[:117] + "..."
