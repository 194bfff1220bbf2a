"""Small motions of all unknowns about an equilibrium, the multipliers of constraints included.

    M q̈ + D q̇ + K q + Rᵀ λ = -(S₀ u + S₁ u̇ + S₂ ü),    R q - C λ = G u          (theory 14.1)

K is the exact tangent of statics. M is the tangent of inertia by accelerations, D that of viscosity
by rates; both vanish for multipliers. A force n of stretch and shear that is an unknown of its own
belongs to strains and their rates, ε + τ ε̇ = K⁻¹ n with τ = D/K of the section: its row of D is τ
times that of K. Inputs u act by S₀; those that move frames also by viscosity and inertia.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.matrix.structure import Structure
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Tracks
from flexura.model.slope import input_slope
from flexura.model.state import State
from flexura.solve.constrained import HeldFactor, active_rows
from flexura.solve.equilibrium_kernels import shift_diagonal
from flexura.solve.motion.rest import Rest
from flexura.solve.motion.start import flow_at_rest
from flexura.typing import Array, Matrix

# Times of relaxation τ are read off a tangent with 1 + FAST τ; known to rounding from 1e-12 s on.
FAST = 1e6


@dataclass(frozen=True, eq=False)
class Slopes:
    """What inputs do, column by column.

    Attributes:
        force: S₀, (n_dof, m).
        rate: S₁ of velocities of what they move.
        acceleration: S₂.
        gap: G of the constraints that hold, (k, m).
    """

    force: Matrix
    rate: Matrix
    acceleration: Matrix
    gap: Matrix


class SmallMotion:
    """Matrices of small motions; values as ``layout.structure`` stores them.

    Attributes:
        tracks: of the model.
        moving: the model in motion.
        assembly: of statics, evaluated at the equilibrium.
        stiffness, mass, damping: values of K, M and D.
        damped: whether there is any D.
        held: which constraints hold, (n_rows,).
        rows: R of the constraints that hold, (k, n_dof).
        give: C of them, (k,).
    """

    def __init__(self, tracks: Tracks, state: State, inputs: Inputs) -> None:
        moving = tracks.moving
        self.tracks, self.moving = tracks, moving
        self.assembly = Assembly(moving.model)
        self.assembly.evaluate(state, inputs)
        self.stiffness = self.assembly.values
        self.held = active_rows(self.assembly)
        self.rows, self.give = self.assembly.rows[self.held], self.assembly.compliance[self.held]
        self._rest = Rest(tracks, flow_at_rest(tracks, state, inputs), inputs)
        self._inertia = [self._rest.evaluate(Assembly(moving.bare), push=x) for x in (0.0, 1.0)]
        mass = self._inertia[1].values - self._inertia[0].values
        self.mass = self.structure.symmetric_part(mass)  # it is, but for rounding
        self.damped = moving.damped
        self.damping, self._lag = np.zeros_like(self.mass), np.zeros(moving.model.n_dof)
        if self.damped:
            drag = moving.resisting
            self._viscous = [self._rest.evaluate(Assembly(drag), pace=x) for x in (0.0, 1.0)]
            self._lag[moving.forces] = self._relaxation()
            self.damping = self._damping()

    @property
    def structure(self) -> Structure:
        """Of the matrices."""
        return self.assembly.layout.structure

    @property
    def multiplier(self) -> NDArray[np.bool_]:
        """Which unknowns are multipliers, or forces of stretch and shear, (n_dof,)."""
        return self.assembly.layout.multiplier

    def solve(self, factor: HeldFactor, right: Array) -> Array:
        """The motion under forces that a factorised matrix has, (n_dof,) or columns of them."""
        return factor.solve(right, np.zeros((len(self.rows), *right.shape[1:])))[0]

    def _relaxation(self) -> Array:
        """τ of the forces of stretch and shear: they give less by 1 + FAST τ, so fast."""
        own = self.structure.diagonal[self.moving.forces]
        moved = self._rest.evaluate(Assembly(self.moving.model), pace=FAST, loose=False)
        fast = moved.values[own]
        slow = self.stiffness[own]
        ratio = np.divide(slow, fast, out=np.ones_like(slow), where=fast != 0.0)
        return np.asarray((ratio - 1.0) / FAST)

    def _damping(self) -> Array:
        """Values of D."""
        found = self._viscous[1].values - self._viscous[0].values
        rows, columns = self.structure.entries
        own, of_motion = self.moving.forces[rows], ~self.moving.forces[columns]
        found[own | ~of_motion] = 0.0
        lagging = own & of_motion & (rows >= 0)
        found[lagging] = (self._lag[rows] * self.stiffness)[lagging]
        return found

    def factor(self, values: Array) -> HeldFactor:
        """A matrix with these values and the constraints that hold, factorised.

        Multipliers that others determine already give by rounding.
        """
        values, layout = values.copy(), self.assembly.layout
        if layout.n_multipliers:
            shift_diagonal(values, layout.structure.diagonal, layout.multiplier, 0.0)
        factor = layout.structure.factorise(values, False, overwrite=True)
        if factor.singular:
            raise ModelError(
                f"small motions of {self.moving.model.name!r} cannot be told: a part of it has "
                "neither mass nor stiffness; give its rod a density or its body a mass"
            )
        return HeldFactor.of(self.assembly, factor, self.held)

    def slopes(self, changes: Matrix) -> Slopes:
        """What changes of inputs do, each a column of all inputs, (n_values, m)."""
        n, m = self.moving.model.n_dof, changes.shape[1]
        force, rate, acceleration = np.zeros((3, n, m))
        found = Slopes(force, rate, acceleration, np.zeros((len(self.rows), m)))
        for i, change in enumerate(changes.T):
            found.force[:, i], gap = input_slope(self.assembly, change)
            found.gap[:, i] = gap[self.held]
            if self.moving.model.drift(self.assembly.inputs, change) is None:
                continue
            still, pushed = (input_slope(x, change)[0] for x in self._inertia)
            found.acceleration[:, i] = pushed - still
            if self.damped:
                still, paced = (input_slope(x, change)[0] for x in self._viscous)
                lagging = self._lag * found.force[:, i]
                found.rate[:, i] = np.where(self.moving.forces, lagging, paced - still)
        return found
