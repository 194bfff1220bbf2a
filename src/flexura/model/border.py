"""Tendons that are driven by their length: constraints with an unknown tension, beside the band."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexura.model.inputs import Inputs
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.typing import Array, Pose


class Border:
    """Lengths of the driven tendons and their gradients; owns what an evaluation writes.

    Attributes:
        driven: numbers of the tendons among all, (n,).
        rows: ∂l/∂(unknowns in the band), (n, n_dof).
        tension: of these tendons [N], (n,).
        excess: how much longer their ways are than they can be [m], (n,).
        compliance: how their own lengths grow with tension [m/N], (n,).
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.driven = np.flatnonzero(model.tendons.by_length)
        n = len(self.driven)
        self.rows = np.zeros((n, model.n_dof))
        self.tension, self.excess, self.compliance = np.zeros((3, n))

    def __len__(self) -> int:
        return len(self.driven)

    def evaluate(
        self,
        layout: Layout,
        nodes: Pose,
        works: Sequence[Any],
        tension: Array,
        length: Array,
        inputs: Inputs,
    ) -> None:
        """Gradients and excess where an assembly has just been evaluated.

        Args:
            layout: for the poses of the inputs.
            nodes: poses of the nodes.
            works: of the parts of the model.
            tension: of all tendons [N].
            length: of all tendons [m].
            inputs: of the model.
        """
        tendons, driven = self._model.tendons, self.driven
        self.tension = tension[driven]
        self.excess = tendons.excess(length, tension, inputs.tendon)[driven]
        self.compliance = (tendons.compliance * (tendons.rest - inputs.tendon))[driven]
        self.rows[:] = 0.0
        for row, tendon in zip(self.rows, driven.tolist(), strict=True):
            force = np.zeros((layout.n_nodes, 6))
            for part, work in zip(self._model.parts, works, strict=True):
                own = part.nodes
                inner = np.zeros((own.stop - own.start, part.group.n_inner))
                stress = part.routed.unit_stress(tendon, work.strain)
                part.group.carry_back(stress, force[own], inner, work)
                layout.add_inner_forces(own, inner, row)
            self._model.segments.unit_force(tendon, nodes, force)
            layout.add_node_forces(force, row)

    def gap(self) -> float:
        """Largest error of a length [m]; a slack tendon may be as long as it likes."""
        if not len(self):
            return 0.0
        missed = np.where(self.tension > 0.0, np.abs(self.excess), np.maximum(self.excess, 0.0))
        return float(missed.max())
