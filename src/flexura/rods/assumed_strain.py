"""Stretch and shear without locking.

Products of exponentials cannot bend without stretching a little on the way, and a thin rod would
answer with enormous forces. So the forces become unknowns of their own, in functions of one degree
less, and obey the elastic law in the mean only (Hellinger-Reissner):

    n(s) = Σ_a N_a(s) n_a,    ∫ N_a (ν - ν* - K⁻¹ n) ds = 0 for all a            (theory 2.5)

To the laws a group with such forces is ``complementary``.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array, csr_array, diags_array
from scipy.sparse.linalg import splu

from flexura.rods import assumed_strain_kernels as kernels
from flexura.typing import Array, Indices
from flexura.value import ReadOnly


@dataclass(frozen=True)
class AssumedStrain(ReadOnly):
    """The functions N_a of a group, k of which are not zero at a point.

    The three numbers n_a are found in the row of inner unknowns of some node.

    Attributes:
        node: which node it is, for each function of every point, (n_points, k).
        column: where in its row the numbers begin, (n_points, k).
        basis: N of the functions, (n_points, k).
    """

    node: Indices
    column: Indices
    basis: Array

    def interpolate(self, inner: Array, force: Array) -> None:
        """Write n at the points, (n_points, 3)."""
        kernels.interpolate(self.node, self.column, self.basis, inner, force)

    def carry(self, excess: Array, inner_force: Array) -> None:
        """Add ∫ N_a (ν - ν* - K⁻¹ n) ds to the residuals of n_a; weights are in ``excess``."""
        kernels.carry(self.node, self.column, self.basis, excess, inner_force)

    def projection(self, weight: Array, stiffness: Array) -> Callable[[Array], Array]:
        """The strain that forces tell, K⁻¹ n, of any stretch and shear: a linear function.

            ∫ N_a (ν - K⁻¹ n) ds = 0 for all a

        Args:
            weight: of the points [m], (n_points,).
            stiffness: K against stretch and shear [N], (n_points, 3).

        Returns:
            A function of ν less its rest, (n_points, 3), to K⁻¹ n.
        """
        n, k = self.basis.shape
        wide = int(self.column.max(initial=0)) + 1
        _, function = np.unique(self.node * wide + self.column, return_inverse=True)
        columns = 3 * function.reshape(n, 1, k) + np.arange(3)[:, None]
        rows = np.broadcast_to(np.arange(3 * n).reshape(n, 3, 1), columns.shape)
        values = np.broadcast_to(self.basis[:, None], columns.shape)
        functions = csr_array((values.ravel(), (rows.ravel(), columns.ravel())))
        means = csr_array(functions.T @ diags_array(np.repeat(weight, 3)))
        soft = 1.0 / stiffness.ravel()
        factor = splu(csc_array(means @ diags_array(soft) @ functions))

        def projected(change: Array) -> Array:
            force = factor.solve(means @ change.ravel())
            return np.asarray(soft * (functions @ force)).reshape(-1, 3)

        return projected
