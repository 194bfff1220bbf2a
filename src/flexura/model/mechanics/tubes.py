"""Sets of tubes: their elasticity, inputs, and where they begin."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexura.model.inputs import Input
from flexura.model.laws.nested import NestedElastic
from flexura.model.model import TubePlace
from flexura.model.site import Site
from flexura.model.tube_mesh import TubeMesh, set_plans
from flexura.robot import Rod
from flexura.rods.nested_group import NestedRods
from flexura.typing import Array, Pose, Strain, frozen
from flexura.value import Value

ZERO = frozen(np.array(0.0))


def add_tubes(site: Site) -> None:
    """All sets of tubes; rotation and insertion of each tube are inputs."""
    inputs: dict[str, tuple[int, int]] = {}
    for own in site.robot.tubes:
        for tube in own.tubes:
            turn = Input("tube", "number", ZERO, "an angle [rad]", turning=1)
            first = site.input(f"{tube.name}.rotation", turn)
            inputs[tube.name] = first, site.input(f"{tube.name}.insertion", _insertion(tube))
    for part, group in enumerate(site.groups):
        if not isinstance(group, NestedRods):
            continue
        plans = set_plans(site.plans[part])
        places = np.array([[inputs[tube.name] for tube in plan.members] for plan in plans])
        mesh = TubeMesh(group, plans, frozen(places[..., 1]), frozen(places[..., 0]))
        site.laws[part].append(NestedElastic(mesh))
        site.bindings[part] = Fed(mesh)
        for i, plan in enumerate(plans):
            for j, tube in enumerate(plan.members):
                site.tubes[tube.name] = TubePlace(part, i, j, tube, plan.rod.name)


def _insertion(tube: Rod) -> Input:
    """The length outside of the plate."""
    return Input(
        "tube",
        "number",
        frozen(np.array(tube.length)),
        "the length outside of the plate [m]",
        bounds=(0.0, tube.length),
        loads=False,
    )


@dataclass(frozen=True, eq=False)
class Fed(Value):
    """What inputs do to a group of sets besides what laws do: a ``Binding``."""

    mesh: TubeMesh

    def bind(self, values: Array, work: Any) -> None:
        """Tell where the frames of tubes are found."""
        group, found = self.mesh.group, self.mesh.at(values)
        which = group.marks.set
        at = 1 + found.rank[which, group.marks.rank]
        work.angle_at = group.section_nodes[which, at]
        work.at = group.angle_nodes[work.angle_at]

    def start(self, values: Array) -> tuple[Pose, Array, Strain]:
        """Straight tubes, turned as inputs have them: links, inner unknowns and strains."""
        group, found = self.mesh.group, self.mesh.at(values)
        return group.straight(np.diff(found.ends, axis=1), values[self.mesh.rotation])
