"""Residual and tangent of a model: a few kernel calls for the whole robot."""

import numpy as np

from flexura.model import layout_kernels as kernels
from flexura.model.model import Model
from flexura.model.state import State
from flexura.rods.discretization import Laws
from flexura.typing import Array, frozen


class Assembly:
    """Evaluates a model; owns all arrays that an evaluation writes.

    Attributes:
        residual: generalised forces that are out of balance, (n_dof,), of the last evaluation.
        band: tangent in LAPACK's general band storage, transposed: ``band[j, 2h + i - j]`` is
            entry (i, j), (n_dof, 3h + 1).
        force: the same forces at the nodes, before kinematic embedding, (n_nodes, 6).
    """

    def __init__(self, model: Model) -> None:
        layout = model.layout
        self.model = model
        self.nodes = np.empty((layout.n_nodes, 4, 4))
        self.force = np.empty((layout.n_nodes, 6))
        self.residual = np.empty(layout.n_dof)
        self.band = np.empty((layout.n_dof, 3 * layout.half_bandwidth + 1))
        self._node_tangent = np.empty((layout.n_nodes, 36))
        self._d_nodes = np.empty((layout.n_nodes, 6))
        self._links = np.tile(np.eye(4), (layout.n_nodes, 1, 1))
        self._square = np.empty((2, 36))
        self._vector = np.empty(6)
        self._work = [part.group.work() for part in model.parts]
        self._laws = [Laws(len(part.group.points.s)) for part in model.parts]
        for part, laws in zip(model.parts, self._laws, strict=True):
            laws.posed[part.posed] = True
        self._blocks = [
            np.empty((part.nodes.stop - part.begin, 2 * part.group.bandwidth + 1, 36))
            for part in model.parts
        ]
        self._predicted = False

    def forget_prediction(self) -> None:
        """Let the next evaluation use the true stress in its tangent."""
        self._predicted = False

    def evaluate(self, state: State, inputs: Array) -> None:
        """Residual and tangent at a state.

        The geometric part of the tangent takes the stress of the last ``predict``, if there was
        one since ``forget_prediction``.
        """
        model, layout = self.model, self.model.layout
        layout.nodes(state.poses, out=self.nodes)
        self.force[:] = 0.0
        self.residual[:] = 0.0
        self.band[:] = 0.0
        for part, work, laws, blocks in zip(
            model.parts, self._work, self._laws, self._blocks, strict=True
        ):
            nodes = self.nodes[part.nodes]
            part.group.kinematics(nodes, part.posed, work)
            part.elastic.write(work.strain, laws)
            if not self._predicted:
                laws.stress_ahead[:] = laws.stress
            symmetric = True
            if len(part.posed):
                symmetric = part.loads.conservative(inputs)
                laws.load[:] = 0.0
                laws.load_tangent[:] = 0.0
                part.loads.write(work.pose, inputs, laws.load, laws.load_tangent)
            blocks[:] = 0.0
            part.group.pull_back(laws, symmetric, self.force[part.nodes], blocks, work)
            kernels.scatter_blocks(
                part.begin, part.group.rod_nodes, layout.coordinate, layout.adjoint, layout.plain,
                blocks, layout.half_bandwidth, self.band, self._square,
            )  # fmt: skip
        if len(model.node_loads.target):
            self._node_tangent[:] = 0.0
            model.node_loads.write(self.nodes, inputs, self.force, self._node_tangent)
            kernels.scatter_diagonal(
                layout.coordinate, layout.adjoint, self._node_tangent,
                layout.half_bandwidth, self.band, self._square,
            )  # fmt: skip
        kernels.scatter_forces(
            layout.coordinate,
            layout.adjoint,
            self.force,
            self.residual.reshape(-1, 6),
            self._vector,
        )

    def predict(self, dq: Array, fraction: float = 1.0) -> State:
        """Take a fraction of a step from the last evaluated state.

        Returns the new state and keeps the stress that the linearised law predicts for it.
        """
        d_nodes = self.model.layout.increments(dq, self._d_nodes)
        for part, work, laws in zip(self.model.parts, self._work, self._laws, strict=True):
            d_strain = part.group.strain_increments(d_nodes[part.nodes], work)
            part.elastic.write_ahead(work.strain, fraction * d_strain, laws)
            self._links[part.nodes] = part.group.links(fraction, work)
        self._predicted = True
        return State(frozen(self.model.layout.compose(self._links)))

    def largest_turn(self) -> float:
        """Largest rotation between neighbouring nodes [rad], at the last evaluated state."""
        turns = [0.0]
        for part in self.model.parts:
            nodes = self.nodes[part.nodes]
            inside = np.setdiff1d(np.arange(1, len(nodes)), part.group.rod_nodes)
            relative = np.swapaxes(nodes[inside - 1, :3, :3], 1, 2) @ nodes[inside, :3, :3]
            cosine = 0.5 * (np.trace(relative, axis1=1, axis2=2) - 1.0)
            turns.append(float(np.arccos(np.clip(cosine, -1.0, 1.0)).max(initial=0.0)))
        return max(turns)

    def elastic_energy(self) -> float:
        """Strain energy of the last evaluated state [J]."""
        return sum(
            part.elastic.energy(work.strain)
            for part, work in zip(self.model.parts, self._work, strict=True)
        )

    def potential(self, inputs: Array) -> float:
        """Strain energy plus the potential of dead forces at the last evaluated state [J]."""
        along = sum(
            part.loads.potential(work.pose, inputs)
            for part, work in zip(self.model.parts, self._work, strict=True)
        )
        return self.elastic_energy() + along + self.model.node_loads.potential(self.nodes, inputs)

    def force_scale(self, inputs: Array) -> float:
        """Size of the forces in play at the last evaluated state [N]: internal ones and loads."""
        model = self.model
        moments, forces = np.array(
            [
                model.node_loads.total(inputs),
                *(part.loads.total(inputs) for part in model.parts),
                *(
                    part.elastic.largest_wrench(work.strain)
                    for part, work in zip(model.parts, self._work, strict=True)
                ),
            ]
        ).T
        return float(max(moments.max() / model.length, forces.max()))

    def stiffness(self) -> float:
        """Largest stiffness against stretch or shear [N]."""
        return max(part.elastic.largest_stiffness for part in self.model.parts)
