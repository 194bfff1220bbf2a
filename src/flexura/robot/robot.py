"""The description of a robot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flexura.errors import UnknownName
from flexura.robot.body import Body
from flexura.robot.check import BadField, assign, class_names, instance, name, show
from flexura.robot.frame import find_rod
from flexura.robot.graph import Group, rigid_groups
from flexura.robot.joint import Joint
from flexura.robot.load import Load
from flexura.robot.rod import ROUNDING, Rod
from flexura.robot.tendon import Tendon


@dataclass(frozen=True)
class Robot:
    """Rods and bodies, the joints between them, the loads and tendons on them; checks itself once.

    Attributes:
        name: Name of the robot.
        rods: Rods.
        joints: Joints between frames; every rod and body must be connected to the world.
        loads: Loads.
        tendons: Tendons. The names of joints, loads and tendons are inputs and must be unique.
        bodies: Rigid bodies. The names of rods and bodies must be unique; there is at least one.
    """

    name: str
    rods: Sequence[Rod] = ()
    joints: Sequence[Joint] = ()
    loads: Sequence[Load] = ()
    tendons: Sequence[Tendon] = ()
    bodies: Sequence[Body] = ()

    def __post_init__(self) -> None:
        assign(
            self,
            name=name("Robot", "name", self.name),
            rods=_entries("rods", self.rods, Rod),
            joints=_entries("joints", self.joints, Joint),
            loads=_entries("loads", self.loads, Load),
            tendons=_entries("tendons", self.tendons, Tendon),
            bodies=_entries("bodies", self.bodies, Body),
        )
        if not self.rods and not self.bodies:
            needed = "at least one Rod(...) or Body(...)"
            raise BadField(f"Robot: rods is empty; a robot needs {needed}", "rods")
        parts = [(f"rods[{i}]", rod.name) for i, rod in enumerate(self.rods)]
        _check_unique(parts + [(f"bodies[{i}]", body.name) for i, body in enumerate(self.bodies)])
        rods = {rod.name: rod for rod in self.rods}
        bodies = {body.name: body for body in self.bodies}
        for entry in (*self.joints, *self.loads):
            entry.check(rods, bodies)
        groups = rigid_groups(self.rods, self.bodies, self.joints)
        for i, tendon in enumerate(self.tendons):
            tendon.check(rods)
            _check_joined(f"tendons[{i}].rod", tendon, groups)
        joints = [(f"joints[{i}]", joint.label) for i, joint in enumerate(self.joints)]
        loads = [(f"loads[{i}]", load.name) for i, load in enumerate(self.loads)]
        tendons = [(f"tendons[{i}]", tendon.name) for i, tendon in enumerate(self.tendons)]
        _check_unique(joints + loads + tendons)

    def rod(self, name: str) -> Rod:
        """The rod of that name."""
        return find_rod(name, {rod.name: rod for rod in self.rods})

    def body(self, name: str) -> Body:
        """The body of that name."""
        bodies = {body.name: body for body in self.bodies}
        if name not in bodies:
            raise UnknownName("body", name, bodies)
        return bodies[name]

    def jumps(self, rod: str) -> tuple[float, ...]:
        """Arc lengths strictly inside a rod where anything acts or its rest kinks, ascending [m].

        Points closer than rounding to an end or to each other count as one.
        """
        length = self.rod(rod).length
        rods = {entry.name: entry for entry in self.rods}
        jumps = [s for entry in (*self.joints, *self.loads) for s in entry.jumps(rod)]
        jumps += (s for tendon in self.tendons for s in tendon.jumps(rod, rods))
        jumps += self.rod(rod).kinks
        inside: list[float] = []
        for s in sorted(jumps):
            previous = inside[-1] if inside else 0.0
            if min(s - previous, length - s) > ROUNDING * length:
                inside.append(s)
        return tuple(inside)


def _entries(field: str, value: object, allowed: Any) -> tuple[Any, ...]:
    """The entries of a list of the robot, each of an allowed class."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        names = class_names(allowed)
        raise BadField(
            f"Robot: {field} must be a list of {names}, got {show(value)}; write {field}=[...]",
            field,
        )
    entries = tuple(value)
    for i, entry in enumerate(entries):
        instance("Robot", f"{field}[{i}]", entry, allowed)
    return entries


def _check_joined(key: str, tendon: Tendon, groups: Sequence[Group]) -> None:
    """Raise unless each rod of a tendon begins where the one before it ends."""
    for a, b in pairwise(tendon.rods):
        tip, base = f"{a}.tip", f"{b}.base"
        if not any(tip in group.frames and base in group.frames for group in groups):
            raise BadField(
                f"Tendon {tendon.name!r}: its rods must be joined end to end, but {tip!r} and "
                f"{base!r} are not welded to each other; add Weld({tip!r}, {base!r})",
                key,
            )


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
