"""How rods are described, as text."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from flexura.errors import FileError, FlexuraError, show
from flexura.rods.discretization import Discretization
from flexura.rods.hermite import Hermite
from flexura.rods.linear_strain import LinearStrain
from flexura.rods.power import Power
from flexura.rods.rotation_interpolation import RotationInterpolation
from flexura.rods.spline import Spline
from flexura.rods.variable_strain import ConstantStrain, VariableStrain

KNOWN: dict[str, Any] = {
    cls.__name__: cls
    for cls in (
        Spline,
        Hermite,
        Power,
        LinearStrain,
        VariableStrain,
        ConstantStrain,
        RotationInterpolation,
    )
}


def text_of_rods(rods: Mapping[str, Discretization]) -> str | None:
    """Choices by the names of rods as JSON; None if one of them is not of this library."""
    if any(KNOWN.get(type(choice).__name__) is not type(choice) for choice in rods.values()):
        return None
    return json.dumps({name: _table(choice) for name, choice in rods.items()})


def rods_of_text(text: str, where: str) -> dict[str, Discretization]:
    """The choices again.

    Raises:
        FileError: for a text that means nothing here; it begins with ``where``.
    """
    try:
        tables = json.loads(text)
        return {name: _choice(table) for name, table in tables.items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, FlexuraError) as error:
        raise FileError(
            f"{where}: {show(text)} does not say how rods are described ({error}); it may come "
            "from a newer flexura: update, or give load_result the model"
        ) from error


def _table(choice: Any) -> dict[str, Any]:
    """A choice by its class and options."""
    options = {field.name: getattr(choice, field.name) for field in fields(choice)}
    return {"type": type(choice).__name__, **options}


def _choice(table: dict[str, Any]) -> Discretization:
    """A choice from its class and options; lists were tuples."""
    options = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in table.items()
        if name != "type"
    }
    choice: Discretization = KNOWN[table["type"]](**options)
    return choice
