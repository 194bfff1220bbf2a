"""Result files: NumPy archives that any tool can read without flexura.

    data = np.load("arm.npz")
    data["rod/backbone/pose"][-1]           # pose of the tip

| key | value | shape |
|---|---|---|
| ``format`` | version of this table | () |
| ``name`` | name of the robot | () |
| ``robot`` | the robot as TOML text; missing if it holds a function, which a file cannot | () |
| ``status`` | how the solve ended, a sentence | () |
| ``converged`` | whether it is an equilibrium | () |
| ``stable`` | 1 stable, 0 unstable, -1 not known | () |
| ``iterations``, ``load_steps`` | of Newton's method, of the load | () |
| ``load_factor`` | the part of the load that is carried, 1 if converged | () |
| ``residual`` | largest force out of balance, relative | () |
| ``residuals`` | the same after each iteration | (n,) |
| ``energy`` | elastic energy [J] | () |
| ``potential`` | with the potential of the loads [J]; not a number where they have none | () |
| ``state`` | the free poses of the model | (n, 4, 4) |
| ``inner/<i>`` | what rods have besides poses, for the i-th kind of rods of the model | (m, k) |
| ``rods``, ``bodies``, ``inputs``, ``tendons`` | the names that the keys below are made of | (n,) |
| ``joints``, ``driven``, ``free`` | joints with a reaction, a torque, a coordinate below | (n,) |
| ``rod/<name>/s`` | arc lengths [m] | (201,) |
| ``rod/<name>/pose`` | poses in the world | (201, 4, 4) |
| ``rod/<name>/strain`` | strain, body frame [1/m, -] | (201, 6) |
| ``rod/<name>/wrench`` | internal wrench, body frame [N·m, N] | (201, 6) |
| ``body/<name>/pose`` | pose of a body in the world | (4, 4) |
| ``input/<name>`` | number, acceleration, wrench or pose of an input | (), (3,), (6,), (4, 4) |
| ``reaction/<joint>`` | wrench of a joint on its second frame, there [N·m, N] | (6,) |
| ``torque/<joint>`` | what holds a motor or a driven joint about or along its axis [N·m, N] | () |
| ``coordinate/<joint>`` | where a hinge or a slider is that moves freely [rad, m] | () |
| ``tendon/<name>/tension`` | tension of a tendon [N] | () |
| ``tendon/<name>/length`` | length of the way that it takes along the robot [m] | () |

Texts are unicode arrays without dimension: ``str(data["status"])``. Nothing is pickled.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from flexura.io.robot_file import PathLike, save
from flexura.io.target import target, write_whole
from flexura.result.static import StaticResult
from flexura.robot import Hinge, Piecewise, Robot, Routing, Slider
from flexura.robot.check import instance

FORMAT = 1
STATIONS = 201
SUFFIXES = (".npz",)


def save_result(result: StaticResult, path: PathLike) -> None:
    """Write a result as a NumPy archive, for which this module has the table of keys.

    Args:
        result: converged or not.
        path: ends in ".npz".

    Raises:
        FileError: if the file cannot be written.
    """
    instance("save_result", "result", result, StaticResult)
    file = target(path, "a result", SUFFIXES)
    content = io.BytesIO()
    np.savez_compressed(content, **dict(_entries(result)))
    write_whole(file, content.getvalue())


def _entries(result: StaticResult) -> Iterator[tuple[str, Any]]:
    """Keys and values of the archive."""
    robot, model = result.model.robot, result.model
    driven = [name for name, entry in model.inputs.items() if entry.kind == "drive"]
    guides = [joint for joint in robot.joints if isinstance(joint, Hinge | Slider)]
    free = [joint.name for joint in guides if not joint.driven]
    yield from {
        "format": FORMAT,
        "name": robot.name,
        "status": str(result.status),
        "converged": result.converged,
        "stable": -1 if result.stable is None else int(result.stable),
        "iterations": result.iterations,
        "load_steps": result.load_steps,
        "load_factor": result.load_factor,
        "residual": result.residual,
        "residuals": result.residuals,
        "energy": result.energy,
        "potential": np.nan if result.potential is None else result.potential,
        "state": result.state.poses,
        "rods": _names(rod.name for rod in robot.rods),
        "bodies": _names(body.name for body in robot.bodies),
        "inputs": _names(result.inputs),
        "tendons": _names(model.tendons.names),
        "joints": _names(model.reacting),
        "driven": _names(driven),
        "free": _names(free),
    }.items()
    for part, inner in enumerate(result.state.inner):
        yield f"inner/{part}", inner
    if not _has_function(robot):
        yield "robot", _text(robot)
    for rod in robot.rods:
        s = np.linspace(0.0, rod.length, STATIONS)
        yield f"rod/{rod.name}/s", s
        yield f"rod/{rod.name}/pose", result.pose(rod.name, s)
        yield f"rod/{rod.name}/strain", result.strain(rod.name, s)
        yield f"rod/{rod.name}/wrench", result.internal_wrench(rod.name, s)
    for body in robot.bodies:
        yield f"body/{body.name}/pose", result.pose(body.name)
    for name, value in result.inputs.items():
        yield f"input/{name}", value
    for joint in model.reacting:
        yield f"reaction/{joint}", result.reaction(joint)
    for joint in driven:
        yield f"torque/{joint}", result.torque(joint)
    for joint in free:
        yield f"coordinate/{joint}", result.coordinate(joint)
    for name in model.tendons.names:
        yield f"tendon/{name}/tension", result.tension(name)
        yield f"tendon/{name}/length", result.tendon_length(name)


def _has_function(robot: Robot) -> bool:
    """Whether a rod's rest shape or a tendon's routing is a function."""
    routings = [tendon.routing for tendon in robot.tendons]
    pieces = [piece for r in routings if isinstance(r, Piecewise) for _, piece in r.pieces]
    routed = any(isinstance(routing, Routing) for routing in (*routings, *pieces))
    return routed or any(callable(rod.rest) for rod in robot.rods)


def _names(names: Any) -> Any:
    """Names as an array of text, also if there are none."""
    return np.array(list(names), dtype=np.str_)


def _text(robot: Robot) -> str:
    """The robot as it stands in a robot file."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "robot.toml"
        save(robot, file)
        return file.read_text(encoding="utf-8")
