"""Values that hold arrays: equal by content, read-only also after they were pickled or copied."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


class Value:
    """What frozen dataclasses that hold arrays share: they are equal if their content is.

    They say ``eq=False``, as arrays have no truth value to compare them by. The arrays become
    read-only and stay so when they are pickled; what is found once and kept is no content.
    """

    def __post_init__(self) -> None:
        _freeze(state_of(self))

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self is other or _content(state_of(self)) == _content(state_of(other))

    def __hash__(self) -> int:
        return hash(_content(state_of(self)))

    def __repr__(self) -> str:
        """Its fields, arrays by their shapes; for classes that say ``repr=False``."""
        entries = (f"{name}: {_brief(value)}" for name, value in state_of(self).items())
        return f"{type(self).__name__}({', '.join(entries)})"

    def __getstate__(self) -> dict[str, Any]:
        return state_of(self)

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        _freeze(state)
        vars(self).update(state)


class ReadOnly:
    """What has read-only arrays has them so when it is copied or comes out of a pickle.

    To compiled kernels, read-only arrays are another type.
    """

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        _freeze(state)
        vars(self).update(state)


class Catalog(Mapping[str, T]):
    """A mapping that does not change, in the order in which it was made; pickles."""

    def __init__(self, entries: Mapping[str, T]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, name: str) -> T:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return repr(self._entries)


def state_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass, without what it has found once and kept; of others, all."""
    if not is_dataclass(value):
        return dict(vars(value))
    return {name: getattr(value, name) for name in _names(value.__class__)}


@cache
def _names(kind: type) -> tuple[str, ...]:
    """Of the fields of a dataclass."""
    return tuple(field.name for field in fields(kind))


def size_of(value: Any) -> int:
    """How much memory the arrays of a value take [bytes]."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, Mapping):
        return sum(map(size_of, value.values()))
    if isinstance(value, Value):
        return size_of(state_of(value))
    return sum(map(size_of, value)) if isinstance(value, tuple) else 0


def _content(value: Any) -> Hashable:
    """Something to compare instead of a value that may be or hold arrays."""
    if isinstance(value, np.ndarray):
        return value.shape, tuple(value.ravel().tolist())  # by value: 0.0 is -0.0
    if isinstance(value, Mapping):
        return tuple((key, _content(entry)) for key, entry in value.items())
    if isinstance(value, tuple):
        return tuple(_content(entry) for entry in value)
    found: Hashable = value
    return found


def _brief(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, np.ndarray):
        return f"array {value.shape}"
    if isinstance(value, tuple):
        return f"tuple of {len(value)}"
    text = type(value).__name__ if isinstance(value, Value) else repr(value)
    return text if len(text) <= 40 else type(value).__name__


@cache
def _is_mapping(kind: type) -> bool:
    """Whether values of a type are mappings, which takes long to tell."""
    return issubclass(kind, Mapping)


def _freeze(value: Any) -> None:
    """Make the arrays of a value read-only."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif isinstance(value, tuple):
        for entry in value:
            _freeze(entry)
    elif _is_mapping(value.__class__):
        for entry in value.values():
            _freeze(entry)
