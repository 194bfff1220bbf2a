"""What any tool can read of results: names, shapes, forces, by keys that speak."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from flexura.io.discretization_text import text_of_rods
from flexura.io.robot_file import text_of_robot
from flexura.model.model import Model
from flexura.result.motion import Motion
from flexura.result.path import Mark
from flexura.result.static import StaticResult
from flexura.robot.check import BadField
from flexura.typing import Array

STATIONS = 201  # along a rod of one result or of a path
FEW_STATIONS = 21  # of many results and of a motion


def description(model: Model, stations: int) -> dict[str, Any]:
    """What the results of a model share."""
    robot, rods = model.robot, text_of_rods(model.rods)
    found: dict[str, Any] = {
        "name": robot.name,
        "rods": _names(rod.name for rod in robot.slender),
        "bodies": _names(body.name for body in robot.bodies),
        "inputs": _names(model.inputs),
        "tendons": _names(model.tendons.names),
        "joints": _names(model.reacting),
        "driven": _names(model.driven),
        "free": _names(model.guided),
        "also": len(model.also),
    }
    if rods is not None:
        found["discretization"] = rods
    with suppress(BadField):  # a function, which a file cannot hold
        found["robot"] = text_of_robot(robot)
    return found | {f"rod/{rod.name}/s": _along(rod.length, stations) for rod in robot.slender}


def answers(result: StaticResult, stations: int) -> dict[str, Any]:
    """What a result says to those who read without this library."""
    return dict(_answers(result, stations))


def motion_answers(motion: Motion, stations: int) -> dict[str, Any]:
    """The same of a motion, without what takes long to find: strains, wrenches, reactions."""
    model = motion.model
    robot = model.robot
    found: dict[str, Any] = {"kinetic": motion.kinetic}
    for rod in robot.slender:
        found[f"rod/{rod.name}/pose"] = motion.pose(rod.name, _along(rod.length, stations))
    found |= {f"body/{body.name}/pose": motion.pose(body.name) for body in robot.bodies}
    found |= {f"input/{name}": value for name, value in motion.inputs.items()}
    found |= {f"torque/{joint}": motion.torque(joint) for joint in model.driven}
    found |= {f"coordinate/{joint}": motion.coordinate(joint) for joint in model.guided}
    for name in model.tendons.names:
        found[f"tendon/{name}/tension"] = motion.tension(name)
        found[f"tendon/{name}/length"] = motion.tendon_length(name)
    return found


def _answers(result: StaticResult, stations: int) -> Iterator[tuple[str, Any]]:
    model = result.model
    robot = model.robot
    yield "residual", result.residual
    for part in range(len(model.parts)):
        yield f"inner/{part}", model.inner(result.state, part)
    for rod in robot.slender:
        s = _along(rod.length, stations)
        yield f"rod/{rod.name}/pose", result.pose(rod.name, s)
        yield f"rod/{rod.name}/strain", result.strain(rod.name, s)
        yield f"rod/{rod.name}/wrench", result.internal_wrench(rod.name, s)
    for body in robot.bodies:
        yield f"body/{body.name}/pose", result.pose(body.name)
    for name, value in result.inputs.items():
        yield f"input/{name}", value
    for joint in model.reacting:
        yield f"reaction/{joint}", result.reaction(joint)
    for joint in model.driven:
        yield f"torque/{joint}", result.torque(joint)
    for joint in model.guided:
        yield f"coordinate/{joint}", result.coordinate(joint)
    for name in model.tendons.names:
        yield f"tendon/{name}/tension", result.tension(name)
        yield f"tendon/{name}/length", result.tendon_length(name)


def marks(kind: str, found: Sequence[Mark], name: str, model: Model) -> dict[str, Any]:
    """Where limit points or bifurcations are, also if there are none."""
    shape = model.inputs[name].shape
    values = np.array([mark.result.inputs[name] for mark in found], dtype=np.float64)
    return {
        f"{kind}/fraction": np.array([mark.fraction for mark in found], dtype=np.float64),
        f"{kind}/index": np.array([mark.index for mark in found], dtype=np.int64),
        f"{kind}/input": values.reshape(-1, *shape),
    }


def _along(length: float, stations: int) -> Array:
    """Arc lengths of a rod [m], (stations,)."""
    return np.linspace(0.0, length, stations)


def _names(names: Any) -> Any:
    """Names as an array of text, also if there are none."""
    return np.array(list(names), dtype=np.str_)
