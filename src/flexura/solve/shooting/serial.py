"""Serial chains of rods in numbers without units, for the kernels of shooting.

Lengths are divided by that of the chain, ℓ, and forces by EI / ℓ² with its mean bending stiffness
EI.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from flexura.errors import ModelError
from flexura.lie import se3
from flexura.robot import At, Gravity, LineLoad, PointLoad, Robot, Rod, Weld
from flexura.robot.graph import rigid_groups
from flexura.robot.tendon import Stretch
from flexura.solve.shooting.kernels import Entry
from flexura.solve.shooting.law import Law, Strands
from flexura.solve.shooting.table import Panel, panels
from flexura.solve.shooting.tendons import Drive, rest_lengths, strands_of, stretches
from flexura.typing import Array, Pose, Vector, Wrench

# A chain is cut into this many segments or a few more. Under a load P ℓ²/EI into so many that
# variations grow by no more than exp(2) over one, and that a rest shape turns by 20 rad at most.
SEGMENTS, MAX_SEGMENTS = 24, 200
GROWTH, TURN = 2.0, 20.0


class Passage(NamedTuple):
    """A rod of the chain, and the frames where the chain enters and leaves it."""

    rod: Rod
    enter: str
    leave: str

    @property
    def direction(self) -> float:
        """+1 if the chain passes the rod from its base to its tip, else -1."""
        return 1.0 if self.enter.endswith(".base") else -1.0


@dataclass(frozen=True)
class Problem:
    """A chain under given inputs.

    Attributes:
        law: what acts along its segments.
        strands: their tendons, without tension.
        entry: what happens between them.
        base: pose where it begins.
        target: pose where it must end, None for a free end.
        drive: what drives its tendons.
    """

    law: Law
    strands: Strands
    entry: Entry
    base: Pose
    target: Pose | None
    drive: Drive

    @property
    def load(self) -> float:
        """Sum of the sizes of all loads and given tensions."""
        law, entry = self.law, self.entry
        span = np.abs(law.end - law.begin)
        weight = law.series[law.panel, 0, 3] * np.linalg.norm(law.weight, axis=1)
        along = np.linalg.norm(law.dead + law.follower, axis=1) + weight
        at = np.linalg.norm(entry.dead, axis=1).sum() + np.linalg.norm(entry.follower, axis=1).sum()
        return float(span @ along + at + self.drive.tension.sum())

    @property
    def turn(self) -> float:
        """Rotation along the rest shape [rad], about."""
        law = self.law
        curvature = np.linalg.norm(law.series[law.panel, 0, 6:9], axis=1)
        return float(np.abs(law.end - law.begin) @ curvature)


class Chain:
    """A robot that is a serial chain, tabulated; inputs are given later.

    Attributes:
        robot: the description.
        passages: its rods in order.
        held: whether the end of the chain is welded to the world.
        length: unit of length [m].
        wrench_unit: units of a wrench [N·m, N], (6,).
        begin, end: arc lengths of a rod between which each segment lies, without unit, (n,).
        owner: passage that each segment belongs to, (n,).
    """

    def __init__(self, robot: Robot, segments: int = SEGMENTS, gap: Array | None = None) -> None:
        """Tabulate a robot.

        Args:
            robot: the description.
            segments: into how many the chain is cut, about.
            gap: what its tendons are long between rods [m], (t,); None is nothing.
        """
        self.robot = robot
        self.passages, self.held = passages(robot)
        rods = [passage.rod for passage in self.passages]
        self.length = sum(rod.length for rod in rods)
        bending = sum(rod.length * rod.stiffness(0.5 * rod.length)[1:3].mean() for rod in rods)
        force = float(bending) / self.length**3
        self.wrench_unit = np.array([force * self.length] * 3 + [force] * 3)
        self._groups = rigid_groups(robot.rods, robot.bodies, robot.joints)
        self._gap = np.zeros(len(robot.tendons)) if gap is None else gap / self.length
        self._unknown = np.flatnonzero([tendon.drive == "length" for tendon in robot.tendons])
        self._tabulate(segments)

    @classmethod
    def loaded(cls, robot: Robot, values: Mapping[str, Array], gap: Array | None = None) -> "Chain":
        """A chain with as many segments as its loads and its rest shape ask for."""
        chain = cls(robot, SEGMENTS, gap)
        problem = chain.at(values)
        wanted = max(np.sqrt(problem.load) / GROWTH, problem.turn / TURN)
        return cls(robot, int(min(wanted, MAX_SEGMENTS)), gap) if wanted > SEGMENTS else chain

    def _tabulate(self, segments: int) -> None:
        """Panels and segments of all rods, in the order of the chain."""
        owner: list[int] = []
        where: list[int] = []
        spans: list[tuple[float, float]] = []
        found: list[Panel] = []
        running = stretches(self.robot)
        for number, passage in enumerate(self.passages):
            forward = passage.direction > 0.0
            own = self._panels(passage.rod, running)
            for panel in own if forward else own[::-1]:
                cuts = max(1, round(segments * (panel.end - panel.begin) / self.length))
                s = np.linspace(panel.begin, panel.end, cuts + 1) / self.length
                spans += pairwise(s if forward else s[::-1])
                owner += [number] * cuts
                where += [len(found)] * cuts
                found.append(panel)
        self.owner = np.array(owner)
        self.begin, self.end = np.array(spans).T.copy()
        self._panel = np.array(where)
        self._write(found)

    def _panels(self, rod: Rod, running: Sequence[tuple[int, Stretch]]) -> list[Panel]:
        """The panels of a rod, each with the tendons that are running there."""
        found: list[Panel] = []
        for a, b in pairwise([0.0, *self.robot.jumps(rod.name), rod.length]):
            here = {
                tendon: stretch.path
                for tendon, stretch in running
                if stretch.rod == rod.name and stretch.begin < 0.5 * (a + b) < stretch.end
            }
            found += panels(rod, a, b, here)
        return found

    def _write(self, found: Sequence[Panel]) -> None:
        """Write what the panels hold without units."""
        self._panel_ends = np.array([(panel.begin, panel.end) for panel in found]) / self.length
        self._terms = np.array([len(panel.section) for panel in found])
        self._series = np.zeros((len(found), self._terms.max(), 12))
        unit = np.ones(12)
        unit[:6] = self.wrench_unit
        unit[:3] *= self.length
        unit[6:9] /= self.length
        for i, panel in enumerate(found):
            self._series[i, : len(panel.section)] = panel.section / unit
        self._strands = strands_of(found, self._unknown, len(self.robot.tendons), self.length)
        self._rest = self._gap.copy()
        for panel in found:
            self._rest[list(panel.tendons)] += rest_lengths(panel) / self.length

    def at(self, values: Mapping[str, Array]) -> Problem:
        """The chain for given values of all inputs."""
        n = len(self.owner)
        direction = np.array([passage.direction for passage in self.passages])[self.owner]
        sign = np.append(direction[1:] * direction[:-1], 1.0)
        offset = np.tile(np.eye(4), (n, 1, 1))
        for i in np.flatnonzero(np.diff(self.owner)):
            before, after = self.passages[self.owner[i]], self.passages[self.owner[i + 1]]
            T_before = self._pose(before.leave, values)
            offset[i] = se3.inverse(T_before) @ self._pose(after.enter, values)
        return Problem(
            law=self._law(values),
            strands=self._strands,
            entry=self._entry(values, offset, sign, np.append(direction[1:], direction[-1])),
            base=self._pose(self.passages[0].enter, values),
            target=self._pose(self.passages[-1].leave, values) if self.held else None,
            drive=self._drive(values),
        )

    def bent(self, problem: Problem, curvature: Vector) -> Problem:
        """The same problem with a curvature added to the rest shape, in the sense of the chain."""
        series = problem.law.series.copy()
        for panel, number in zip(self._panel, self.owner, strict=True):
            added = self.passages[number].direction * curvature
            series[panel, 0, 6:9] = problem.law.series[panel, 0, 6:9] + added
        return replace(problem, law=problem.law._replace(series=series))

    def _pose(self, frame: str, values: Mapping[str, Array]) -> Pose:
        """Pose of a frame in its group, which is the world where the group is fixed."""
        group = next(group for group in self._groups if frame in group.frames)
        T = np.eye(4)
        for link, forward in group.paths[frame]:
            name = link.joint.name
            own = link.pose(link.motion(None if name is None else values[name]))
            T = T @ (own if forward else se3.inverse(own))
        T[:3, 3] /= self.length
        return T

    def _drive(self, values: Mapping[str, Array]) -> Drive:
        """What drives the tendons."""
        tendons, unknown = self.robot.tendons, self._unknown
        given = np.array([float(values[tendon.name]) for tendon in tendons])
        tension = given / self.wrench_unit[3]
        tension[unknown] = 0.0
        stiffness = np.array([tendons[i].stiffness or np.inf for i in unknown.tolist()])
        own = self._rest[unknown] - given[unknown] / self.length
        compliance = self.wrench_unit[3] / stiffness
        return Drive(tension, unknown, own, compliance, self._gap[unknown])

    def _law(self, values: Mapping[str, Array]) -> Law:
        """What acts along the segments."""
        n = len(self.owner)
        dead, weight, follower = np.zeros((n, 6)), np.zeros((n, 3)), np.zeros((n, 6))
        rods = [passage.rod for passage in self.passages]
        middle = 0.5 * self.length * (self.begin + self.end)
        for load in self.robot.loads:
            if isinstance(load, Gravity):
                ratio = np.array([rod.material.density / rod.material.young for rod in rods])
                weight += np.outer(self.length * ratio[self.owner], values[load.name])
            elif isinstance(load, LineLoad):
                number = self._number(load.rod)
                end = rods[number].length if load.end is None else load.end
                inside = (self.owner == number) & (load.start < middle) & (middle < end)
                density = values[load.name] * self.length / self.wrench_unit
                (follower if load.follower else dead)[inside] += density
        heavy = np.array(dead.any(axis=1) | weight.any(axis=1), dtype=np.int64)
        return Law(
            self.begin, self.end, self._panel, self._panel_ends, self._terms, self._series,
            heavy, dead, weight, follower,
        )  # fmt: skip

    def _entry(
        self, values: Mapping[str, Array], offset: Pose, sign: Array, direction: Array
    ) -> Entry:
        """What happens between the segments."""
        n = len(self.owner)
        follower = np.zeros((n, 6))
        dead: list[tuple[int, Wrench, Vector]] = []
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
        wrenches = np.array([wrench for _, wrench, _ in dead]).reshape(-1, 6)
        arms = np.array([arm for _, _, arm in dead]).reshape(-1, 3)
        return Entry(offset, sign, direction, follower, first, wrenches, arms)

    def _spot(self, load: PointLoad, offset: Pose) -> tuple[int, Pose]:
        """The segment after which a load acts, -1 at the base, and its pose in the next node."""
        rod, s, T = spot(load, self.robot)
        T[:3, 3] /= self.length
        own = np.flatnonzero(self.owner == self._number(rod.name))
        nodes = np.append(self.begin[own[0]], self.end[own])
        i = int(own[0] - 1 + np.abs(nodes - s / self.length).argmin())
        return i, T if i < own[0] else se3.inverse(offset[i]) @ T

    def _number(self, rod: str) -> int:
        """The number of a rod in the chain."""
        return next(i for i, passage in enumerate(self.passages) if passage.rod.name == rod)


def passages(robot: Robot) -> tuple[list[Passage], bool]:
    """The rods in the order of the chain, and whether its end is held by the world.

    Raises:
        ModelError: if the robot is not a serial chain of rods.
    """
    _check_parts(robot)
    groups = rigid_groups(robot.rods, robot.bodies, robot.joints)
    group_of = {frame: group for group in groups for frame in group.frames}
    inside = [frame for frame in group_of if "@" in frame]
    if inside:
        raise ModelError(
            f"shooting takes welds at the ends of rods; robot {robot.name!r} has one at "
            f"{inside[0]!r}, inside a rod: use statics(build(robot, rods=...))"
        )
    fixed = [frame for frame in groups[0].frames if frame != "world"]
    enter = next((frame for frame in fixed if frame.endswith(".base")), fixed[0])
    chain: list[Passage] = []
    while True:
        name, _, end = enter.rpartition(".")
        leave = f"{name}.{'tip' if end == 'base' else 'base'}"
        chain.append(Passage(robot.rod(name), enter, leave))
        group = group_of[leave]
        beyond = [frame for frame in group.frames if frame != leave]
        if group.fixed or len(beyond) != 1:
            break
        enter = beyond[0]
    passed = [passage.rod.name for passage in chain]
    missing = [rod.name for rod in robot.rods if rod.name not in passed]
    if missing:
        raise ModelError(
            f"shooting takes a serial chain of rods; in robot {robot.name!r} rod "
            f"{missing[0]!r} is no part of the chain {', '.join(map(repr, passed))}: "
            "use statics(build(robot, rods=...))"
        )
    return chain, group.fixed


def _check_parts(robot: Robot) -> None:
    """Raise if the robot has anything that shooting does not know."""
    for part in (*robot.bodies, *robot.joints, *robot.loads):
        if not isinstance(part, Weld | Gravity | PointLoad | LineLoad):
            raise ModelError(
                f"shooting knows welds, gravity, point loads and line loads; robot {robot.name!r} "
                f"has a {type(part).__name__}: use statics(build(robot, rods=...))"
            )


def spot(load: PointLoad, robot: Robot) -> tuple[Rod, float, Pose]:
    """The rod and the arc length that a point load acts at, and the pose of its frame there."""
    if isinstance(load.at, At):
        rod = robot.rod(load.at.rod)
        return rod, rod.clamp(load.at.s), load.at.transform
    name, _, end = load.at.rpartition(".")
    rod = robot.rod(name)
    return rod, 0.0 if end == "base" else rod.length, np.eye(4)
