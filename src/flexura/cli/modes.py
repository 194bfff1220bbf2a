"""``flexura modes``: how a robot vibrates about its equilibrium."""

import argparse
from typing import Any

import numpy as np

from flexura.cli.command import add_picture, check_picture, new_command
from flexura.cli.option import (
    add_discretization,
    add_inputs,
    add_robot,
    discretization,
    inputs,
)
from flexura.cli.solve import clock
from flexura.cli.text import announce, facts, table
from flexura.errors import ModelError
from flexura.io import load
from flexura.model.build import build
from flexura.result.modes import Modes, accuracy_in_words
from flexura.solve.linear.modes import modes
from flexura.solve.statics import statics
from flexura.text import answer, numbers

DESCRIPTION = """\
Find the vibration modes of a robot about its equilibrium under its loads.

Frequencies are those of damped oscillations where materials are viscous. A motion that meets no
force has 0 Hz; one that creeps back, or grows, without oscillating too, and a damping ratio of 1
or -1. The accuracy is that of the discretization, estimated by a model that is twice as fine. The
exit code is 0 if an equilibrium was found, 1 if not, 2 if the input is wrong.
"""
EXAMPLE = """\
examples:
  flexura modes examples/arm.toml --input right=3 --count 6
  flexura modes examples/arm.toml --input right=3 --plot modes.png
  flexura modes examples/cantilever.toml --rods linear-strain --elements 20
"""
HEADING = ["mode", "frequency [Hz]", "damping ratio", "growth [1/s]", "accuracy", ""]


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = new_command(
        commands,
        "modes",
        "find how a robot vibrates about its equilibrium",
        DESCRIPTION,
        EXAMPLE,
        run,
    )
    add_robot(parser)
    add_inputs(parser)
    parser.add_argument(
        "--count", type=int, default=6, metavar="N", help="how many modes (default 6)"
    )
    add_discretization(parser)
    output = parser.add_argument_group("files to write")
    add_picture(output, "picture of the first modes (.png, .jpg, .tif, .webp)")


def run(options: argparse.Namespace) -> bool:
    """Solve, report and draw; whether an equilibrium was found."""
    robot = load(options.robot)
    check_picture(options)
    choice = discretization(options)
    if choice is None:
        raise ModelError("--rods shooting has no unknowns that could vibrate; choose another")
    model = build(robot, rods=choice)
    result = statics(model, inputs(model.inputs, options.input))
    if not result.status.equilibrium:
        print(facts([("robot", model.name), ("status", str(result.status))]))
        return False
    began = clock()
    found = modes(result, options.count)
    print(report(found, f"{1e3 * (clock() - began):.1f} ms"), end="\n\n")
    if options.plot is not None:
        from flexura import view

        view.mode_shapes(found, options.plot, background=options.background)
        announce(options.plot)
    return True


def report(found: Modes, spent: str) -> str:
    """The modes in a table."""
    result = found.result
    summary = [
        ("robot", f"{result.model.name}, {result.model.n_dof} degrees of freedom"),
        ("status", str(result.status)),
        ("stable", answer(result.stable)),
        ("time", spent),
        *(("note", remark) for remark in (*found.remarks, *found.doubts)),
    ]
    columns = [numbers(x, 1.0) for x in (found.frequency, found.damping, found.growth)]
    rows = [
        [str(i), *row, _known(found, i), _word(complex(found.eigenvalue[i]))]
        for i, row in enumerate(zip(*columns, strict=True))
    ]
    return f"{facts(summary)}\n\n{table(HEADING, rows)}"


def _known(found: Modes, i: int) -> str:
    """How well a frequency is known; a free motion is."""
    return accuracy_in_words(found.accuracy[i]) if found.eigenvalue[i] else ""


def _word(s: complex) -> str:
    """What is special about a motion."""
    if s == 0.0:
        return "free"
    if s.real > 0.0:
        return "grows"
    return "creeps" if np.imag(s) == 0.0 else ""
