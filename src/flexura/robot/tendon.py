"""Tendons: cables that run along rods and pull."""

import pickle
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from flexura.errors import UnknownName
from flexura.robot.check import (
    LARGEST,
    BadField,
    assign,
    bad,
    instance,
    name,
    nonnegative,
    positive,
    vector3,
    within,
)
from flexura.robot.frame import find_rod
from flexura.robot.function import HoldsFunctions
from flexura.robot.piecewise import APART, AnyRouting, Discs
from flexura.robot.rod import ROUNDING, Rod
from flexura.robot.routing import Span
from flexura.robot.volume_tie import way_points
from flexura.typing import Array, ArrayLike, Vector
from flexura.value import Value

Drive: TypeAlias = Literal["tension", "length"]
DRIVES: tuple[str, ...] = get_args(Drive)


class _Link(NamedTuple):
    """A rod of a chain, and the arc length of the chain at its base [m]."""

    base: float
    rod: Rod

    @property
    def tip(self) -> float:
        """Arc length of the chain at the rod's tip [m]."""
        return self.base + self.rod.length

    def holds(self, s: float) -> bool:
        """Whether an arc length of the chain is on the rod, its ends included."""
        near = ROUNDING * self.tip
        return self.base - near <= s <= self.tip + near

    def reaches(self, begin: float, end: float) -> bool:
        """Whether more than an end of the rod lies between two arc lengths of the chain."""
        near = ROUNDING * self.tip
        return begin < self.tip - near and end > self.base + near

    def on_rod(self, s: float) -> float:
        """The point of the rod nearest to an arc length of the chain, freed from rounding [m]."""
        s, near = s - self.base, ROUNDING * self.tip
        if s < near:
            return 0.0
        return s if s < self.rod.length - near else self.rod.length


@dataclass(frozen=True)
class Stretch:
    """A smooth part of a tendon on one rod.

    Attributes:
        rod: Name of the rod.
        begin: Arc length of that rod where the part begins [m].
        end: Arc length of that rod where it ends [m].
        span: The smooth piece of the routing that it is a part of.
        base: Arc length of the chain at the base of that rod [m].
    """

    rod: str
    begin: float
    end: float
    span: Span
    base: float

    def path(self, s: Array) -> tuple[Vector, Vector]:
        """Where it runs in the section frame of the rod.

        Args:
            s: Arc lengths of the rod [m], (n,).

        Returns:
            Offsets D = (0, y, z) from its axis [m], and their slopes dD/ds [-], (n, 3) both.
        """
        offset, slope = self.span.path(np.clip(self.base + s, self.span.begin, self.span.end))
        return np.pad(offset, ((0, 0), (1, 0))), np.pad(slope, ((0, 0), (1, 0)))


@dataclass(frozen=True, eq=False)
class Hole(Value):
    """A hole of a disc that a tendon passes, or where it begins or is anchored.

    Attributes:
        rod: Name of the rod.
        s: Arc length of that rod [m].
        offset: (0, y, z) from its axis, section frame [m], (3,).
    """

    rod: str
    s: float
    offset: Vector


@dataclass(frozen=True)
class Tendon(HoldsFunctions):
    """A cable that runs without friction along rods, or through a volume, anchored at its end.

    Arc lengths are measured over the chain of its rods, from the base of the first one.

    Attributes:
        name: Name of the tendon and of the input that drives it.
        rod: Name of its rod, or of several that are joined end to end, from base to tip; None for
            a tendon through a volume.
        routing: Where it runs in the cross-sections of rods.
        start: Arc length where it begins [m].
        end: Arc length where it is anchored [m]; None is the tip of the chain, for ``Discs`` the
            last disc.
        drive: Whether its input is its "tension" [N] or its "length" [m].
        stiffness: EA of an elastic tendon [N]; None does not stretch.
        volume: Name of the volume that it runs through, in straight pieces; None for rods.
        points: Points of the volume at rest that it passes, anchored at the last one [m], (n, 3).
        pull: Where it comes from, a point of the world [m]; without it, it begins at the first of
            the points, and pulls that one towards the second.
    """

    name: str
    rod: str | Sequence[str] | None = None
    routing: AnyRouting | None = None
    start: float = 0.0
    end: float | None = None
    drive: Drive = "tension"
    stiffness: float | None = None
    volume: str | None = None
    points: ArrayLike = ()
    pull: ArrayLike | None = None

    def __post_init__(self) -> None:
        assign(self, name=name("Tendon", "name", self.name))
        who = self._who
        assign(self, drive=_drive(who, self.drive))
        if self.volume is not None:
            self._check_volume(who)
            return
        for field, default in (("points", ()), ("pull", None)):
            if not _is(getattr(self, field), default):
                remedy = "name the volume that the tendon runs through with volume="
                raise bad(who, field, "left out", getattr(self, field), remedy)
        instance(who, "routing", self.routing, AnyRouting)
        assign(
            self,
            rod=_rod_names(who, self.rod),
            start=nonnegative(who, "start", self.start),
        )
        if self.end is not None:
            assign(self, end=positive(who, "end", self.end))
            if self.end <= self.start:
                allowed = f"greater than start = {self.start} m"
                raise bad(who, "end", allowed, self.end, "a tendon runs from base to tip")
        self._check_stiffness(who)

    def _check_stiffness(self, who: str) -> None:
        if self.stiffness is not None:
            assign(self, stiffness=positive(who, "stiffness", self.stiffness))

    def _check_volume(self, who: str) -> None:
        """Raise unless these are the fields of a tendon through a volume."""
        for field, default in (("rod", None), ("routing", None), ("start", 0.0), ("end", None)):
            if not _is(getattr(self, field), default):
                remedy = "a tendon runs along rods or through a volume, by points= and pull="
                raise bad(who, field, "left out", getattr(self, field), remedy)
        assign(
            self,
            volume=name(who, "volume", self.volume),
            points=way_points(who, "points", self.points),
        )
        if self.pull is not None:
            assign(self, pull=vector3(who, "pull", self.pull))
        way = ([] if self.pull is None else [self.pull]) + list(self.points)  # type: ignore[arg-type]
        if len(way) < 2:
            remedy = "name another point, or where it is pulled from with pull="
            raise bad(who, "points", "a way of two points at least", self.points, remedy)
        for i, (a, b) in enumerate(pairwise(way)):
            if a == b:
                field = f"points[{i + (self.pull is None)}]"
                raise bad(who, field, "another point than the one before", b, "leave it out")
        self._check_stiffness(who)

    def __getstate__(self) -> dict[str, Any]:
        with within(self._who, "routing"):  # so that an error names the tendon
            pickle.dumps(self.routing)
        return vars(self)

    @property
    def _who(self) -> str:
        return f"Tendon {self.name!r}"

    @property
    def rods(self) -> tuple[str, ...]:
        """Names of its rods, from base to tip."""
        return (self.rod,) if isinstance(self.rod, str) else tuple(self.rod or ())

    @np.errstate(all="ignore")
    def check(self, rods: Mapping[str, Rod]) -> None:
        """Raise unless the rods exist and hold the tendon, and its routing is sound on them."""
        self.holes(rods)
        for stretch in self.stretches(rods):
            s = np.array([stretch.begin, 0.5 * (stretch.begin + stretch.end), stretch.end])
            offset, slope = stretch.path(s)
            if not (np.abs([offset, slope]) <= LARGEST).all():
                raise BadField(
                    f"{self._who}: on rod {stretch.rod!r} its offsets come out as "
                    f"{offset.tolist()} m and their slopes as {slope.tolist()}; give offsets in "
                    "metres that a rod can have",
                    "routing",
                )

    def stretches(self, rods: Mapping[str, Rod]) -> tuple[Stretch, ...]:
        """Its smooth parts in order, each on one rod; none for ``Discs``."""
        if self.routing is None or isinstance(self.routing, Discs):
            return ()
        chain = self._chain(rods)
        extent = self._extent(chain)
        with within(self._who, "routing"):
            spans = self.routing.spans(*extent)
        cuts = (
            (span, link, link.on_rod(span.begin), link.on_rod(span.end))
            for span in spans
            for link in _near(chain, span.begin, span.end)
        )
        return tuple(
            Stretch(link.rod.name, begin, end, span, link.base)
            for span, link, begin, end in cuts
            if begin < end
        )

    def holes(self, rods: Mapping[str, Rod]) -> tuple[Hole, ...]:
        """The holes of its ``Discs`` in order; none for other routings.

        Where two rods meet there is one at the tip of the first and one at the base of the second:
        between them the tendon runs straight through whatever joins the rods.
        """
        if not isinstance(self.routing, Discs):
            return ()
        chain = self._chain(rods)
        begin, end = self._extent(chain)
        return tuple(
            Hole(link.rod.name, link.on_rod(s), np.array([0.0, y, z]))
            for s, y, z in self.routing.holes(begin, end)
            for link in _near(chain, s, s)
            if link.holds(s) and link.reaches(begin, end)
        )

    def touches(self, rods: Mapping[str, Rod]) -> tuple[Hole, ...]:
        """Its holes, or where its smooth parts begin and end, in order."""
        found = list(self.holes(rods))
        for stretch in self.stretches(rods):
            s = np.array([stretch.begin, stretch.end])
            pairs = zip(s.tolist(), stretch.path(s)[0], strict=True)
            found += (Hole(stretch.rod, x, offset) for x, offset in pairs)
        return tuple(found)

    def jumps(self, rods: Mapping[str, Rod]) -> tuple[tuple[str, float], ...]:
        """Rods and arc lengths where it begins, ends, kinks or has a hole, in its order [m].

        The ends of a rod are among them where it passes on to another rod.
        """
        ends = ((part.rod, s) for part in self.stretches(rods) for s in (part.begin, part.end))
        return tuple(dict.fromkeys([*ends, *((hole.rod, hole.s) for hole in self.holes(rods))]))

    def _chain(self, rods: Mapping[str, Rod]) -> list[_Link]:
        """Its rods and where they are in the chain."""
        chain: list[_Link] = []
        for rod in self.rods:
            chain.append(_Link(chain[-1].tip if chain else 0.0, find_rod(rod, rods)))
        return chain

    def _extent(self, chain: list[_Link]) -> tuple[float, float]:
        """Where it begins and ends on the chain [m], checked."""
        length = chain[-1].tip
        start, end = self._on_chain("start", self.start, length), length
        if isinstance(self.routing, Discs):
            field = f"routing.at[{self.routing.count - 1}]"
            end = self._on_chain(field, self.routing.last, length)
        if self.end is not None:
            end = self._on_chain("end", self.end, length)
        if end - start <= APART * length:
            allowed = f"smaller than its end, {end:.12g} m"
            raise bad(self._who, "start", allowed, self.start, "a tendon runs from base to tip")
        return start, end

    def _on_chain(self, field: str, s: float, length: float) -> float:
        """An arc length, checked to lie on the chain and freed from rounding at its tip [m]."""
        if s > length * (1.0 + ROUNDING):
            on = f"rod{'s' * (len(self.rods) > 1)} {', '.join(map(repr, self.rods))}"
            remedy = "arc length runs over the rods from base to tip"
            raise bad(self._who, field, f"in [0, {length:.12g}] m, on {on}", s, remedy)
        return min(s, length)


def _near(chain: Sequence[_Link], begin: float, end: float) -> Sequence[_Link]:
    """Those rods of a chain that touch the part between two arc lengths, or may by rounding."""
    near = 2.0 * ROUNDING * chain[-1].tip
    first = bisect_left(chain, begin - near, key=lambda link: link.tip)
    return chain[first : bisect_right(chain, end + near, key=lambda link: link.base)]


def _is(value: object, default: object) -> bool:
    """Whether a field has its default; arrays have not."""
    return value is default or (type(value) is type(default) and value == default)


def _rod_names(who: str, value: object) -> str | tuple[str, ...]:
    """The name of one rod, or those of several."""
    if value is None:
        remedy = "name the rod that the tendon runs along, or with volume= the volume"
        raise bad(who, "rod", "the name of a rod", value, remedy)
    if not isinstance(value, list | tuple):
        return name(who, "rod", value)
    names = tuple(name(who, f"rod[{i}]", entry) for i, entry in enumerate(value))
    if not names:
        raise bad(who, "rod", "at least one name", value, "name the rod that the tendon runs along")
    first: dict[str, int] = {}
    for i, entry in enumerate(names):
        if first.setdefault(entry, i) != i:
            allowed = f"another rod than rod[{first[entry]}]"
            raise bad(who, f"rod[{i}]", allowed, entry, "a tendon passes a rod once")
    return names if len(names) > 1 else names[0]


def _drive(who: str, value: object) -> str:
    """One of the drives."""
    drive = name(who, "drive", value)
    if drive not in DRIVES:
        raise BadField(f"{who}: {UnknownName('drive', drive, DRIVES)}", "drive")
    return drive
