"""``flexura solve``: find the equilibrium of a robot and say what it looks like."""

import argparse
import time
from collections.abc import Mapping
from typing import Any

from flexura._kernel import seconds_spent_compiling
from flexura.cli.command import add_picture, check_picture, check_result, new_command
from flexura.cli.option import (
    add_discretization,
    add_inputs,
    add_robot,
    discretization,
    inputs,
)
from flexura.cli.report import report
from flexura.cli.text import announce
from flexura.io import load, save_result
from flexura.io.target import target
from flexura.model.build import DEFAULT, build
from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.solve.statics import statics
from flexura.typing import ArrayLike

DESCRIPTION = """\
Find the equilibrium of a robot under its loads.

The exit code is 0 if an equilibrium was found that is not known to be unstable, 1 if not (what is
written then shows the best state that was found), 2 if the input is wrong.
"""
EXAMPLE = """\
examples:
  flexura solve examples/cantilever.toml --plot arm.png --save arm.npz
  flexura solve examples/cantilever.toml --input pull=0,0,0,0,0,0.5 --spans 24
  flexura solve examples/chain.toml --plot chain.png --color moment_y --profiles lines.pdf
  flexura solve examples/arm.toml --input right=3 --input front=1 --plot arm.png
  flexura solve examples/parallel.toml --input east=0.3 --input cable=0.05 --plot parallel.png
  flexura solve examples/held_rod.toml --input grip=0.5,0.3,0,0,1.2,0 --rods linear-strain
"""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = new_command(
        commands, "solve", "find the equilibrium of a robot", DESCRIPTION, EXAMPLE, run
    )
    add_robot(parser)
    add_inputs(parser)
    add_discretization(parser)
    output = parser.add_argument_group("files to write")
    add_picture(output)
    output.add_argument(
        "--color",
        metavar="NAME",
        default="bending",
        help="what the picture is coloured by: bending (default), torsion, stretch, shear_y, "
        "moment_y, force_x, ...",
    )
    output.add_argument(
        "--profiles",
        metavar="FILE",
        help="line plots of strains and internal wrenches (.png, .pdf, .svg)",
    )
    output.add_argument(
        "--save",
        metavar="FILE",
        help="the result (.npz), for flexura show, fx.load_result and numpy.load",
    )


def run(options: argparse.Namespace) -> bool:
    """Solve, report and write; whether an equilibrium was found."""
    robot = load(options.robot)
    _check_targets(options)
    choice = discretization(options)
    began = clock()
    model = build(robot, rods=choice or DEFAULT)
    values = inputs(model.inputs, options.input)
    built = clock()
    result = statics(model, values) if choice else shoot(robot, values)
    solved = clock()
    spent = f"{1e3 * (solved - built):.1f} ms"
    if choice:
        spent += f", after {1e3 * (built - began):.1f} ms to build"
    print(report(result, spent), end="\n\n")
    _write(options, result)
    return result.converged


def clock() -> float:
    """Time without that of compiling, which happens once [s]."""
    return time.perf_counter() - seconds_spent_compiling()


def shoot(robot: Robot, values: Mapping[str, ArrayLike]) -> StaticResult:
    """Solve the continuous equations; their kernels are loaded only for those who ask."""
    from flexura.solve.shooting import shooting

    return shooting(robot, values)


def _check_targets(options: argparse.Namespace) -> None:
    """Refuse files that cannot be written and colours that do not exist before the work."""
    check_result(options)
    check_picture(options)
    if options.plot is not None:
        from flexura.view.component import component

        component(options.color)
    if options.profiles is not None:
        from flexura.view.chart import SUFFIXES as PLOTS
        from flexura.view.extra import require

        require("--profiles", "matplotlib")
        target(options.profiles, "a plot", PLOTS)


def _write(options: argparse.Namespace, result: StaticResult) -> None:
    """Write the files that were asked for and announce them."""
    if options.plot is not None:
        from flexura import view

        view.picture(result, options.plot, color=options.color, background=options.background)
        announce(options.plot)
    if options.profiles is not None:
        from flexura import view

        view.profiles(result, options.profiles)
        announce(options.profiles)
    if options.save is not None:
        save_result(result, options.save)
        announce(options.save)
