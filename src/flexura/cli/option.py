"""What the options of commands mean."""

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from flexura.errors import ModelError
from flexura.lie import se3
from flexura.model.inputs import Input
from flexura.rods.discretization import Discretization
from flexura.rods.hermite import Hermite
from flexura.rods.linear_strain import LinearStrain
from flexura.rods.power import Power
from flexura.rods.rotation_interpolation import RotationInterpolation
from flexura.rods.spline import Spline
from flexura.rods.strain_basis import BASES
from flexura.rods.variable_strain import ConstantStrain, VariableStrain
from flexura.typing import ArrayLike


@dataclass(frozen=True)
class Choice:
    """A choice of --rods.

    Attributes:
        make: the discretization; None for the continuous equations.
        options: the options that it has a use for, named as its arguments.
    """

    make: Callable[..., Discretization] | None
    options: tuple[str, ...] = ()


CHOICES: Mapping[str, Choice] = MappingProxyType(
    {
        "spline": Choice(Spline, ("degree", "spans")),
        "linear-strain": Choice(LinearStrain, ("elements",)),
        "variable-strain": Choice(VariableStrain, ("orders", "basis")),
        "constant-strain": Choice(ConstantStrain, ("sections",)),
        "rotation-interpolation": Choice(RotationInterpolation, ("elements",)),
        "hermite": Choice(Hermite, ("elements",)),
        "power": Choice(Power, ("degree", "elements")),
        "shooting": Choice(None),
    }
)


def add_robot(parser: argparse.ArgumentParser) -> None:
    """The robot file, which every command takes."""
    parser.add_argument("robot", help="robot file (TOML)")


def add_background(parser: argparse._ActionsContainer) -> None:
    """What is behind the robot in a picture."""
    parser.add_argument(
        "--background",
        choices=["sky", "white"],
        default="sky",
        help="of the picture: sky (default), or white for a page",
    )


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Values of inputs."""
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=NUMBERS",
        help="value of a load, a named weld, a motor, a driven joint or a tendon, in place of the "
        "one in the file: six numbers mx,my,mz,fx,fy,fz for a load, three for gravity, one for a "
        "pulley (its force [N]) or a pressure [Pa], for a weld its pose "
        "x,y,z,rx,ry,rz (position [m], rotation vector [rad]) or the 16 numbers of its "
        "matrix, row by row, for a motor or a driven joint its "
        "angle [rad] or displacement [m], for a tendon its tension [N], or its shortening [m] if "
        "it is driven by length (zero where none is given); may be repeated",
    )


def add_discretization(parser: argparse.ArgumentParser) -> None:
    """How to describe the rods."""
    group = parser.add_argument_group("model")
    group.add_argument(
        "--rods",
        choices=list(CHOICES),
        default="spline",
        help="how to describe rods (default spline); shooting integrates the continuous equations "
        "of a chain of rods",
    )
    whole: dict[str, Any] = {"type": int, "metavar": "N"}
    group.add_argument("--degree", **whole, help=f"highest power {_defaults('degree')}")
    group.add_argument("--spans", **whole, help=f"pieces of each rod {_defaults('spans')}")
    group.add_argument("--elements", **whole, help=f"pieces of each rod {_defaults('elements')}")
    group.add_argument(
        "--orders",
        type=_whole_numbers,
        metavar="N,N,N,N,N,N",
        help="number of functions for torsion, bending about y and z, stretch, shear along y and "
        f"z, 0 for none {_defaults('orders')}",
    )
    group.add_argument("--basis", help=f"{', '.join(BASES)} {_defaults('basis')}")
    group.add_argument("--sections", **whole, help=f"pieces of each rod {_defaults('sections')}")


def _defaults(option: str) -> str:
    """What each choice of --rods that takes an option has where it is not given."""
    found = []
    for name, choice in CHOICES.items():
        if choice.make is not None and option in choice.options:
            value = getattr(choice.make(), option)
            text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            found.append(f"{text} for {name}")
    return f"(default {', '.join(found)})"


def discretization(options: argparse.Namespace) -> Discretization | None:
    """The discretization that the options choose, None for the continuous equations.

    Raises:
        ModelError: for an option that the choice has no use for, or a bad value.
    """
    choice = CHOICES[options.rods]
    given = {
        name: getattr(options, name)
        for other in CHOICES.values()
        for name in other.options
        if getattr(options, name) is not None
    }
    for name in given:
        if name not in choice.options:
            owners = [f"--rods {key}" for key, other in CHOICES.items() if name in other.options]
            takes = " and ".join(f"--{own}" for own in choice.options) or "no such option"
            raise ModelError(
                f"--{name} belongs to {' or '.join(owners)}; --rods {options.rods} takes {takes}"
            )
    return None if choice.make is None else choice.make(**given)


def inputs(entries: Mapping[str, Input], texts: Iterable[str]) -> dict[str, ArrayLike]:
    """Values of inputs from texts such as "pull=0,0,0,0,0,5".

    Raises:
        ModelError: for a text of another form, or a name that is given twice.
    """
    found: dict[str, ArrayLike] = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        example = next(iter(entries), "pull")
        form = f"write --input {example}=... with numbers between commas"
        if not sign or not name:
            raise ModelError(f"--input {text!r} is not of the form name=numbers; {form}")
        if name in found:
            raise ModelError(f"--input {name!r} is given twice; give it once")
        try:
            numbers = [float(number) for number in value.split(",")]
        except ValueError:
            raise ModelError(f"--input {text!r}: {value!r} are not numbers; {form}") from None
        if name in entries and entries[name].manifold == "pose":
            found[name] = pose_of_numbers(f"--input {text!r}", numbers)
        else:
            found[name] = numbers if "," in value else numbers[0]
    return found


def sides(name: str) -> tuple[str, str] | None:
    """Both sides of a contact, from "finger@ball"; None for what is none.

    No name of a part has an "@" in it, nor has one of their frames.
    """
    a, sign, b = name.partition("@")
    return (a, b) if sign and a and b else None


def bounds(texts: Iterable[str]) -> dict[str, tuple[float, float]]:
    """Bounds from texts such as "left=0:20"."""
    found: dict[str, tuple[float, float]] = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        least, colon, most = value.partition(":")
        form = "write --bounds left=0:20"
        if not (sign and name and colon):
            raise ModelError(f"--bounds {text!r} is not of the form name=least:most; {form}")
        if name in found:
            raise ModelError(f"--bounds {name!r} is given twice; give it once")
        try:
            found[name] = (float(least or "-inf"), float(most or "inf"))
        except ValueError:
            raise ModelError(f"--bounds {text!r}: {value!r} are not numbers; {form}") from None
    return found


def places(texts: Iterable[str]) -> dict[str, ArrayLike]:
    """Poses from texts such as "ball=0,0,0.1"."""
    found: dict[str, ArrayLike] = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        form = "write --place ball=x,y,z, or six numbers with the rotation vector"
        if not (sign and name):
            raise ModelError(f"--place {text!r} is not of the form name=numbers; {form}")
        if name in found:
            raise ModelError(f"--place {name!r} is given twice; give it once")
        try:
            numbers = [float(number) for number in value.split(",")]
        except ValueError:
            raise ModelError(f"--place {text!r}: {value!r} are not numbers; {form}") from None
        turned = numbers if len(numbers) != 3 else [*numbers, 0.0, 0.0, 0.0]
        found[name] = pose_of_numbers(f"--place {text!r}", turned)
    return found


def pose_of_numbers(who: str, numbers: list[float]) -> ArrayLike:
    """A pose from position and rotation vector, or from its matrix."""
    if len(numbers) not in (6, 16) or not np.isfinite(numbers).all():
        raise ModelError(
            f"{who} takes a pose: six finite numbers x,y,z,rx,ry,rz (position [m], "
            "rotation vector [rad]) or the 16 of its matrix, row by row"
        )
    if len(numbers) == 6:
        return se3.pose(numbers[:3], numbers[3:])
    return np.reshape(numbers, (4, 4))


def _whole_numbers(text: str) -> tuple[int, ...]:
    """Whole numbers between commas."""
    try:
        return tuple(int(number) for number in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} are not whole numbers between commas, such as 5,7,7,3,3,3"
        ) from None
