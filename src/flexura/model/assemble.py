"""Residual and tangent of a model: a few kernel calls for the whole robot."""

import numpy as np

from flexura.lie.kernels.vector import clear
from flexura.model import assemble_kernels as kernels
from flexura.model.constraint import Cone
from flexura.model.evaluation import Ahead
from flexura.model.inputs import Inputs
from flexura.model.law import Given
from flexura.model.linkage import ENDLESS, rigid_linkages
from flexura.model.measured import Measured
from flexura.model.model import Model
from flexura.model.particles import ParticleWork
from flexura.model.past import Past
from flexura.model.slope import given_slope
from flexura.model.state import State
from flexura.model.touch import Touch
from flexura.model.work import PartWork, TermWork, zeros_together
from flexura.typing import Array, Matrix, Twist, frozen

NONE = np.zeros(0)
NOWHERE = np.zeros((0, 3))
NO_POSES = np.zeros((0, 4, 4))


class Assembly(Measured):
    """Evaluates a model; owns all arrays that an evaluation writes.

    Attributes:
        model: what it evaluates.
        layout: its layout at the inputs of the last evaluation.
        residual: generalised forces that are out of balance, (n_dof,), of the last evaluation.
        values: of the tangent, the derivative of the residual in exponential charts; the model's
            ``layout.structure`` knows where they are.
        nodes: poses of the nodes.
        force: the forces of the residual at the nodes, before embedding, (n_nodes, 6).
        state: where it was evaluated.
        gap: of all constraints, (n_rows,).
        rows: ∂r/∂λ = -∂(gap)/∂q of all constraints, (n_rows, n_dof).
        compliance: ∂(gap)/∂λ of the constraints themselves, (n_rows,).
        equal: which of them hold whatever the sign of their multipliers, (n_rows,).
        conservative: whether everything but what resists motion has a potential, at these inputs.
        load_size: of the loads [N].
        given, inputs, ahead: what it was evaluated with.
        past: what a step in time begins with; None for a robot at rest (``move_from``).
        touch: what touches where; None where nothing can.
        near: twists of joints near which theirs are told; see ``Given``.
        home: twists of joints to which those slide back that nothing drives, (n, 6); None if they
            stay where they are.
        angles: of hinges that nothing drives, from where their turns are counted [rad]; None if
            they are not.
        posed: inputs where turns by poses are counted from, and these turns; None if they are not.
        parts, terms, constraints: those of the model, with the arrays for them.
        bending: those parts whose inner unknowns bend the rods.
        scratch, relative: for whoever needs six numbers or a pose for each node for a moment.
    """

    def __init__(self, model: Model) -> None:
        layout = model.layout
        self.model, self.layout = model, layout
        self.nodes = np.tile(np.eye(4), (layout.n_nodes, 1, 1))
        widths = [(part.n_nodes, part.group.n_inner) for part in model.parts]
        self._sums, (self.force, self.residual, *inner_force) = zeros_together(
            (layout.n_nodes, 6), (layout.n_dof,), *widths
        )
        self.values = np.zeros(layout.structure.n_values)
        self.conjugate = np.zeros(model.inputs.n_values)
        self._end_tangent = np.zeros((layout.n_nodes, 36))
        self.scratch = np.zeros((layout.n_nodes, 6))
        self.relative = np.tile(np.eye(4), (layout.n_nodes, 1, 1))
        self.parts = [
            PartWork.of(part, layout, self.nodes, self.force, inner, self._end_tangent)
            for part, inner in zip(model.parts, inner_force, strict=True)
        ]
        self.terms = [
            TermWork.of(term, rows, layout, self.force)
            for term, rows in zip(model.terms, layout.term_rows, strict=True)
        ]
        self._at_loose = [term for term in self.terms if len(term.loose)]
        self._winding = [part for part in self.parts if len(part.spacing)]
        self.bending = [part for part in self.parts if part.part.bends]
        ends = np.cumsum([0, *(len(own.multipliers) for own in model.constraints)]).tolist()
        self.constraints = [
            (own, slice(a, b)) for own, a, b in zip(model.constraints, ends, ends[1:], strict=False)
        ]
        self.gap, self.compliance = np.zeros((2, ends[-1]))
        self.equal = np.zeros(ends[-1], dtype=np.bool_)
        for constraint, own in self.constraints:
            self.equal[own] = constraint.cone is Cone.EQUAL
        self.rows = np.zeros((ends[-1], layout.n_dof))
        self.touch = None if model.contacts is None else Touch(model.contacts, ends[-1])
        self.particles = ParticleWork(layout.particles, layout.coordinate, layout.dof)
        self.members = [
            member.active(layout, self.particles, rows)
            for member, rows in zip(model.members, layout.member_rows, strict=True)
        ]
        self.conservative, self.load_size = True, 0.0
        self._force_scale = self._rounding = self._farthest = None
        self.past: Past | None = None
        self.near: Twist | None = None
        self.home: Twist | None = None
        self.angles: Array | None = None
        self.posed: tuple[Inputs, Matrix | None] | None = None
        self.given = Given(self.conjugate, self.conjugate, self.conjugate)
        self.inputs = model.inputs.described
        self._bind(self.inputs)
        self.ahead = None
        self.state = State(NO_POSES, NONE, NONE)

    @property
    def symmetric(self) -> bool:
        """Whether the tangent is."""
        return self.conservative and self.past is None

    def move_from(self, past: Past | None) -> None:
        """Let evaluations be ends of a step in time, or be at rest again."""
        changed = (past is None) is not (self.past is None)
        self.past = past
        if changed:
            self._bind(self.inputs)

    def evaluate(self, state: State, inputs: Inputs, ahead: Ahead | None = None) -> None:
        """Residual and tangent at a state.

        Args:
            state: where.
            inputs: of the model.
            ahead: what an iteration remembers: the tangent takes the stress of its strains. The
                residual takes that of the state.
        """
        self.place(state, inputs, ahead)
        self.act()
        self.pull_back()

    def evaluate_residual(self, state: State, inputs: Inputs, ahead: Ahead | None = None) -> None:
        """The residual alone; tangent and rows of constraints are left as they were."""
        self.place(state, inputs, ahead)
        self.act(tangents=False)
        self.carry_back()

    def evaluate_tangent(self) -> None:
        """The tangent and rows of constraints, where the residual was evaluated last."""
        forces = self._sums.copy()
        self.act()
        self._pull_back()
        self._sums[:] = forces
        if len(self.gap):
            self._evaluate_constraints()

    def pull_back(self) -> None:
        """Residual and tangent of what acts."""
        self._pull_back()
        self._collect()
        if len(self.gap):
            self._evaluate_constraints()

    def carry_back(self) -> None:
        """The residual of what acts."""
        for part in self.parts:
            group, inner = part.part.group, part.inner_force
            group.carry_back(part.forces, part.force, inner, part.work)
            group.carry_ties(part.force, inner, part.work)
        self._collect()
        self._measure_gaps()

    def enter(self, state: State, inputs: Inputs, ahead: Ahead | None = None) -> None:
        """Be at a state; nodes and points are left where they are."""
        if inputs is not self.inputs:
            self._bind(inputs)
        self.state, self.ahead = state, ahead
        self._force_scale = self._rounding = self._farthest = None

    def place(self, state: State, inputs: Inputs, ahead: Ahead | None = None) -> None:
        """Where everything is at a state: poses of nodes, strains and poses of points."""
        self.enter(state, inputs, ahead)
        if self.layout.n_coordinates:
            self.layout.nodes(state.poses, self.nodes)
        predicted = None if ahead is None else ahead.strains
        for i, part in enumerate(self.parts):
            part.gather(state.numbers, part.inner)
            work = part.work
            part.part.group.kinematics(part.nodes, part.inner, part.part.posed, part.loose, work)
            work.strain_ahead = work.strain if predicted is None else predicted[i]
        if self.members:
            self.particles.place(self.nodes, state.poses, self.layout.offset, state.numbers)
            for member in self.members:
                member.place(self)
        if self.touch is not None:
            self.look()

    def look(self, beyond: float = 0.0) -> None:
        """Find what is near where everything was placed, and what is further by that [m]."""
        assert self.touch is not None
        particles = self.particles.position if self.members else NOWHERE
        self.touch.look(self.parts, self.nodes, particles, beyond)

    def act(self, tangents: bool = True) -> None:
        """What all laws and terms add at the points and nodes, where these were placed.

        Args:
            tangents: whether tangents are asked for; else a residual is all that may follow.
        """
        state, ahead = self.state, self.ahead
        self._sums.fill(0.0)
        self.conjugate[:] = self.model.constant
        given = self.given = self._gather_given(state, tangents)
        for term in self.terms:
            numbers = state.numbers[term.rows] if len(term.rows) else NONE
            term.term.add(self.nodes, numbers, given, term.out)
        if self._at_loose and tangents:
            self._act_on_loose_ends()
        for i, part in enumerate(self.parts):
            part.forces.clear()
            for law in part.part.laws:
                law.add(part.work, given, part.forces)
            if ahead is not None and ahead.stresses is not None:
                part.forces.stress_ahead[:] = ahead.stresses[i]
        if self.members:
            self.particles.force.fill(0.0)
            for member in self.members:
                member.act(self)

    def _pull_back(self) -> None:
        """The tangent, and the forces of the parts besides."""
        layout, values = self.layout, self.values
        clear(values)
        for term in self.terms:
            term.scatter.add(term.term, term.out, layout, values)
        for part in self.parts:
            part.pull_back(layout, values)
        for member in self.members:
            member.pull_back(self, values)
        if self.members:
            self.particles.add_curvatures(layout.structure, self.state.poses, values)
        if self.past is None and self.model.joints_loop:
            for linkage in self.model.once(rigid_linkages):
                spare = linkage.placed(self.nodes).spare()
                values[layout.structure.diagonal[spare]] -= ENDLESS

    def _act_on_loose_ends(self) -> None:
        """Collect the tangents of terms on loose nodes, which rods carry back themselves."""
        self._end_tangent.fill(0.0)
        for term in self._at_loose:
            kernels.add_at_ends(term.loose, term.term.nodes, term.out.blocks, self._end_tangent)

    def _collect(self) -> None:
        """The residual from the forces of nodes, particles, inner unknowns and terms."""
        if self.members:
            self.layout.particles.carry(self.nodes, self.particles.force, self.force, self.residual)
        for part in self.parts:
            part.scatter_inner(part.inner_force, self.residual)
        if self.layout.n_coordinates:
            self.layout.add_node_forces(self.force, self.residual)
        for term in self.terms:
            if len(term.rows):
                self.residual[term.rows] += term.out.gap

    def _gather_given(self, state: State, tangents: bool) -> Given:
        """Inputs and multipliers."""
        values = before = self.inputs.values
        if self.ahead is not None:
            before = self.ahead.inputs.values
        if len(self.gap):
            same = before is values
            values = self._with_multipliers(values, state)
            before = values if same else self._with_multipliers(before, state)
        pressed = None
        if self.touch is not None:
            pressed = self.touch.press(state.multipliers, tangents, self.past is not None)
        return Given(values, before, self.conjugate, self.past, tangents, self.near, pressed)

    def _with_multipliers(self, values: Array, state: State) -> Array:
        found = values.copy()
        found[self.model.inputs.multipliers] = state.multipliers[: len(self.gap)]
        return frozen(found)

    def _bind(self, inputs: Inputs) -> None:
        """Make everything ready that depends on inputs only."""
        self.inputs, self.layout = inputs, self.model.layout_at(inputs)
        if not self.layout.n_coordinates:  # no state moves the nodes that no rod leads to
            self.layout.nodes(NO_POSES, self.nodes)
        values, sizes, at_nodes = inputs.values, [(0.0, 0.0)], True
        for term in self.terms:
            at_nodes &= term.term.conservative(values)
            sizes.append(term.term.size(values))
        self.conservative = at_nodes
        for part in self.parts:
            if part.part.binding is not None:
                part.part.binding.bind(values, part.work)
            along = True
            for law in part.part.laws:
                along &= law.conservative(values)
                sizes.append(law.size(values))
            conservative = along and (at_nodes or not len(part.loose))
            part.forces.symmetric = conservative and self.past is None
            self.conservative &= along
        for member in self.model.members:
            self.conservative &= member.conservative(values)
            sizes.append((0.0, member.size(values)))
        moments, forces = zip(*sizes, strict=True)
        self.load_size = max(max(moments) / self.model.length, *forces)

    def _evaluate_constraints(self) -> None:
        """Gaps of constraints, their compliance and their rows."""
        self._measure_gaps()
        change = np.zeros(self.model.inputs.n_values)
        for row, place in zip(self.rows, self.model.inputs.multipliers.tolist(), strict=True):
            change[place] = 1.0
            row[:] = given_slope(self, change, (place,))
            change[place] = 0.0

    def _measure_gaps(self) -> None:
        """Gaps and compliance of all constraints."""
        for constraint, own in self.constraints:
            self.gap[own] = constraint.gap(self.nodes, self.given)
            self.compliance[own] = constraint.compliance(self.given)
