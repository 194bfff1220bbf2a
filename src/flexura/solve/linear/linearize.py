"""Linear models about an equilibrium."""

from collections.abc import Sequence

import numpy as np

from flexura.errors import ModelError, known, show
from flexura.model.inputs import Input
from flexura.model.model import Model
from flexura.result.linear import LinearModel
from flexura.result.static import StaticResult
from flexura.robot import AnyFrame
from flexura.solve.linear.about import small_motion
from flexura.solve.linear.independent import Independent, independent
from flexura.solve.linear.outputs import output_rows
from flexura.solve.linear.small_motion import Slopes, SmallMotion
from flexura.typing import Matrix


def linearize(
    result: StaticResult,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[AnyFrame] | None = None,
) -> LinearModel:
    """The linear model of a robot about an equilibrium, on its independent unknowns.

        M z̈ + D ż + K z = B u + B₁ u̇ + B₂ ü,        y = C z + F u              (theory 14.5)

    Args:
        result: an equilibrium, as for ``modes``.
        inputs: names of inputs, each with all of its numbers; None for all.
        outputs: frames (names, ``At(...)``, also inside rods, or ``On(...)`` a volume), lengths of
            tendons as "left.length", tensions of elastic tendons that are driven by length as
            "left.tension";
            None for the tips of all rods and for all bodies.

    Raises:
        ModelError: for a result that is no equilibrium, or a robot without any mass.
        UnknownName: for inputs and outputs that the robot has not.
    """
    motion = small_motion("linearize", result)
    model = motion.moving.model
    names, changes = _changes(model, _listed("inputs", inputs, list(model.inputs)))
    asked = _listed("outputs", outputs, list(model.robot.ends))
    slopes = motion.slopes(changes)
    rows = output_rows(motion, asked, changes, slopes)
    own = independent(motion)
    through = _through(motion, own, slopes)
    mass, damping, stiffness = _matrices(motion, own.basis)
    force, rate, acceleration = _forces(motion, own.basis, through, slopes)
    C = np.array([row.motion for row in rows]).reshape(len(rows), model.n_dof)
    direct = np.array([row.drift for row in rows]).reshape(len(rows), len(names))
    return LinearModel(
        result=result,
        mass=mass,
        damping=damping,
        stiffness=stiffness,
        input=force,
        input_rate=rate,
        input_acceleration=acceleration,
        output=C @ own.basis,
        feedthrough=C @ through + direct,
        inputs=tuple(names),
        outputs=tuple(row.name for row in rows),
        basis=own.basis,
    )


def _listed(what: str, given: object, everything: list[str]) -> list[str]:
    """A list of the user, or everything."""
    if given is None:
        return everything
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise ModelError(f"linearize takes a list of {what}, got {show(given)}")
    return list(given)


def _changes(model: Model, asked: Sequence[str]) -> tuple[list[str], Matrix]:
    """Names of the numbers of inputs, and a column of change for each."""
    names, places = list[str](), list[int]()
    for name in asked:
        entry: Input = model.inputs[known("input", name, list(model.inputs))]
        names += entry.labels(name)
        places += entry.directions
    return names, model.inputs.units(places)


def _through(motion: SmallMotion, own: Independent, slopes: Slopes) -> Matrix:
    """Motions that close the gaps that inputs open, (n_dof, m)."""
    held = motion.assembly.layout.multiplier & ~motion.moving.forces
    gaps = np.concatenate([slopes.force[held], -slopes.gap[motion.give == 0.0]])
    return np.asarray(-own.closing @ gaps)


def _elastic(motion: SmallMotion) -> tuple[Matrix, Matrix]:
    """R and C⁻¹ R of the constraints that give."""
    give = motion.give > 0.0
    rows = motion.rows[give]
    return rows, rows / motion.give[give][:, None]


def _matrices(motion: SmallMotion, Z: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """M, D and K on independent unknowns."""
    M, D, K = _sparse(motion)
    rows, softened = _elastic(motion)
    mass, damping, stiffness = Z.T @ (M @ Z), Z.T @ (D @ Z), Z.T @ (K @ Z)
    stiffness += (rows @ Z).T @ (softened @ Z)
    forces = np.flatnonzero(motion.moving.forces)
    if len(forces):
        pull = _pull(motion, Z)
        stiffness -= pull @ (K[forces] @ Z)
        damping -= pull @ (D[forces] @ Z)
    if motion.assembly.conservative:
        stiffness = 0.5 * (stiffness + stiffness.T)
    return 0.5 * (mass + mass.T), 0.5 * (damping + damping.T), stiffness


def _forces(
    motion: SmallMotion, Z: Matrix, through: Matrix, slopes: Slopes
) -> tuple[Matrix, Matrix, Matrix]:
    """B, B₁ and B₂ on independent unknowns."""
    M, D, K = _sparse(motion)
    rows, softened = _elastic(motion)
    force = slopes.force + K @ through + softened.T @ (rows @ through)
    force -= softened.T @ slopes.gap[motion.give > 0.0]
    rate = slopes.rate + D @ through
    found = [Z.T @ x for x in (force, rate, slopes.acceleration + M @ through)]
    forces = np.flatnonzero(motion.moving.forces)
    if len(forces):
        pull = _pull(motion, Z)
        found[0] -= pull @ force[forces]
        found[1] -= pull @ rate[forces]
    force, rate, acceleration = (-x for x in found)
    return force, rate, acceleration


def _pull(motion: SmallMotion, Z: Matrix) -> Matrix:
    """Zᵀ K_qn K_nn⁻¹: by which forces n of stretch and shear are eliminated."""
    forces = np.flatnonzero(motion.moving.forces)
    K = motion.structure.sparse(motion.stiffness)
    columns, own = K[:, forces], K[forces][:, forces].toarray()
    return np.asarray(np.linalg.solve(own.T, (columns.T @ Z)).T)


def _sparse(motion: SmallMotion) -> tuple[Matrix, Matrix, Matrix]:
    """M, D and K of all unknowns, as sparse matrices."""
    sparse = motion.structure.sparse
    return sparse(motion.mass), sparse(motion.damping), sparse(motion.stiffness)
