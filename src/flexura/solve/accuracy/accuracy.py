"""How wrong the discretization of a result may be.

The wrench in balance with the loads asks for the strains ξ* + K⁻¹ Λ. Integrated along a step of a
rod, so fine that its own error does not count, they lead to another pose than that of the result.
The twists Δ between both have the two halves of the error: strains that functions cannot follow,
and poses that do not belong to the strains. So a result is the exact equilibrium of rods whose rest
shape has these twists in it, and its error is what taking them out does (theory 4.5): to first
order, ``correction`` has the equations. Strains that a description has switched off are among those
that it cannot follow.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.lie import se3
from flexura.lie.magnus import POINTS, magnus
from flexura.model.assemble import Assembly
from flexura.model.balance import Balance, apart, seen_from
from flexura.model.part import Place
from flexura.robot.bending import bending
from flexura.solve.accuracy.correction import Correction, Moved, Steps, nearest
from flexura.solve.accuracy.pull import pulls
from flexura.typing import Array, ArrayLike, Indices, Matrix, Matrix6, Pose, Strain, Twist, Wrench

# Steps along a rod, at least, and on each of its spans of quadrature.
STEPS, PER_SPAN = 96, 4
# Steps for each length √(EI/T) within which a rod bends under its tension, and most of them: limp
# rods leave shapes that their description holds within that length, as far as this is asked for.
PER_BEND, MOST = 4, 4000
# Strains that turn a step by more [rad] turn it by anything.
UNTOLD = 1e8
# Rods that are pulled all along do not bend by themselves: what little resistance is missing, over
# that of the rods, is what is known of how they turn about their own axes.
TAUT = 0.1
# How far to go along a motion, in rad and lengths, to see what it does.
SHORT = 1e-5


class Solved(Protocol):
    """A result, as far as it is asked."""

    def pose(self, frame: str, s: ArrayLike) -> Pose:
        """Poses of a rod at arc lengths."""

    def internal_wrench(self, rod: str, s: ArrayLike) -> Wrench:
        """Wrenches in balance at arc lengths of a rod."""


def accuracy(result: Solved, assembly: Assembly, balance: Mapping[str, Balance]) -> float:
    """Estimate of the largest position error of all rods [m]; inf where there is no telling.

    Args:
        result: what is asked for poses and wrenches.
        assembly: its model, evaluated at its state.
        balance: what its rods carry.
    """
    return max(errors(result, assembly, balance).values(), default=0.0)


def errors(
    result: Solved,
    assembly: Assembly,
    balance: Mapping[str, Balance],
    among_like: bool = False,
    per_bend: int = PER_BEND,
) -> dict[str, float]:
    """The same of each rod.

    Arguments as above, whether strains switched off stay so, and steps of limp rods for each length
    within which they bend.
    """
    if not assembly.model.places:
        return {}
    return _largest(*_correction(result, assembly, balance, per_bend, among_like))


def judged(
    result: Solved, assembly: Assembly, balance: Mapping[str, Balance], free: Matrix
) -> tuple[dict[str, float], bool | None]:
    """``accuracy`` of each rod, or more, and whether continuous rods would be stable in this shape.

    It takes no finer steps for limp rods: errors of these steps only add to what is estimated. What
    a description has switched off stays so: finer ones of its kind would not have it either.
    Stability cannot be told, None, where there are constraints besides joints, or without a
    potential. Arguments as for ``accuracy``, and motions that nothing resists, which count for
    none, (n_dof, k).
    """
    correction, along = _correction(result, assembly, balance, 0, among_like=True)
    wrong = _largest(correction, along)
    if not assembly.conservative or len(assembly.gap) or assembly.touch is not None:
        return wrong, None
    moved = _moved(assembly, free, correction.of_nodes, along)
    stable = correction.stable(moved)
    if stable is False and all(_is_taut(own, balance[name]) for name, own in along.items()):
        stable = correction.stable(moved, TAUT)
    return wrong, stable


def _is_taut(own: "_Along", balance: Balance) -> bool:
    """Whether a rod is pulled all along."""
    way = np.diff(own.position, axis=0)
    force = balance.cut(0.5 * (own.s[1:] + own.s[:-1]))[:, 3:]
    return bool((np.einsum("ni,ni->n", force, way) > 0.0).all())


def _moved(
    assembly: Assembly, motions: Matrix, of_nodes: Indices, along: Mapping[str, "_Along"]
) -> list[Moved]:
    """What motions do to nodes and along rods; the state is evaluated last again."""
    state, inputs, layout = assembly.state, assembly.inputs, assembly.layout
    places = np.concatenate([of_nodes, *(own.places for own in along.values())])
    found = []
    for motion in motions.T:
        way, ends = np.where(layout.multiplier, 0.0, SHORT * motion), []
        for dq in (-way, way):
            assembly.evaluate_residual(layout.retract(state, dq), inputs)
            ends.append(_poses(assembly, along))
        found.append(Moved(places, *ends))
    if found:
        assembly.evaluate(state, inputs)
    return found


def _poses(assembly: Assembly, along: Mapping[str, "_Along"]) -> Pose:
    """Poses of nodes and along rods in the last evaluation, (n, 4, 4)."""
    model, poses = assembly.model, [assembly.nodes.copy()]
    for name, own in along.items():
        place = model.places[name]
        part, inner = model.parts[place.part], model.inner(assembly.state, place.part)
        poses.append(part.group.shape(assembly.nodes[part.nodes], inner, place.index, own.s)[0])
    return np.concatenate(poses)


def _correction(
    result: Solved,
    assembly: Assembly,
    balance: Mapping[str, Balance],
    per_bend: int,
    among_like: bool,
) -> tuple[Correction, dict[str, "_Along"]]:
    """The equations of the error, and places along each rod.

    Arguments as for ``accuracy``, steps for each length within which rods bend, and whether strains
    that are switched off stay so.
    """
    pulling = pulls(assembly)
    correction, along = Correction(assembly, pulling), {}
    others = [apart(assembly, part).stiffness for part in assembly.parts]
    for name, place in assembly.model.places.items():
        free = assembly.model.parts[place.part].group.free
        free = free if among_like else np.ones_like(free)
        course = _Carrying(name, place, balance[name], per_bend, free)
        pull = pulling.stress[place.part]
        steps = _steps(result, assembly, course, others[place.part], pull)
        along[name] = _Along(steps.s, steps.position, correction.add_rod(steps))
    return correction, along


def _largest(correction: Correction, along: Mapping[str, "_Along"]) -> dict[str, float]:
    """Largest motion of a position of each rod [m]; inf where there is no telling."""
    motions, largest = correction.solve(), {}
    if not np.isfinite(motions).all():
        return dict.fromkeys(along, np.inf)
    for name, own in along.items():
        z = motions[own.places]
        moved = z[:, 3:] + np.cross(z[:, :3], own.position)
        # no two shapes of rods are further apart
        largest[name] = min(float(np.linalg.norm(moved, axis=1).max()), correction.reach)
    return largest


class _Along(NamedTuple):
    """Ends of the fine steps along a rod.

    Attributes:
        s: their arc lengths [m], (n,).
        position: of each [m], (n, 3).
        places: of each among those of the correction, (n,).
    """

    s: Array
    position: Array
    places: Indices


@dataclass(frozen=True)
class _Carrying:
    """A rod.

    Attributes:
        name: of the rod.
        place: where it is.
        balance: what it carries.
        per_bend: steps for each length within which it bends.
        free: components of strain that follow from what it carries, (6,).
    """

    name: str
    place: Place
    balance: Balance
    per_bend: int
    free: NDArray[np.bool_]

    def grid(self) -> Array:
        """Ends of fine steps [m], among them those of all spans of quadrature."""
        ends = self.balance.ends
        pieces = max(PER_SPAN, -(-max(STEPS, self._wanted(ends)) // (len(ends) - 1)))
        begin = ends[:-1, None] + np.diff(ends)[:, None] * np.arange(pieces) / pieces
        return np.append(begin.ravel(), self.place.rod.length)

    def _wanted(self, ends: Array) -> int:
        """Steps along the rod for what it bends within √(EI/T)."""
        rod = self.place.rod
        with np.errstate(all="ignore"):
            force = self.balance.cut(0.5 * (ends[1:] + ends[:-1]))[:, 3:]
            pull = np.linalg.norm(force, axis=1).max()
            limp = np.sqrt(pull / bending(rod).least) * rod.length
            return int(np.nan_to_num(np.minimum(MOST, self.per_bend * limp)))

    def strains(self, s: Array, wrench: Wrench) -> Strain:
        """Strains that wrenches at arc lengths ask for, s.shape + (6,)."""
        rod = self.place.rod
        return np.asarray(rod.rest_strain(s) + self.free * wrench / rod.stiffness(s))

    def compliance(self, s: Array, others: Matrix6) -> Matrix6:
        """Inverse of the stiffness of what can change, zero elsewhere, (n, 6, 6)."""
        found, own = np.zeros((len(s), 6, 6)), np.ix_(np.arange(len(s)), self.free, self.free)
        stiffness = self.place.rod.stiffness(s)[:, :, None] * np.eye(6) + others
        found[own] = np.linalg.inv(stiffness[own])
        return found


def _steps(
    result: Solved, assembly: Assembly, course: _Carrying, others: Array, pull: Wrench
) -> Steps:
    """Fine steps along a rod.

    Args:
        result: what is asked for poses and wrenches.
        assembly: its model, evaluated at its state.
        course: the rod.
        others: stiffness that is not the rod's at all points of its part, weights included.
        pull: stress of a unit of each multiplier there, weights included.
    """
    place, name, balance = course.place, course.name, course.balance
    group, s = assembly.model.parts[place.part].group, course.grid()
    h = np.diff(s)
    at = s[:-1, None] + h[:, None] * POINTS
    middle, points = at[:, 1], group.points
    layout = assembly.layout
    pose = layout.from_world(result.pose(name, s))
    wrench = result.internal_wrench(name, at)
    own = np.flatnonzero(points.rod == place.index)
    near = own[nearest(points.s[own], middle)]
    weight = points.weight[near, None, None]
    further = others[near].reshape(len(near), group.components, -1)[:, :6, :6]
    to_world = se3.Ad(layout.from_world(result.pose(name, middle)))
    soft = h[:, None, None] * course.compliance(middle, further / weight)
    units = np.repeat([1.0, assembly.model.length], 3)
    unit = pull[near] / weight
    bent = unit @ soft  # by a unit of each multiplier
    longer = np.zeros(pull.shape[1])
    if len(longer):
        asked = course.strains(points.s[own], result.internal_wrench(name, points.s[own]))
        used = assembly.parts[place.part].work.strain[own, :6]
        longer = np.einsum("nkc,nc->k", pull[own], asked - used)
    return Steps(
        place=place,
        s=s,
        position=pose[:, :3, 3],
        missing=_missing(pose, h, course.strains(at, wrench)),
        compliance=to_world @ soft @ to_world.swapaxes(1, 2),
        cut=seen_from(-balance.origin, balance.cut(middle)),
        pulled=bent @ to_world.swapaxes(1, 2),
        give=np.einsum("nkc,nlc->kl", unit, bent),
        longer=longer,
        soft=float((np.abs(soft).max(axis=0) / np.outer(units, units)).max() * len(h)),
    )


def _missing(pose: Pose, h: Array, strain: Strain) -> Twist:
    """Twists from the poses of a result to those that strains lead to, in world axes, (n, 6)."""
    turned = h[:, None, None] * strain
    if not np.abs(turned).max(initial=0.0) <= UNTOLD:  # there is no telling
        return np.full((len(h), 6), np.nan)
    found = se3.inverse(pose[:-1]) @ pose[1:]
    twist = se3.log(se3.inverse(found) @ se3.exp(magnus(turned)))
    return np.asarray(np.einsum("nij,nj->ni", se3.Ad(pose[1:]), twist))
