"""All that a reader wants to know first of a result, of many, of a path."""

import numpy as np

from flexura.cli.text import facts, table
from flexura.lie import so3
from flexura.result.instant import Instant
from flexura.result.integrated import IntegratedResult
from flexura.result.sequence import ResultSequence
from flexura.result.static import StaticResult
from flexura.result.table import Column
from flexura.result.words import accuracy_in_words
from flexura.robot import Ball, Slider
from flexura.text import answer, cell, numbers
from flexura.typing import Pose

REACTION = ["reaction", "mx [N·m]", "my [N·m]", "mz [N·m]", "fx [N]", "fy [N]", "fz [N]"]
POSE = ["x [m]", "y [m]", "z [m]", "rx [rad]", "ry [rad]", "rz [rad]"]
ROWS = 20  # of the table of many results
# Columns that a reader of many results does not look for first.
DETAILS = ("status", "iterations", "load_steps", "load_factor", "residual")
CONTACT = ["contact", "places", "sliding", "pressing [N]", "fx [N]", "fy [N]", "fz [N]", "gap [m]"]
TENDON = ["tendon", "drive", "tension [N]", "length [m]", "shortening [m]", ""]


def report(result: StaticResult, spent: str = "") -> str:
    """All that a reader wants to know first of a result.

    Args:
        result: the result.
        spent: the time that it took, if that is known.
    """
    model = result.model
    if isinstance(result, IntegratedResult):
        unknowns = "continuous equations"
    else:
        unknowns = f"{model.n_dof} degrees of freedom"
    summary = [
        ("robot", f"{model.name}, {unknowns}"),
        ("status", status(result)),
        *(_energies(result) if isinstance(result, Instant) else _solve(result)),
        *([("time", spent)] if spent else []),
        *(("note", remark) for remark in result.remarks),
    ]
    parts = [_inputs, _tips, _bodies, _tendons, _driven, _free, _reactions, contact_table]
    return "\n\n".join([facts(summary), *(text for part in parts for text in part(result))])


def status(result: StaticResult) -> str:
    """How a solve ended, with advice in the words of the command line.

    An unstable equilibrium that was asked for is said to be one in the first word.
    """
    told = str(result.status).replace("seek_stable=False", "--seek-stable no")
    return f"UNSTABLE: {told}" if result.stable is False and result.converged else told


def _solve(result: StaticResult) -> list[tuple[str, str]]:
    """How an equilibrium was found."""
    accuracy = accuracy_in_words(result.accuracy, result.model)
    return [
        ("iterations", str(result.iterations)),
        ("load steps", str(result.load_steps)),
        ("load factor", f"{result.load_factor:.6g}"),
        ("residual", f"{result.residual:.1e}"),
        *([("accuracy", accuracy)] if accuracy else []),
        ("energy", f"{result.energy:.6g} J"),
        ("stable", answer(result.stable)),
    ]


def _energies(instant: Instant) -> list[tuple[str, str]]:
    """When an instant of a motion is, and its energies."""
    names = ("kinetic", "elastic", "gravity", "energy", "dissipated", "work")
    found = [(name, f"{getattr(instant, name):.6g} J") for name in names]
    return [("time", f"{instant.t:.6g} s"), *found]


def report_many(results: ResultSequence) -> str:
    """All that a reader wants to know first of many results or a path."""
    columns = {name: x for name, x in results.table().items() if _tells(name, x, results)}
    shown = range(min(len(results), ROWS))
    rows = [[str(i), *(cell(column[i]) for column in columns.values())] for i in shown]
    parts = [str(results), table(["number", *columns], rows)]
    if len(results) > ROWS:
        parts.append(f"and {len(results) - ROWS} more: fx.load_result(...).table() has them all")
    return "\n\n".join(parts)


def _tells(name: str, column: Column, results: ResultSequence) -> bool:
    """Whether a column says something: inputs and work only where they differ."""
    if name in DETAILS:
        return False
    kept = name in ("stable", "energy", "fraction") or name.count(".") > 1
    return kept or len(results) == 1 or any(entry != column[0] for entry in column)


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
    rods = {f"{rod.name}.tip": rod for rod in result.model.robot.slender}
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
    driven = result.model.driven
    kinds = {joint.label: type(joint) for joint in result.model.robot.links}
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
    for joint in result.model.robot.links:
        if isinstance(joint, Ball):
            rows.append([joint.name, "Ball", "-", ""])
        elif joint.label in result.model.guided:
            unit = "m" if isinstance(joint, Slider) else "rad"
            at = numbers([result.coordinate(joint.label)], 1.0)
            rows.append([joint.label, type(joint).__name__, *at, unit])
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


def contact_table(result: StaticResult) -> list[str]:
    """What touches what, how hard, and the force on the first of both, if anything may touch."""
    rows, largest = [], max((float(np.linalg.norm(x.force)) for x in result.contacts), default=0.0)
    for contact in result.model.robot.contacts:
        a, b = contact.a, contact.b
        places = [x for x in result.contacts if (x.a, x.b) == (a, b)]
        force = numbers([result.pressing(a, b), *result.contact_wrench(a, b)[3:]], largest)
        gap = f"{min(x.gap for x in places):.1e}" if places else "-"
        sliding = sum(x.sliding for x in places)
        rows.append([f"{a} on {b}", str(len(places)), str(sliding), *force, gap])
    return [table(CONTACT, rows)] if rows else []
