"""The fastest vibration of a robot, and what is damped most, which limit explicit steps."""

from typing import NoReturn

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs

from flexura.errors import ModelError
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow
from flexura.solve.motion.rest import hold
from flexura.solve.motion.workspace import Workspace
from flexura.typing import Array

# Unknowns up to which all roots are found; of more, the largest one, to this part of it.
FEW = 60
FOUND = 1e-3
# In so many times the highest frequency, damping is all that resists; rounds of longer steps.
MOST_DAMPED, REFINED = 1e6, 3


def longest_step(space: Workspace, flow: Flow, inputs: Inputs) -> float:
    """The longest stable explicit step of a robot, damping being explicit too [s].

    It is below h with h² λ(2/h) = 4, where λ(p) is the largest of M⁻¹ (K + p D). As λ(p) is at most
    λ(0) + p δ, δ the largest of M⁻¹ D, there is a step that is stable for sure; from there, longer
    ones are found: s times as long, h² λ(2/h) is at most s² times as large.
    """
    fastest = max(_largest(space, flow, inputs, 0.0), 1e-300)
    h = 2.0 / np.sqrt(fastest)
    if not space.tracks.moving.damped:
        return float(h)
    pace = MOST_DAMPED * np.sqrt(fastest)
    lag = _largest(space, flow, inputs, pace) / pace / fastest
    h = np.hypot(lag, h) - lag
    for _ in range(REFINED):
        h = 2.0 / np.sqrt(_largest(space, flow, inputs, 2.0 / h))
    return float(h)


def _largest(space: Workspace, flow: Flow, inputs: Inputs, pace: float) -> float:
    """The largest of M⁻¹ (K + pace D) of a robot at rest [1/s²].

    Forces of stretch and shear follow the strains, and joints hold.

    Raises:
        ModelError: if something can move that has no mass.
    """
    middle, structure, inside = space.middle, space.middle.layout.structure, space.inside
    middle.move_from(None)
    state = space.with_forces(flow.state, inputs)
    if pace:
        still = np.zeros((2, flow.rates.shape[1]))
        middle.move_from(space.tracks.past(flow, pace, 0.0, still))
    middle.evaluate(state, inputs)
    stiffness, values = structure.sparse(middle.values), middle.values.copy()
    hold(values, structure, ~inside)
    forces = structure.factorise(values, False, overwrite=True)
    mass, ties = space.matrix(flow, inputs)
    weight = space.factorised(mass + ties)

    def image(motion: Array) -> Array:
        right = np.where(inside, stiffness @ motion, 0.0)
        force = stiffness @ (motion - (forces.solve(right) if inside.any() else 0.0))
        found = weight.solve(np.where(space.moving, force, 0.0))
        return np.where(space.moving, found, 0.0)

    n = structure.n
    if not n:
        return 0.0
    first = image(np.random.default_rng(0).normal(size=n))
    if weight.singular or not np.isfinite(first).all():
        _refuse(space)
    if n <= FEW:
        roots = np.linalg.eigvals(np.array([image(row) for row in np.eye(n)]).T)
    else:
        operator = LinearOperator((n, n), matvec=image, dtype=np.float64)
        try:
            roots = eigs(operator, k=1, v0=first, tol=FOUND, return_eigenvectors=False)
        except ArpackNoConvergence as error:
            roots = error.eigenvalues
    return float(np.abs(roots).max(initial=0.0))


def _refuse(space: Workspace) -> NoReturn:
    """Say what has no mass."""
    moving = space.tracks.moving
    model, heavy = moving.model, set[str]()
    for number, law in enumerate(moving.inertia):
        rods = model.parts[number].group.points.rod[law.point]
        places = model.places.items()
        heavy |= {x for x, own in places if own.part == number and own.index in rods}
    light = [f"rod {x!r}" for x in model.places if x not in heavy]
    light += [f"body {body.name!r}" for body in model.robot.bodies if not body.mass]
    who = ", ".join(light) or f"a part of {model.name!r}"
    raise ModelError(
        f"SymplecticEuler moves everything by its mass, and {who} can move without: give rods a "
        "density and bodies mass and inertia, or use Variational() or GeneralizedAlpha()"
    )
