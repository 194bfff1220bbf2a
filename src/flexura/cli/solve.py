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
from flexura.cli.start import add_start, saved, start_of
from flexura.cli.text import announce
from flexura.errors import ModelError
from flexura.io import load, save_result
from flexura.io.target import target
from flexura.model.build import DEFAULT, build
from flexura.model.model import Model
from flexura.progress import Progress
from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.robot.check import check_count
from flexura.solve.statics import solve_inputs, statics
from flexura.typing import ArrayLike

MOST_INCREMENTS = 1_000_000
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
  flexura solve examples/press.toml --input down=0.01 --follow 10 --save pressed.npz
  flexura solve examples/press.toml --start pressed.npz --input down=0.012 --follow 4
"""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = new_command(
        commands, "solve", "find the equilibrium of a robot", DESCRIPTION, EXAMPLE, run
    )
    add_robot(parser)
    add_inputs(parser)
    _add_way(parser.add_argument_group("way"))
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


def _add_way(group: argparse._ArgumentGroup) -> None:
    """Options of where a solve begins, and how it goes on."""
    add_start(
        group,
        "a saved result (.npz) of the same robot, --rods and their options to begin from: with "
        "friction, sliding counts from there; inputs that are not given go to the values of the "
        "robot file, not to those of the start",
    )
    group.add_argument(
        "--follow",
        type=int,
        metavar="N",
        help="bring the inputs in N increments from those of --start, or from those of the robot "
        "file, to those given, each from the equilibrium before: to feed, to lower onto something, "
        "to slide against friction",
    )
    group.add_argument(
        "--seek-stable",
        choices=["yes", "no"],
        default="yes",
        help="whether to look further where an equilibrium is unstable (default yes)",
    )


def run(options: argparse.Namespace) -> bool:
    """Solve, report and write; whether an equilibrium was found."""
    robot = load(options.robot)
    _check_targets(options)
    choice = discretization(options)
    if options.follow is not None:
        check_count("solve", "--follow", options.follow, MOST_INCREMENTS, least=1)
        if choice is None:
            raise ModelError("--follow takes equilibria of --rods other than shooting")
    began = clock()
    model = build(robot, rods=choice or DEFAULT)
    values = inputs(model.inputs, options.input)
    built = clock()
    stable = options.seek_stable == "yes"
    start = start_of(options.start, model) if choice else saved(options.start)
    if options.follow is not None:
        result, increments = followed(model, values, start, options.follow, stable)
    elif choice:
        result = statics(model, values, start, seek_stable=stable)
    else:
        result = shoot(robot, values, start, stable)
    solved = clock()
    spent = f"{1e3 * (solved - built):.1f} ms"
    if choice:
        spent += f", after {1e3 * (built - began):.1f} ms to build"
    print(report(result, spent), end="\n\n")
    if options.follow is not None:
        print(f"followed for {increments} of {options.follow} increments", end="\n\n")
    _write(options, result)
    return result.converged


def clock() -> float:
    """Time without that of compiling, which happens once [s]."""
    return time.perf_counter() - seconds_spent_compiling()


def followed(
    model: Model,
    values: Mapping[str, ArrayLike],
    start: StaticResult | None,
    count: int,
    seek_stable: bool,
) -> tuple[StaticResult, int]:
    """The last equilibrium on the way to inputs, each from the one before; increments done.

    Where one is not found, that is what comes back, and the way ends.
    """
    end = model.read_inputs(values)
    before = start or solve_inputs(model, model.inputs.described, None, seek_stable=seek_stable)
    if not before.converged and start is None:
        return before, 0
    begin = before.given
    with Progress(count, "increments") as bar:
        for i in range(1, count + 1):
            inputs = begin.towards(end, i / count)
            found = solve_inputs(model, inputs, before, seek_stable=seek_stable)
            if not found.converged:
                return found, i - 1
            before = found
            bar.advance()
    return before, count


def shoot(
    robot: Robot,
    values: Mapping[str, ArrayLike],
    start: StaticResult | None = None,
    seek_stable: bool = True,
) -> StaticResult:
    """Solve the continuous equations; their kernels are loaded only for those who ask."""
    from flexura.solve.shooting import shooting

    return shooting(robot, values, start, seek_stable=seek_stable)


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
