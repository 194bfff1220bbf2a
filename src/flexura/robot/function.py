"""How descriptions with functions of the user are pickled and copied."""

import pickle
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Self, TypeVar

from flexura.robot.check import BadField

Some = TypeVar("Some")


class HoldsFunctions:
    """What descriptions that may hold a user's functions share.

    They are pickled with the names of the functions, and copied with the functions themselves.
    """

    def __copy__(self) -> Self:
        return _twin(self, vars(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return _twin(self, deepcopy(vars(self), memo))


def check_importable(who: str, field: str, function: object, remedy: str) -> None:
    """Raise unless another process can find a user's function by its name."""
    try:
        pickle.dumps(function)
    except Exception as error:  # pickle raises many kinds
        raise BadField(
            f"{who}: {field} cannot be pickled, since it is a function that cannot be imported by "
            f"its name ({error}); write it with def at the top of a module, {remedy}",
            field,
        ) from error


def _twin(value: Some, state: Mapping[str, Any]) -> Some:
    """A value of the same class in a given state, which was checked before."""
    twin = object.__new__(type(value))
    vars(twin).update(state)
    return twin
