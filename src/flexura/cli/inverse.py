"""``flexura inverse``: find the inputs that bring frames to their targets."""

import argparse
from collections.abc import Container, Iterable, Mapping
from typing import Any

from flexura.cli.command import add_picture, check_picture, check_result, new_command
from flexura.cli.option import (
    add_discretization,
    add_inputs,
    add_robot,
    bounds,
    discretization,
    inputs,
    pose_of_numbers,
    sides,
)
from flexura.cli.report import contact_table, status
from flexura.cli.solve import clock
from flexura.cli.start import add_start, start_of
from flexura.cli.text import announce, facts, table
from flexura.errors import ModelError
from flexura.io import load, save_result
from flexura.model.build import build
from flexura.result.inverse import InverseResult
from flexura.robot import AnyFrame
from flexura.solve.inverse.inverse import Targets, inverse
from flexura.text import in_parentheses, numbers
from flexura.typing import ArrayLike

DESCRIPTION = """\
Find the inputs that bring frames of a robot to their targets, or as close as limits allow.

The exit code is 0 if all targets are reached, 1 if not (what is written then is the closest that
was found), 2 if the input is wrong. Needs the extra "inverse".
"""
EXAMPLE = """\
examples:
  flexura inverse examples/arm.toml --target backbone.tip=0.1,0.05,nan --plot arm.png
  flexura inverse examples/arm.toml --target backbone.tip=0.1,0.05,nan --bounds right=0:3

a finger that presses on a ball with 0.04 N, from where it touches:
  flexura solve examples/press.toml --input down=0.01 --save touching.npz
  flexura inverse examples/press.toml --start touching.npz --target finger@ball=0.04 --using pull
"""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = new_command(
        commands,
        "inverse",
        "find the inputs that bring frames to their targets",
        DESCRIPTION,
        EXAMPLE,
        run,
    )
    add_robot(parser)
    parser.add_argument(
        "--target",
        action="append",
        required=True,
        metavar="FRAME=NUMBERS",
        help="where a frame shall be: a position x,y,z [m], nan for what may be anything, or a "
        "pose x,y,z,rx,ry,rz (with the rotation vector [rad]) or the 16 numbers of its matrix, row "
        "by row; or how hard the two sides of a contact shall press on each other [N], with @ "
        "between their names: finger@ball=0.4; may be repeated",
    )
    parser.add_argument(
        "--using",
        metavar="NAME,NAME",
        help="inputs that may change (default: all tendons, motors and driven joints)",
    )
    parser.add_argument(
        "--bounds",
        action="append",
        default=[],
        metavar="NAME=LEAST:MOST",
        help="of an input, or as left.tension of the tension of a tendon that is driven by its "
        "length, or as finger@ball of the force of a contact [N]; either may be left out, as in "
        "left=0:; may be repeated",
    )
    add_start(
        parser,
        "a saved result (.npz) of the same robot, --rods and their options to search from: inputs "
        "that are not given stay as they are there, and sliding counts from there",
    )
    add_inputs(parser)
    add_discretization(parser)
    output = parser.add_argument_group("files to write")
    add_picture(output)
    output.add_argument("--save", metavar="FILE", help="the equilibrium, as of flexura solve")


def run(options: argparse.Namespace) -> bool:
    """Search, report and draw; whether all targets are reached."""
    robot = load(options.robot)
    check_result(options)
    check_picture(options)
    choice = discretization(options)
    if choice is None:
        raise ModelError("--rods shooting has no derivatives by inputs; choose another")
    model = build(robot, rods=choice)
    using = options.using.split(",") if options.using is not None else None
    began = clock()
    found = inverse(
        model,
        _targets(options.target),
        using=using,
        bounds=_bounds(options.bounds, model.inputs),
        start=start_of(options.start, model),
        inputs=inputs(model.inputs, options.input),
    )
    assert isinstance(found, InverseResult)
    print(report(found, f"{1e3 * (clock() - began):.1f} ms"), end="\n\n")
    if options.save is not None:
        save_result(found.result, options.save)
        announce(options.save)
    if options.plot is not None:
        from flexura import view

        view.picture(found.result, options.plot, background=options.background)
        announce(options.plot)
    return found.converged


def report(found: InverseResult, spent: str) -> str:
    """The answer in two tables."""
    result = found.result
    summary = [
        ("robot", f"{result.model.name}, {result.model.n_dof} degrees of freedom"),
        ("status", str(found.status)),
        ("equilibrium", status(result)),
        ("solves", str(found.iterations)),
        ("time", spent),
        *(("note", remark) for remark in (*found.remarks, *result.remarks)),
    ]
    chosen = [
        [name, in_parentheses(value.ravel()), _limits(found, name)]
        for name, value in found.inputs.items()
    ]
    frames = [
        [str(frame), *numbers([far, turn], 1.0)] for frame, (turn, far) in found.errors.items()
    ]
    parts = [facts(summary), table(["input", "value", "limit"], chosen)]
    if frames:
        parts.append(table(["frame", "distance left [m]", "turn left [rad]"], frames))
    return "\n\n".join([*parts, *contact_table(result)])


def _limits(found: InverseResult, name: str) -> str:
    """The limits of an input, and of the tension that it makes, that hold."""
    own = {
        label: side
        for label, side in found.active.items()
        if label == name or label.startswith((f"{name}[", f"{name}."))
    }
    return ", ".join(
        side if label == name else f"{label.removeprefix(name).lstrip('.')} {side}"
        for label, side in own.items()
    )


def _bounds(texts: Iterable[str], entries: Container[str]) -> Mapping[Any, ArrayLike]:
    """Bounds of inputs, and of contacts by the names of both sides."""
    given = bounds(texts).items()
    return {name if name in entries else sides(name) or name: ends for name, ends in given}


def _targets(texts: Iterable[str]) -> Targets:
    """Targets from texts such as "arm.tip=0.1,0,0.2" and "finger@ball=0.4"."""
    found: dict[AnyFrame | tuple[str, str], ArrayLike] = {}
    for text in texts:
        frame, sign, value = text.rpartition("=")
        form = (
            "write three for a position, as arm.tip=x,y,z, or six or sixteen for a pose; or one "
            "for the force of a contact [N], with both its sides, as finger@ball=0.4"
        )
        if not sign or not frame:
            raise ModelError(f"--target {text!r} is not of the form frame=numbers; {form}")
        pair = sides(frame)
        if (pair or frame) in found:
            raise ModelError(f"--target {frame!r} is given twice; give it once")
        try:
            given = [float(number) for number in value.split(",")]
        except ValueError:
            raise ModelError(f"--target {text!r}: {value!r} are not numbers; {form}") from None
        if len(given) not in ((1,) if pair else (3, 6, 16)):
            raise ModelError(f"--target {text!r} has {len(given)} numbers; {form}")
        if pair:
            found[pair] = given[0]
        elif len(given) == 3:
            found[frame] = given
        else:
            found[frame] = pose_of_numbers(f"--target {text!r}", given)
    return found
