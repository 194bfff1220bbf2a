"""What an evaluation of a model tells: sizes, turns, energies."""

import numpy as np
from numpy.typing import NDArray

from flexura.model import assemble_kernels as kernels
from flexura.model.constraint import Constraint
from flexura.model.evaluation import Ahead, Evaluation
from flexura.model.inputs import Inputs
from flexura.model.law import Given
from flexura.model.layout import Layout
from flexura.model.member import Active
from flexura.model.model import Model
from flexura.model.state import State
from flexura.model.touch import Touch
from flexura.model.winding import gripped_turns, no_turns
from flexura.model.work import PartWork, TermWork
from flexura.typing import Array, Matrix, Pose, frozen

EPS = float(np.finfo(float).eps)


class Measured:
    """A model where it was evaluated last; see ``Assembly``, which does that, for attributes."""

    model: Model
    layout: Layout
    state: State
    inputs: Inputs
    given: Given
    ahead: Ahead | None
    nodes: Pose
    force: Array
    residual: Array
    conjugate: Array
    gap: Array
    equal: NDArray[np.bool_]
    conservative: bool
    load_size: float
    parts: list[PartWork]
    terms: list[TermWork]
    constraints: list[tuple[Constraint, slice]]
    members: list[Active]
    touch: Touch | None
    angles: Array | None
    posed: tuple[Inputs, Matrix | None] | None
    _sums: Array
    _winding: list[PartWork]
    _force_scale: float | None
    _rounding: float | None
    _farthest: float | None

    def finite(self) -> bool:
        """Whether all forces of the last evaluation are."""
        return bool(kernels.finite(self._sums))

    def imbalance(self, units: Array | None = None) -> tuple[float, float]:
        """Largest force out of balance [N], and largest gap of a constraint, relative.

        Args:
            units: what turns residuals into forces and gaps, those of the layout if None, (n_dof,).
        """
        layout = self.layout
        units = layout.units if units is None else units
        force, gap, self._farthest = kernels.largest_and_farthest(
            self.residual, units, layout.multiplier, self.nodes[:-1]
        )
        if len(self.gap):
            missed = kernels.missed(self.gap, self.state.multipliers, self.equal)
            gap = max(gap, missed / self.model.length)
        if self.touch is not None:
            length = self.model.length
            gap = max(gap, self.touch.missed(self.state.multipliers, length) / length)
        return force, gap

    def force_scale(self) -> float:
        """Size of the forces in play [N]: internal ones and loads."""
        if self._force_scale is None:
            self._force_scale = self._find_force_scale()
        return self._force_scale

    def _find_force_scale(self) -> float:
        largest, multipliers = self.load_size, self.state.multipliers
        if self.touch is not None:
            multipliers = self.touch.acting(multipliers)
        if len(multipliers):
            largest = max(largest, float(multipliers.max()), -float(multipliers.min()))
        for part in self.parts:
            moment, force = kernels.largest_stress(
                part.part.group.points.weight, part.forces.stress
            )
            largest = max(largest, moment / self.model.length, force)
        for member in self.members:
            largest = max(largest, member.force_size())
        return largest

    def farthest(self) -> float:
        """Largest coordinate of all nodes but the world's, from the origin of the layout [m]."""
        if self._farthest is None:
            self._farthest = float(kernels.farthest(self.nodes[:-1]))
        return self._farthest

    def reach(self) -> float:
        """How far rods reach, which is no less than the length; a chain of many is as one [m]."""
        own = [self.nodes[part.part.nodes][..., :3, 3].reshape(-1, 3) for part in self.parts]
        places = np.concatenate([np.empty((0, 3)), *own])
        middle = places.mean(axis=0) if len(places) else np.zeros(3)
        with np.errstate(over="ignore"):
            far = 2.0 * float(np.linalg.norm(places - middle, axis=1).max(initial=0.0))
        return max(self.model.length, far)

    def rounding(self) -> float:
        """Size of rounding errors in the forces of stiff strains, where they are largest [N].

        Elsewhere they are as much smaller as a robot is less firm (``Model.firmness``). Strains are
        differences of positions, over the distance of nodes.
        """
        if self._rounding is None:
            far, n = self.farthest() / self.model.finest, self.layout.n_nodes
            self._rounding = EPS * self.model.largest_stiffness * max(n, far)
            for part in self.model.parts:
                if part.binding is not None:
                    firm = part.binding.firmest(self.inputs.values)
                    moment = EPS * firm / self.model.finest
                    self._rounding = max(self._rounding, moment / self.model.length)
            for member in self.members:
                self._rounding = max(self._rounding, EPS * member.rounding(self))
        return self._rounding

    def turns(self, lost: tuple[Array, ...] | None) -> tuple[float, ...]:
        """Largest rotation of an element of each part, over what its description can tell.

        Args:
            lost: whole turns that were lost, as ``lost_turns`` tells; descriptions know half a turn
                from its opposite, no more.
        """
        found = [part.part.group.turn(part.nodes, part.work) for part in self.parts]
        if lost is None:
            return tuple(found)
        pairs = zip(found, lost, strict=True)
        return tuple(max(turn, 2.0 * float(np.abs(x).max(initial=0.0))) for turn, x in pairs)

    def lost_turns(self, winds: bool | None = None) -> tuple[Array, ...] | None:
        """Whole turns that curvatures at the points of each part have lost; None if none has.

        They are counted against what an iteration has predicted, on top of those lost before.

        Args:
            winds: whether any has lost some since, if that is known.
        """
        ahead = self.ahead
        if ahead is None or ahead.strains is None or not self._winding:
            return None
        before = ahead.lost
        if before is None:
            if winds is None:
                winds = any(part.winds() for part in self._winding)
            if not winds:
                return None
        found = [
            part.lost_turns(None if before is None else before[i])
            for i, part in enumerate(self.parts)
        ]
        return tuple(turns for turns, _ in found) if any(wound for _, wound in found) else None

    def stored_energy(self) -> float:
        """Strain energy [J]."""
        return self._energy(stored=True)

    def potential(self) -> float:
        """Strain energy, and potential of everything that has one [J]."""
        return self._energy(stored=True) + self._driving_potential()

    def _energy(self, stored: bool) -> float:
        """Energy of what stores it in rods and volumes, or of all else [J]."""
        found = 0.0
        for part in self.parts:
            for law in part.part.laws:
                if law.stored is stored:
                    found += law.energy(part.work, self.given)
        return sum([member.energy(self, stored) for member in self.members]) + found

    def _driving_potential(self) -> float:
        """Potential of everything but the rods [J]."""
        given, found = self.given, self._energy(stored=False)
        for term in self.terms:
            found += term.term.energy(self.nodes, given)
        for constraint, _ in self.constraints:
            found += constraint.energy(given)
        # At the places of multipliers, inputs have zeros.
        return float(found + self.inputs.values.dot(given.conjugate))

    def _potential_from(self, energy: float) -> float:
        """Potential of everything, that of dead forces zero at the world's origin [J]."""
        origin = self.layout.origin
        found = energy + self._driving_potential()
        if not origin.any():
            return found
        return found - float(origin @ self.model.dead_force(self.inputs.values))

    def evaluation(self) -> Evaluation:
        """What a result keeps."""
        energy, lost = float(self.stored_energy()), self.lost_turns()
        return Evaluation(
            nodes=frozen(self.nodes.copy()),
            node_forces=frozen(self.force.copy()),
            values=self.given.values,
            conjugate=frozen(self.conjugate.copy()),
            energy=energy,
            potential=self._potential_from(energy) if self.conservative else None,
            turns=self.turns(lost),
            strains=tuple(frozen(part.work.strain.copy()) for part in self.parts),
            lost=lost,
            slip=None if self.touch is None else self.touch.slid(),
            hinge_turns=self._hinge_turns(),
            pose_turns=self._pose_turns(),
        )

    def count_from(self, given: Inputs, known: Evaluation) -> None:
        """Count turns of hinges and of poses on from those of another state, under its inputs."""
        self.angles = self.model.joints.angles(known.nodes, known.hinge_turns)
        self.posed = given, known.pose_turns

    def count_anew(self) -> None:
        """Count turns from the described robot."""
        self.angles = None
        self.posed = self.model.inputs.described, no_turns(self.model)

    def _pose_turns(self) -> Matrix | None:
        """Turns by poses, if they are counted: they turn the shortest way from where these do."""
        if self.posed is None:
            return None
        given, before = self.posed
        return gripped_turns(self.model, given, self.inputs, before)

    def _hinge_turns(self) -> Array | None:
        """Whole turns of hinges: they turn by less than half of one from where these count."""
        if self.angles is None or not len(self.angles):
            return None
        turns = np.round((self.angles - self.model.joints.angles(self.nodes, None)) / (2.0 * np.pi))
        return frozen(turns) if turns.any() else None
