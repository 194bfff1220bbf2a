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
| ``state`` | the free poses of the model; loose tips, see below, are none | (n, 4, 4) |
| ``inner/<i>`` | what rods have besides poses, for the i-th kind of rods of the model | (m, k) |
| ``multipliers`` | tensions of tendons driven by length [N] and the like; missing if none | (r,) |
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

Texts are unicode arrays without dimension: ``str(data["status"])``. Nothing is pickled. A tip that
nothing holds, of a rod described by VariableStrain, ConstantStrain or RotationInterpolation, is
loose: its pose follows from the other unknowns. It is in ``rod/<name>/pose``, not in ``state``.

A path of n equilibria has the same keys. All that each equilibrium has for itself begins with an
axis of n: ``data["rod/backbone/pose"][i, -1]`` is the tip at the i-th point. ``residuals`` are left
out; ``status`` and ``converged`` are those of the path, which has reached its end or not. And:

| key | value | shape |
|---|---|---|
| ``changes`` | name of the input that changes | () |
| ``fraction`` | λ, 0 for its first value and 1 for the wanted one | (n,) |
| ``unstable_modes`` | directions in which a point is unstable, -1 if not known | (n,) |
| ``limit/fraction``, ``limit/index`` | λ of limit points, number of the point before | (m,) |
| ``limit/input`` | value of the input there | (m, ...) |
| ``bifurcation/...`` | the same of bifurcations | |
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from flexura.io.robot_file import save
from flexura.io.target import PathLike, target, write_whole
from flexura.model.model import Model
from flexura.result.path import EquilibriumPath, Mark
from flexura.result.static import StaticResult
from flexura.robot import Hinge, Piecewise, Robot, Rod, Routing, Slider, SplineRest
from flexura.robot.check import instance
from flexura.typing import Array

FORMAT = 1
STATIONS = 201
SUFFIXES = (".npz",)


def save_result(result: StaticResult | EquilibriumPath, path: PathLike) -> None:
    """Write a result as a NumPy archive, for which this module has the table of keys.

    Args:
        result: an equilibrium, converged or not, or a path of them.
        path: ends in ".npz".

    Raises:
        FileError: if the file cannot be written.
    """
    instance("save_result", "result", result, StaticResult | EquilibriumPath)
    file = target(path, "a result", SUFFIXES)
    content = io.BytesIO()
    np.savez_compressed(content, **_entries(result))
    write_whole(file, content.getvalue())


def _entries(result: StaticResult | EquilibriumPath) -> dict[str, Any]:
    """Keys and values of the archive."""
    if isinstance(result, StaticResult):
        return {
            **dict(_description(result.model)),
            "status": str(result.status),
            "converged": result.converged,
            "residuals": result.residuals,
            **dict(_solution(result)),
        }
    model = result[0].model
    return {
        **dict(_description(model)),
        "status": str(result.status),
        "converged": result.reached,
        "changes": result.input,
        "fraction": result.fraction,
        "unstable_modes": [-1 if modes is None else modes for modes in result.unstable_modes],
        **_marks("limit", result.limits, result.input, model),
        **_marks("bifurcation", result.bifurcations, result.input, model),
        **_stacked([dict(_solution(point)) for point in result]),
    }


def _description(model: Model) -> Iterator[tuple[str, Any]]:
    """What the results of a model share."""
    robot = model.robot
    yield from {
        "format": FORMAT,
        "name": robot.name,
        "rods": _names(rod.name for rod in robot.rods),
        "bodies": _names(body.name for body in robot.bodies),
        "inputs": _names(model.inputs),
        "tendons": _names(model.tendons.names),
        "joints": _names(model.reacting),
        "driven": _names(_driven(model)),
        "free": _names(_free(robot)),
    }.items()
    if not _has_function(robot):
        yield "robot", _text(robot)
    for rod in robot.rods:
        yield f"rod/{rod.name}/s", _stations(rod)


def _solution(result: StaticResult) -> Iterator[tuple[str, Any]]:
    """What a result has for itself, of shapes that the model decides."""
    robot, model = result.model.robot, result.model
    yield from {
        "stable": -1 if result.stable is None else int(result.stable),
        "iterations": result.iterations,
        "load_steps": result.load_steps,
        "load_factor": result.load_factor,
        "residual": result.residual,
        "energy": result.energy,
        "potential": np.nan if result.potential is None else result.potential,
        "state": result.state.poses,
    }.items()
    if len(result.state.multipliers):
        yield "multipliers", result.state.multipliers
    for part in range(len(model.parts)):
        yield f"inner/{part}", model.inner(result.state, part)
    for rod in robot.rods:
        s = _stations(rod)
        yield f"rod/{rod.name}/pose", result.pose(rod.name, s)
        yield f"rod/{rod.name}/strain", result.strain(rod.name, s)
        yield f"rod/{rod.name}/wrench", result.internal_wrench(rod.name, s)
    for body in robot.bodies:
        yield f"body/{body.name}/pose", result.pose(body.name)
    for name, value in result.inputs.items():
        yield f"input/{name}", value
    for joint in model.reacting:
        yield f"reaction/{joint}", result.reaction(joint)
    for joint in _driven(model):
        yield f"torque/{joint}", result.torque(joint)
    for joint in _free(robot):
        yield f"coordinate/{joint}", result.coordinate(joint)
    for name in model.tendons.names:
        yield f"tendon/{name}/tension", result.tension(name)
        yield f"tendon/{name}/length", result.tendon_length(name)


def _stacked(points: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Values of the same keys, along a first axis."""
    return {key: np.array([point[key] for point in points]) for key in points[0]}


def _marks(kind: str, marks: Sequence[Mark], name: str, model: Model) -> dict[str, Any]:
    """Where limit points or bifurcations are, also if there are none."""
    shape = model.inputs[name].shape
    values = np.array([mark.result.inputs[name] for mark in marks], dtype=np.float64)
    return {
        f"{kind}/fraction": np.array([mark.fraction for mark in marks], dtype=np.float64),
        f"{kind}/index": np.array([mark.index for mark in marks], dtype=np.int64),
        f"{kind}/input": values.reshape(-1, *shape),
    }


def _stations(rod: Rod) -> Array:
    """Arc lengths of a rod [m], (201,)."""
    return np.linspace(0.0, rod.length, STATIONS)


def _driven(model: Model) -> list[str]:
    """Names of motors and driven joints."""
    return [name for name, entry in model.inputs.items() if entry.kind == "joint"]


def _free(robot: Robot) -> list[str]:
    """Names of the hinges and sliders that move freely."""
    guides = [joint for joint in robot.joints if isinstance(joint, Hinge | Slider)]
    return [joint.name for joint in guides if not joint.driven]


def _has_function(robot: Robot) -> bool:
    """Whether a rod's rest shape or a tendon's routing is a function."""
    routings = [tendon.routing for tendon in robot.tendons]
    pieces = [piece for r in routings if isinstance(r, Piecewise) for _, piece in r.pieces]
    routed = any(isinstance(routing, Routing) for routing in (*routings, *pieces))
    return routed or any(
        callable(rod.rest) and not isinstance(rod.rest, SplineRest) for rod in robot.rods
    )


def _names(names: Any) -> Any:
    """Names as an array of text, also if there are none."""
    return np.array(list(names), dtype=np.str_)


def _text(robot: Robot) -> str:
    """The robot as it stands in a robot file."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "robot.toml"
        save(robot, file)
        return file.read_text(encoding="utf-8")
