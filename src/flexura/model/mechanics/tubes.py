"""Sets of tubes: their elasticity, inputs, and where they begin."""

from collections.abc import Sequence
from typing import cast

import numpy as np

from flexura.errors import ModelError
from flexura.model.inputs import Input
from flexura.model.laws.tube_elastic import TubeElastic
from flexura.model.laws.tube_load import TubeLoad, TubeLoads
from flexura.model.part import TubePlace
from flexura.model.site import Site
from flexura.model.tube_binding import Fed
from flexura.model.tube_mesh import TubeMesh
from flexura.robot import Gravity, LineLoad, Rod
from flexura.rods.tube_group import TubeRods
from flexura.rods.tubes import SetPlan
from flexura.typing import frozen

ZERO = frozen(np.array(0.0))


def add_tubes(site: Site) -> None:
    """All sets of tubes; rotation and insertion of each tube are inputs."""
    inputs: dict[str, tuple[int, int]] = {}
    for own in site.robot.tubes:
        for tube in own.tubes:
            turn = Input("tube", "number", ZERO, "an angle [rad]", loads=False, turning=1)
            first = site.input(f"{tube.name}.rotation", turn)
            inputs[tube.name] = first, site.input(f"{tube.name}.insertion", _insertion(site, tube))
    for part, plans in site.sets.items():
        places = np.array([[inputs[tube.name] for tube in plan.members] for plan in plans])
        group = cast(TubeRods, site.groups[part])
        mesh = TubeMesh(group, plans, frozen(places[..., 1]), frozen(places[..., 0]))
        site.laws[part].append(TubeElastic(mesh))
        loads = _loads(site, plans)
        if loads:
            site.laws[part].append(TubeLoads(mesh, loads))
        site.bindings[part] = Fed(mesh)
        for i, plan in enumerate(plans):
            for j, tube in enumerate(plan.members):
                site.tubes[tube.name] = TubePlace(part, i, j, tube, plan.rod.name)


def _loads(site: Site, plans: Sequence[SetPlan]) -> tuple[TubeLoad, ...]:
    """Gravity and line loads on tubes."""
    found: list[TubeLoad] = []
    tubes = {x.name: (i, j) for i, plan in enumerate(plans) for j, x in enumerate(plan.members)}
    for load in site.robot.loads:
        if isinstance(load, Gravity):
            found.append(TubeLoad(site.place_of(load.name)))
        elif isinstance(load, LineLoad) and load.rod in tubes:
            if load.follower or any(load.wrench[:3]):
                raise ModelError(
                    f"LineLoad {load.name!r}: along a tube of a set there can be dead forces only, "
                    "no moment and no follower; put PointLoads at points of the tube instead"
                )
            i, j = tubes[load.rod]
            end = plans[i].members[j].length if load.end is None else load.end
            found.append(TubeLoad(site.place_of(load.name) + 3, i, j, (load.start, end)))
    return tuple(found)


def _insertion(site: Site, tube: Rod) -> Input:
    """The length outside of the plate; points that anything acts on stay there."""
    acting = [a.s for a in site.robot.graph.marks if a.part == tube.name and a.s is not None]
    least = tube.length - min(acting, default=tube.length)
    what = "the length outside of the plate [m]"
    if least > 0.0:
        what += f", with the point at s = {tube.length - least:g} m that something acts on"
    return Input(
        "tube",
        "number",
        frozen(np.array(tube.length)),
        what,
        bounds=(least, tube.length),
        loads=False,
    )
