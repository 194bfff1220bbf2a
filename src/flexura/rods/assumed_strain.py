"""Stretch and shear without locking.

Products of exponentials cannot bend without stretching a little on the way, and a thin rod would
answer with enormous forces. So the forces become unknowns of their own, in functions of one degree
less, and obey the elastic law in the mean only (Hellinger-Reissner):

    n(s) = Σ_a N_a(s) n_a,    ∫ N_a (ν - ν* - K⁻¹ n) ds = 0 for all a            (theory 2.5)

To the laws a group with such forces is ``complementary``.
"""

from dataclasses import dataclass

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
