"""Which parts of a robot may touch which others, or obstacles."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.errors import UnknownName
from flexura.robot.body import Body
from flexura.robot.check import BadField, assign, name, nonnegative, positive
from flexura.robot.keyword import keywords
from flexura.robot.obstacle import Obstacle
from flexura.robot.rod import Rod
from flexura.robot.section import is_round
from flexura.robot.shape import Box, Capsule, Cylinder, Plate, Sphere, Triangles
from flexura.robot.tubes import TubeSet
from flexura.robot.volume import Volume

# Rubber on rough ground has 2, hardly anything more; 30 is meant as percent.
ROUGHEST = 5.0
# What robots of some metres touch is less thick than this [m]; a table of 20 millimetres is 20.
THICKEST = 5.0


@keywords(mu="friction")
@dataclass(frozen=True)
class Contact:
    """Two things that do not go through each other: rods, bodies with a shape, volumes, obstacles.

    Rods are round, as thick as their sections, with round ends. The friction is that of Coulomb: a
    force along the surface of at most ``friction`` times the one that presses, against the sliding.

    Attributes:
        a: Name of a rod, a body, a volume or an obstacle.
        b: Name of another one; of the same rod, for one that touches itself.
        friction: Coefficient of friction.
        radius: How thick rods are here [m]; None is as thick as their section: its outer radius, or
            that of a circle of the same area where it is not round, which remarks say.
    """

    a: str
    b: str
    friction: float = 0.0
    radius: float | None = None

    def __post_init__(self) -> None:
        assign(self, a=name("Contact", "a", self.a), b=name("Contact", "b", self.b))
        assign(self, friction=nonnegative(str(self), "friction", self.friction))
        if self.radius is not None:
            assign(self, radius=positive(str(self), "radius", self.radius))

    @property
    def pair(self) -> str:
        """Both names."""
        return f"{self.a} with {'itself' if self.b == self.a else self.b}"

    @property
    def label(self) -> str:
        """Both names, and the friction if there is any."""
        return f"{self.pair} (friction {self.friction:g})" if self.friction else self.pair

    def __str__(self) -> str:
        return f"Contact {self.a!r} with {self.b!r}"

    def check_no_tubes(self, sets: Iterable[TubeSet], key: str) -> None:
        """Raise if a set of tubes, or a tube of one, should touch something."""
        for own in sets:
            tubes = ", ".join(repr(tube.name) for tube in own.tubes)
            if {own.name, *(tube.name for tube in own.tubes)} & {self.a, self.b}:
                raise BadField(
                    f"{self}: {own.name!r} is a set of tubes, and these do not touch anything yet: "
                    f"{tubes}; describe what shall touch as a Rod, pushed by a driven Slider at "
                    "its base",
                    key,
                )

    def check(
        self,
        rods: Mapping[str, Rod],
        bodies: Mapping[str, Body],
        obstacles: Mapping[str, Obstacle],
        volumes: Mapping[str, Volume],
    ) -> None:
        """Raise unless both are there, have a shape, and at least one of them can move."""
        for field in ("a", "b"):
            part = getattr(self, field)
            known = [*rods, *bodies, *volumes, *obstacles]
            if part not in known:
                kinds = "rod, body, volume or obstacle"
                raise BadField(str(UnknownName(kinds, part, known)), field)
            shape = bodies[part].shape if part in bodies else None
            if part in bodies and (shape is None or isinstance(shape, Plate)):
                raise BadField(
                    f"{self}: body {part!r} needs a shape that can touch, a Sphere, Box, Cylinder, "
                    f"Capsule or Triangles; write Body({part!r}, ..., shape=Sphere(0.01))",
                    field,
                )
        if self.a in obstacles and self.b in obstacles:
            raise BadField(
                f"{self}: both are fixed in the world; name a rod, a body or a volume", "b"
            )
        if self.a == self.b and self.a not in rods:
            raise BadField(f"{self}: only a rod can touch itself; name two parts", "b")
        if self.radius is not None and self.a not in rods and self.b not in rods:
            raise BadField(f"{self}: radius is that of rods, and neither is one", "radius")


def contact_doubts(
    obstacles: Sequence[Obstacle],
    contacts: Sequence[Contact],
    rods: Sequence[Rod],
    bodies: Sequence[Body],
) -> Iterator[str]:
    """What touches nothing, or looks like millimetres or percent, and rods that are not round."""
    named = {name for x in contacts for name in (x.a, x.b)}
    idle = [x.name for x in obstacles if x.name not in named]
    if idle:
        yield (
            f"obstacle {idle[0]!r} is in no Contact, so everything goes through it: add "
            f"Contact(part, {idle[0]!r})"
        )
    longest = max((rod.length for rod in rods), default=0.0)
    solid = [("obstacle", x.name, _thickness(x.shape)) for x in obstacles]
    solid += [("body", x.name, _thickness(x.shape)) for x in bodies]
    for kind, part, thick in solid:
        if thick > max(THICKEST, longest):
            yield (
                f"{kind} {part!r} is {thick:.3g} m thick where it is thinnest: is that meant? "
                "Sizes of shapes and points of meshes are in metres: multiply millimetres by 1e-3"
            )
            break
    rough = [x for x in contacts if x.friction > ROUGHEST]
    if rough:
        yield (
            f"{rough[0]} has a friction of {rough[0].friction:g}: is that meant? It is one force "
            "over another, 0.3 for many materials"
        )
    bare = {name for x in contacts if x.radius is None for name in (x.a, x.b)}
    for rod in rods:
        if rod.name in bare and not is_round(rod.section):
            yield (
                f"rod {rod.name!r} is not round: it touches as if its radius were "
                f"{as_if_round(rod)}, that of a circle of its area; Contact(..., radius=...) says "
                "otherwise"
            )


def _thickness(shape: object) -> float:
    """How thick a solid is where it is thinnest, along its axes [m]; zero of what is none."""
    match shape:
        case Sphere(radius=radius) | Capsule(radius=radius):
            return 2.0 * radius
        case Cylinder(radius=radius, length=length):
            return min(2.0 * radius, length)
        case Box(x=x, y=y, z=z):
            return min(x, y, z)
        case Triangles(points=points):
            return float(np.ptp(np.array(points), axis=0).min())
    return 0.0


def as_if_round(rod: Rod) -> str:
    """The radius of a circle of the area of a rod, at both ends if these differ [m], in words."""
    areas = rod.section_constants([0.0, rod.length])[:, 0]
    found = dict.fromkeys(f"{radius:.3g}" for radius in np.sqrt(areas / np.pi).tolist())
    return f"{' to '.join(found)} m"
