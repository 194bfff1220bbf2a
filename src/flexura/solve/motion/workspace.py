"""Work space of the variational integrators."""

from dataclasses import replace

import numpy as np

from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.motion import momentum_kernels as kernels
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.motion.momentum import Shares, carried_back, masses, on_nodes
from flexura.model.slope import input_slope
from flexura.model.state import State
from flexura.solve.motion.rest import Rest, hold, loosened
from flexura.typing import Array, Twist, Wrench, frozen

# Where something can move without weight, stiffness holds it, as it does in so short a time [s].
MOMENT = 1e-9
EPS = float(np.finfo(np.float64).eps)


class Workspace:
    """Work space of variational steps of a model.

    Attributes:
        tracks: of the model.
        inertia: of all frames with mass, which are the first ones, (n, 6).
        begin, end: what ties the robot together, where a step begins and where it ends.
        middle: the robot where forces act, at the mean of both ends, or where explicit steps begin;
            inertia is in its tangent only.
        bare: nothing but inertia and joints.
        held: multipliers of what holds at the ends of steps, (n_dof,).
        inside: multipliers that belong to strains, there, (n_dof,).
        moving: all other unknowns, (n_dof,).
        holds, strains: whether there are multipliers of the first kind, of the second.
    """

    def __init__(self, tracks: Tracks, inputs: Inputs) -> None:
        moving = tracks.moving
        self.tracks, self.inertia = tracks, masses(tracks, inputs)
        self.begin, self.end = Assembly(moving.skeleton), Assembly(moving.skeleton)
        self.middle, self.bare = Assembly(moving.unforced), Assembly(moving.bare)
        layout = moving.model.layout
        self.inside = moving.forces
        self._nodes = np.arange(layout.n_nodes)
        self._node_d, self._node_force, nodes = np.zeros((3, layout.n_nodes, 6))
        sizes = [len(part.work.strain) for part in self.middle.parts]
        self._point_d = [np.zeros((n, 6)) for n in sizes]
        stresses = tuple(np.zeros_like(part.work.strain) for part in self.middle.parts)
        self._shares = Shares(stresses, tuple(np.zeros((n, 6)) for n in sizes), nodes)
        self.held = layout.multiplier & ~self.inside
        self.moving = ~layout.multiplier
        delicate = any(part.group.delicate for part in moving.model.parts)
        parts = zip(moving.inertia, moving.model.parts, strict=True)
        light = any(len(law.point) < len(part.group.points.s) for law, part in parts)
        fed = bool(moving.model.tubes)  # whose angles have no inertia of their own
        self._weightless = delicate or light or fed or bool((self.inertia == 0.0).any())
        self.holds, self.strains = bool(self.held.any()), bool(self.inside.any())

    def set_out(self, flow: Flow, inputs: Inputs) -> None:
        """Begin a step at a flow: joints turn on from there, also beyond half a turn."""
        self.begin.place(flow.state, inputs)
        joints = self.begin.model.joints
        if len(joints.nodes):
            near = joints.motion(self.begin.nodes)
            self.middle.near = self.end.near = near

    def arrived(self, state: State) -> State:
        """Where the end was evaluated last, with multipliers as joints have them that turn least.

        The next step begins with these.
        """
        near, joints = self.end.near, self.end.model.joints
        if near is None:
            return state
        rows = next(term.rows for term in self.end.terms if term.term is joints)
        own = joints.retold(self.end.nodes, near, state.numbers[rows])
        numbers = state.numbers.copy()
        numbers[rows] = own
        return replace(state, numbers=frozen(numbers))

    def matrix(self, flow: Flow, inputs: Inputs) -> tuple[Array, Array]:
        """Values of the mass matrix at a flow, and of what ties the robot together.

        Forces of stretch and shear are left out.
        """
        rest = Rest(self.tracks, flow, inputs)
        ties = rest.evaluate(self.bare).values.copy()
        mass = rest.evaluate(self.bare, push=1.0).values - ties
        hold(ties, self.bare.layout.structure, self.inside)
        return mass, ties

    def factorised(self, values: Array, tied: float = 1.0) -> Factor:
        """The factor of values of mass and ties; of joints that hold too much, the least does it.

        Args:
            values: taken by the factor.
            tied: what the rows of joints were multiplied with.
        """
        structure = self.bare.layout.structure
        if self.holds:
            weight = np.abs(values[structure.diagonal[self.moving]]).mean()
            values[structure.diagonal[self.held]] -= EPS * tied**2 / (weight or 1.0)
        return structure.factorise(values, False, overwrite=True)

    def loosened(self, state: State) -> State:
        """The state without what holds it together."""
        return loosened(self.tracks, state) if self.holds else state

    def with_holding(self, state: State, times: float) -> State:
        """The state with so many times the forces that hold it together."""
        if not self.holds:
            return state
        numbers = np.where(self.held, times * state.numbers, state.numbers)
        return replace(state, numbers=frozen(numbers))

    def displacement(self, flow: Flow) -> Array:
        """What leads all tracks from a flow to where the end was evaluated."""
        return self.tracks.displacement(flow.places, self.tracks.read(self.end))

    def massive(self, changes: Array) -> Twist:
        """Those of frames with mass among changes of all tracks, (n, 6)."""
        return changes[: 6 * len(self.inertia)].reshape(-1, 6)

    def meet(self) -> None:
        """Move points and nodes of the middle to the mean of beginning and end.

        Strains to their mean, poses halfway along the exponential map. So neither stretch nor shear
        comes from the step itself, however far neighbours turn.
        """
        begin, end, middle = self.begin, self.end, self.middle
        kernels.halfway(self._nodes, begin.nodes, end.nodes, middle.nodes, self._node_d)
        for a, b, own, d in zip(begin.parts, end.parts, middle.parts, self._point_d, strict=True):
            np.add(a.work.strain, b.work.strain, out=own.work.strain)
            own.work.strain *= 0.5
            if len(own.part.posed):
                kernels.halfway(own.part.posed, a.work.pose, b.work.pose, own.work.pose, d)

    def act(self, tangents: bool) -> None:
        """Let act in the middle what acts there; where ``meet`` was."""
        self.middle.act(tangents)
        self._node_force[:] = self.middle.force  # before rods add theirs

    def shares(self, scale: float, forward: bool) -> Shares:
        """What acts in the middle, seen from an end of the step.

        ½ σ,  ½ J_r(±d)⁻ᵀ J_r(±d/2)ᵀ f, until it is asked for again.
        """
        side, found = 1.0 if forward else -1.0, self._shares
        kernels.put_share(self._nodes, self._node_force, self._node_d, scale, side, found.nodes)
        for i, part in enumerate(self.middle.parts):
            if len(part.part.posed):
                load, d = part.forces.load, self._point_d[i]
                kernels.put_share(part.part.posed, load, d, scale, side, found.loads[i])
            np.multiply(part.forces.stress, 0.5 * scale, out=found.stresses[i])
        return found

    def left_over(self, residual: Array, begin: State, end: State) -> Array:
        """What a step has left out of balance, as a momentum at its end, (n_dof,).

        It is the same in the world as at the beginning, so that nothing is lost from step to step.
        """
        found, pose_dof = np.where(self.moving, residual, 0.0), self.middle.layout.pose_dof
        work = (np.empty((4, 4)), np.empty(6))
        kernels.transport(begin.poses, end.poses, pose_dof, found, work)
        return found

    def holding(self, flow: Flow, numbers: Array, inputs: Inputs) -> Array | float:
        """Forces of what holds at the ends of steps, along its directions at their beginning."""
        if not self.holds:
            return 0.0
        held = np.where(self.held, numbers, flow.state.numbers)
        self.begin.evaluate_residual(replace(flow.state, numbers=frozen(held)), inputs)
        return self.begin.residual

    def gaps(self, state: State, inputs: Inputs) -> Array:
        """Gaps at a state of constraints that do not give, zero for the others, (n_rows,).

        What gives has a potential: it acts by that, as the rods do.
        """
        middle = self.middle
        if not len(middle.gap):
            return np.zeros(0)
        middle.evaluate_residual(self.loosened(state), inputs)
        return np.where(middle.compliance > 0.0, 0.0, middle.gap)

    def with_tensions(self, state: State, inputs: Inputs) -> State:
        """The state with the multipliers that belong to it, of constraints that give."""
        middle = self.middle
        if not len(middle.gap):
            return state
        middle.evaluate_residual(self.loosened(state), inputs)
        gives, found = np.flatnonzero(middle.compliance > 0.0), state.multipliers.copy()
        own = found[gives] - middle.gap[gives] / middle.compliance[gives]
        found[gives] = np.where(middle.equal[gives], own, np.maximum(own, 0.0))
        return replace(state, multipliers=frozen(found))

    def with_forces(self, state: State, inputs: Inputs) -> State:
        """The state with the forces of stretch and shear that belong to its strains, nothing held.

        They are those where the middle was evaluated last.
        """
        middle, state = self.middle, self.loosened(state)
        if not self.strains:
            middle.evaluate_residual(state, inputs)
            return state
        middle.evaluate(state, inputs)
        values, structure = middle.values.copy(), middle.layout.structure
        hold(values, structure, ~self.inside)
        right = np.where(self.inside, middle.residual, 0.0)
        change = structure.factorise(values, False, overwrite=True).solve(right)
        numbers = np.where(self.inside, state.numbers - change, state.numbers)
        state = replace(state, numbers=frozen(numbers))
        middle.evaluate_residual(state, inputs)
        return state

    def velocity(self, flow: Flow, inputs: Inputs) -> tuple[Array, Array]:
        """Rates of the unknowns that belong to the momentum of a flow, and what joints have to it.

        M q̇ + Gᵀ x = p,  G q̇ = 0, where M and G see what inputs move move as the flow says.

        Returns:
            q̇, and x among zeros for the rest, both (n_dof,).
        """
        mass, ties = self.matrix(flow, inputs)
        structure, rates = self.bare.layout.structure, self.tracks.input_rates(flow)
        moved, tied = self._mass_slope(rates), 1.0
        if self._weightless:
            tied = MOMENT**2
            self.middle.move_from(None)
            self.middle.evaluate(self.loosened(flow.state), inputs)
            ties = tied * self.middle.values
            if rates.any():
                moved = np.where(self.held, 0.0, moved) + tied * input_slope(self.middle, rates)[0]
        values = mass + ties
        assert flow.momentum is not None
        heavy = self.moving & (mass[structure.diagonal] != 0.0)  # of the others it is rounding
        right = np.where(heavy, flow.momentum, 0.0) - moved
        found = self.factorised(values, tied).solve(right)
        return np.where(self.moving, found, 0.0), np.where(self.held, tied * found, 0.0)

    def _mass_slope(self, rates: Array) -> Array:
        """Momentum and opening of joints by rates of the inputs, after ``matrix``, (n_dof,)."""
        return input_slope(self.bare, rates)[0] if rates.any() else np.zeros(self.bare.layout.n_dof)

    def node_momentum(self, flow: Flow, inputs: Inputs, held: Array) -> Wrench:
        """Momenta of all nodes, those that inputs move included, with what joints have to it."""
        numbers = np.where(self.held, held, flow.state.numbers)
        self.begin.evaluate_residual(replace(flow.state, numbers=frozen(numbers)), inputs)
        own = self.inertia * self.massive(flow.rates[0])
        return self.begin.force + on_nodes(self.tracks, self.begin, own)[0]

    def momentum(self, flow: Flow, inputs: Inputs) -> Array:
        """What is conjugate to the unknowns, of the velocities of a flow, (n_dof,)."""
        self.begin.place(flow.state, inputs)
        velocity = self.massive(flow.rates[0])
        return carried_back(self.tracks, self.begin, self.inertia * velocity)
