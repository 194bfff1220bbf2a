"""The fastest vibration of a robot, which limits explicit steps."""

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs

from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow
from flexura.solve.motion.rest import hold
from flexura.solve.motion.workspace import Workspace
from flexura.typing import Array

# Unknowns up to which all roots are found; of more, the largest one, to this part of it.
FEW = 60
FOUND = 1e-3


def highest_frequency(space: Workspace, flow: Flow, inputs: Inputs) -> float:
    """The highest angular frequency of a robot at rest [1/s], the root of the largest of M⁻¹ K.

    Forces of stretch and shear follow the strains, and joints hold.
    """
    middle, structure, inside = space.middle, space.middle.layout.structure, space.inside
    middle.move_from(None)
    middle.evaluate(space.with_forces(flow.state, inputs), inputs)
    stiffness, values = structure.sparse(middle.values), middle.values.copy()
    hold(values, structure, ~inside)
    forces = structure.factorise(values, False, overwrite=True)
    mass, ties = space.matrix(flow, inputs)
    weight = structure.factorise(mass + ties, False, overwrite=True)

    def image(motion: Array) -> Array:
        right = np.where(inside, stiffness @ motion, 0.0)
        force = stiffness @ (motion - (forces.solve(right) if inside.any() else 0.0))
        found = weight.solve(np.where(space.moving, force, 0.0))
        return np.where(space.moving, found, 0.0)

    n = structure.n
    if not n:
        return 0.0
    if n <= FEW:
        roots = np.linalg.eigvals(np.array([image(row) for row in np.eye(n)]).T)
    else:
        first = image(np.random.default_rng(0).normal(size=n))
        operator = LinearOperator((n, n), matvec=image, dtype=np.float64)
        try:
            roots = eigs(operator, k=1, v0=first, tol=FOUND, return_eigenvectors=False)
        except ArpackNoConvergence as error:
            roots = error.eigenvalues
    found = float(np.abs(roots).max(initial=0.0))
    return float(np.sqrt(found)) if np.isfinite(found) else 0.0
