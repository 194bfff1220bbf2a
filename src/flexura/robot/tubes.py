"""Sets of tubes inside each other, fed through a plate; one tube is a rod fed through it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from flexura.robot.check import BadField, assign, bad, instance, part_name
from flexura.robot.material import Material
from flexura.robot.rod import Rod
from flexura.robot.section import Circle
from flexura.value import state_of

# Samples along a tube where its rest shape is checked.
SAMPLES = 9
# Tubes are bent to steer: by more than this in all [rad], or not at all.
SLIGHT = 0.01
# A gap between tubes below this part of the radius is rounding: they touch.
TOUCHING = 1e-9


@dataclass(frozen=True)
class TubeSet:
    """Tubes that share one centreline, each turned and pushed at its own end behind a front plate.

        g_j(s) = g(s) Rot_x(θ_j(s)),    0 ≤ s ≤ insertion of tube j              (theory 18.1)

    Behind the plate tubes are straight along the x axis of the plate, and only twist. The inputs of
    a tube are "<tube>.rotation", of its proximal end [rad], and "<tube>.insertion", the length that
    is outside of the plate [m], all of it if it is not given.

    Attributes:
        name: Name of the set; "<name>.base" is the frame of its plate, whose x axis points out.
        tubes: Rods, innermost first; "<tube>.tip" is the material frame at the end of each.
    """

    name: str
    tubes: Sequence[Rod]

    def __post_init__(self) -> None:
        assign(self, name=part_name("TubeSet", self.name))
        if not isinstance(self.tubes, list | tuple) or not self.tubes:
            remedy = "write for example tubes=[inner, outer], innermost first"
            raise bad(self._who, "tubes", "a list of at least one Rod", self.tubes, remedy)
        assign(self, tubes=tuple(self.tubes))
        for i, tube in enumerate(self.tubes):
            instance(self._who, f"tubes[{i}]", tube, Rod)
            _check_shear(self._who, i, tube)

    def __getstate__(self) -> dict[str, Any]:
        return state_of(self)

    @property
    def _who(self) -> str:
        return f"TubeSet {self.name!r}"

    @property
    def length(self) -> float:
        """Length of the longest tube [m]."""
        return max(tube.length for tube in self.tubes)

    @cached_property
    def centreline(self) -> Rod:
        """A straight rod for the common centreline, to give it a name and a length."""
        return Rod(self.name, self.length, Circle(radius=1e-3), Material(young=1e9, poisson=0.3))

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """Slips of units in rest curvatures; tubes that do not fit into each other."""
        found = [doubt for tube in self.tubes for doubt in _curvature_doubts(tube)]
        for inner, outer in zip(self.tubes, self.tubes[1:], strict=False):
            gap = _clearance(inner, outer)
            if gap is not None and gap < -TOUCHING * _radius(inner):
                found.append(
                    f"tube {inner.name!r} does not fit into tube {outer.name!r} of set "
                    f"{self.name!r}: the clearance of their radii is {gap:.3g} m; is that meant? "
                    "Tubes are given innermost first"
                )
        return tuple(found)


def check_no_set(who: str, name: object, sets: Iterable[TubeSet], key: str = "rod") -> None:
    """Raise for the name of a set where a rod is meant: a set is none, its tubes are."""
    for own in sets:
        if isinstance(name, str) and name == own.name:
            tubes = ", ".join(repr(tube.name) for tube in own.tubes)
            raise BadField(
                f"{who}: {own.name!r} is a set of tubes, which has no arc length of its own; name "
                f"a tube of it instead: {tubes}",
                key,
            )


def check_no_tube(who: str, name: object, sets: Iterable[TubeSet], key: str) -> None:
    """Raise for the name of a tube where only rods can be meant."""
    for own in sets:
        if name in [tube.name for tube in own.tubes]:
            raise BadField(
                f"{who}: {name!r} is a tube of set {own.name!r}, along which tendons cannot run; "
                f"let it run along a rod that is welded to a tip, such as '{name}.tip'",
                key,
            )


def _curvature_doubts(tube: Rod) -> Iterator[str]:
    """Rest curvatures that are hardly any, or tighter than the tube is thick, as questions."""
    s = np.linspace(0.0, tube.length, SAMPLES)
    bent = float(np.linalg.norm(tube.rest_strain(s)[:, 1:3], axis=1).max())
    slight = 0.0 < bent * tube.length < SLIGHT
    if slight or bent * _radius(tube) > 1.0:
        less = "hardly bends it" if slight else "is tighter than it is thick"
        yield (
            f"tube {tube.name!r} has a rest curvature of {bent:.3g} 1/m, which {less}: is that "
            "meant? Curvatures are in 1/m, a thousand times those in 1/mm"
        )


def _check_shear(who: str, i: int, tube: Rod) -> None:
    """Refuse rest shapes whose sections lean: tubes that turn in each other cannot keep them."""
    shear = np.abs(tube.rest_strain(np.linspace(0.0, tube.length, SAMPLES))[:, 4:]).max()
    if shear > 1e-9:
        raise BadField(
            f"{who}: tubes[{i}] {tube.name!r} has a rest shape that is sheared by {shear:.3g}; "
            "give curvatures, and a stretch at most, for tubes that turn in each other",
            f"tubes[{i}].rest",
        )


def _radius(tube: Rod) -> float:
    """Largest outer radius of a tube as far as its section tells, else zero [m]."""
    sections = [tube.section_at(x * tube.length) for x in (0.0, 1.0)]
    return max(float(getattr(s, "outer", getattr(s, "radius", 0.0)) or 0.0) for s in sections)


def _clearance(inner: Rod, outer: Rod) -> float | None:
    """Inner radius of a tube less the outer radius of the one in it [m]; None if not known."""
    bores = [getattr(outer.section_at(x * outer.length), "inner", None) for x in (0.0, 1.0)]
    radius = _radius(inner)
    if any(bore is None for bore in bores):
        round_ = all(hasattr(outer.section_at(x * outer.length), "radius") for x in (0.0, 1.0))
        return -radius if round_ and radius else None
    return min(float(bore) for bore in bores if bore is not None) - radius if radius else None
