"""Arguments that a description does not have, by names that others call them."""

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar

from flexura.errors import UnknownName

Described = TypeVar("Described")


def keywords(**meant: str) -> Callable[[type[Described]], type[Described]]:
    """A dataclass that says which arguments there are, and which one is meant.

    Args:
        meant: arguments by other words for them.
    """

    def named(described: type[Described]) -> type[Described]:
        own: Callable[..., None] = described.__init__

        @wraps(own)
        def make(self: object, *given: Any, **named: Any) -> None:
            there = [x.name for x in fields(described) if x.init]  # type: ignore[arg-type]
            for word in named:
                if word not in there:
                    kind = f"argument of {described.__name__}"
                    raise UnknownName(kind, word, there, meant.get(word))
            own(self, *given, **named)

        described.__init__ = make  # type: ignore[method-assign]
        return described

    return named
