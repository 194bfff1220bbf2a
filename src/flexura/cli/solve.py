"""``flexura solve``: find the equilibrium of a robot and say what it looks like."""

import argparse
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from flexura._kernel import seconds_spent_compiling
from flexura.cli.option import (
    add_background,
    add_discretization,
    add_inputs,
    add_robot,
    discretization,
    inputs,
)
from flexura.cli.text import announce, facts, numbers, table
from flexura.io import load, result_file, save_result
from flexura.io.target import target
from flexura.lie import so3
from flexura.model.build import DEFAULT, build
from flexura.result.integrated import IntegratedResult
from flexura.result.static import StaticResult
from flexura.robot import Ball, Hinge, Robot, Slider
from flexura.solve.statics import statics
from flexura.typing import ArrayLike, Pose

DESCRIPTION = """\
Find the equilibrium of a robot under its loads.

The exit code is 0 if an equilibrium was found, 1 if not (what is written then shows the best state
that was found), 2 if the input is wrong.
"""
REACTION = ["reaction", "mx [N·m]", "my [N·m]", "mz [N·m]", "fx [N]", "fy [N]", "fz [N]"]
POSE = ["x [m]", "y [m]", "z [m]", "rx [rad]", "ry [rad]", "rz [rad]"]
TENDON = ["tendon", "drive", "tension [N]", "length [m]", "shortening [m]", ""]
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
    parser = commands.add_parser(
        "solve",
        help="find the equilibrium of a robot",
        description=DESCRIPTION,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_robot(parser)
    add_inputs(parser)
    add_discretization(parser)
    output = parser.add_argument_group("files to write")
    output.add_argument("--plot", metavar="FILE", help="picture (.png, .jpg, .tif, .webp)")
    output.add_argument(
        "--color",
        metavar="NAME",
        default="bending",
        help="what the picture is coloured by: bending (default), torsion, stretch, shear_y, "
        "moment_y, force_x, ...",
    )
    add_background(output)
    output.add_argument(
        "--profiles",
        metavar="FILE",
        help="line plots of strains and internal wrenches (.png, .pdf, .svg)",
    )
    output.add_argument("--save", metavar="FILE", help="numbers (.npz), for numpy.load")
    parser.set_defaults(run=run)


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
    print(report(result, built - began, solved - built), end="\n\n")
    _write(options, result)
    return result.converged


def clock() -> float:
    """Time without that of compiling, which happens once [s]."""
    return time.perf_counter() - seconds_spent_compiling()


def shoot(robot: Robot, values: Mapping[str, ArrayLike]) -> StaticResult:
    """Solve the continuous equations; their kernels are loaded only for those who ask."""
    from flexura.solve.shooting import shooting

    return shooting(robot, values)


def report(result: StaticResult, build_time: float, solve_time: float) -> str:
    """All that a reader wants to know first."""
    model = result.model
    stable = {True: "yes", False: "no", None: "not known"}[result.stable]
    if isinstance(result, IntegratedResult):
        unknowns, spent = "continuous equations", f"{1e3 * solve_time:.1f} ms"
    else:
        unknowns = f"{model.n_dof} degrees of freedom"
        spent = f"{1e3 * solve_time:.1f} ms, after {1e3 * build_time:.1f} ms to build"
    summary = [
        ("robot", f"{model.name}, {unknowns}"),
        ("status", str(result.status)),
        ("iterations", str(result.iterations)),
        ("load steps", str(result.load_steps)),
        ("load factor", f"{result.load_factor:.6g}"),
        ("residual", f"{result.residual:.1e}"),
        ("accuracy", _accuracy(result)),
        ("energy", f"{result.energy:.6g} J"),
        ("stable", stable),
        ("time", spent),
        *(("note", remark) for remark in result.remarks),
    ]
    parts = [_inputs, _tips, _bodies, _tendons, _driven, _free, _reactions]
    return "\n\n".join([facts(summary), *(text for part in parts for text in part(result))])


def _accuracy(result: StaticResult) -> str:
    """How wrong positions may be."""
    if not result.converged:
        return "not known without an equilibrium"
    part = 100.0 * result.accuracy / result.model.length
    return f"{result.accuracy:.1e} m, {part:.1g} % of the length, by the discretization"


def _inputs(result: StaticResult) -> list[str]:
    """The inputs, if there are any."""
    rows = []
    for name, value in result.inputs.items():
        entry = result.model.inputs[name]
        row, meaning = numbers(value.ravel()), entry.meaning
        if entry.manifold == "pose":
            row = _pose(value, result.model.length)
            meaning += ": position [m], rotation vector [rad]"
        rows.append([name, " ".join(row), meaning])
    return [table(["input", "value", ""], rows)] if rows else []


def _pose(T: Pose, length: float) -> list[str]:
    """Position and rotation vector."""
    return [*numbers(T[:3, 3], length), *numbers(so3.log(T[:3, :3]), 1.0)]


def _tips(result: StaticResult) -> list[str]:
    """Where the tips of the rods are, if there are any."""
    rods = {f"{rod.name}.tip": rod for rod in result.model.robot.rods}
    rows = [[tip, *_pose(result.pose(tip), rod.length)] for tip, rod in rods.items()]
    return [table(["tip", *POSE], rows)] if rows else []


def _bodies(result: StaticResult) -> list[str]:
    """Where the bodies are, if there are any."""
    names = [body.name for body in result.model.robot.bodies]
    rows = [[name, *_pose(result.pose(name), result.model.length)] for name in names]
    return [table(["body", *POSE], rows)] if rows else []


def _tendons(result: StaticResult) -> list[str]:
    """What the tendons do, if there are any."""
    rows = []
    for tendon, rest in zip(result.model.robot.tendons, result.model.tendons.rest, strict=True):
        name, length = tendon.name, result.tendon_length(tendon.name)
        cells = [*numbers([result.tension(name)]), *numbers([length, rest - length], rest)]
        rows.append([name, tendon.drive, *cells, "slack" if result.slack(name) else ""])
    return [table(TENDON, rows)] if rows else []


def _driven(result: StaticResult) -> list[str]:
    """Where motors and driven joints are and what holds them there, if there are any."""
    robot, entries = result.model.robot, result.model.inputs
    kinds = {joint.label: type(joint) for joint in robot.joints}
    driven = [name for name, entry in entries.items() if entry.kind == "joint"]
    held = numbers([result.torque(name) for name in driven])
    rows = []
    for name, holding in zip(driven, held, strict=True):
        unit, per = ("m", "N") if kinds[name] is Slider else ("rad", "N·m")
        (at,) = numbers(result.inputs[name].reshape(1))
        rows.append([name, kinds[name].__name__, at, unit, holding, per])
    return [table(["driven", "kind", "at", "", "held by", ""], rows)] if rows else []


def _free(result: StaticResult) -> list[str]:
    """Where the joints are that move freely, if there are any; a ball has no coordinate."""
    rows = []
    for joint in result.model.robot.joints:
        if isinstance(joint, Ball):
            rows.append([joint.name, "Ball", "-", ""])
        elif isinstance(joint, Hinge | Slider) and not joint.driven:
            unit = "m" if isinstance(joint, Slider) else "rad"
            at = numbers([result.coordinate(joint.name)], 1.0)
            rows.append([joint.name, type(joint).__name__, *at, unit])
    return [table(["free", "kind", "at", ""], rows)] if rows else []


def _reactions(result: StaticResult) -> list[str]:
    """What the joints carry, if there are any."""
    wrenches = {joint: result.reaction(joint) for joint in result.model.reacting}
    if not wrenches:
        return []
    largest = np.max([np.linalg.norm(w.reshape(2, 3), axis=1) for w in wrenches.values()], axis=0)
    rows = [
        [joint, *numbers(wrench[:3], largest[0]), *numbers(wrench[3:], largest[1])]
        for joint, wrench in wrenches.items()
    ]
    return [table(REACTION, rows)]


def _check_targets(options: argparse.Namespace) -> None:
    """Refuse files that cannot be written and colours that do not exist before the work."""
    if options.save is not None:
        target(options.save, "a result", result_file.SUFFIXES)
    if options.plot is not None:
        from flexura.view.component import component
        from flexura.view.extra import require
        from flexura.view.picture import SUFFIXES as PICTURES

        require("--plot", "pyvista")
        target(options.plot, "a picture", PICTURES)
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
