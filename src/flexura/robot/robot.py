"""The description of a robot."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np

from flexura.errors import UnknownName, known, show
from flexura.robot.body import Body
from flexura.robot.check import BadField, assign, class_names, instance, name
from flexura.robot.contact import Contact, contact_doubts
from flexura.robot.doubt import doubts
from flexura.robot.frame import Anchor, At, FrameLike, find_rod
from flexura.robot.graph import Graph
from flexura.robot.joint import Joint
from flexura.robot.load import Load
from flexura.robot.obstacle import Obstacle
from flexura.robot.rod import ROUNDING, Rod
from flexura.robot.tendon import Tendon
from flexura.robot.tubes import TubeSet, check_no_set, check_no_tube
from flexura.robot.volume import Volume
from flexura.robot.volume_check import check_no_volume, check_no_volumes, check_volumes
from flexura.robot.volume_tie import Clamp, Threaded
from flexura.shown import Facts, Shown
from flexura.text import few
from flexura.value import state_of


@dataclass(frozen=True, repr=False)
class Robot(Shown):
    """Rods and bodies, the joints between them, the loads and tendons on them; checks itself once.

    Attributes:
        name: Name of the robot.
        rods: Rods.
        joints: Joints between frames; rods and bodies that they do not connect to the world fly.
        loads: Loads.
        tendons: Tendons. The names of joints, loads and tendons are inputs and must be unique.
        bodies: Rigid bodies.
        volumes: Soft volumes. The names of rods, bodies, volumes, sets, tubes and obstacles must be
            unique; there is at least one of them, not counting obstacles.
        tubes: Sets of tubes inside each other, each with a joint that holds its base.
        obstacles: What stands in their way.
        contacts: Which rods, bodies, volumes and obstacles do not go through each other; others do.
    """

    name: str
    rods: Sequence[Rod] = ()
    joints: Sequence[Joint | Clamp | Threaded] = ()
    loads: Sequence[Load] = ()
    tendons: Sequence[Tendon] = ()
    bodies: Sequence[Body] = ()
    volumes: Sequence[Volume] = ()
    tubes: Sequence[TubeSet] = ()
    obstacles: Sequence[Obstacle] = ()
    contacts: Sequence[Contact] = ()

    def __post_init__(self) -> None:
        assign(
            self,
            name=name("Robot", "name", self.name),
            rods=_entries("rods", self.rods, Rod),
            joints=_entries("joints", self.joints, Joint | Clamp | Threaded),
            loads=_entries("loads", self.loads, Load),
            tendons=_entries("tendons", self.tendons, Tendon),
            bodies=_entries("bodies", self.bodies, Body),
            volumes=_entries("volumes", self.volumes, Volume),
            tubes=_entries("tubes", self.tubes, TubeSet),
            obstacles=_entries("obstacles", self.obstacles, Obstacle),
            contacts=_entries("contacts", self.contacts, Contact),
        )
        if not (self.rods or self.bodies or self.volumes or self.tubes):
            needed = "at least one Rod(...), Body(...), Volume(...) or TubeSet(...)"
            raise BadField(f"Robot: rods is empty; a robot needs {needed}", "rods")
        parts = [(f"rods[{i}]", rod.name) for i, rod in enumerate(self.rods)]
        parts += [(f"bodies[{i}]", body.name) for i, body in enumerate(self.bodies)]
        parts += [(f"volumes[{i}]", volume.name) for i, volume in enumerate(self.volumes)]
        for i, own in enumerate(self.tubes):
            parts.append((f"tubes[{i}]", own.name))
            parts += [(f"tubes[{i}].tubes[{j}]", tube.name) for j, tube in enumerate(own.tubes)]
        _check_unique(parts + [(f"obstacles[{i}]", x.name) for i, x in enumerate(self.obstacles)])
        rods = {rod.name: rod for rod in self.rods}
        for own in self.tubes:
            rods |= {rod.name: rod for rod in (own.centreline, *own.tubes)}
        bodies = {body.name: body for body in self.bodies}
        check_no_volumes(self.volumes, self.joints, self.loads, self.tendons)
        for entry in (*self.joints, *self.loads):
            entry.check(rods, bodies)
        if self.tubes:
            self._check_no_sets()
        graph = self.graph
        _check_tubes(self.tubes, graph, self._load_frames)
        rods = {rod.name: rod for rod in self.rods}
        for i, tendon in enumerate(self.tendons):
            tendon.check(rods)
            _check_joined(f"tendons[{i}].rod", tendon, graph)
        solids = {x.name: x for x in self.obstacles}
        _check_contacts(self.contacts, rods, bodies, solids, {x.name: x for x in self.volumes})
        joints = [(f"joints[{i}]", joint.label) for i, joint in enumerate(self.joints)]
        loads = [(f"loads[{i}]", load.name) for i, load in enumerate(self.loads)]
        tendons = [(f"tendons[{i}]", tendon.name) for i, tendon in enumerate(self.tendons)]
        _check_unique(joints + loads + tendons)
        check_volumes(self.volumes, self.joints, self.loads, self.tendons)

    def _check_no_sets(self) -> None:
        """Raise for sets of tubes where rods are meant."""
        for kind in ("joints", "loads", "tendons"):
            for i, entry in enumerate(getattr(self, kind)):
                own = getattr(entry, "label", None) or entry.name
                who = f"{type(entry).__name__} {own!r}"
                rods = entry.rods if isinstance(entry, Tendon) else [rod for rod, _ in entry.jumps]
                for rod in rods:
                    check_no_set(who, rod, self.tubes, f"{kind}[{i}]")
                    if isinstance(entry, Tendon):
                        check_no_tube(who, rod, self.tubes, f"{kind}[{i}].rod")
        for i, contact in enumerate(self.contacts):
            contact.check_no_tubes(self.tubes, f"contacts[{i}]")

    def __getstate__(self) -> dict[str, Any]:
        return state_of(self)

    def _facts(self) -> Facts:
        parts = {
            "rods": [f"{rod.name} ({rod.length:g} m)" for rod in self.rods],
            "tubes": [f"{x.name} ({', '.join(tube.name for tube in x.tubes)})" for x in self.tubes],
            "bodies": [body.name for body in self.bodies],
            "volumes": [f"{x.name} ({len(x.mesh)} tetrahedra)" for x in self.volumes],
            "joints": [joint.label for joint in self.joints],
            "loads": [load.name for load in self.loads],
            "tendons": [tendon.name for tendon in self.tendons],
            "obstacles": [obstacle.name for obstacle in self.obstacles],
            "contacts": [contact.label for contact in self.contacts],
        }
        return Facts(f"Robot {self.name!r}", [(kind, few(x)) for kind, x in parts.items() if x])

    def _picture(self) -> "Robot":
        return self

    @cached_property
    def graph(self) -> Graph:
        """How its parts hang together, found once."""
        points = [frame for frame in self._load_frames if isinstance(frame, At)]
        return Graph.of(self.rods, self.bodies, self.links, self.ties, self.tubes, points)

    @property
    def _load_frames(self) -> list[FrameLike]:
        """The frames of rods and bodies that loads act at."""
        frames = (getattr(load, "at", None) for load in self.loads)
        return [frame for frame in frames if isinstance(frame, str | At)]

    @cached_property
    def links(self) -> tuple[Joint, ...]:
        """The joints between frames."""
        return tuple(x for x in self.joints if not isinstance(x, Clamp | Threaded))

    @cached_property
    def ties(self) -> tuple[Clamp | Threaded, ...]:
        """What ties volumes to frames and to rods."""
        return tuple(x for x in self.joints if isinstance(x, Clamp | Threaded))

    def volume(self, name: str) -> Volume:
        """The volume of that name."""
        for volume in self.volumes:
            if volume.name == name:
                return volume
        raise UnknownName("volume", name, [volume.name for volume in self.volumes])

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """What looks like a slip of units, as questions; rods that touch as what they are not."""
        fits = [doubt for own in self.tubes for doubt in own.doubts]
        along = [tendon for tendon in self.tendons if tendon.volume is None]
        touching = contact_doubts(self.obstacles, self.contacts, self.slender, self.bodies)
        own = doubts(self.slender, along, self.volumes, self.loads, self.bodies)
        return (*own, *fits, *touching)

    @cached_property
    def slender(self) -> tuple[Rod, ...]:
        """Its rods, and the tubes of its sets."""
        return (*self.rods, *(tube for own in self.tubes for tube in own.tubes))

    @cached_property
    def tips(self) -> tuple[str, ...]:
        """Frames of the tips of its rods and tubes."""
        return tuple(f"{rod.name}.tip" for rod in self.slender)

    @cached_property
    def ends(self) -> tuple[str, ...]:
        """Frames that tell where it is: tips of rods, and bodies; none where all is soft."""
        return (*self.tips, *(body.name for body in self.bodies))

    def rod(self, name: str) -> Rod:
        """The rod or the tube of that name."""
        check_no_set("Robot.rod", name, self.tubes, "name")
        check_no_volume("Robot.rod", name, [x.name for x in self.volumes], "name")
        return find_rod(name, self._slender_by_name)

    @cached_property
    def _slender_by_name(self) -> dict[str, Rod]:
        return {rod.name: rod for rod in self.slender}

    def body(self, name: str) -> Body:
        """The body of that name."""
        bodies = self.graph.bodies
        return bodies[known("body", name, bodies)]

    @cached_property
    def length(self) -> float:
        """A length to compare moments with forces: of the longest rod or volume.

        Else, where anything may touch, of the largest shape of a body; else 1 m. How far chains of
        rods reach is another one.
        """
        lengths = [rod.length for rod in self.slender] + [x.mesh.size for x in self.volumes]
        if not lengths and self.contacts:
            lengths = [x.shape.extent for x in self.bodies if x.shape is not None]
        return float(max(lengths, default=1.0))

    def jumps(self, rod: str) -> tuple[float, ...]:
        """Arc lengths strictly inside a rod where anything acts or its rest kinks, ascending [m].

        Points closer than rounding to an end or to each other count as one.
        """
        length = self.rod(rod).length
        inside: list[float] = []
        for s in sorted((*self.acting.get(rod, ()), *self.rod(rod).kinks)):
            previous = inside[-1] if inside else 0.0
            if min(s - previous, length - s) > ROUNDING * length:
                inside.append(s)
        return tuple(inside)

    @cached_property
    def acting(self) -> dict[str, list[float]]:
        """Arc lengths where anything acts [m], by rod: of joints, loads and tendons in order."""
        found: dict[str, list[float]] = {}
        acting = [entry.jumps for entry in (*self.joints, *self.loads)]
        acting += [tendon.jumps(self.graph.rods) for tendon in self.tendons]
        for part, s in chain.from_iterable(acting):
            found.setdefault(part, []).append(s)
        return found


def _entries(field: str, value: object, allowed: Any) -> tuple[Any, ...]:
    """The entries of a list of the robot, each of an allowed class."""
    scalar = isinstance(value, np.ndarray) and not value.ndim  # which says that it has entries
    if isinstance(value, str) or scalar or not isinstance(value, Iterable):
        names = class_names(allowed)
        raise BadField(
            f"Robot: {field} must be a list of {names}, got {show(value)}; write {field}=[...]",
            field,
        )
    entries = tuple(value)
    for i, entry in enumerate(entries):
        instance("Robot", f"{field}[{i}]", entry, allowed)
    return entries


def _check_tubes(sets: Sequence[TubeSet], graph: Graph, loaded: Sequence[FrameLike]) -> None:
    """Raise unless a joint holds every set, and nothing acts on what is no frame of it."""
    centrelines = {own.name for own in sets}
    held = {a for joint in graph.free for a in (joint.a, joint.b)}
    for i, own in enumerate(sets):
        base = Anchor(own.name, "base")
        if base not in held and len(graph.group_of[base].frames) == 1:
            raise BadField(
                f"TubeSet {own.name!r} has no joint at its base: add "
                f"Weld('world', '{own.name}.base') to joints, or join it to a body or a rod",
                f"tubes[{i}]",
            )
    used = {a for group in graph.groups if len(group.frames) > 1 for a in group.frames} | held
    for anchor in (*used, *(graph.anchor_of(frame)[0] for frame in loaded)):
        front = anchor.part in centrelines and anchor.end != "base"
        if front or (anchor.part in graph.fed and anchor.end == "base"):
            tubes = ", ".join(repr(f"{tube}.tip") for tube in graph.fed)
            raise BadField(
                f"Robot: {str(anchor)!r} is no frame that joints or loads can hold on to; use "
                f"{sorted(centrelines)[0] + '.base'!r}, {tubes} or At(tube, s)",
                "tubes",
            )


def _check_joined(key: str, tendon: Tendon, graph: Graph) -> None:
    """Raise unless each rod of a tendon begins where the one before it ends."""
    for a, b in pairwise(tendon.rods):
        ends = Anchor(a, "tip"), Anchor(b, "base")
        if ends[1] not in graph.group_of[ends[0]].frames:
            tip, base = map(str, ends)
            raise BadField(
                f"Tendon {tendon.name!r}: its rods must be joined end to end, but {tip!r} and "
                f"{base!r} are not welded to each other; add Weld({tip!r}, {base!r})",
                key,
            )


def _check_contacts(
    contacts: Iterable[Contact],
    rods: Mapping[str, Rod],
    bodies: Mapping[str, Body],
    obstacles: Mapping[str, Obstacle],
    volumes: Mapping[str, Volume],
) -> None:
    """Raise unless contacts are between what there is, and no pair is named twice."""
    first: dict[frozenset[str], int] = {}
    for i, contact in enumerate(contacts):
        contact.check(rods, bodies, obstacles, volumes)
        pair = frozenset((contact.a, contact.b))
        if pair in first:
            raise BadField(
                f"Robot: contacts[{first[pair]}] and contacts[{i}] are both between {contact.a!r} "
                f"and {contact.b!r}; leave one out",
                f"contacts[{i}]",
            )
        first[pair] = i


def _check_unique(entries: Iterable[tuple[str, str]]) -> None:
    """Raise if two of the entries (key, name) have the same name."""
    first: dict[str, str] = {}
    for key, text in entries:
        if text in first:
            raise BadField(
                f"Robot: {first[text]} and {key} are both called {text!r}; give one another name",
                f"{key}.name",
            )
        first[text] = key
