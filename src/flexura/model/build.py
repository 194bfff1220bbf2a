"""From a description to a model: the only crossing."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexura.errors import ModelError, UnknownName, show
from flexura.model.mechanics.contact import add_contacts
from flexura.model.mechanics.elasticity import add_elasticity
from flexura.model.mechanics.joint import add_joints
from flexura.model.mechanics.load import add_loads
from flexura.model.mechanics.tendon import add_tendons
from flexura.model.mechanics.thread import add_threads
from flexura.model.mechanics.tubes import add_tubes
from flexura.model.mechanics.volume import add_volumes
from flexura.model.model import Model
from flexura.model.node_finder import NodeFinder
from flexura.model.numbering import number_unknowns
from flexura.model.origin import origin_of
from flexura.model.part import Part, Place
from flexura.model.particle_numbering import placed
from flexura.model.site import Mechanics, Site
from flexura.model.tube_plan import find_marks, set_plan
from flexura.robot import Robot
from flexura.robot.volume_check import check_no_volume
from flexura.rods.along import fibres_at, rest_at
from flexura.rods.discretization import Discretization, RodPlan
from flexura.rods.spline import Spline
from flexura.rods.tube_choice import TubeChoice
from flexura.typing import Vector, frozen
from flexura.value import Catalog

DEFAULT = Spline()
# What every robot has; the order is that of the inputs.
MECHANICS: tuple[Mechanics, ...] = (
    add_elasticity,
    add_volumes,
    add_loads,
    add_joints,
    add_tendons,
    add_threads,
    add_tubes,
    add_contacts,
)


def build(
    robot: Robot,
    rods: Discretization | Mapping[str, Discretization] = DEFAULT,
    also: Sequence[Mechanics] = (),
) -> Model:
    """Discretize a robot.

    Args:
        robot: the description; it is not changed.
        rods: how to describe the rods: one choice for all, or one for each rod by name.
        also: functions that add laws, terms or constraints of your own (``flexura.model.site``).

    Returns:
        An immutable model for the solvers.

    Raises:
        ModelError: for a choice that does not fit the robot.
    """
    if not isinstance(robot, Robot):
        raise ModelError(f"build takes a Robot, got {show(robot)}")
    _check_also(also)
    # what users add sees poses in the world
    return _built(robot, rods, also, np.zeros(3) if also else origin_of(robot))


def rebuilt(
    model: Model, robot: Robot, rods: Discretization | Mapping[str, Discretization]
) -> Model:
    """A robot like that of a model, which may lie elsewhere, with poses from the same origin."""
    return _built(robot, rods, model.also, model.layout.origin)


def _built(
    robot: Robot,
    rods: Discretization | Mapping[str, Discretization],
    also: Sequence[Mechanics],
    origin: Vector,
) -> Model:
    """The model of a robot."""
    plans = _plans(robot, rods, also)
    members: dict[object, list[RodPlan]] = {}
    for plan in plans.values():
        members.setdefault(plan.choice.kind, []).append(plan)
    groups = [chosen[0].choice.group(chosen) for chosen in members.values()]
    places = {
        plan.rod.name: Place(part, index, plan.rod)
        for part, chosen in enumerate(members.values())
        for index, plan in enumerate(chosen)
    }
    jumps = {name: plan.jumps for name, plan in plans.items()}
    nodes = NodeFinder(robot, groups, places, jumps, find_marks(groups, list(members.values())))
    site = Site(robot, groups, list(members.values()), nodes)
    for add in (*MECHANICS, *also):
        add(site)
    choices = {
        name: plan.choice.choice if isinstance(plan.choice, TubeChoice) else plan.choice
        for name, plan in plans.items()
    }
    return _model(site, choices, tuple(also), origin)


def _check_also(also: object) -> None:
    """Raise unless these are functions."""
    if not isinstance(also, list | tuple) or not all(callable(add) for add in also):
        raise ModelError(
            "also= takes a list of functions that are called with the Site of the model, such as "
            f"also=[Spring(...)], got {show(also)}"
        )


def _model(
    site: Site, rods: Mapping[str, Discretization], also: tuple[Mechanics, ...], origin: Vector
) -> Model:
    """The model of a site where everything was added."""
    robot, nodes = site.robot, site.nodes
    assert site.tendons is not None
    assert site.joints is not None
    movers = {mover.joint.label: i for i, mover in enumerate(site.movers)}
    anchors = [anchor for anchor in robot.graph.group_of if not anchor.is_world]
    parts = tuple(_part(site, i) for i in range(len(site.groups)))
    layout = number_unknowns(
        robot, nodes, site.terms, site.joints, movers, site.particles(), site.members, origin
    )
    return Model(
        robot=robot,
        rods=Catalog(rods),
        parts=parts,
        terms=tuple(site.terms),
        constraints=tuple(site.constraints),
        inputs=site.table(),
        constant=site.constant(),
        layout=placed(layout, [part.rest_links for part in parts]),
        places=Catalog(nodes.places),
        frames=Catalog({str(anchor): nodes.node(anchor) for anchor in anchors}),
        tendons=site.tendons,
        joints=site.joints,
        cuts=Catalog(site.cuts),
        movers=tuple(site.movers),
        tubes=Catalog(site.tubes),
        contacts=site.contacts,
        also=also,
        members=tuple(site.members),
        volumes=Catalog(site.volumes),
    )


def _part(site: Site, i: int) -> Part:
    """A group of rods with the laws along it."""
    group, laws = site.groups[i], tuple(site.laws[i])
    links, inner = group.rest()
    rods = [plan.rod for plan in site.plans[i]]
    n = len(group.points.s)
    if i in site.sets:  # what tubes have at points depends on inputs
        strain, fibre = np.zeros((n, group.components)), np.zeros((n, 6))
    else:
        strain, fibre = rest_at(rods, group.points), fibres_at(rods, group.points)
    posed = np.concatenate([np.empty(0, dtype=np.int64), *(law.posed() for law in laws)])
    return Part(
        group=group,
        begin=site.nodes.begins[i],
        laws=laws,
        posed=frozen(np.unique(posed)),
        rest_links=frozen(links),
        rest_inner=frozen(inner),
        rest_strain=frozen(strain),
        fibre=frozen(fibre),
        binding=site.bindings.get(i),
    )


def _plans(
    robot: Robot, rods: Discretization | Mapping[str, Discretization], also: Sequence[Mechanics]
) -> dict[str, RodPlan]:
    """What to discretize, rod by rod."""
    names = [*(rod.name for rod in robot.rods), *(own.name for own in robot.tubes)]
    if isinstance(rods, Mapping):
        for name in rods:
            if name in robot.graph.fed:
                raise ModelError(
                    f"rods= names tube {name!r}, which is described with all of its set: write "
                    f"rods={{{robot.graph.fed[name]!r}: ...}}"
                )
            if name not in names:
                mesh = "its mesh tells its elements: leave it out"
                check_no_volume("rods=", name, [x.name for x in robot.volumes], remedy=mesh)
                raise UnknownName("rod", name, names)
        missing = [name for name in names if name not in rods]
        if missing:
            raise ModelError(
                f"rods= names no discretization for {', '.join(map(repr, missing))}; "
                "give one for every rod, or one for all"
            )
        choices = dict(rods)
    else:
        choices = dict.fromkeys(names, rods)
    for choice in choices.values():
        if isinstance(choice, type) or not hasattr(choice, "group"):
            raise ModelError(
                "rods= takes a discretization such as Spline(degree=3, spans=12), got "
                f"{show(choice)}"
            )
    found = {
        rod.name: RodPlan(rod, choices[rod.name], _jumps(robot, rod.name, also))
        for rod in robot.rods
    }
    return found | {own.name: set_plan(robot, own, choices[own.name]) for own in robot.tubes}


def _jumps(robot: Robot, rod: str, also: Sequence[Mechanics]) -> tuple[float, ...]:
    """Arc lengths inside a rod where anything acts; a function of the user may have ``jumps``."""
    own = [s for add in also for s in getattr(add, "jumps", lambda _: ())(rod)]
    return tuple(sorted({*robot.jumps(rod), *own}))
