"""Result files: NumPy archives that ``load_result`` reads, and any tool without flexura.

    data = np.load("arm.npz")
    data["rod/backbone/pose"][-1]           # pose of the tip

| key | value | shape |
|---|---|---|
| ``format`` | version of this table | () |
| ``version`` | of flexura that wrote the file | () |
| ``kind`` | "result", "results" of many solves, "path", "motion", or "instant" of one | () |
| ``name`` | name of the robot | () |
| ``robot`` | the robot as TOML text; missing if it holds a function, which a file cannot | () |
| ``discretization`` | how rods are described, as JSON text; missing if not by flexura | () |
| ``also`` | how many functions of the user have added to the model | () |
| ``status``, ``ended`` | how the solve ended, a sentence, and its name | () |
| ``converged`` | whether it is an equilibrium, and a stable one if that was asked for | () |
| ``stable`` | 1 stable, 0 unstable, -1 not known | () |
| ``iterations``, ``load_steps`` | of Newton's method, of the load | () |
| ``load_factor`` | the part of the load that is carried, 1 if converged | () |
| ``residual`` | largest force out of balance, relative | () |
| ``residuals``, ``steps`` | the same after each iteration, sizes of the iterations | (n,), (m,) |
| ``remarks`` | what else to know, sentences | (n,) |
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

Texts are unicode arrays without dimension: ``str(data["status"])``. Nothing is pickled, nothing is
executed. A tip that nothing holds, of a rod described by VariableStrain, ConstantStrain or
RotationInterpolation, is loose: its pose follows from the other unknowns. It is in
``rod/<name>/pose``, not in ``state``. What follows from a state and takes a solve, as ``accuracy``,
is found anew when a loaded result is asked for it.

For ``load_result`` only: ``numbers``, ``given``, ``values``, ``conjugate``, ``nodes``,
``node_forces``, ``turns``, ``strains/<i>``, ``strains_known``, ``lost_turns/<i>``,
``hinge_turns``, ``pose_turns`` of robots whose welds have poses that turn rods in loops, and
``solution/...`` of shooting.

The results of n solves and a path of n equilibria have the same keys. All that each result has
for itself begins with an axis of n: ``data["rod/backbone/pose"][i, -1]`` is the i-th tip. Rods have
21 arc lengths, not 201, in the results of many solves. ``residuals``, ``steps`` and ``remarks`` are
one after the other; how many each result has is in ``residuals/count`` and so on. ``status`` and
``converged`` of a path are those of the path, which has reached its end or not. A path has also:

| key | value | shape |
|---|---|---|
| ``changes`` | name of the input that changes | () |
| ``path`` | name of the way in which the path ended | () |
| ``fraction`` | λ, 0 for its first value and 1 for the wanted one | (n,) |
| ``unstable_modes`` | directions in which a point is unstable, -1 if not known | (n,) |
| ``limit/fraction``, ``limit/index`` | λ of limit points, number of the point before | (m,) |
| ``limit/input`` | value of the input there | (m, ...) |
| ``bifurcation/...`` | the same of bifurcations | |
| ``limit/nodes``, ... | for ``load_result``: the equilibria there, as above | (m, ...) |

A motion of n instants has the keys of n results, but neither strains and wrenches of rods nor
reactions: a loaded motion finds them anew. ``status`` and ``converged`` are those of the motion. An
instant has those of one result. Both have also, along an axis of n or without one:

| key | value | shape |
|---|---|---|
| ``t`` | times [s] | (n,) |
| ``kinetic`` | kinetic energy [J] | (n,) |
| ``elastic``, ``gravity`` | the energy of strains, and of weights [J] | (n,) |
| ``dissipated``, ``work`` | by viscosity, and of inputs and loads, since the beginning [J] | (n,) |
| ``motion``, ``step``, ``cuts`` | of a motion: how it ended, its step, times of steps cut [s] | |
| ``notes`` | of a motion: its remarks | (m,) |
| ``flow/poses``, ... | for ``load_result``: what moves, and its rates | (n, ...) |
"""

from typing import Any, TypeAlias

import numpy as np

from flexura.errors import FileError, ModelError, show
from flexura.io.archive import Archive, write_archive
from flexura.io.discretization_text import rods_of_text
from flexura.io.fit import check_energy, check_shapes
from flexura.io.record import Records, records, single
from flexura.io.result_keys import (
    FEW_STATIONS,
    STATIONS,
    answers,
    description,
    marks,
    motion_answers,
)
from flexura.io.robot_file import robot_of_text
from flexura.io.target import PathLike, as_path, target
from flexura.model.build import build
from flexura.model.model import Model
from flexura.result.instant import Instant
from flexura.result.integrated import IntegratedResult
from flexura.result.many import StaticResults
from flexura.result.motion import Motion, MotionStatus
from flexura.result.path import EquilibriumPath, Mark, PathStatus
from flexura.result.sequence import ResultSequence
from flexura.result.static import StaticResult
from flexura.robot.check import instance
from flexura.version import VERSION

FORMAT = 4
OLDEST = 4  # format that can be read: multipliers of balls were others before
SUFFIXES = (".npz",)
MARKS = ("limit", "bifurcation")

AnyResult: TypeAlias = StaticResult | StaticResults | EquilibriumPath | Motion


def save_result(result: AnyResult, path: PathLike) -> None:
    """Write a result as a NumPy archive, for which this module has the table of keys.

    Args:
        result: an equilibrium, converged or not, the results of many solves, a path, a motion or an
            instant of one.
        path: ends in ".npz".

    Raises:
        FileError: if the file cannot be written.
        ModelError: for something else, or results that one file cannot hold.
    """
    instance("save_result", "result", result, AnyResult)
    file = target(path, "a result", SUFFIXES)
    write_archive(file, {"format": FORMAT, "version": VERSION, **_entries(result)})


def load_result(path: PathLike, model: Model | None = None) -> AnyResult:
    """Read what ``save_result`` wrote: the same kind of result, equal to the last bit.

    It answers as the saved one does, and a solve or a motion of its model, or of an equal one, may
    start from it. Nothing in the file is executed.

    Args:
        path: of the file.
        model: that the result is of. It is needed where a file cannot hold it: if the robot has a
            function in it, or the model was built with ``also=`` or a discretization of your own.

    Raises:
        FileError: if the file is missing, broken, not of ``save_result``, of a newer version, or
            of another model.
    """
    if model is not None and not isinstance(model, Model):
        raise ModelError(f"load_result: model must be what build returns, got {show(model)}")
    with Archive(as_path(path)) as archive:
        _check_format(archive)
        owner = _model(archive, model)
        kind = archive.text("kind")
        if kind == "path":
            result: AnyResult = _path(archive, owner)
        elif kind == "results":
            result = StaticResults(Records(archive, owner).several())
        elif kind == "motion":
            result = _motion(archive, owner)
        elif kind in ("result", "instant"):
            result = Records(archive, owner, instants=kind == "instant").one()
        else:
            raise archive.broken(f"holds a {kind!r}, which is unknown")
        check_shapes(archive, result)
        check_energy(archive, result)
    return result


# -- writing ---------------------------------------------------------------------------------------


def _entries(result: AnyResult) -> dict[str, Any]:
    """Keys and values of the archive."""
    if isinstance(result, StaticResult):
        return {
            "kind": "instant" if isinstance(result, Instant) else "result",
            **description(result.model, STATIONS),
            "status": str(result.status),
            "converged": result.converged,
            **({"kinetic": result.kinetic} if isinstance(result, Instant) else {}),
            **single(result),
            **answers(result, STATIONS),
        }
    _check_together(result)
    if isinstance(result, StaticResults):
        return {
            "kind": "results",
            **description(result.model, FEW_STATIONS),
            "status": np.array([str(status) for status in result.status]),
            "converged": result.converged,
            **_stacked(result, FEW_STATIONS),
        }
    if isinstance(result, Motion):
        return {
            "kind": "motion",
            **description(result.model, FEW_STATIONS),
            "status": str(result.status),
            "converged": result.converged,
            "motion": result.status.name,
            "step": result.step,
            "cuts": np.array(result.cuts, dtype=np.float64),
            "notes": np.array(result.remarks, dtype=np.str_),
            **motion_answers(result, FEW_STATIONS),
            **records(result.results),
        }
    return {
        "kind": "path",
        **description(result.model, STATIONS),
        "status": str(result.status),
        "converged": result.reached,
        "path": result.status.name,
        "changes": result.input,
        "fraction": result.fraction,
        "unstable_modes": [-1 if modes is None else modes for modes in result.unstable_modes],
        **_marks("limit", result.limits, result),
        **_marks("bifurcation", result.bifurcations, result),
        **_stacked(result, STATIONS),
    }


def _check_together(result: ResultSequence) -> None:
    """Raise unless one file can hold all of the results."""
    if not len(result):
        raise ModelError("save_result: there are no results to save")
    if any(each.model is not result.model and each.model != result.model for each in result):
        raise ModelError("save_result: these results are of several models; save them one by one")
    if any(isinstance(each, IntegratedResult) for each in result):
        raise ModelError("save_result: results of shooting are saved one by one")


def _stacked(result: ResultSequence, stations: int) -> dict[str, Any]:
    """All that each result has for itself, along a first axis."""
    each = [answers(point, stations) for point in result]
    stacked = {key: np.array([point[key] for point in each]) for key in each[0]}
    return {**stacked, **records(result.results)}


def _marks(kind: str, found: tuple[Mark, ...], path: EquilibriumPath) -> dict[str, Any]:
    """Limit points or bifurcations, with their equilibria."""
    where = marks(kind, found, path.input, path.model)
    return where | (records([mark.result for mark in found], f"{kind}/") if found else {})


# -- reading ---------------------------------------------------------------------------------------


def _check_format(archive: Archive) -> None:
    """Raise unless this is a file that this version can read."""
    if "format" not in archive or "name" not in archive:
        raise archive.broken("is a NumPy archive, but no result of flexura")
    found = archive.number("format")
    if found > FORMAT:
        by = f", by flexura {archive.text('version')}" if "version" in archive else ""
        raise FileError(
            f"{archive.file}: written in format {found}{by}, newer than {FORMAT}, the newest that "
            f"flexura {VERSION} reads; update flexura, or read its numbers with np.load"
        )
    if found < OLDEST:
        raise FileError(
            f"{archive.file}: written in format {found}, older than {OLDEST}, the oldest that "
            f"flexura {VERSION} reads; read its numbers with np.load, or solve again"
        )


def _model(archive: Archive, model: Model | None) -> Model:
    """The model that the file holds, or the given one if that fits."""
    whole = "robot" in archive and "discretization" in archive and not archive.number("also")
    if not whole:
        if model is None:
            raise FileError(
                f"{archive.file}: its model is not in the file, as it holds a function or parts of "
                "your own; build it and call load_result(path, model=model)"
            )
        _check_name(archive, model)
        return model
    robot = robot_of_text(archive.text("robot"), f"{archive.file}: robot")
    rods = rods_of_text(archive.text("discretization"), f"{archive.file}: discretization")
    if model is not None:
        if (model.robot, dict(model.rods), model.also) != (robot, rods, ()):
            raise FileError(
                f"{archive.file}: is of another robot or discretization than the given model "
                f"{model.name!r}; leave out model= to have its own"
            )
        return model
    try:
        return build(robot, rods=rods)
    except ModelError as error:
        raise FileError(f"{archive.file}: its model cannot be built: {error}") from error


def _check_name(archive: Archive, model: Model) -> None:
    """Raise if the given model is obviously another one."""
    names = {
        "inputs": list(model.inputs),
        "rods": list(model.places),
        "tendons": list(model.tendons.names),
    }
    for key, own in names.items():
        found = archive.array(key, "U").tolist()
        if found != own:
            raise FileError(
                f"{archive.file}: is of a model with the {key} {found}, but the given one has {own}"
            )


def _motion(archive: Archive, model: Model) -> Motion:
    """The motion of a file."""
    found, ended = Records(archive, model, instants=True).several(), archive.text("motion")
    instants = tuple(instant for instant in found if isinstance(instant, Instant))
    step, cuts = archive.array("step", "f", ()), archive.array("cuts", "f")
    if ended not in MotionStatus.__members__ or cuts.ndim != 1:
        raise archive.broken(f"has a motion that ended with {ended!r}, or cuts {cuts.shape}")
    if not instants or not (np.diff([instant.t for instant in instants]) > 0.0).all():
        raise archive.broken("has a motion whose times do not grow")
    notes = tuple(archive.array("notes", "U").tolist())
    return Motion(instants, MotionStatus[ended], float(step), tuple(cuts.tolist()), notes)


def _path(archive: Archive, model: Model) -> EquilibriumPath:
    """The path of a file."""
    results = Records(archive, model).several()
    n, changes, ended = (len(results),), archive.text("changes"), archive.text("path")
    if changes not in model.inputs or ended not in PathStatus.__members__:
        raise archive.broken(f"has a path along {changes!r} that ended with {ended!r}: unknown")
    modes = archive.array("unstable_modes", "i", n).tolist()
    limits, bifurcations = (_read_marks(archive, model, kind) for kind in MARKS)
    return EquilibriumPath(
        results=results,
        input=changes,
        fraction=archive.array("fraction", "f", n),
        unstable_modes=tuple(None if number < 0 else number for number in modes),
        limits=limits,
        bifurcations=bifurcations,
        status=PathStatus[ended],
    )


def _read_marks(archive: Archive, model: Model, kind: str) -> tuple[Mark, ...]:
    """Limit points or bifurcations."""
    fraction = archive.array(f"{kind}/fraction", "f").tolist()
    if not fraction:
        return ()
    index = archive.array(f"{kind}/index", "i").tolist()
    results = Records(archive, model, f"{kind}/").several()
    if not len(fraction) == len(index) == len(results):
        raise archive.broken(f"has marks of {kind!r} that are not complete")
    return tuple(Mark(*entry) for entry in zip(fraction, index, results, strict=True))
