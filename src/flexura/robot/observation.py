"""What was measured of a robot while its inputs had certain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from flexura.errors import ModelError, known, show
from flexura.lie import so3
from flexura.robot.check import assign, bad, finite, name, pose, positive
from flexura.robot.frame import FrameLike, frame_like
from flexura.typing import Array, ArrayLike, frozen, real_numbers
from flexura.value import Catalog, Value


class Measured(NamedTuple):
    """Numbers that were measured of something.

    Attributes:
        kind: of measurement.
        of: frame or tendon.
        numbers: (n,), NaN for those that were not; of a rotation its rotation vector.
    """

    kind: str
    of: FrameLike
    numbers: Array


KINDS = ("position", "rotation", "length", "tension")
METRES = ("position", "length")  # kinds that one number for sigma is of


@dataclass(frozen=True, eq=False)
class Observation(Value):
    """Measurements of one equilibrium, and the inputs that the robot had then.

    Attributes:
        inputs: values of inputs by name, as for ``statics``; those that are not named are as
            described.
        positions: of frames, (x, y, z) [m]; what was not measured of one is NaN.
        poses: of frames, 4x4.
        lengths: of tendons, of their ways along the robot [m].
        tensions: of tendons [N].
        sigma: standard deviations of the measurements: a dict of those of a "position" [m], a
            "rotation" [rad], a "length" [m], a "tension" [N], each of every number; or one number
            for positions and lengths [m]. None where they are not known.
    """

    inputs: Mapping[str, ArrayLike] = field(default_factory=dict)
    positions: Mapping[FrameLike, ArrayLike] = field(default_factory=dict)
    poses: Mapping[FrameLike, ArrayLike] = field(default_factory=dict)
    lengths: Mapping[str, float] = field(default_factory=dict)
    tensions: Mapping[str, float] = field(default_factory=dict)
    sigma: float | Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        who = "Observation"
        for entry in ("inputs", "positions", "poses", "lengths", "tensions"):
            value = getattr(self, entry)
            if not isinstance(value, Mapping):
                raise bad(who, entry, "a dict of names and values", value, f"write {entry}={{...}}")
        inputs = {name(who, "inputs", key): _copied(key, x) for key, x in self.inputs.items()}
        places = {_frame("positions", key): _place(key, x) for key, x in self.positions.items()}
        poses = {
            _frame("poses", key): frozen(np.array(pose(who, f"poses[{str(key)!r}]", x)))
            for key, x in self.poses.items()
        }
        assign(
            self,
            inputs=Catalog(inputs),
            positions=Catalog(cast(Mapping[str, Array], places)),
            poses=Catalog(cast(Mapping[str, Array], poses)),
            lengths=_numbers("lengths", self.lengths),
            tensions=_numbers("tensions", self.tensions),
            sigma=_sigma(self.sigma),
        )
        if not (self.positions or self.poses or self.lengths or self.tensions):
            raise ModelError(
                f"{who}: nothing was measured; give positions, poses, lengths or tensions"
            )
        given = self.deviations
        lacking = [kind for kind in self.kinds if given is not None and kind not in given]
        if given is not None and lacking:
            raise bad(
                who,
                "sigma",
                f"a dict that also has {' and '.join(map(repr, lacking))}",
                dict(given),
                "write for example sigma={'position': 1e-3, 'rotation': 0.01, 'tension': 0.1}",
            )

    @property
    def deviations(self) -> Mapping[str, float] | None:
        """Standard deviations by kind of measurement; None where they are not known."""
        return cast(Mapping[str, float] | None, self.sigma)

    @cached_property
    def measured(self) -> tuple[Measured, ...]:
        """All that was measured, in the order of all that is told of it."""
        found = [Measured("position", x, np.asarray(at)) for x, at in self.positions.items()]
        for frame, seen in self.poses.items():
            T = np.asarray(seen)
            found.append(Measured("rotation", frame, so3.log(T[:3, :3])))
            found.append(Measured("position", frame, T[:3, 3]))
        found += [Measured("length", x, np.array([size])) for x, size in self.lengths.items()]
        found += [Measured("tension", x, np.array([pull])) for x, pull in self.tensions.items()]
        return tuple(found)

    @property
    def kinds(self) -> tuple[str, ...]:
        """What kinds of numbers were measured."""
        found = {one.kind for one in self.measured}
        return tuple(kind for kind in KINDS if kind in found)


def _frame(entry: str, key: object) -> FrameLike:
    """A frame; whether the robot has it is checked where there is one."""
    return frame_like("Observation", entry, key)


def _copied(key: str, value: Any) -> Any:
    """The value of an input that nobody changes later; models check it."""
    try:
        return frozen(np.array(real_numbers(value)))
    except (TypeError, ValueError):
        raise ModelError(
            f"Observation: inputs[{key!r}] must be a number or several, got {show(value)}"
        ) from None


def _place(key: FrameLike, value: ArrayLike) -> Array:
    """Three numbers, of which some may not have been measured."""
    try:
        place = np.array(real_numbers(value))
    except (TypeError, ValueError):
        place = np.empty(0)
    if place.shape != (3,) or np.isinf(place).any() or np.isnan(place).all():
        raise bad(
            "Observation",
            f"positions[{str(key)!r}]",
            "three numbers [m], NaN for what was not measured",
            value,
            "leave the frame out where nothing was measured",
        )
    return frozen(place)


def _numbers(entry: str, values: Mapping[str, float]) -> Catalog[float]:
    """A number for each tendon."""
    return Catalog(
        {
            name("Observation", entry, key): finite("Observation", f"{entry}[{key!r}]", value)
            for key, value in values.items()
        }
    )


def _sigma(value: float | Mapping[str, float] | None) -> Catalog[float] | None:
    """A standard deviation for each kind."""
    if value is None:
        return None
    who = "Observation"
    if not isinstance(value, Mapping):
        return Catalog(dict.fromkeys(METRES, positive(who, "sigma", value)))
    found = {}
    for key, entry in value.items():
        kind = known("kind of measurement in sigma", key, KINDS)
        found[kind] = positive(who, f"sigma[{kind!r}]", entry)
    return Catalog(found)
