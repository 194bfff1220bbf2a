"""``flexura show``: what is in a robot file or a result file, in words and as a picture."""

import argparse
from dataclasses import fields
from typing import Any, Literal

import numpy as np

from flexura.cli.command import add_picture, check_picture, new_command
from flexura.cli.motion_report import report_motion
from flexura.cli.report import report, report_many
from flexura.cli.text import announce, table
from flexura.errors import MissingExtra, ModelError
from flexura.io import load, load_result
from flexura.io.result_file import SUFFIXES
from flexura.io.target import as_path
from flexura.result.motion import Motion
from flexura.result.static import StaticResult
from flexura.robot import (
    AnyFrame,
    AnyObstacle,
    AnyRouting,
    AnySection,
    AnyShape,
    At,
    Ball,
    Body,
    Contact,
    Cylinder,
    Discs,
    Gravity,
    Hinge,
    LineLoad,
    Load,
    Motor,
    Obstacle,
    Piecewise,
    Plane,
    Plate,
    PointLoad,
    Pressure,
    Pulley,
    Robot,
    Rod,
    Routing,
    Slider,
    SplineRest,
    Taper,
    Tendon,
    Triangles,
    Vessel,
    Weld,
)
from flexura.robot.contact import as_if_round
from flexura.robot.section import is_round
from flexura.text import numbers
from flexura.typing import Pose

DESCRIPTION = """\
Say what is in a robot file (TOML), and show the robot without load; or what is in a result file
(.npz) of solve --save, simulate --save or fx.save_result, and show the robot there. It is shown as
a picture with --plot, else in a window if there is a display.
"""
EXAMPLE = """\
examples:
  flexura show examples/chain.toml
  flexura show examples/chain.toml --plot chain.png
  flexura show arm.npz --plot arm.png
  flexura show path.npz --number 12 --plot point.png
"""
STIFFNESS = ["G J [N·m²]", "E Iy", "E Iz", "E A [N]", "k G A"]


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = new_command(
        commands, "show", "say what is in a robot file or a result file", DESCRIPTION, EXAMPLE, run
    )
    parser.add_argument("file", help="robot file (TOML) or result file (.npz)")
    parser.add_argument(
        "--number",
        type=int,
        metavar="N",
        help="which of many results, of the points of a path or of the instants of a motion to "
        "tell of and to draw",
    )
    add_picture(parser)


def run(options: argparse.Namespace) -> bool:
    """Print, then draw."""
    text, subject = _read(options)
    if options.plot is None:
        print(text)
        _window(subject, options.background)
        return True
    check_picture(options)
    from flexura import view

    print(text, end="\n\n")
    view.picture(subject, options.plot, background=options.background)
    announce(options.plot)
    return True


def _read(options: argparse.Namespace) -> tuple[str, Robot | StaticResult]:
    """What a file says, and what to draw: of many results, the last."""
    number = options.number
    if as_path(options.file).suffix.lower() not in SUFFIXES:
        if number is not None:
            raise ModelError(
                "--number is for files of many results, paths or motions; a robot is one"
            )
        robot = load(options.file)
        return contents(robot), robot
    result = load_result(options.file)
    if isinstance(result, StaticResult):
        if number is not None:
            raise ModelError(
                f"--number is for many results, paths or motions; {options.file} has one"
            )
        return report(result), result
    if number is None:
        told = report_motion(result) if isinstance(result, Motion) else report_many(result)
        return told, result[-1]
    if not 0 <= number < len(result):
        raise ModelError(f"--number takes 0 to {len(result) - 1} here, got {number}")
    return report(result[number]), result[number]


def contents(robot: Robot) -> str:
    """The robot in words and tables."""
    ends = [(rod, end, s) for rod in robot.slender for end, s in _ends(rod)]
    stiffness = [[f"{rod.name}{end}", *numbers(rod.stiffness(s)[:5])] for rod, end, s in ends]
    motors = [joint for joint in robot.links if isinstance(joint, Motor)]
    pairs = [joint for joint in robot.links if not isinstance(joint, Motor)]
    tables = [
        (
            ["rod", "length [m]", "section", "material", "rest"],
            [_rod(rod) for rod in robot.slender],
        ),
        (["stiffness", *STIFFNESS], stiffness),
        (["body", "mass [kg]", "inertia [kg·m²]", "shape"], [_body(x) for x in robot.bodies]),
        (["joint", "kind", "from", "to", "motion", "offset"], [_joint(x) for x in pairs]),
        (["motor and input", "axis", "through", "drives"], [_motor(motor) for motor in motors]),
        (["load and input", "kind", "where", "value"], [_load(load) for load in robot.loads]),
        (
            ["tendon and input", "drive", "where", "routing", "stretches"],
            [_tendon(tendon) for tendon in robot.tendons],
        ),
        (["obstacle", "shape", "offset"], [_obstacle(x) for x in robot.obstacles]),
        (["contact", "friction", "rods as thick as"], [_contact(x, robot) for x in robot.contacts]),
    ]
    filled = (table(heading, rows) for heading, rows in tables if rows)
    return "\n\n".join([robot.name, *filled])


def _rod(rod: Rod) -> list[str]:
    """A row of the table of rods."""
    material = rod.material
    stuff = f"E = {material.young:g} Pa, G = {material.shear_modulus:.4g} Pa"
    if rod.line_mass is not None:
        stuff += f", {rod.line_mass:g} kg/m"
    elif material.density:
        stuff += f", {material.density:g} kg/m³"
    if rod.line_inertia is not None:
        stuff += f", {_tuple(rod.line_inertia)} kg·m"
    if rod.rest is None:
        rest = "straight"
    elif isinstance(rod.rest, SplineRest):
        rest = f"drawn by {len(np.asarray(rod.rest.control_poses))} poses"
    elif callable(rod.rest):
        rest = "a function of s"
    else:
        rest = _tuple(rod.rest)
    return [rod.name, f"{rod.length:g}", _section(rod.section), stuff, rest]


def _section(section: AnySection) -> str:
    """A section by its class and dimensions."""
    if isinstance(section, Taper):
        return f"{section.base_section} to {section.tip_section}"
    return str(section)


def _ends(rod: Rod) -> list[tuple[str, float]]:
    """Where to give the stiffness of a rod: at both ends if it changes."""
    if np.array_equal(rod.stiffness(0.0), rod.stiffness(rod.length)):
        return [("", 0.0)]
    return [(".base", 0.0), (".tip", rod.length)]


def _body(body: Body) -> list[str]:
    """A row of the table of bodies."""
    mass = f"{body.mass:g}"
    if np.any(body.center):
        mass += f" at {_tuple(body.center)} m"
    return [body.name, mass, _tuple(body.inertia), _shape(body.shape)]


def _obstacle(obstacle: Obstacle) -> list[str]:
    """A row of the table of obstacles."""
    offset = "none" if obstacle.pose is None else _place(obstacle.frame)
    return [obstacle.name, _shape(obstacle.shape), offset]


def _contact(contact: Contact, robot: Robot) -> list[str]:
    """A row of the table of contacts."""
    rods = [rod for rod in robot.rods if rod.name in (contact.a, contact.b)]
    radius = "their sections"
    if contact.radius is not None:
        radius = f"a radius of {contact.radius:g} m"
    elif odd := [rod for rod in rods if not is_round(rod.section)]:
        alike = (f"a radius of {as_if_round(rod)} for {rod.name!r}" for rod in odd)
        radius = f"{', '.join(alike)}, as round as its area"
    return [contact.pair, f"{contact.friction:g}", radius]


def _shape(shape: AnyShape | AnyObstacle | None) -> str:
    """A shape by its class and its sizes, and where it is if that is not the body's frame."""
    if shape is None:
        return "none"
    if isinstance(shape, Plane):
        return f"Plane through {_tuple(shape.point)} m, normal {_tuple(shape.normal)}"
    if isinstance(shape, Vessel):
        return f"Vessel through {len(shape.points)} points, {shape.radius:g} m inside"
    if isinstance(shape, Triangles):
        text = f"{len(np.asarray(shape.triangles))} Triangles"
    elif isinstance(shape, Plate):
        text = f"Plate of {len(shape.points)} corners, {shape.thickness:g} m thick"
    else:
        names = [field.name for field in fields(shape) if field.name not in ("axis", "pose")]
        sizes = ", ".join(f"{name}={getattr(shape, name):g}" for name in names)
        text = f"{type(shape).__name__}({sizes})"
    if isinstance(shape, Cylinder | Plate) and shape.axis != (1.0, 0.0, 0.0):
        text += f" along {_tuple(shape.axis)}"
    return text if shape.pose is None else f"{text} {_place(np.asarray(shape.pose))}"


def _place(pose: Pose) -> str:
    """Where a pose is, and whether it is turned."""
    turned = not np.array_equal(pose[:3, :3], np.eye(3))
    return f"at {_tuple(pose[:3, 3])} m{', turned' if turned else ''}"


def _joint(joint: Weld | Hinge | Slider | Ball) -> list[str]:
    """A row of the table of joints."""
    offset = "none" if joint.offset is None else _place(joint.transform)
    frames = [_frame(joint.a), _frame(joint.b)]
    return [joint.label, type(joint).__name__, *frames, _motion(joint), offset]


def _frame(frame: AnyFrame) -> str:
    """A frame by its name, and where it is if that is beside what is called so."""
    if isinstance(frame, At) and frame.offset is not None:
        return f"{frame} {_place(frame.transform)}"
    return str(frame)


def _motion(joint: Weld | Hinge | Slider | Ball) -> str:
    """What a joint lets move, and whether that is an input."""
    if isinstance(joint, Ball):
        return "any rotation"
    if isinstance(joint, Weld):
        return "none" if joint.name is None else "its pose is an input"
    along = f"{'along' if isinstance(joint, Slider) else 'about'} {_tuple(joint.axis)}"
    return f"{along}, {'driven' if joint.driven else 'free'}"


def _motor(motor: Motor) -> list[str]:
    """A row of the table of motors."""
    frames = ", ".join(_frame(frame) for frame, _ in motor.installed)
    return [motor.name, _tuple(motor.axis), f"{_tuple(motor.point)} m", frames]


def _load(load: Load) -> list[str]:
    """A row of the table of loads."""
    kind = type(load).__name__
    if isinstance(load, Gravity):
        return [load.name, kind, "everywhere", f"{_tuple(load.acceleration)} m/s²"]
    if isinstance(load, Pulley):
        return [
            load.name,
            kind,
            _frame(load.at),
            f"{load.force:g} N towards {_tuple(load.point)} m",
        ]
    if isinstance(load, Pressure):
        return [load.name, kind, f"{load.surface} of {load.volume}", f"{load.pressure:g} Pa"]
    per = "/m" if isinstance(load, LineLoad) else ""
    parts = [
        f"{name} {_tuple(value)} {unit}{per}"
        for name, value, unit in (("force", load.force, "N"), ("moment", load.moment, "N·m"))
        if np.any(value)
    ]
    if load.follower:
        parts.append("turns with its frame")
    return [load.name, kind, _where(load), ", ".join(parts) or "zero"]


def _where(load: PointLoad | LineLoad) -> str:
    """The place of a load."""
    if isinstance(load, PointLoad):
        return _frame(load.at)
    return _part(load.rod, load.start, load.end)


def _tendon(tendon: Tendon) -> list[str]:
    """A row of the table of tendons."""
    stretches = "no" if tendon.stiffness is None else f"EA = {tendon.stiffness:g} N"
    if tendon.routing is None:
        way = f"through {len(np.asarray(tendon.points))} points"
        return [tendon.name, tendon.drive, str(tendon.volume), way, stretches]
    where = _part(", ".join(tendon.rods), tendon.start, tendon.end)
    return [tendon.name, tendon.drive, where, _routing(tendon.routing), stretches]


def _routing(routing: AnyRouting) -> str:
    """A routing by its class and numbers."""
    if isinstance(routing, Piecewise):
        return ", ".join(f"{piece} to {end:g}" for end, piece in routing.pieces)
    if isinstance(routing, Discs):
        return f"through {routing.count} discs"
    return "a function of s" if isinstance(routing, Routing) else str(routing)


def _part(what: str, start: float, end: float | None) -> str:
    """A part of a rod."""
    if start == 0.0 and end is None:
        return what
    return f"{what} from {start:g} to {'tip' if end is None else f'{end:g}'}"


def _tuple(values: Any) -> str:
    """Numbers in parentheses."""
    return f"({', '.join(numbers(np.asarray(values, dtype=np.float64)))})"


def _window(subject: Robot | StaticResult, background: Literal["sky", "white"]) -> None:
    """A window where one can be opened, else a hint."""
    from flexura import view

    if not view.has_display():
        print("\nno display for a window: write a picture with --plot FILE")
        return
    try:
        view.window(subject, background=background)
    except MissingExtra as error:
        print(f"\nno window: {error}")
