"""What the options of commands mean."""

import argparse
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from flexura.errors import ModelError
from flexura.model.model import Model
from flexura.rods.discretization import Discretization
from flexura.rods.spline import Spline

# The choices of --rods, each made of the options that it has a use for.
DISCRETIZATIONS: Mapping[str, Callable[[argparse.Namespace], Discretization]] = MappingProxyType(
    {"spline": lambda options: Spline(**_given(options, "degree", "spans"))}
)


def add_robot(parser: argparse.ArgumentParser) -> None:
    """The robot file, which every command takes."""
    parser.add_argument("robot", help="robot file (TOML)")


def add_discretization(parser: argparse.ArgumentParser) -> None:
    """How to describe the rods."""
    group = parser.add_argument_group("model")
    group.add_argument(
        "--rods", choices=sorted(DISCRETIZATIONS), default="spline", help="how to discretize rods"
    )
    group.add_argument("--degree", type=int, help="of the spline, 1 to 5 (default 3)")
    group.add_argument("--spans", type=int, help="of the spline, per rod (default 12)")


def discretization(options: argparse.Namespace) -> Discretization:
    """The discretization that the options choose."""
    return DISCRETIZATIONS[options.rods](options)


def inputs(model: Model, texts: Iterable[str]) -> dict[str, float | list[float]]:
    """Values of inputs from texts such as "pull=0,0,0,0,0,5".

    Raises:
        ModelError: for a text of another form, or a name that is given twice.
    """
    found: dict[str, float | list[float]] = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        example = next(iter(model.inputs), "pull")
        form = f"write --input {example}=... with numbers between commas"
        if not sign or not name:
            raise ModelError(f"--input {text!r} is not of the form name=numbers; {form}")
        if name in found:
            raise ModelError(f"--input {name!r} is given twice; give it once")
        try:
            numbers = [float(number) for number in value.split(",")]
        except ValueError:
            raise ModelError(f"--input {text!r}: {value!r} are not numbers; {form}") from None
        found[name] = numbers if "," in value else numbers[0]
    return found


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The options that were given, for the defaults to stay where they belong."""
    values = {name: getattr(options, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}
