"""``flexura simulate``: let a robot move and say what happens."""

import argparse
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from flexura.cli.command import new_command
from flexura.cli.motion_report import report_motion
from flexura.cli.option import (
    add_background,
    add_discretization,
    add_robot,
    discretization,
    places,
)
from flexura.cli.samples import inputs_over_time
from flexura.cli.solve import clock
from flexura.cli.start import add_start, start_of
from flexura.cli.text import announce
from flexura.errors import ModelError
from flexura.io import load, result_file, save_result
from flexura.io.target import target
from flexura.model.build import build
from flexura.result.motion import Motion
from flexura.robot.check import positive
from flexura.solve.motion.integrators import (
    AnyIntegrator,
    GeneralizedAlpha,
    ImplicitEuler,
    SymplecticEuler,
    Variational,
)
from flexura.solve.motion.simulate import simulate

DESCRIPTION = """\
Let a robot move: from the unloaded shape at rest, or from a result or a motion that was saved.

The exit code is 0 if the motion was followed for the whole duration, 1 if not (what is written then
shows the motion up to there), 2 if the input is wrong.
"""
EXAMPLE = """\
examples:
  flexura simulate examples/cantilever.toml --duration 1 --step 0.005 --plot motion.png
  flexura simulate examples/arm.toml --duration 0.2 --step 0.001 --input right=3 --save arm.npz
  flexura simulate examples/arm.toml --duration 2 --step 0.002 --input right=@right.csv \\
      --animate arm.gif
  flexura simulate examples/arm.toml --start arm.npz --duration 1 --step 0.001 --animate arm.html
  flexura simulate dropped.toml --duration 0.5 --step 0.002 --place ball=0,0,0.1

dropped.toml has a body "ball" that no joint holds, and a floor.
right.csv has a time [s] and a value in each row, from 0 to the duration:
  time,tension
  0,0
  0.2,3
  2,3
"""
INTEGRATORS: Mapping[str, Callable[..., AnyIntegrator]] = MappingProxyType(
    {
        "generalized-alpha": GeneralizedAlpha,
        "variational": Variational,
        "symplectic-euler": SymplecticEuler,
        "implicit-euler": ImplicitEuler,
    }
)
DAMPED = "generalized-alpha"


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = new_command(commands, "simulate", "let a robot move", DESCRIPTION, EXAMPLE, run)
    add_robot(parser)
    parser.add_argument("--duration", type=float, required=True, metavar="S", help="how long [s]")
    parser.add_argument(
        "--step",
        type=_step,
        required=True,
        metavar="S",
        help='of time [s], or "adaptive", as long as --tolerance allows',
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        metavar="M",
        help="local error of positions in adaptive steps [m] (a ten-thousandth of the length)",
    )
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="value of an input, in place of the one in the file: numbers between commas as for "
        "flexura solve, or @FILE for a CSV file with a time [s] and the numbers in each row; "
        "may be repeated",
    )
    add_start(
        parser, "a saved result (.npz) to begin at rest from, or a saved motion, which goes on"
    )
    parser.add_argument(
        "--place",
        action="append",
        default=[],
        metavar="NAME=NUMBERS",
        help="where a body begins, or the base of a rod, that nothing holds: x,y,z [m], or "
        "x,y,z,rx,ry,rz with the rotation vector [rad] (default: the origin); may be repeated",
    )
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="keep each N-th step only (default 1)"
    )
    group = parser.add_argument_group("integrator")
    group.add_argument(
        "--integrator",
        choices=list(INTEGRATORS),
        help=f"(default {DAMPED}; implicit-euler for robots with contacts)",
    )
    group.add_argument(
        "--rho",
        type=float,
        metavar="R",
        help="of generalized-alpha: what is left, step by step, of oscillations too fast for the "
        f"step, 0 to 1 (default {GeneralizedAlpha().rho:g})",
    )
    add_discretization(parser)
    _add_files(parser.add_argument_group("files to write"))


def _add_files(output: argparse._ArgumentGroup) -> None:
    """Options of what to write."""
    output.add_argument(
        "--plot", metavar="FILE", help="positions, energies and tensions over time (.png, .pdf)"
    )
    output.add_argument("--animate", metavar="FILE", help="a film (.mp4, .gif) or a page (.html)")
    output.add_argument(
        "--speed", type=float, default=1.0, metavar="X", help="of the film (default 1: real time)"
    )
    output.add_argument(
        "--fps", type=float, default=30.0, metavar="N", help="pictures per second (default 30)"
    )
    output.add_argument(
        "--color",
        metavar="NAME",
        default="bending",
        help="what the film is coloured by: bending (default), torsion, moment_y, force_x, ...",
    )
    add_background(output)
    output.add_argument(
        "--save", metavar="FILE", help="the motion (.npz), for flexura show and fx.load_result"
    )


def run(options: argparse.Namespace) -> bool:
    """Simulate, report and write; whether the robot was followed for the whole duration."""
    robot = load(options.robot)
    _check_targets(options)
    integrator, choice = _integrator(options), discretization(options)
    if choice is None:
        raise ModelError("--rods shooting has no motion; choose another description")
    model = build(robot, rods=choice)
    values = inputs_over_time(model.inputs, options.input)
    start = start_of(options.start, model)
    began = clock()
    try:
        motion = simulate(
            model,
            options.duration,
            options.step,
            values,
            start=start,
            place=places(options.place),
            integrator=integrator,
            every=options.every,
            tolerance=options.tolerance,
            progress=None,
        )
    except ModelError as error:
        raise ModelError(_in_options(str(error))) from error
    spent = clock() - began
    if options.save is not None:  # before all else, that nothing is lost
        save_result(motion, options.save)
    print(report_motion(motion, spent), end="\n\n")
    _write(options, motion)
    return motion.converged


def _in_options(message: str) -> str:
    """Advice to take integrators as options have them."""
    for name, kind in INTEGRATORS.items():
        option = f"--integrator {name}"
        message = message.replace(f"{kind.__name__}()", option)
        message = re.sub(rf"{kind.__name__}\(rho=([\d.]+)\)", rf"{option} --rho \1", message)
    return message


def _step(text: str) -> float | str:
    """A number, or a word that ``simulate`` judges."""
    try:
        return float(text)
    except ValueError:
        return text


def _integrator(options: argparse.Namespace) -> AnyIntegrator | None:
    """The integrator that the options choose; None for the one that suits the robot."""
    chosen = options.integrator
    if options.rho is None:
        return None if chosen is None else INTEGRATORS[chosen]()
    if chosen not in (None, DAMPED):
        raise ModelError(f"--rho belongs to --integrator {DAMPED}, not to {chosen}")
    return GeneralizedAlpha(rho=options.rho)


def _check_targets(options: argparse.Namespace) -> None:
    """Refuse files that cannot be written and colours that do not exist before the work."""
    if options.save is not None:
        target(options.save, "a result", result_file.SUFFIXES)
    if options.plot is not None:
        from flexura.view.chart import SUFFIXES as PLOTS
        from flexura.view.extra import require

        require("--plot", "matplotlib")
        target(options.plot, "a plot", PLOTS)
    if options.animate is not None:
        from flexura.view.animate import PACKAGES, SUFFIXES
        from flexura.view.component import component
        from flexura.view.extra import require

        file = target(options.animate, "a film", SUFFIXES)
        component(options.color)
        positive("--animate", "fps", options.fps)
        positive("--animate", "speed", options.speed)
        for package in PACKAGES[file.suffix.lower()]:
            require("--animate", package)


def _write(options: argparse.Namespace, motion: Motion) -> None:
    """Write pictures and films that were asked for, and announce all files."""
    if options.save is not None:
        announce(options.save)
    if options.plot is not None:
        from flexura import view

        view.plot(motion, path=options.plot)
        announce(options.plot)
    if options.animate is not None:
        from flexura import view

        view.animate(
            motion,
            options.animate,
            speed=options.speed,
            fps=options.fps,
            color=options.color,
            background=options.background,
        )
        announce(options.animate)
