"""Gravity, line loads, point loads and pulleys of a robot."""

import numpy as np

from flexura.model.inputs import Input
from flexura.model.laws.load import LineLoads
from flexura.model.mechanics.volume import pressure_of, share_of, weights_of
from flexura.model.members.load import ParticleLoads, Share
from flexura.model.site import Site
from flexura.model.terms.load import NodeLoads
from flexura.model.terms.segment import Segments
from flexura.model.wrenches import Entry, Wrenches
from flexura.robot import Anchor, Gravity, LineLoad, Nodes, On, PointLoad, Pressure, Pulley
from flexura.rods.along import mass_at
from flexura.typing import Vector, frozen

EYE = frozen(np.eye(4))


def add_loads(site: Site) -> None:
    """All loads, each an input."""
    along: list[list[Entry]] = [[] for _ in site.groups]
    at_nodes: list[Entry] = []
    pulls: list[tuple[int, Pulley]] = []
    shares: list[Share] = []
    for load in site.robot.loads:
        if isinstance(load, Gravity):
            shares += weights_of(site, _add_gravity(site, load, along, at_nodes))
        elif isinstance(load, LineLoad):
            _add_line_load(site, load, along)
        elif isinstance(load, PointLoad):
            place = site.input(load.name, _wrench_input(load))
            if isinstance(load.at, On | Nodes):
                shares.append(share_of(site, load, place + 3))
                continue
            node, offset = site.find(load.at)
            at_nodes.append(Entry(node, place, place + 3, 1.0, load.follower, offset))
        elif isinstance(load, Pressure):
            site.members.append(pressure_of(site, load, site.input(load.name, _pressure(load))))
        else:
            pulls.append((site.input(load.name, _pull_input(load)), load))
    for laws, entries in zip(site.laws, along, strict=True):
        if entries:
            laws.append(LineLoads(Wrenches.of(entries)))
    if at_nodes:
        site.terms.append(NodeLoads(Wrenches.of(at_nodes)))
    if pulls:
        site.terms.append(_pulleys(site, pulls))
    if shares:
        site.members.append(ParticleLoads.of(shares))


def _add_gravity(site: Site, load: Gravity, along: list[list[Entry]], at_nodes: list[Entry]) -> int:
    """The weight of rods and bodies; the place of the acceleration among the given values."""
    acceleration = frozen(np.array(load.acceleration, dtype=np.float64))
    entry = Input(
        "load", "vector", acceleration, "an acceleration [m/s²]", parts=("acceleration {} [m/s²]",)
    )
    place = site.input(load.name, entry)
    for part in site.rod_parts:
        points, rods = site.groups[part].points, [plan.rod for plan in site.plans[part]]
        for p, mass in enumerate((mass_at(rods, points) * points.weight).tolist()):
            if mass > 0.0:
                along[part].append(Entry(p, -1, place, mass, False, EYE))
    for body in site.robot.bodies:
        if body.mass > 0.0:
            center = np.eye(4)
            center[:3, 3] = body.center
            node = site.nodes.node(Anchor(body.name))
            at_nodes.append(Entry(node, -1, place, body.mass, False, center))
    return place


def _add_line_load(site: Site, load: LineLoad, along: list[list[Entry]]) -> None:
    """A load along one rod."""
    first = site.input(load.name, _wrench_input(load))
    if load.rod in site.robot.graph.fed:  # as for the weight of tubes
        return
    rod = site.place(load.rod)
    points = site.groups[rod.part].points
    end = rod.rod.length if load.end is None else load.end
    inside = (points.rod == rod.index) & (load.start <= points.s) & (points.s <= end)
    for p in np.flatnonzero(inside).tolist():
        weight = float(points.weight[p])
        along[rod.part].append(Entry(p, first, first + 3, weight, load.follower, EYE))


def _wrench_input(load: PointLoad | LineLoad) -> Input:
    moment, force = ("N·m/m", "N/m") if isinstance(load, LineLoad) else ("N·m", "N")
    return Input(
        "load",
        "wrench",
        frozen(np.array(load.wrench, dtype=np.float64)),
        f"a wrench (moment, force) [{moment}, {force}]",
        parts=(f"moment {{}} [{moment}]", f"force {{}} [{force}]"),
        turning=3,
    )


def _pull_input(load: Pulley) -> Input:
    force = frozen(np.array(float(load.force)))
    return Input("pulley", "number", force, "a force [N]", bounds=(0.0, np.inf))


def _pressure(load: Pressure) -> Input:
    return Input("pressure", "number", frozen(np.array(load.pressure)), "a pressure [Pa]")


def _pulleys(site: Site, pulls: list[tuple[int, Pulley]]) -> Segments:
    """Pulls towards points of the world: cables from there, under a given tension."""
    nodes: list[tuple[int, int]] = []
    holes: list[tuple[Vector, Vector]] = []
    for _, load in pulls:
        node, offset = site.find(load.at)
        nodes.append((site.nodes.world, node))
        holes.append((np.asarray(load.point), offset[:3, 3]))
    sources = np.array([place for place, _ in pulls])
    return Segments(
        frozen(sources), frozen(np.array(nodes)), frozen(np.array(holes)), external=True
    )
