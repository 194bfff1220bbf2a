"""How a model moves: where its frames are, how fast they are, and how that changes.

Everything that moves has a track of its own: the points of rods and the bodies with mass, whose
tracks make the inertia; the coordinates and numbers of the model, whose tracks tell where a next
step leads and how fast any frame is; the strains of viscous rods. All follow the same formulas,
frames along the exponential map, numbers straight.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.balance import from_bodies
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.motion import flow_kernels as kernels
from flexura.model.motion.moving import Moving, moving
from flexura.model.past import Course, Past
from flexura.model.state import State
from flexura.robot import Weld
from flexura.typing import Array, Indices, Pose, Strain, Twist, frozen
from flexura.value import Value

NO_PARTICLES: Array = frozen(np.empty((2, 0, 3)))
NO_RATES: tuple[Strain, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Flow(Value):
    """Where everything is at one time, and its rates; n frames and m numbers.

    Attributes:
        state: the unknowns.
        poses: of the frames, (n, 4, 4).
        numbers: (m,).
        rates: velocity, acceleration, and the mean acceleration that an integrator carries along,
            six for each frame, then of the numbers, (3, 6 n + m).
        momentum: conjugate to the unknowns, where an integrator goes by it, (n_dof,); else None.
        step: length of the step that led there, which the rates depend on [s]; 0 for none.
    """

    state: State
    poses: Pose
    numbers: Array
    rates: Array
    momentum: Array | None = None
    step: float = 0.0

    def __post_init__(self) -> None:
        """Its arrays are read-only already."""

    @property
    def places(self) -> tuple[Pose, Array]:
        """Poses and numbers."""
        return self.poses, self.numbers


class Tracks:
    """Which frames and numbers of a model are tracked, and where they are in a ``Flow``.

    Attributes:
        moving: the model in motion.
        points: frames of the points with mass, part by part.
        bodies: frames of the bodies.
        coordinates: frames of the coordinates.
        movers: frames of what inputs move.
        strains: numbers of the strains of viscous parts, part by part.
        slid: numbers of the arc lengths of what slides through points, part by part.
        particles: numbers of the displacements of all particles.
        others: numbers of the unknowns that are neither poses nor multipliers.
        unknowns: which unknowns these are.
        led: which entries of rates belong to what follows inputs alone, (6 n + m,).
    """

    def __init__(self, moving: Moving) -> None:
        layout = moving.model.layout
        self.moving = moving
        counts = [len(own.point) for own in moving.inertia]
        counts += [len(moving.bodies.nodes), layout.n_coordinates, len(moving.model.movers)]
        ends = [0, *accumulate(counts)]
        frames = [slice(a, b) for a, b in pairwise(ends)]
        self.points = tuple(frames[:-3])
        self.bodies, self.coordinates, self.movers = frames[-3:]
        self.n_frames = ends[-1]
        unknowns = np.ones(layout.n_dof, dtype=np.bool_)
        unknowns[layout.pose_dof[:, None] + np.arange(6)] = False
        self.unknowns: Indices = np.flatnonzero(unknowns & ~layout.multiplier)
        sizes = [0 if law is None else law.viscosity.size for law in moving.viscous]
        sizes += [own.passing(moving.model.inputs.described.values).size for own in moving.inertia]
        ends = [0, *accumulate([*sizes, 3 * len(layout.particles), len(self.unknowns)])]
        numbers = [slice(a, b) for a, b in pairwise(ends)]
        n = len(moving.inertia)
        self.strains, self.slid = tuple(numbers[:n]), tuple(numbers[n : 2 * n])
        self.particles, self.others = numbers[-2:]
        self.n_numbers = ends[-1]
        self.led = self._led()
        self._counts = self.others.start > 0  # anything besides frames and unknowns
        self._twists: Indices = layout.pose_dof[:, None] + np.arange(6)

    def _led(self) -> NDArray[np.bool_]:
        layout, nodes = self.moving.model.layout, self.moving.bodies.nodes[:, 0]
        frames = np.zeros(self.n_frames, dtype=np.bool_)
        frames[self.bodies] = (layout.coordinate[nodes] < 0) & ~layout.loose[nodes]
        frames[self.movers] = True
        numbers = np.zeros(self.n_numbers, dtype=np.bool_)
        rides = layout.particles.node
        fixed = (rides >= 0) & (layout.coordinate[rides] < 0)
        numbers[self.particles] = np.repeat(fixed, 3)
        for own in self.slid:
            numbers[own] = True
        return np.concatenate([np.repeat(frames, 6), numbers])

    def read(self, assembly: Assembly) -> tuple[Pose, Array]:
        """Poses and numbers at the last evaluated state."""
        poses, numbers = np.empty((self.n_frames, 4, 4)), np.empty(self.n_numbers)
        moving, state = self.moving, assembly.state
        for own, inertia, part in zip(self.points, moving.inertia, assembly.parts, strict=True):
            part.work.pose.take(inertia.point, axis=0, out=poses[own], mode="clip")
        bodies = moving.bodies
        if len(bodies.nodes):
            poses[self.bodies] = assembly.nodes[bodies.nodes[:, 0]] @ bodies.center
        poses[self.coordinates] = state.poses
        if moving.model.movers:
            poses[self.movers] = moving.model.motions(assembly.inputs)
        for own, law, part in zip(self.strains, moving.viscous, assembly.parts, strict=True):
            if law is not None:
                numbers[own] = law.told(part.work.strain, assembly.inputs.values).ravel()
        for own, inertia in zip(self.slid, moving.inertia, strict=True):
            if own.stop > own.start:
                numbers[own] = inertia.passing(assembly.inputs.values).ravel()
        if len(assembly.particles.start):
            numbers[self.particles] = assembly.particles.displacement.ravel()
        state.numbers.take(self.unknowns, out=numbers[self.others], mode="clip")
        return frozen(poses), frozen(numbers)

    def displacement(self, begin: tuple[Pose, Array], end: tuple[Pose, Array]) -> Array:
        """What leads from poses and numbers to others, (6 n + m,)."""
        found = np.empty(6 * self.n_frames + self.n_numbers)
        kernels.displacements(begin[0], end[0], found[: 6 * self.n_frames].reshape(-1, 6))
        np.subtract(end[1], begin[1], out=found[6 * self.n_frames :])
        return found

    def extrapolated(self, flow: Flow, h: float) -> tuple[Array, float]:
        """Changes of all tracks in a time h [s], (6 n + m,), and ``farthest`` of them."""
        found = np.empty(6 * self.n_frames + self.n_numbers)
        turn, way = kernels.extrapolate(flow.rates, h, self.n_frames, found)
        return found, max(turn, way / self.moving.model.length)

    def end_rates(
        self,
        flow: Flow,
        places: tuple[Pose, Array],
        gain: Array,
        carried: Array,
        in_space: bool,
    ) -> Array:
        """Rates at the end of a step from a flow to places, (3, 6 n + m).

        Args:
            flow: where it begins.
            places: poses and numbers at its end.
            gain: change of rates with displacements, (3,).
            carried: rates without displacements, (3, 6 n + m).
            in_space: whether frames keep their momenta in space (``Past``).
        """
        found = np.empty(carried.shape)
        kernels.end_rates(
            flow.poses, places[0], flow.numbers, places[1], gain, carried, in_space, found
        )
        return frozen(found)

    def past(
        self, flow: Flow, pace: float, push: float, carried: Array, in_space: bool = False
    ) -> Past:
        """What a step from there begins with.

        Args:
            flow: where it begins.
            pace: change of velocities with displacements.
            push: of accelerations.
            carried: velocities and accelerations without displacements, (2, 6 n + m).
            in_space: whether frames keep their momenta in space.
        """
        velocity, acceleration = carried[:, : 6 * self.n_frames].reshape(2, -1, 6)
        courses = [
            Course(flow.poses[own], velocity[own], acceleration[own])
            for own in (*self.points, self.bodies)
        ]
        strains = slid = NO_RATES
        soft = NO_PARTICLES
        if self._counts:
            known = np.multiply.outer([pace, push], flow.numbers)
            rates = carried[:, 6 * self.n_frames :] - known
            strains = tuple(rates[0, own].reshape(-1, 6) for own in self.strains)
            slid = tuple(rates[:, own] for own in self.slid)
            soft = rates[:, self.particles].reshape(2, -1, 3)
        return Past(pace, push, tuple(courses[:-1]), strains, slid, courses[-1], soft, in_space)

    def particle_velocities(self, flow: Flow) -> Array:
        """Velocities of all particles [m/s], (n, 3)."""
        return flow.rates[0, 6 * self.n_frames :][self.particles].reshape(-1, 3)

    def now(self, flow: Flow) -> Past:
        """What resists a motion that goes on as it is: no step, displacements change nothing."""
        return self.past(flow, 0.0, 0.0, flow.rates[:2])

    def increments(self, changes: Array) -> Array:
        """Changes of all tracks as increments of the unknowns, (n_dof,)."""
        layout = self.moving.model.layout
        dq, split = np.zeros(layout.n_dof), 6 * self.n_frames
        dq[self._twists] = changes[:split].reshape(-1, 6)[self.coordinates]
        dq[self.unknowns] = changes[split:][self.others]
        return dq

    def velocities(self, flow: Flow, frames: slice) -> Twist:
        """Body twists of frames, (k, 6)."""
        return flow.rates[0, : 6 * self.n_frames].reshape(-1, 6)[frames]

    def farthest(self, changes: Array) -> float:
        """The largest change of a frame, of rotations, and of translations over the length."""
        twists = np.abs(changes[: 6 * self.n_frames].reshape(-1, 6))
        length = self.moving.model.length
        return float(max(twists[:, :3].max(initial=0.0), twists[:, 3:].max(initial=0.0) / length))

    def inputs_after(self, inputs: Inputs, flow: Flow, time: float) -> Inputs:
        """The inputs after a moment [s], where they move the robot."""
        return self.moved_inputs(inputs, inputs, flow, time)

    def moved_inputs(self, inputs: Inputs, begin: Inputs, flow: Flow, time: float) -> Inputs:
        """Inputs, those of what moves as they are so long [s] after others, as the flow goes."""
        movers = self.moving.model.movers
        if not movers:
            return inputs
        values, rates = inputs.values.copy(), time * self.input_rates(flow)
        for mover in movers:
            at = mover.place
            if isinstance(mover.joint, Weld):
                pose = mover.motion(begin) @ se3.exp(rates[at : at + 6])
                values[at : at + 16] = pose.ravel()
            else:
                values[at] = begin.values[at] + rates[at]
        return Inputs(inputs.table, frozen(values))

    def input_rates(self, flow: Flow) -> Array:
        """How fast inputs go that move the robot, (n_values,): of a pose its body twist."""
        model, found = self.moving.model, np.zeros(self.moving.model.inputs.n_values)
        twists = self.velocities(flow, self.movers)
        for mover, twist in zip(model.movers, twists, strict=True):
            if isinstance(mover.joint, Weld):
                found[mover.place : mover.place + 6] = twist
            else:
                screw = np.asarray(mover.joint.screw)
                found[mover.place] = float(screw @ twist / (screw @ screw))
        return found

    def driven_at(self, flow: Flow, rates: Array) -> Flow:
        """The flow with the velocities of what inputs move, by their rates, (n_values,)."""
        found = flow.rates.copy()
        own = found[0, : 6 * self.n_frames].reshape(-1, 6)[self.movers]
        for row, mover in zip(own, self.moving.model.movers, strict=True):
            row[:] = mover.twist(rates)
        return replace(flow, rates=frozen(found))

    def fastest(self, flow: Flow) -> float:
        """The largest rate, of rotations, and of translations over the length [1/s]."""
        numbers = flow.rates[0, 6 * self.n_frames :][self.others]
        return float(max(self.farthest(flow.rates[0]), np.abs(numbers).max(initial=0.0)))

    @property
    def driven(self) -> bool:
        """Whether inputs move frames, or slide mass."""
        return bool(self.moving.model.movers) or any(own.stop > own.start for own in self.slid)

    def driven_velocities(self, flow: Flow) -> Array:
        """How fast they do, (6 n + k,)."""
        numbers = flow.rates[0, 6 * self.n_frames :]
        twists = self.velocities(flow, self.movers).ravel()
        return np.concatenate([twists, *(numbers[own] for own in self.slid)])

    def _slides(self, flow: Flow, inputs: Inputs) -> Iterator[tuple[slice, Array]]:
        """Frames that mass slides through, and how much (``Inertia.sliding``)."""
        rates = flow.rates[:2, 6 * self.n_frames :]
        for frames, own, law in zip(self.points, self.slid, self.moving.inertia, strict=True):
            found = law.sliding(inputs.values, rates[:, own])
            if found is not None:
                yield frames, found

    def _inertias(self, inputs: Inputs) -> list[tuple[slice, Array]]:
        """Frames with mass, and their inertia."""
        along = [x.at(inputs.values) for x in self.moving.inertia]
        frames = (*self.points, self.bodies)
        return list(zip(frames, (*along, self.moving.bodies.inertia), strict=True))

    @cached_property
    def flies(self) -> bool:
        """Whether nothing holds any part of the robot."""
        robot = self.moving.model.robot
        if robot.volumes:
            return False
        return len(robot.graph.floating) == len(robot.rods) + len(robot.bodies)

    def kinetic(self, flow: Flow, inputs: Inputs) -> float:
        """Kinetic energy [J]."""
        inertias = self._inertias(inputs)
        squares = sum(np.sum(m * self.velocities(flow, own) ** 2) for own, m in inertias)
        for own, slid in self._slides(flow, inputs):
            along = self.velocities(flow, own)[:, 3]
            squares += np.sum(2.0 * slid[:, 0] * along + slid[:, 1])
        if not self.moving.volumes:
            return 0.5 * float(squares)
        soft = self.particle_velocities(flow)
        return 0.5 * float(squares) + sum(x.kinetic(soft) for x in self.moving.volumes)

    def momentum(self, flow: Flow, inputs: Inputs) -> Array:
        """Angular momentum about the world's origin, and momentum, in world axes, (6,).

        Of a robot that flies as a whole, what an integrator carries along is exact.
        """
        total, origin = np.zeros(6), -self.moving.model.layout.origin
        if flow.momentum is not None and self.flies:
            at = self.moving.model.layout.pose_dof[:, None] + np.arange(6)
            carried = from_bodies(flow.momentum[at], flow.state.poses, origin)
            return np.asarray(carried.sum(axis=0))
        for own, inertia in self._inertias(inputs):
            body = inertia * self.velocities(flow, own)
            total += from_bodies(body, flow.poses[own], origin).sum(axis=0)
        for own, slid in self._slides(flow, inputs):
            body = np.zeros((len(slid), 6))
            body[:, 3] = slid[:, 0]
            total += from_bodies(body, flow.poses[own], origin).sum(axis=0)
        for volume in self.moving.volumes:
            moved: Array = flow.numbers[self.particles].reshape(-1, 3)
            place: Array = self.moving.model.layout.particles.rest + moved
            total += volume.momentum(place, self.particle_velocities(flow))
        return total

    def dissipated(self, begin: Flow, end: Flow, h: float, inputs: Inputs) -> float:
        """What viscosity takes away in a step of length h [s], by its mean rate of strain [J]."""
        total = 0.0
        for law, own in zip(self.moving.viscous, self.strains, strict=True):
            if law is not None:
                rate = (end.numbers[own] - begin.numbers[own]).reshape(-1, 6) / h
                total += h * law.power(rate, inputs.values)
        for volume in self.moving.volumes:
            a, b = (x.numbers[self.particles].reshape(-1, 3) for x in (begin, end))
            total += h * volume.power(0.5 * (a + b), (b - a) / h)
        return total


def tracks_of(model: Model) -> Tracks:
    """The tracks of a model, made once for all who follow its motions."""
    return model.once(_tracks)


def _tracks(model: Model) -> Tracks:
    return Tracks(moving(model))
