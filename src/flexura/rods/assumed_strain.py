"""Stretch and shear of splines without locking.

A spline of poses cannot bend without stretching a little between its control poses, and a thin rod
would answer with enormous forces. So the forces become unknowns of their own, in splines of one
degree less, and obey the elastic law in the mean only (Hellinger-Reissner):

    n(s) = Σ_a N_a(s) n_a,    ∫ N_a (ν - ν* - K⁻¹ n) ds = 0 for all a            (theory 2.5)
"""

from dataclasses import dataclass

import numpy as np

from flexura.rods import assumed_strain_kernels as kernels
from flexura.typing import Array, Indices, frozen


@dataclass(frozen=True)
class AssumedStrain:
    """The functions N_a of a group of splines.

    There is one for each pair of neighbouring control poses; like Ω it is stored with the control
    pose that the pair leads to.

    Attributes:
        point_first: first active control pose of every point.
        basis: N of the k active functions at every point, (n_points, k).
        n_nodes: number of control poses.
    """

    point_first: Indices
    basis: Array
    n_nodes: int

    def compliance(self, stiffness: Array, weight: Array) -> Array:
        """∫ N_a K⁻¹ N_b ds for b = a … a + k - 1, (n_nodes, k, 3).

        Args:
            stiffness: against stretch and shear, times the weight, (n_points, 3).
            weight: quadrature weight, (n_points,).
        """
        used = weight > 0.0
        inverse = np.zeros_like(stiffness)
        inverse[used] = weight[used, None] ** 2 / stiffness[used]
        found = np.zeros((self.n_nodes, self.basis.shape[1], 3))
        kernels.compliance(self.point_first, self.basis, inverse, found)
        return frozen(found)

    def force(self, coefficients: Array) -> Array:
        """n at the points, (n_points, 3)."""
        found = np.zeros((len(self.basis), 3))
        kernels.interpolate(self.point_first, self.basis, coefficients, found)
        return found

    def law(self, compliance: Array, coefficients: Array, excess: Array) -> Array:
        """∫ N_a (ν - ν* - K⁻¹ n) ds, (n_nodes, 3); ``excess`` is ν - ν* times the weight."""
        found = np.zeros((self.n_nodes, 3))
        kernels.law(
            self.point_first,
            self.basis,
            compliance,
            coefficients,
            np.ascontiguousarray(excess),
            found,
        )
        return found
