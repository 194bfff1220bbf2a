"""What inputs do to sets of tubes besides what laws do."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexura.lie import se3
from flexura.lie.axial import about_x
from flexura.model.tube_mesh import Sections, TubeMesh
from flexura.typing import Array, Pose, Strain
from flexura.value import Value

# Sections that grow further than this have bent for other reasons than now.
GROWTH = 2.0


@dataclass(frozen=True, eq=False)
class Fed(Value):
    """Tells where frames of tubes are found, and where sets begin: a ``Binding``."""

    mesh: TubeMesh

    def bind(self, values: Array, work: Any) -> None:
        """Tell where the frames of tubes are found."""
        found = self.mesh.at(values)
        work.angle_at, work.at = found.angle_at, found.at

    def grow(self, before: Array, after: Array, inner: Array) -> Strain | None:
        """Let sections keep their curvature and torsion as they grow or shrink; in place.

        Returns the strains at the points then; None where that changes nothing. Those that become
        more than ``GROWTH`` times as long or as short are left alone.
        """
        old, new = self.mesh.at(before), self.mesh.at(after)
        if old is new:
            return None
        return self.mesh.group.grow(old.ends, new.ends, GROWTH, inner)

    def firmest(self, values: Array) -> float:
        """Largest stiffness of a section against bending and torsion, by arc length of reference.

        In N·m²: those that inputs make short are firmer than the rods that they are of. Zero where
        that rounds no forces.
        """
        return self.mesh.at(values).firmest

    def start(self, values: Array) -> tuple[Pose, Array, Strain]:
        """Tubes that do not twist, turned as inputs have them: links, inner unknowns and strains.

        What tubes agree on that are stiff against torsion; tubes that are turned alike are there.
        """
        group, found = self.mesh.group, self.mesh.at(values)
        lengths, rotation = np.diff(found.ends, axis=1), values[self.mesh.rotation]
        links, inner, strain = group.straight(lengths, rotation)
        for i in range(len(lengths)):
            self._bend(i, rotation[i], found, links, inner, strain)
        return links, inner, strain

    def _bend(
        self, i: int, rotation: Array, found: Sections, links: Pose, inner: Array, strain: Strain
    ) -> None:
        """Bend a set as its tubes agree; in place."""
        group = self.mesh.group
        points = group.base.points
        own = np.flatnonzero(points.rod == i)
        scale, weight = found.scale[own, None], points.weight[own]
        twist = scale * found.rest[own, :, 0]
        ends = np.cumsum(weight[:, None] * twist, axis=0)
        begin = rotation + found.turned[i]
        stop = np.append(0.0, np.cumsum(weight))

        def turned(s: Array) -> Array:
            """Angles of tubes that do not twist more than at rest."""
            twists = [np.interp(s, stop, np.append(0.0, x)) for x in ends.T]
            return np.asarray(begin + np.array(twists).T)

        along = np.zeros((len(own), 6))
        at_points = turned(points.s[own])
        along[:, 1:3] = scale * agreed(at_points, found.stiffness[own], found.rest[own])
        along[:, 3] = scale[:, 0]

        def strained(s: Array) -> Strain:
            """The strain of the centreline."""
            return along[np.minimum(np.searchsorted(stop[1:], s), len(own) - 1)]

        group.follow(i, strained, turned, inner, strain)
        first, last = group.base.rod_nodes[i : i + 2]
        poses = _integrated(along, weight, group.base.node_lengths(i))
        links[first + 1 : last] = se3.inverse(poses[:-1]) @ poses[1:]


def agreed(angle: Array, stiffness: Array, rest: Array) -> Array:
    """Curvatures about y and z of a centreline that tubes with given angles agree on, (m, 2).

    Args:
        angle: of the tubes [rad], (m, n).
        stiffness: diagonals of K, (m, n, 6).
        rest: rest strains, (m, n, 6).
    """
    turn = about_x(angle)[..., 1:3, 1:3]
    soft = np.einsum("mnik,mnk,mnjk->mij", turn, stiffness[..., 1:3], turn)
    wanted = np.einsum("mnik,mnk,mnk->mi", turn, stiffness[..., 1:3], rest[..., 1:3])
    bends = np.linalg.det(soft) > 0.0
    found = np.zeros((len(angle), 2))
    found[bends] = np.linalg.solve(soft[bends], wanted[bends, :, None])[..., 0]
    return found


def _integrated(strain: Strain, weight: Array, s: Array) -> Pose:
    """Poses at arc lengths s of a curve whose strain is constant on pieces, (k, 4, 4)."""
    steps = np.asarray(se3.exp(weight[:, None] * strain))
    before = np.empty((len(weight) + 1, 4, 4))
    before[0] = np.eye(4)
    for k, step in enumerate(steps):
        before[k + 1] = before[k] @ step
    ends = np.append(0.0, np.cumsum(weight))
    cell = np.clip(np.searchsorted(ends, s, side="right") - 1, 0, len(weight) - 1)
    return np.asarray(before[cell] @ se3.exp((s - ends[cell])[:, None] * strain[cell]))
