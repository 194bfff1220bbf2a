"""What a user should know about a motion beside its status."""

import numpy as np

from flexura.model.contact import Contacts
from flexura.model.inputs import Inputs
from flexura.model.motion import flow_kernels as kernels
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.motion.momentum import masses
from flexura.result.instant import Instant
from flexura.solve.remarks import open_joints
from flexura.text import few, roughly
from flexura.typing import Array, Twist

# A step that turns what moves by more than this [rad], on its way round or in a vibration, is long.
TURN = 0.5
# So many steps tell a vibration from a beginning.
STEPS = 20
# Given velocities that joints change by more than this part of their energy contradict each other.
CHANGED = 0.01
# Of parts that move less in a step, relative to the length, there is nothing to say: rounding.
ROUNDING = 1e-9


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


def leap_remarks(contacts: Contacts | None, passed: tuple[int, ...]) -> list[str]:
    """Sentences on what went through what it may touch.

    Args:
        contacts: of the model.
        passed: numbers of those whose sides went through each other.
    """
    if contacts is None:
        return []
    return [
        f"{a!r} went through {b!r} unseen, in a step that was cut as short as it may be: take "
        "shorter steps"
        for a, b in (contacts.names[k] for k in passed)
    ]


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
            for sentence in open_joints(model, first.evaluation.nodes)
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
        f"taken, {roughly(100.0 * missed / energy)} % of its energy away"
    ]
