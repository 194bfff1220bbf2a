"""Where energy goes: what a robot has, and what is given to it.

    energy = kinetic + elastic + gravity,    energy + dissipated - work = constant

Elastic is all that strains store, in rods, elastic tendons and springs of your own; gravity is the
potential of weights, zero at the world's origin. Everything else that acts gives or takes work:

    tendons by tension, pulleys       -∫ T dl              loads       ∫ F · v + M · ω dt
    tendons by length                  ∫ T dL, L what is wound up      (dead and followers)
    driven joints, motors, welds       ∫ f · η dt, by what holds them where inputs have them
    tubes                              of what turns and pushes them (``feed``)
    inputs that change an energy       ∫ ∂U/∂u du, as a gravity that turns

Steps are taken by the mean of both ends, of second order as the integrators are. Where these go
from momentum to momentum, what inputs move is driven by what momenta change besides all else.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.law import Given, Law
from flexura.model.members.load import ParticleLoads
from flexura.model.model import Model
from flexura.model.motion.feed import Feed, feed_of, work_of
from flexura.model.term import Term
from flexura.model.tube_binding import Fed
from flexura.model.wrenches import Wrenches
from flexura.robot import Gravity
from flexura.typing import Array, Indices, Pose, Twist, Wrench

NOWHERE: Pose = np.empty((0, 4, 4))
Ends: TypeAlias = tuple[Array, Array]  # of a step
Mask: TypeAlias = NDArray[np.bool_]
Both: TypeAlias = tuple[Wrenches, Wrenches]  # likewise


class Entry(NamedTuple):
    """What acts at one time, and where.

    Attributes:
        inputs: at that time.
        values: inputs and multipliers.
        conjugate: what is conjugate to them, such as lengths of tendons.
        loads: that act, list by list.
        poses: that they act on, list by list.
        forces: generalised forces at the nodes, those of inertia included, (n_nodes, 6).
        particles: positions of particles that loads act on, list by list.
        feeds: what feeds tubes, of each part with any.
    """

    inputs: Inputs
    values: Array
    conjugate: Array
    loads: tuple[Wrenches, ...]
    poses: tuple[Pose, ...]
    forces: Wrench
    particles: tuple[Array, ...] = ()
    feeds: tuple[Feed, ...] = ()


class Loads(NamedTuple):
    """A list of loads.

    Attributes:
        owner: whose they are.
        part: number of the part along whose rods they act; -1 for those on nodes.
        weight: which of them are weights.
    """

    owner: Law | Term
    part: int
    weight: Mask

    def at(self, values: Array) -> Wrenches:
        """The loads, for given values."""
        found: Wrenches = self.owner.wrenches_at(values)
        return found

    def poses(self, assembly: Assembly) -> Pose:
        """Poses among which are those that they act on."""
        if self.part < 0:
            return assembly.nodes
        found: Pose = assembly.parts[self.part].work.pose
        return found


class Account:
    """What acts on a model, and which of it is weight.

    Attributes:
        model: in motion.
        idle: whether nothing can do any work.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        loads = model.robot.loads
        self._gravity = [model.inputs[x.name].begin for x in loads if isinstance(x, Gravity)]
        owners: list[tuple[Law | Term, int]] = [
            (law, i) for i, part in enumerate(model.parts) for law in part.laws
        ]
        owners += [(term, -1) for term in model.terms]
        self._lists: list[Loads] = []
        for owner, part in owners:
            own = owner.wrenches_at(model.inputs.described.values)
            if own is not None:
                self._lists.append(Loads(owner, part, np.isin(own.force, self._gravity)))
        bindings = ((i, part.binding) for i, part in enumerate(model.parts))
        self._tubes = [(i, x.mesh) for i, x in bindings if isinstance(x, Fed)]
        soft = (x for x in model.members if isinstance(x, ParticleLoads))
        self._soft = [(x, np.isin(x.place, self._gravity)) for x in soft]
        self.idle = not len(model.inputs)
        acts = bool(model.tendons.names) or bool(model.constraints) or bool(model.movers)
        acts = acts or any(not own.weight.all() for own in self._lists)
        acts = acts or len(model.inputs) > len(self._gravity)
        acts = acts or any(not weight.all() for _, weight in self._soft)
        self._weights_alone = not acts

    def still(self, begin: Inputs, end: Inputs) -> bool:
        """Whether nothing does any work between inputs: nothing acts but a gravity that stays."""
        return self.idle or (self._weights_alone and begin is end)

    def energies(self, assembly: Assembly) -> tuple[float, float]:
        """Elastic energy and that of gravity, where everything was evaluated last [J]."""
        given, elastic, gravity = assembly.given, float(assembly.stored_energy()), 0.0
        for part in assembly.parts:
            for law in part.part.laws:
                if not law.stored and law.wrenches_at(given.values) is None:
                    elastic += law.energy(part.work, given)
        for term in assembly.terms:
            if term.term.wrenches is None:
                elastic += term.term.energy(assembly.nodes, given)
        for constraint, _ in assembly.constraints:
            elastic += constraint.energy(given)
        origin = assembly.layout.origin
        for own in self._lists:
            loads, poses, weight = own.at(given.values), own.poses(assembly), own.weight
            gravity -= float(origin @ loads.dead_force(given.values, weight))
            if weight.all():
                gravity += loads.potential(poses, given.values)
            elif weight.any():
                force = _forces(loads, given.values)
                place = _places(loads, poses[loads.target])
                gravity -= float(np.sum((force * place)[weight]))
        for soft, weight in self._soft:
            at = assembly.particles.position[soft.target]
            gravity -= float(np.sum((soft.forces(given.values) * at)[weight]))
        return elastic, gravity

    def entry(
        self, assembly: Assembly, conjugate: Array | None = None, forces: Wrench | None = None
    ) -> Entry:
        """What acts where everything was evaluated last.

        Args:
            assembly: evaluated.
            conjugate: what is conjugate to inputs and multipliers, if that is known to the bit.
            forces: of the nodes, likewise.
        """
        if conjugate is None or forces is None:
            conjugate, forces = assembly.conjugate.copy(), assembly.force.copy()
        values = assembly.inputs.values
        if len(assembly.gap):
            values = values.copy()
            values[self.model.inputs.multipliers] = assembly.state.multipliers[: len(assembly.gap)]
        loads = tuple(own.at(values) for own in self._lists)
        pairs = zip(self._lists, loads, strict=True)
        poses = tuple(own.poses(assembly).take(x.target, axis=0) for own, x in pairs)
        feeds = tuple(feed_of(assembly.parts[i], x, assembly.given) for i, x in self._tubes)
        soft = tuple(assembly.particles.position[own.target] for own, _ in self._soft)
        return Entry(assembly.inputs, values, conjugate, loads, poses, forces, soft, feeds)

    def work(
        self,
        begin: Entry,
        end: Entry,
        h: float,
        midway: bool,
        driving: tuple[Wrench, Wrench] | None = None,
    ) -> float:
        """What is given to the robot in a step [J].

        Args:
            begin: where it begins.
            end: where it ends.
            h: its length [s].
            midway: whether multipliers are those in the middle of steps, not at their ends, of
                what does not give.
            driving: forces of the nodes at both ends whose mean is that of the step; None for those
                that act there.
        """
        table = self.model.inputs
        pulled = 0.5 * (begin.values + end.values)
        pulled[table.multipliers] = 0.0
        total = -float(pulled @ (end.conjugate - begin.conjugate))
        if len(table.multipliers):
            tensions = 0.5 * (begin.values + end.values)[table.multipliers]
            if midway:
                tensions = np.where(self._gives(end), tensions, end.values[table.multipliers])
            total += self._wound(begin, end, tensions)
        turned = any(
            begin.values[g : g + 3].tolist() != end.values[g : g + 3].tolist()
            for g in self._gravity
        )
        values = begin.values, end.values
        for i, (_, _, weight) in enumerate(self._lists):
            loads = begin.loads[i], end.loads[i]
            poses = begin.poses[i], end.poses[i]
            if turned or loads[0] is not loads[1]:
                total += _lifted(loads, weight, values, poses)
            if not weight.all():
                total += _pushed(loads, ~weight & ~loads[0].follower, values, poses)
                total += _turned(loads, ~weight, values, poses)
        for (_, mesh), *feeds in zip(self._tubes, begin.feeds, end.feeds, strict=True):
            total += work_of(mesh, (feeds[0], feeds[1]), values, h)
        for (soft, weight), a, b in zip(self._soft, begin.particles, end.particles, strict=True):
            before, after = soft.forces(begin.values), soft.forces(end.values)
            pushed = 0.5 * np.sum(((before + after) * (b - a))[~weight])
            lifted = -0.5 * np.sum(((after - before) * (a + b))[weight])
            total += float(pushed + lifted)
        if self.model.movers and begin.inputs is not end.inputs:
            total += self._moved(begin, end, driving or (begin.forces, end.forces))
        return total

    def _gives(self, entry: Entry) -> Mask:
        """Which multipliers belong to what gives, (n_rows,)."""
        given = Given(entry.values, entry.values, entry.conjugate)
        own = [x.compliance(given) + np.zeros(len(x.multipliers)) for x in self.model.constraints]
        return np.concatenate(own) > 0.0

    def _wound(self, begin: Entry, end: Entry, tensions: Array) -> float:
        """Work of what shortens tendons, by their mean tensions."""
        table, total = self.model.inputs, 0.0
        for side, entry in ((-1.0, begin), (1.0, end)):
            values = entry.values.copy()
            values[table.multipliers] = tensions
            given = Given(values, values, end.conjugate)
            for constraint in self.model.constraints:
                gap = constraint.gap(NOWHERE, given)
                total += side * constraint.energy(given)
                total -= side * float(values[constraint.multipliers] @ gap)
        return total

    def _moved(self, begin: Entry, end: Entry, driving: tuple[Wrench, Wrench]) -> float:
        """Work of what inputs move."""
        change, total = begin.inputs.change(end.inputs), 0.0
        for entry, forces in zip((begin, end), driving, strict=True):
            drift = self.model.drift(entry.inputs, change)
            if drift is not None:
                total += 0.5 * float(np.sum(forces * drift))
        return total


def account_of(model: Model) -> Account:
    """The account of a model in motion, made once."""
    return model.once(Account)


def _vectors(places: Indices, values: Array) -> Array:
    """Three numbers from each place among values, zeros for the place -1, (n, 3)."""
    found = values[np.maximum(places, 0)[:, None] + np.arange(3)]
    found[places < 0] = 0.0
    return found


def _forces(loads: Wrenches, values: Array) -> Array:
    """Forces of loads, in the axes that they are given in, (n, 3)."""
    return loads.coefficient[:, None] * _vectors(loads.force, values)


def _moments(loads: Wrenches, values: Array) -> Array:
    """Moments likewise, (n, 3)."""
    return loads.coefficient[:, None] * _vectors(loads.moment, values)


def _places(loads: Wrenches, poses: Pose) -> Array:
    """Where loads act, in the world, (n, 3)."""
    turned = np.einsum("nij,nj->ni", poses[:, :3, :3], loads.offset[:, :3, 3])
    return np.asarray(poses[:, :3, 3] + turned)


def _lifted(loads: Both, weight: Mask, values: Ends, poses: Ends) -> float:
    """Work of weights that change, for gravity or mass: -Σ Δ(m g) · p."""
    before, after = (_forces(*x)[weight] for x in zip(loads, values, strict=True))
    a, b = (_places(*x)[weight] for x in zip(loads, poses, strict=True))
    return -0.5 * float(np.sum((after - before) * (a + b)))


def _pushed(loads: Both, dead: Mask, values: Ends, poses: Ends) -> float:
    """Work of dead forces: Σ F · Δp."""
    if not dead.any():
        return 0.0
    force = sum(_forces(*x)[dead] for x in zip(loads, values, strict=True))
    a, b = (_places(*x)[dead] for x in zip(loads, poses, strict=True))
    return 0.5 * float(np.sum(force * (b - a)))


def _turned(both: Both, others: Mask, values: Ends, poses: Ends) -> float:
    """Work of moments, and of forces that follow: these do not change but for their inputs."""
    loads = both[0]
    moments = [_moments(loads, x) for x in values]
    turning = others & (loads.follower | np.any(np.hstack(moments), axis=1))
    if not turning.any():
        return 0.0
    a, b = (x[turning] for x in poses)
    twist: Twist = se3.log(se3.inverse(a) @ b)
    follows = loads.follower[turning]
    arm = loads.offset[turning]
    total = 0.0
    for number, (value, pose) in enumerate(zip(values, (a, b), strict=True)):
        axes = np.where(follows[:, None, None], arm[:, :3, :3], np.swapaxes(pose[:, :3, :3], 1, 2))
        moment = np.einsum("nij,nj->ni", axes, moments[number][turning])
        total += 0.5 * float(np.sum(moment * twist[:, :3]))
        force = np.einsum("nij,nj->ni", axes, _forces(loads, value)[turning])[follows]
        way = twist[:, 3:] + np.cross(twist[:, :3], arm[:, :3, 3])
        total += 0.5 * float(np.sum(force * way[follows]))
    return total
