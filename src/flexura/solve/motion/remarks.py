"""What a user should know about a motion beside its status."""

import numpy as np

from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.motion import flow_kernels as kernels
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.motion.momentum import masses
from flexura.result.instant import Instant
from flexura.solve.motion.steps import InputsAt
from flexura.solve.remarks import open_joints
from flexura.text import few
from flexura.typing import Array, Twist

# A step that turns what moves by more than this [rad], on its way round or in a vibration, is long.
TURN = 0.5
# So many steps tell a vibration from a beginning.
STEPS = 20
# Given velocities that joints change by more than this part of their energy contradict each other.
CHANGED = 0.01
# What inputs move jumps by more than this, in rotation [rad] and relative to the length.
JUMP = 1e-6
# A speed jumps that differs by more than this part from the one before.
STRUCK = 0.05
# Of parts that move less in a step, relative to the length, there is nothing to say: rounding.
ROUNDING = 1e-9
# So often the time is halved to find a jump.
HALVINGS = 40


class Watch:
    """How far steps of a motion lead: what spins and what vibrates.

    Attributes:
        spin: the largest rotation of a frame in a step [rad].
        turn: root mean square change of velocities in a step, relative to that of velocities: the
            angle by which what carries the energy vibrates [rad].
    """

    def __init__(self, tracks: Tracks, inputs: Inputs) -> None:
        self._tracks, self._inertia = tracks, masses(tracks, inputs)
        self._changes = self._squares = self.spin = self._way = 0.0
        self._length = tracks.moving.model.length
        self._steps = 0

    def see(self, before: Flow, after: Flow, h: float) -> None:
        """Take a step of length h [s] into account."""
        changes, squares, spin = kernels.squares(self._inertia, before.rates[0], after.rates[0])
        self._steps += 1
        self._changes += changes
        self._squares += squares
        self.spin = max(self.spin, h * spin)
        self._way = max(self._way, h * np.sqrt(squares / self._tracks.moving.mass))

    @property
    def turn(self) -> float:
        """See the class."""
        if self._steps < STEPS or self._way <= ROUNDING * self._length:
            return 0.0
        return float(np.sqrt(self._changes / self._squares))

    def remarks(self, h: float, rho: float | None) -> list[str]:
        """Sentences on steps of length h [s] that are too long for what moves.

        Args:
            h: length of the steps [s].
            rho: of ``GeneralizedAlpha``; None for other integrators.
        """
        found = []
        if self.spin > TURN:
            found.append(
                f"parts turn by up to {self.spin:.2g} rad in a step of {h:.3g} s: take steps of "
                f"{h * TURN / self.spin:.1g} s or less to follow them"
            )
        if self.turn > TURN:
            found.append(
                f"velocities change by {100.0 * self.turn:.0f} % from step to step: the robot "
                f"vibrates faster than steps of {h:.3g} s tell; take steps of "
                f"{h * TURN / self.turn:.1g} s or less"
                + (", or a smaller rho, which damps that" if rho else "")
            )
        return found


def remarks_at_start(first: Instant, placed: bool) -> list[str]:
    """Slips of units, parts that fly though others are held, loops that are open.

    Args:
        first: the first instant.
        placed: whether places or velocities of parts were given.
    """
    model = first.model
    robot, found = model.robot, list(model.robot.doubts)
    floating = robot.graph.floating
    if floating and robot.joints and not placed:
        verb = "fly" if len(floating) > 1 else "flies"
        found.append(
            f"{few(floating)} {verb} free: no joint leads to the world; is that meant? Weld a part "
            "to it, or say with place= or velocity= where it begins"
        )
    if len(model.joints.nodes):
        found += [
            f"{sentence} at the beginning: begin from a result in which loops are closed"
            for sentence in open_joints(model.joints, first.evaluation)
        ]
    return found


def velocity_remarks(inertia: Array, wanted: Twist, found: Twist) -> list[str]:
    """A sentence if velocities cannot be had as they were given.

    Args:
        inertia: of all frames with mass, (n, 6).
        wanted: their velocities as they were given, (n, 6).
        found: as the robot can have them, (n, 6).
    """
    energy = float(np.sum(inertia * wanted**2))
    missed = float(np.sum(inertia * (found - wanted) ** 2))
    if energy == 0.0 or missed <= CHANGED * energy:
        return []
    return [
        "velocity= is not a motion that joints allow (what is not named rests): the nearest one is "
        f"taken, {100.0 * missed / energy:.2g} % of its energy away"
    ]


def jump_remarks(model: Model, before: Inputs, after: Inputs, when: str) -> list[str]:
    """A sentence on what inputs move at once.

    Args:
        model: the robot.
        before: inputs.
        after: those a moment later.
        when: that is.
    """
    found = [label for label, way in _ways(model, before, after).items() if way > JUMP]
    if not found:
        return []
    return [
        f"input {', '.join(map(repr, found))} jumps {when}, which asks for endless forces: let it "
        "begin where the robot is, and go smoothly"
    ]


def speed_remarks(tracks: Tracks, flow: Flow, rates: Array, h: float) -> list[str]:
    """A sentence on what inputs move at once at a speed that it had not.

    Args:
        tracks: of the robot.
        flow: where it begins.
        rates: of all inputs there, (n_values,).
        h: length of a first step [s].
    """
    model, before = tracks.moving.model, tracks.input_rates(flow)
    old, new, jumps = (_sizes(model, x) for x in (before, rates, rates - before))
    found = [x for x in jumps if jumps[x] > max(JUMP / h, STRUCK * max(old[x], new[x]))]
    if not found:
        return []
    return [
        f"input {', '.join(map(repr, found))} begins at once with a speed that the robot has not, "
        "which strikes it and lets it ring: let the speed grow from that of the robot, as "
        "0.5 * a * t**2 does from rest, or give all parts theirs with velocity="
    ]


def jump_between(model: Model, inputs_at: InputsAt, begin: float, end: float) -> list[str]:
    """A sentence if there is a jump between two times [s]: where they differ most, ever closer."""
    for _ in range(HALVINGS):
        middle = 0.5 * (begin + end)
        first, second = (
            max(_ways(model, inputs_at(a), inputs_at(b)).values(), default=0.0)
            for a, b in ((begin, middle), (middle, end))
        )
        begin, end = (begin, middle) if first > second else (middle, end)
    return jump_remarks(model, inputs_at(begin), inputs_at(end), f"at t = {begin:.6g} s")


def _ways(model: Model, before: Inputs, after: Inputs) -> dict[str, float]:
    """How far inputs move what they move, in rotation [rad] and relative to the length."""
    change = before.change(after)
    found = _sizes(model, change)
    for tube in model.tubes:
        name = f"{tube}.insertion"
        found[name] = float(abs(change[model.inputs[name].begin])) / model.length
    return found


def _sizes(model: Model, change: Array) -> dict[str, float]:
    """The same of joints, motors and welds alone, by a change of inputs or by their rates."""
    found = {}
    for mover in model.movers:
        twist = np.abs(mover.twist(change))
        found[mover.joint.label] = float(max(twist[:3].max(), twist[3:].max() / model.length))
    return found
