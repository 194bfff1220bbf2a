"""Serial chains of rods in numbers without units, for the kernels of the strong form.

Lengths are divided by that of the chain, ℓ, and forces by EI / ℓ² with its mean bending stiffness EI.
Sections and rest shapes are tabulated as Chebyshev series on panels, to rounding.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from flexura.errors import ModelError
from flexura.lie import se3
from flexura.robot import At, Gravity, Group, LineLoad, PointLoad, Robot, Rod, Taper, Weld
from flexura.robot.graph import rigid_groups
from flexura.solve.strong_form import Entry, Law
from flexura.typing import Array, Pose, Strain, Wrench

# The chain is cut into about this many segments. Variations grow by exp(√(P ℓ²/EI) / 24) over one,
# which is harmless up to P ℓ²/EI = 1e5.
SEGMENTS = 24
TERMS = 17
# What a series may miss of a rest curvature, relative to the largest one and to 1 rad over the rod;
# of a stiffness or a stretch, relative.
MISS = 1e-13
# A panel this small, relative to the rod, holds a jump and is left as it is.
SMALLEST_PANEL = 2.0**-45
MAX_PANELS = 2000

_NODES = np.cos(np.pi * (np.arange(TERMS) + 0.5) / TERMS)
_TO_SERIES = 2.0 / TERMS * np.cos(np.outer(np.arange(TERMS), np.arccos(_NODES)))
_TO_SERIES[0] /= 2.0
_PROBES = np.array([-0.97, -0.61, -0.113, 0.359, 0.82, 0.991])  # between the nodes


class Passage(NamedTuple):
    """A rod of the chain, and the frames where the chain enters and leaves it."""

    rod: Rod
    enter: str
    leave: str

    @property
    def forward(self) -> bool:
        """Whether the chain passes the rod from its base to its tip."""
        return self.enter.endswith(".base")


class Panel(NamedTuple):
    """A stretch of a rod where the diagonal of K and ξ* are Chebyshev series, (n, 12)."""

    begin: float
    end: float
    series: Array


@dataclass(frozen=True)
class Problem:
    """A chain under given inputs.

    Attributes:
        law: what acts along its segments.
        entry: what happens between them.
        base: pose where it begins.
        target: pose where it must end, None for a free end.
    """

    law: Law
    entry: Entry
    base: Pose
    target: Pose | None


def passages(robot: Robot) -> tuple[list[Passage], bool]:
    """The rods in the order of the chain, and whether its end is held by the world.

    Raises:
        ModelError: if the robot is not a serial chain.
    """
    groups = rigid_groups(robot.rods, robot.joints)
    group_of = {frame: group for group in groups for frame in group.frames}
    ends = [frame for frame in groups[0].frames if frame != "world"]
    enter = next((frame for frame in ends if frame.endswith(".base")), ends[0])
    chain: list[Passage] = []
    while True:
        name, _, end = enter.rpartition(".")
        leave = f"{name}.tip" if end == "base" else f"{name}.base"
        chain.append(Passage(robot.rod(name), enter, leave))
        group = group_of[leave]
        onward = [frame for frame in group.frames if frame not in (leave, "world")]
        if group.fixed or len(onward) != 1:
            break
        enter = onward[0]
    held = group.fixed
    passed = {passage.rod.name for passage in chain}
    missing = [rod.name for rod in robot.rods if rod.name not in passed]
    if missing or len(ends) > 1 + held or (onward and not group.fixed):
        raise ModelError(
            f"shooting takes a serial chain of rods, and robot {robot.name!r} has branches: beyond "
            f"{', '.join(passed)} there is {', '.join(missing) or 'nothing'}; use "
            "statics(build(robot, rods=...))"
        )
    return chain, held


class Chain:
    """A robot that is a serial chain, tabulated; inputs are given later.

    Attributes:
        passages: its rods in order.
        held: whether its end is welded to the world.
        length: unit of length [m].
        force: unit of force [N].
        owner: for each segment, the number of its rod in the chain, (n,).
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.passages, self.held = passages(robot)
        rods = [passage.rod for passage in self.passages]
        self.length = sum(rod.length for rod in rods)
        bending = [rod.length * rod.stiffness(0.5 * rod.length)[1:3].mean() for rod in rods]
        self.force = float(sum(bending)) / self.length**3
        self.groups = rigid_groups(robot.rods, robot.joints)
        self._tabulate()

    @property
    def n_segments(self) -> int:
        """Number of segments."""
        return len(self.owner)

    @property
    def wrench_unit(self) -> Array:
        """Units of a wrench [N·m, N], (6,)."""
        return np.array([self.force * self.length] * 3 + [self.force] * 3)

    def _tabulate(self) -> None:
        """Panels and segments of all rods, in the order of the chain."""
        unit = np.concatenate([self.wrench_unit, np.ones(6)])
        unit[:3] *= self.length
        unit[6:9] /= self.length
        owner: list[int] = []
        spans: list[tuple[float, float]] = []
        where: list[int] = []
        panels: list[Panel] = []
        for number, passage in enumerate(self.passages):
            rod = passage.rod
            breaks = [0.0, *self.robot.jumps(rod.name), rod.length]
            found = [panel for a, b in pairwise(breaks) for panel in _panels(rod, a, b)]
            if len(found) > MAX_PANELS:
                raise ModelError(
                    f"Rod {rod.name!r}: rest(s) is too rough to integrate; make it a smooth "
                    "function with few jumps"
                )
            for panel in found if passage.forward else found[::-1]:
                cuts = max(1, round(SEGMENTS * (panel.end - panel.begin) / self.length))
                s = np.linspace(panel.begin, panel.end, cuts + 1) / self.length
                spans += pairwise(s if passage.forward else s[::-1])
                owner += [number] * cuts
                where += [len(panels)] * cuts
                panels.append(panel)
        self.owner = np.array(owner)
        self.begin, self.end = np.array(spans).T.copy()
        self._panel = np.array(where)
        self._panel_ends = np.array([panel[:2] for panel in panels]) / self.length
        self._terms = np.array([len(panel.series) for panel in panels])
        self._series = np.zeros((len(panels), self._terms.max(), 12))
        for i, panel in enumerate(panels):
            self._series[i, : len(panel.series)] = panel.series / unit

    def at(self, values: Mapping[str, Array]) -> Problem:
        """The chain for given values of all inputs."""
        n = self.n_segments
        offset = np.tile(np.eye(4), (n, 1, 1))
        sign, direction = np.ones(n), np.ones(n)
        for i, (before, after) in enumerate(pairwise(self.owner)):
            a, b = self.passages[before], self.passages[after]
            direction[i] = 1.0 if b.forward else -1.0
            if before != after:
                T_a, T_b = self._pose(a.leave, values), self._pose(b.enter, values)
                offset[i] = se3.inverse(T_a) @ T_b
                sign[i] = 1.0 if a.forward == b.forward else -1.0
        direction[-1] = 1.0 if self.passages[-1].forward else -1.0
        target = self._pose(self.passages[-1].leave, values) if self.held else None
        entry = self._entry(values, offset, sign, direction)
        return Problem(
            self._law(values), entry, self._pose(self.passages[0].enter, values), target
        )

    def _pose(self, frame: str, values: Mapping[str, Array]) -> Pose:
        """Pose of a frame in its group, the world where the group is fixed."""
        group = next(group for group in self.groups if frame in group.frames)
        T = np.eye(4)
        for weld, forward in group.paths[frame]:
            own = values[weld.name] if weld.name is not None else weld.transform
            T = T @ (own if forward else se3.inverse(own))
        T[:3, 3] /= self.length
        return T

    def _law(self, values: Mapping[str, Array]) -> Law:
        """The loads along the segments."""
        n = self.n_segments
        dead, weight, follower = np.zeros((n, 6)), np.zeros((n, 3)), np.zeros((n, 6))
        rods = [passage.rod for passage in self.passages]
        middle = 0.5 * self.length * (self.begin + self.end)
        for load in self.robot.loads:
            if isinstance(load, Gravity):
                ratio = np.array([rod.material.density / rod.material.young for rod in rods])
                weight += np.outer(self.length * ratio[self.owner], values[load.name])
            elif isinstance(load, LineLoad):
                number = next(i for i, rod in enumerate(rods) if rod.name == load.rod)
                end = rods[number].length if load.end is None else load.end
                inside = (self.owner == number) & (load.start < middle) & (middle < end)
                density = values[load.name] * self.length / self.wrench_unit
                (follower if load.follower else dead)[inside] += density
        heavy = dead.any(axis=1) | weight.any(axis=1)
        return Law(
            self.begin, self.end, self._panel, self._panel_ends, self._terms, self._series,
            heavy.astype(np.int64), dead, weight, follower,
        )  # fmt: skip

    def _entry(
        self, values: Mapping[str, Array], offset: Pose, sign: Array, direction: Array
    ) -> Entry:
        """The loads between the segments."""
        n = self.n_segments
        follower = np.zeros((n, 6))
        dead: list[tuple[int, Wrench, Array]] = []
        for load in self.robot.loads:
            if isinstance(load, PointLoad):
                i, T = self._spot(load, offset)
                wrench = values[load.name] / self.wrench_unit
                if i >= 0 and load.follower:
                    follower[i] += se3.Ad_dual(T) @ wrench
                elif i >= 0:
                    dead.append((i, wrench, T[:3, 3]))
        dead.sort(key=lambda entry: entry[0])
        first = np.searchsorted([i for i, _, _ in dead], np.arange(n + 1))
        return Entry(
            offset, sign, direction, follower, first,
            np.array([wrench for _, wrench, _ in dead]).reshape(-1, 6),
            np.array([arm for _, _, arm in dead]).reshape(-1, 3),
        )  # fmt: skip

    def _spot(self, load: PointLoad, offset: Pose) -> tuple[int, Pose]:
        """The segment after which a load acts, -1 at the base, and where in the frame beyond."""
        rod, s, T = spot(load, self.robot)
        T[:3, 3] /= self.length
        number = next(i for i, passage in enumerate(self.passages) if passage.rod is rod)
        own = np.flatnonzero(self.owner == number)
        ends = np.append(self.begin[own[0]], self.end[own])
        i = int(own[0]) - 1 + int(np.abs(ends - s / self.length).argmin())
        return i, T if i < own[0] else se3.inverse(offset[i]) @ T


def spot(load: PointLoad, robot: Robot) -> tuple[Rod, float, Pose]:
    """The rod and arc length that a point load acts on, and the pose of its frame there."""
    if isinstance(load.at, At):
        rod = robot.rod(load.at.rod)
        return rod, rod.clamp(load.at.s), load.at.transform
    name, _, end = load.at.rpartition(".")
    rod = robot.rod(name)
    return rod, 0.0 if end == "base" else rod.length, np.eye(4)


def _panels(rod: Rod, a: float, b: float) -> list[Panel]:
    """Panels between two arc lengths of a rod [m], in order."""
    if not callable(rod.rest) and not isinstance(rod.section, Taper):
        return [Panel(a, b, _values(rod, np.array([0.5 * (a + b)])))]
    found: list[Panel] = []
    todo = [(a, b)]
    while todo and len(found) <= MAX_PANELS:
        a, b = todo.pop()
        s = 0.5 * (a + b) + 0.5 * (b - a) * np.concatenate([_NODES, _PROBES])
        values = _values(rod, np.clip(s, a, b))
        series = _TO_SERIES @ values[:TERMS]
        unit = np.abs(values).max(axis=0)
        unit[6:9] = max(unit[6:9].max(), 1.0 / rod.length)
        unit[9:] = unit[9:].max()
        miss = np.polynomial.chebyshev.chebval(_PROBES, series).T - values[TERMS:]
        if (np.abs(miss) <= MISS * unit).all() or b - a < SMALLEST_PANEL * rod.length:
            used = np.flatnonzero((np.abs(series) > 1e-17 * unit).any(axis=1))
            found.append(Panel(a, b, series[: used[-1] + 1]))
        else:
            middle = 0.5 * (a + b)
            todo += [(middle, b), (a, middle)]
    return found


def _values(rod: Rod, s: Array) -> Array:
    """Diagonal of the stiffness and rest strain at arc lengths [m], (n, 12)."""
    return np.array([np.concatenate([rod.stiffness(x), rod.rest_strain(x)]) for x in s])
