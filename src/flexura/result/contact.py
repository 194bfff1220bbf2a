"""What touches what, in a result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, show
from flexura.model.assemble import Assembly
from flexura.model.contact import slides
from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.slips import STILL
from flexura.model.state import State
from flexura.typing import Array, Pose, Vector, Wrench, frozen
from flexura.value import Value

# Gaps below this part of the robot's length are closed.
CLOSED = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Touching(Value):
    """A place where two things touch.

    Attributes:
        a: Name of the first of them, as in the ``Contact``.
        b: Name of the second.
        s_a: Arc length of the place on a [m]; None if that is no rod.
        s_b: Likewise on b.
        point: The place in the world [m], (3,).
        normal: Direction from b to a there, of length one, (3,).
        gap: Between them [m]; below zero is how deep they are in each other.
        force: Of b on a, in world axes [N], (3,).
        friction: Coefficient of friction.
        slip: How far a has slid along b, in the step of a motion, all parts of one that was cut, or
            since ``start`` [m], (3,).
        sliding: Whether a slides along b: it moves, against no friction or all of it.
    """

    a: str
    b: str
    s_a: float | None
    s_b: float | None
    point: Vector
    normal: Vector
    gap: float
    force: Vector
    friction: float
    slip: Vector
    sliding: bool

    @property
    def s(self) -> float | None:
        """Arc length on the rod, of the first one if both are rods [m]; None if there is none."""
        return self.s_b if self.s_a is None else self.s_a

    @property
    def pressing(self) -> float:
        """Force along the normal [N]."""
        return float(self.force @ self.normal)

    @property
    def rubbing(self) -> Vector:
        """Force along the surface [N], (3,)."""
        return np.asarray(self.force - self.pressing * self.normal)

    @property
    def sticking(self) -> bool:
        """Whether friction holds a where it is, or nothing moves it."""
        return not self.sliding

    def __repr__(self) -> str:
        how = "slides" if self.sliding else "sticks" if self.friction else "rests"
        at = "" if self.s is None else f" at s = {self.s:.4g} m"
        return f"{self.a!r} on {self.b!r}{at}: {self.pressing:.4g} N, {how}"


class ContactAnswers:
    """Answers of a ``StaticResult`` about contacts."""

    model: Model
    state: State
    given: Inputs
    evaluation: Evaluation
    pose: Callable[..., Pose]

    @cached_property
    def contacts(self) -> tuple[Touching, ...]:
        """Where things touch: point, normal, gap, force, and whether they slide or stick."""
        if self.model.contacts is None:
            return ()
        return touching(Assembly(self.model), self.state, self.given, self.evaluation)

    def pressing(self, a: str, b: str) -> float:
        """How hard two parts press on each other, all places together [N], as for ``inverse``."""
        return sum(x.pressing for x in self._between(a, b))

    def contact_wrench(self, a: str, b: str, frame: Any = "world") -> Wrench:
        """What b exerts on a, all places where they touch together.

        Args:
            a: a side of a contact.
            b: the other one.
            frame: whose axes, and origin for the moment, are meant; as for ``pose``.

        Returns:
            (moment, force) [N·m, N], shape (6,).
        """
        pose, found = self.pose(frame), np.zeros(6)
        for x in self._between(a, b):
            force = x.force if x.a == a else -x.force
            found += np.concatenate([np.cross(x.point - pose[:3, 3], force), force])
        return np.asarray((found.reshape(2, 3) @ pose[:3, :3]).ravel())

    def contact_point(self, a: str, b: str) -> Vector:
        """The middle of the places where two parts press on each other [m], (3,); nan if none.

        Places count as much as they press: of what lies flat it is where the force acts.
        """
        places = self._between(a, b)
        weight, total = np.array([x.pressing for x in places]), self.pressing(a, b)
        if not total > 0.0:
            return np.full(3, np.nan)
        return np.asarray(weight @ np.array([x.point for x in places]) / total)

    def contact_table(self) -> dict[str, NDArray[Any]]:
        """All places where things touch, in columns: ``pandas.DataFrame(x.contact_table())``.

        ``a`` and ``b``; ``s_a`` and ``s_b``, nan where there is no rod; the place ``x`` to ``z``
        and the normal ``nx`` to ``nz``; ``gap``, ``pressing``, the force of b on a ``fx`` to
        ``fz``, ``friction``, ``slip`` and ``sliding``. All in SI units.
        """
        return contact_columns(self.contacts)

    def _between(self, a: str, b: str) -> list[Touching]:
        """Where two sides of a contact touch."""
        names = [(x.a, x.b) for x in self.model.robot.contacts]
        if (a, b) not in names and (b, a) not in names:
            raise ModelError(
                f"{show((a, b))} is no contact of {self.model.name!r}; its contacts are "
                f"{names or 'none'}"
            )
        return [x for x in self.contacts if (x.a, x.b) in ((a, b), (b, a))]


def touching(
    assembly: Assembly, state: State, inputs: Inputs, evaluation: Evaluation
) -> tuple[Touching, ...]:
    """All places of a state where things touch.

    Args:
        assembly: of the model.
        state: where it is.
        inputs: there.
        evaluation: what is known of it.
    """
    assembly.place(state, inputs)
    touch, length = assembly.touch, assembly.model.length
    if touch is None:
        return ()
    own, forces, found = touch.contacts, touch.forces(state.multipliers), []
    closed = forces.any(axis=1) | (touch.gap <= CLOSED * length)
    closed &= touch.found
    for c in np.flatnonzero(closed).tolist():
        a, b = own.names[own.contact[c]]
        side = -1.0 if own.swapped[c] else 1.0
        force, n, mu = forces[c], touch.normal[c], float(own.friction[c])
        slip = STILL if evaluation.slip is None else evaluation.slip.of(c)
        pressing = float(force @ n)
        if mu == 0.0:
            force = pressing * n
        rubbing, way = (float(np.linalg.norm(x)) for x in (force - pressing * n, slip))
        found.append(
            Touching(
                a,
                b,
                *touch.lengths(c),
                _own(touch.point[c] + assembly.layout.origin),
                _own(side * n),
                float(touch.gap[c]),
                _own(side * force),
                mu,
                _own(side * slip),
                slides(pressing, rubbing, mu, way, length),
            )
        )
    return tuple(found)


def look_at(results: Sequence[ContactAnswers]) -> None:
    """Find contacts of all results of a model, with the arrays of one."""
    left = [x for x in results if x.model.contacts is not None and "contacts" not in vars(x)]
    assembly = Assembly(left[0].model) if left else None
    for x in left:
        assert assembly is not None
        vars(x)["contacts"] = touching(assembly, x.state, x.given, x.evaluation)


def contact_columns(places: Sequence[Touching]) -> dict[str, NDArray[Any]]:
    """Places where things touch, in columns of as many entries."""

    def numbers(ask: Callable[[Touching], Any], *shape: int) -> Array:
        return np.array([ask(x) for x in places], dtype=np.float64).reshape(len(places), *shape)

    def three(names: Sequence[str], ask: Callable[[Touching], Vector]) -> dict[str, Array]:
        return dict(zip(names, numbers(ask, 3).T.copy(), strict=True))

    return {
        "a": np.array([x.a for x in places], dtype=object),
        "b": np.array([x.b for x in places], dtype=object),
        "s_a": numbers(lambda x: x.s_a),
        "s_b": numbers(lambda x: x.s_b),
        **three("xyz", lambda x: x.point),
        **three(("nx", "ny", "nz"), lambda x: x.normal),
        "gap": numbers(lambda x: x.gap),
        "pressing": numbers(lambda x: x.pressing),
        **three(("fx", "fy", "fz"), lambda x: x.force),
        "friction": numbers(lambda x: x.friction),
        "slip": numbers(lambda x: np.linalg.norm(x.slip)),
        "sliding": np.array([x.sliding for x in places], dtype=np.bool_),
    }


def _own(x: Array) -> Vector:
    return frozen(np.array(x))
