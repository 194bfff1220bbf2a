"""Serial chains of rods in numbers without units, for the kernels of shooting.

Lengths are divided by that of the chain, ℓ, and forces by EI / ℓ² with its mean bending stiffness
EI.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from flexura.continuous.segment_law import SegmentLaw, Strands
from flexura.continuous.table import Panel, panels
from flexura.lie import se3
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.robot import Gravity, LineLoad, Nodes, On, PointLoad, Rod
from flexura.robot.bending import bending
from flexura.robot.tendon import Stretch
from flexura.solve.shooting.kernels import Transition
from flexura.solve.shooting.passage import passages
from flexura.solve.shooting.seam_load import SeamLoad, SeamLoads
from flexura.solve.shooting.tendons import Drive, rest_lengths, strands_of, stretches
from flexura.typing import Array, Pose, Vector

# A chain is cut into this many segments or a few more. Under a load P ℓ²/EI into so many that
# variations grow by no more than exp(2) over one, and that a rest shape turns by 20 rad at most.
SEGMENTS, MAX_SEGMENTS = 24, 200
GROWTH, TURN = 2.0, 20.0


@dataclass(frozen=True, eq=False)
class LoadedChain:
    """A chain under given inputs.

    Attributes:
        law: what acts along its segments.
        strands: their tendons, without tension.
        between: what happens between them.
        base: pose where it begins.
        target: pose where it must end, None for a free end.
        drive: what drives its tendons.
        conservative: whether everything has a potential.
    """

    law: SegmentLaw
    strands: Strands
    between: Transition
    base: Pose
    target: Pose | None
    drive: Drive
    conservative: bool

    @property
    def load(self) -> float:
        """Sum of the sizes of all loads and given tensions."""
        law, between = self.law, self.between
        span = np.abs(law.end - law.begin)
        weight = law.series[law.panel, 0, 3] * np.linalg.norm(law.weight, axis=1)
        along = np.linalg.norm(law.dead + law.follower, axis=1) + weight
        at = sum(np.linalg.norm(x, axis=1).sum() for x in (between.dead, between.follower))
        return float(span @ along + at + self.drive.tension.sum())

    @property
    def turn(self) -> float:
        """Rotation along the rest shape [rad], about."""
        law = self.law
        curvature = np.linalg.norm(law.series[law.panel, 0, 6:9], axis=1)
        return float(np.abs(law.end - law.begin) @ curvature)


class Chain:
    """A model that is a serial chain, its rods and tendons tabulated; inputs are given later.

    Attributes:
        model: where names and inputs are from, and where welds hold the ends of rods.
        passages: its rods in order.
        held: whether the end of the chain is welded to the world.
        length: unit of length [m].
        wrench_unit: units of a wrench [N·m, N], (6,).
        begin, end: arc lengths of a rod between which each segment lies, without unit, (n,).
        owner: passage that each segment belongs to, (n,).
    """

    def __init__(self, model: Model, segments: int = SEGMENTS) -> None:
        """Tabulate a model, cut into so many segments, about."""
        self.model = model
        self.passages, self.held = passages(model.robot)
        ends = [(str(passage.enter), str(passage.leave)) for passage in self.passages]
        self._nodes = np.array([[model.frames[end] for end in both] for both in ends])
        rods = [passage.rod for passage in self.passages]
        self.length = sum(rod.length for rod in rods)
        force = sum(rod.length * bending(rod).most for rod in rods) / self.length**3
        self.wrench_unit = np.array([force * self.length] * 3 + [force] * 3)
        self._unknown = np.flatnonzero(model.tendons.by_length)
        self._tabulate(segments)
        self._loads = self._seam_loads(follower=False), self._seam_loads(follower=True)

    @classmethod
    def cut_for(cls, model: Model, inputs: Inputs) -> "Chain":
        """A chain with as many segments as its loads and its rest shape ask for."""
        chain = cls(model)
        loaded = chain.at(inputs)
        wanted = max(np.sqrt(loaded.load) / GROWTH, loaded.turn / TURN)
        return cls(model, int(min(wanted, MAX_SEGMENTS))) if wanted > SEGMENTS else chain

    def _tabulate(self, segments: int) -> None:
        """Panels and segments of all rods, in the order of the chain."""
        owner: list[int] = []
        where: list[int] = []
        spans: list[tuple[float, float]] = []
        found: list[Panel] = []
        running = stretches(self.model.robot)
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
        for a, b in pairwise([0.0, *self.model.robot.jumps(rod.name), rod.length]):
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
        tendons = self.model.tendons
        self._strands = strands_of(found, self._unknown, len(tendons.names), self.length)
        self._gap = self.model.constant[tendons.source] / self.length
        # The model's own lengths at rest are as good as its points; those of panels are exact.
        self._rest = self._gap.copy()
        for panel in found:
            self._rest[list(panel.tendons)] += rest_lengths(panel) / self.length

    def at(self, inputs: Inputs) -> LoadedChain:
        """The chain for given values of all inputs."""
        n = len(self.owner)
        ends = self.model.layout_at(inputs).offset[self._nodes]
        ends[..., :3, 3] /= self.length
        enter, leave = ends[:, 0], ends[:, 1]
        direction = np.array([passage.direction for passage in self.passages])[self.owner]
        sign = np.append(direction[1:] * direction[:-1], 1.0)
        offset = np.tile(np.eye(4), (n, 1, 1))
        offset[np.flatnonzero(np.diff(self.owner))] = se3.inverse(leave[:-1]) @ enter[1:]
        return LoadedChain(
            law=self._law(inputs),
            strands=self._strands,
            between=self._between(inputs, offset, sign, np.append(direction[1:], direction[-1])),
            base=enter[0],
            target=leave[-1] if self.held else None,
            drive=self._drive(inputs),
            conservative=self.model.conservative(inputs),
        )

    def bent(self, loaded: LoadedChain, curvature: Vector) -> LoadedChain:
        """The same with a curvature added to the rest shape, in the sense of the chain."""
        series = loaded.law.series.copy()
        for panel, number in zip(self._panel, self.owner, strict=True):
            added = self.passages[number].direction * curvature
            series[panel, 0, 6:9] = loaded.law.series[panel, 0, 6:9] + added
        return replace(loaded, law=loaded.law._replace(series=series))

    def _drive(self, inputs: Inputs) -> Drive:
        """What drives the tendons."""
        unknown, tendons = self._unknown, self.model.robot.tendons
        driven = [tendons[i] for i in unknown.tolist()]
        shortening = np.array([float(inputs.value(tendon.name)) for tendon in driven])
        stiffness = np.array([tendon.stiffness or np.inf for tendon in driven])
        return Drive(
            tension=inputs.values[self.model.tendons.source] / self.wrench_unit[3],
            unknown=unknown,
            own=self._rest[unknown] - shortening / self.length,
            flexibility=self.wrench_unit[3] / stiffness,
            gap=self._gap[unknown],
        )

    def _law(self, inputs: Inputs) -> SegmentLaw:
        """What acts along the segments."""
        n = len(self.owner)
        dead, weight, follower = np.zeros((n, 6)), np.zeros((n, 3)), np.zeros((n, 6))
        rods = [passage.rod for passage in self.passages]
        middle = 0.5 * self.length * (self.begin + self.end)
        for load in self.model.robot.loads:
            if isinstance(load, Gravity):
                ratio, mass = _heaviness(rods)
                weight += np.outer(self.length * ratio[self.owner], inputs.value(load.name))
                pull = np.outer(mass[self.owner], inputs.value(load.name))
                dead[:, 3:] += pull * self.length / self.wrench_unit[3]
            elif isinstance(load, LineLoad):
                number = self._number(load.rod)
                end = rods[number].length if load.end is None else load.end
                inside = (self.owner == number) & (load.start < middle) & (middle < end)
                density = inputs.value(load.name) * self.length / self.wrench_unit
                (follower if load.follower else dead)[inside] += density
        heavy = np.array(dead.any(axis=1) | weight.any(axis=1), dtype=np.int64)
        return SegmentLaw(
            self.begin, self.end, self._panel, self._panel_ends, self._terms, self._series,
            heavy, dead, weight, follower,
        )  # fmt: skip

    def _between(self, inputs: Inputs, offset: Pose, sign: Array, direction: Array) -> Transition:
        """What happens between the segments."""
        n, (dead, turning) = len(self.owner), self._loads
        follower = np.zeros((n, 6))
        wrench = turning.wrenches(inputs, self.wrench_unit)
        carried = np.einsum("nij,nj->ni", se3.Ad_dual(turning.poses(offset)), wrench)
        np.add.at(follower, turning.seam, carried)
        return Transition(
            offset=offset,
            sign=sign,
            direction=direction,
            follower=follower,
            first=np.searchsorted(dead.seam, np.arange(n + 1)),
            dead=dead.wrenches(inputs, self.wrench_unit),
            arm=dead.poses(offset)[:, :3, 3].copy(),
        )

    def _seam_loads(self, follower: bool) -> SeamLoads:
        """Point loads that turn with the chain, or do not; the world carries those at its base."""
        loads = [
            self._seam_load(load)
            for load in self.model.robot.loads
            if isinstance(load, PointLoad) and load.follower == follower
        ]
        return SeamLoads([load for load in loads if load.seam >= 0])

    def _seam_load(self, load: PointLoad) -> SeamLoad:
        """Where a point load acts, after segment -1 at the base of the chain."""
        assert not isinstance(load.at, On | Nodes)  # shooting takes no volumes
        anchor, T = self.model.robot.graph.anchor_of(load.at)
        number = self._number(anchor.part)
        s = anchor.s
        if s is None:
            s = 0.0 if anchor.end == "base" else self.passages[number].rod.length
        T[:3, 3] /= self.length
        own = np.flatnonzero(self.owner == number)
        seams = np.append(self.begin[own[0]], self.end[own])
        i = int(own[0] - 1 + np.abs(seams - s / self.length).argmin())
        return SeamLoad(load.name, i, T, before=i >= int(own[0]))

    def _number(self, rod: str) -> int:
        """The number of a rod in the chain."""
        return next(i for i, passage in enumerate(self.passages) if passage.rod.name == rod)


def _heaviness(rods: Sequence[Rod]) -> tuple[Vector, Vector]:
    """Mass of each rod: per arc length and EA, ρ / E, or, where that is given, per arc length."""
    given = np.array([rod.line_mass is not None for rod in rods])
    ratio = np.array([rod.material.density / rod.material.young for rod in rods])
    mass = np.array([rod.line_mass or 0.0 for rod in rods])
    return np.where(given, 0.0, ratio), mass
