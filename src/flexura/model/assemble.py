"""Residual and tangent of a model: a few kernel calls for the whole robot."""

import math

import numpy as np

from flexura.lie import se3
from flexura.model import layout_kernels as kernels
from flexura.model.border import Border
from flexura.model.inputs import Inputs
from flexura.model.model import Model, Part
from flexura.model.state import State
from flexura.model.tangent import new_tangent
from flexura.rods.discretization import Coupling, Laws, NodeBlocks, RodGroup
from flexura.typing import Array, Indices, frozen


class Assembly:
    """Evaluates a model; owns all arrays that an evaluation writes.

    Attributes:
        residual: generalised forces that are out of balance, (n_dof,), of the last evaluation.
        tangent: derivative of the residual, in exponential charts.
        force: the same forces at the nodes, before kinematic embedding, (n_nodes, 6).
        state: where it was last evaluated.
        tension: of the tendons [N], (n_tendons,).
        tendon_length: of the tendons [m], (n_tendons,).
        border: tendons that are driven by their length.
        pulley_length: distance of each pulley's frame from its point [m].
        joint_motion: log of the motion of each joint, (n, 6).
        conservative: whether all loads have a potential, at the inputs of the last evaluation.
        joint_gap: of that, the components that joints hold, (n_rows,).
        relief: what these shall be, zero but on the way to closing a loop, (n_rows,).
    """

    def __init__(self, model: Model) -> None:
        layout = model.layout
        self.model = model
        self.layout = layout
        self.nodes = np.empty((layout.n_nodes, 4, 4))
        self._sums, (self.force, self.residual, *self._inner_force) = _zeros_together(
            (layout.n_nodes, 6), (layout.n_dof,), *(part.rest_inner.shape for part in model.parts)
        )
        self.tangent = new_tangent(layout.pattern)
        self._inputs: Inputs | None = None
        self.conservative = True
        self._load_scale = 0.0
        self.state = State(np.empty((0, 4, 4)), ())
        self._step = np.empty(0)
        self._ahead = self._next_tension = np.empty(0)
        self._d_inner: list[Array] = []
        self._d_strain: list[Array] = []
        self._pose_dof = layout.pose_dof
        self.tension = np.empty(len(model.tendons.names))
        self.tendon_length = np.empty(len(model.tendons.names))
        self.border = Border(model)
        self._segment_blocks = np.empty((len(model.segments.tendon), 2, 2, 36))
        self._pulley_blocks = np.empty((len(model.pulleys.tendon), 2, 2, 36))
        self.pulley_length = np.zeros(len(model.pulleys.tendon))
        self._joint_blocks = np.empty((len(model.joints.nodes), 2, 2, 36))
        self._joint_jacobian = np.empty((len(model.joints.nodes), 2, 36))
        self.joint_motion = np.zeros((len(model.joints.nodes), 6))
        self.joint_gap, self.relief = np.zeros((2, model.joints.n_rows))
        self._node_tangent = np.zeros((layout.n_nodes, 36))
        self._d_nodes = np.zeros((layout.n_nodes, 6))
        self._links = np.tile(np.eye(4), (layout.n_nodes, 1, 1))
        self._linked = layout.open or bool(layout.loose.any())
        self._square = np.empty((2, 36))
        self._work = [part.group.work() for part in model.parts]
        self._laws = [Laws(len(part.group.points.s), len(part.rest_links)) for part in model.parts]
        self._part_force = [self.force[part.nodes] for part in model.parts]
        self._part_nodes = [self.nodes[part.nodes] for part in model.parts]
        for part, laws in zip(model.parts, self._laws, strict=True):
            laws.posed[part.posed] = True
            laws.loose[:] = layout.loose[part.nodes]
            laws.end_tangent = self._node_tangent[part.nodes]

    def evaluate(self, state: State, inputs: Inputs) -> None:
        """Residual and tangent at a state; the residual takes the stress of its poses."""
        model = self.model
        self.take(inputs)
        self.state = state
        self.layout.nodes(state.poses, out=self.nodes)
        self._sums[:] = 0.0
        self.tangent.clear()
        self.tension = model.tendons.tension(state.tension, inputs.tendon)
        self._ahead = state.tension if len(state.tension) else self.tension
        self.tendon_length[:] = model.tendons.gap
        if len(model.node_loads.target):
            model.node_loads.write(self.nodes, inputs.wrench, self.force, self._node_tangent)
            kernels.scatter_diagonal(
                self.layout.dof, self.layout.adjoint, self._node_tangent,
                *self.tangent, self._square,
            )  # fmt: skip
        for i, part in enumerate(model.parts):
            self._evaluate_part(i, part, inputs)
        if len(model.segments.tendon):
            model.segments.write(
                self.nodes, self.tension, self._ahead, self.force, self._segment_blocks,
                self.tendon_length,
            )  # fmt: skip
            self._scatter_pairs(model.segments.nodes, self._segment_blocks)
        if len(model.pulleys.tendon):
            self.pulley_length[:] = 0.0
            model.pulleys.write(
                self.nodes, inputs.pull, inputs.pull, self.force, self._pulley_blocks,
                self.pulley_length,
            )  # fmt: skip
            self._scatter_pairs(model.pulleys.nodes, self._pulley_blocks)
        if len(model.joints.nodes):
            self._evaluate_joints()
        if len(self._pose_dof):
            self.layout.add_node_forces(self.force, self.residual)
        if len(self.border):
            self.border.evaluate(
                self.layout, self.nodes, self._work, self.tension, self.tendon_length, inputs
            )

    def take(self, inputs: Inputs) -> None:
        """Make everything ready that depends on inputs only."""
        before = self._inputs
        if inputs is before:
            return
        self._inputs, self.layout = inputs, self.model.layout_at(inputs)
        if before is None or inputs.wrench is not before.wrench:
            self._take_wrenches(inputs.wrench)

    def _take_wrenches(self, wrench: Array) -> None:
        """Find out whether loads have a potential, and how large they are."""
        model = self.model
        at_nodes = model.node_loads.conservative(wrench)
        for part, laws in zip(model.parts, self._laws, strict=True):
            laws.symmetric = part.loads.conservative(wrench)
            laws.symmetric &= at_nodes or not laws.loose.any()
        self.conservative = at_nodes and all(laws.symmetric for laws in self._laws)
        self._load_scale = 0.0
        for loads in (model.node_loads, *(part.loads for part in model.parts)):
            moment, force = loads.total(wrench)
            self._load_scale = max(self._load_scale, moment / model.length, force)

    def _scatter_pairs(self, nodes: Indices, blocks: Array) -> None:
        """Add the tangents of pairs of nodes."""
        kernels.scatter_pairs(
            nodes, self.layout.dof, self.layout.adjoint, blocks, *self.tangent, self._square
        )

    def _evaluate_joints(self) -> None:
        """Add what joints that move freely contribute."""
        joints, layout = self.model.joints, self.layout
        hold = self.state.hold if len(self.state.hold) else np.zeros(joints.n_rows)
        self.joint_motion, gap = joints.write(
            self.nodes, hold, self.force, self._joint_blocks, self._joint_jacobian
        )
        self._scatter_pairs(joints.nodes, self._joint_blocks)
        kernels.scatter_joints(
            joints.nodes, joints.rows, layout.joint_dof, layout.dof, layout.adjoint,
            self._joint_jacobian, *self.tangent, self._square,
        )  # fmt: skip
        self.joint_gap = gap
        self.residual[layout.joint_rows] += gap - self.relief

    def _evaluate_part(self, i: int, part: Part, inputs: Inputs) -> None:
        """Add what the rods of a part contribute."""
        layout, group, state = self.layout, part.group, self.state
        work, laws, inner = self._work[i], self._laws[i], state.inner[i]
        group.kinematics(self._part_nodes[i], inner, part.posed, work)
        ahead = state.stress[i] if state.stress else None
        part.elastic.write(work.strain, inner, ahead, laws)
        if len(part.routed.tendon):
            part.routed.write(work.strain, self.tension, self._ahead, laws, self.tendon_length)
        if len(part.posed):
            part.loads.write(work.pose, inputs.wrench, laws.load, laws.load_tangent)
        inner_force = self._inner_force[i]
        coupling = group.pull_back(laws, self._part_force[i], inner_force, work)
        if part.group.n_inner:
            layout.add_inner_forces(part.nodes, inner_force, self.residual)
        self._scatter(part, coupling)

    def _scatter(self, part: Part, coupling: Coupling) -> None:
        """Add the tangent of a part."""
        layout, group = self.layout, part.group
        if isinstance(coupling, NodeBlocks):
            if coupling.gradient is not None:
                kernels.scatter_forced(
                    part.begin, group.rod_nodes, layout.dof, layout.inner_dof[part.nodes],
                    layout.adjoint, coupling.gradient, coupling.compliance, *self.tangent,
                    self._square,
                )  # fmt: skip
            kernels.scatter_blocks(
                part.begin, group.rod_nodes, layout.dof, layout.adjoint, layout.plain,
                coupling.blocks, *self.tangent, self._square,
            )  # fmt: skip
        else:
            kernels.scatter_elements(
                part.begin, group.rod_nodes, layout.dof, layout.inner_dof[part.nodes],
                layout.inner_size[part.nodes], layout.adjoint, layout.plain, coupling.matrices,
                *self.tangent, self._square,
            )  # fmt: skip

    def joint_derivatives(self) -> Array:
        """Derivatives of all that joints hold by the poses, (n_rows, 6 n_coordinates).

        Rotations are multiplied by the length of the robot, to compare them with translations.
        """
        joints, layout = self.model.joints, self.layout
        unit = np.repeat([self.model.length, 1.0], 3)
        found = np.zeros((len(joints.nodes), 6, max(1, layout.n_coordinates), 6))
        for e, pair in enumerate(joints.nodes):
            for n, jacobian in zip(pair, self._joint_jacobian[e], strict=True):
                c = layout.coordinate[n]
                if c >= 0:
                    to_node = se3.Ad(se3.inverse(layout.offset[n]))
                    found[e, :, c] += unit[:, None] * jacobian.reshape(6, 6) @ to_node / unit
        return found[joints.rows].reshape(joints.n_rows, -1)

    def linearise(
        self, dq: Array, d_tension: Array | float = 0.0, drift: Array | None = None
    ) -> tuple[float, float]:
        """Prepare a step from the last evaluated state.

        Args:
            dq: increments of all unknowns in the band.
            d_tension: of the tendons that are driven by their length, (n,).
            drift: how inputs that change with the step move the nodes besides, (n_nodes, 6).

        Returns:
            The largest rotation that it makes [rad], and its size: root mean square of rotations
            and of translations over the length.
        """
        layout = self.layout
        self._step = dq
        self._next_tension = self.tension
        if len(self.border):
            self._next_tension = self.tension.copy()
            self._next_tension[self.border.driven] += d_tension
        rotation = size = 0.0
        if len(self._pose_dof):
            rotation, squares = kernels.measure(dq, self._pose_dof, self.model.length)
            size = math.sqrt(squares / (6 * len(self._pose_dof)))
        if len(self._pose_dof) or self.model.movers:
            layout.increments(dq, self._d_nodes)
        if drift is not None:
            self._d_nodes += drift
        self._d_inner, self._d_strain = [], []
        for part, work in zip(self.model.parts, self._work, strict=True):
            d_inner = layout.inner_increments(dq, part.nodes, part.group.n_inner)
            d_strain = part.group.increments(self._d_nodes[part.nodes], d_inner, work)
            self._d_inner.append(d_inner)
            self._d_strain.append(d_strain)
            if part.bends:
                turn, stretch = part.elastic.motion(d_strain)
                rotation, size = max(rotation, turn), max(size, turn, stretch / self.model.length)
        return rotation, size

    def predict(self, fraction: float = 1.0, inputs: Inputs | None = None) -> State:
        """Take a fraction of the step of the last ``linearise``.

        Returns the new state, with the stress that the linearised law predicts for it. An open
        robot is recomposed from the changes of its relative poses, which preserves stretch.

        Args:
            fraction: of the step.
            inputs: those of the new state, if they change with the step.
        """
        layout = self.layout if inputs is None else self.model.layout_at(inputs)
        old, stress, inner = self.state, [], []
        for i, part in enumerate(self.model.parts):
            work = self._work[i]
            after = part.elastic.stress_after(work.strain, fraction, self._d_strain[i])
            stress.append(frozen(after))
            inner.append(frozen(old.inner[i] + fraction * self._d_inner[i]))
            if self._linked:
                self._links[part.nodes] = part.group.links(fraction, work)
        poses = (
            layout.compose(self._links)
            if layout.open
            else layout.moved(old.poses, fraction * self._step, self._links)
        )
        tension = self._ahead
        if tension is not self._next_tension:
            tension = frozen(tension + fraction * (self._next_tension - tension))
        hold = old.hold
        if len(layout.joint_dof):
            held = fraction * self._step[layout.joint_rows]
            hold = frozen(held + hold if len(hold) else held)
        return State(frozen(poses), tuple(inner), tuple(stress), tension, hold)

    def imbalance(self) -> tuple[float, float]:
        """Largest force out of balance [N], and largest gap of a constraint, relative."""
        force, gap = kernels.largest(self.residual, self.layout.units, self.layout.multiplier)
        return force, max(gap, self.border.gap() / self.model.length)

    def largest_turn(self) -> float:
        """Largest rotation of an element at the last evaluated state, over what it can tell."""
        turns = (
            part.group.turn(self.nodes[part.nodes], work)
            for part, work in zip(self.model.parts, self._work, strict=True)
        )
        return max(turns, default=0.0)

    def held_rods(self, inputs: Inputs) -> list[tuple[RodGroup, float]]:
        """Rods with both ends fixed: how they are described, and their ends' distance/length."""
        layout = self.model.layout_at(inputs)
        nodes = layout.nodes(self.state.poses)
        found = []
        for place in self.model.places.values():
            part = self.model.parts[place.part]
            first, stop = part.begin + part.group.rod_nodes[place.index : place.index + 2]
            if layout.coordinate[first] < 0 and layout.coordinate[stop - 1] < 0:
                apart = np.linalg.norm(nodes[stop - 1, :3, 3] - nodes[first, :3, 3])
                found.append((part.group, float(apart) / place.rod.length))
        return found

    def elastic_energy(self) -> float:
        """Strain energy of the last evaluated state [J]."""
        return sum(
            part.elastic.energy(work.strain, inner)
            for part, work, inner in zip(
                self.model.parts, self._work, self.state.inner, strict=True
            )
        )

    def potential(self, inputs: Inputs) -> float:
        """Strain energy plus that of dead forces at the last evaluated state [J]."""
        return self.elastic_energy() + self.load_potential(inputs)

    def load_potential(self, inputs: Inputs) -> float:
        """Potential of dead forces and of tendons at the last evaluated state [J]."""
        along = sum(
            part.loads.potential(work.pose, inputs.wrench)
            for part, work in zip(self.model.parts, self._work, strict=True)
        )
        along += self.model.node_loads.potential(self.nodes, inputs.wrench)
        pulled = self.model.tendons.energy(self.tendon_length, self.tension, inputs.tendon)
        return along + pulled + float(inputs.pull @ self.pulley_length)

    def force_scale(self) -> float:
        """Size of the forces in play at the last evaluated state [N]: internal ones and loads."""
        pulls: list[float] = self._inputs.pull.tolist() if self._inputs else []
        largest = max(self._load_scale, *self.tension.tolist(), *pulls, 0.0)
        for part, laws in zip(self.model.parts, self._laws, strict=True):
            moment, force = part.elastic.largest_wrench(laws.stress)
            largest = max(largest, moment / self.model.length, force)
        return largest


def _zeros_together(*shapes: tuple[int, ...]) -> tuple[Array, list[Array]]:
    """Zeros in one array, to be set at once, and its parts in the given shapes."""
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    whole = np.zeros(ends[-1])
    parts = np.split(whole, ends[:-1])
    return whole, [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
