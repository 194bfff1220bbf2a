"""From results to the primitives of a view."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from flexura.errors import ModelError
from flexura.result.instant import Instant
from flexura.result.static import StaticResult
from flexura.robot import Gravity, Motor, Robot
from flexura.robot.check import flag
from flexura.solve.unloaded import unloaded
from flexura.typing import Array, ArrayLike, Vector
from flexura.view.body import body_points, body_surfaces
from flexura.view.component import Component, component
from flexura.view.ellipsoid import Kind, ellipsoids
from flexura.view.frame import apart
from flexura.view.further import Further, further_lines
from flexura.view.ground import Ground, ground
from flexura.view.load import LoadPrimitives, gravity_primitives
from flexura.view.obstacle import planes_below
from flexura.view.part import Look, Part, part, plain_rods, title_label
from flexura.view.primitive import (
    Arrow,
    Axes,
    Cable,
    Label,
    Line,
    Surface,
    SurfaceRole,
    with_role,
)
from flexura.view.remark import listed
from flexura.view.style import PALETTE, distinct
from flexura.view.subject import Subject, of_result, subjects
from flexura.view.volume import volume_limits, volume_points, volume_surfaces

# The unloaded shape is left out where it would make the robot smaller than by this factor.
CROWD = 2.5
INSET = 0.004  # of unloaded volumes, relative to the extent
CALLED = 12  # more instants than this have no times


@dataclass(frozen=True)
class Scale:
    """What the colours of the rods mean."""

    component: Component
    limits: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Scene:
    """All that there is to draw, for any renderer.

    Attributes:
        title: name of the robot.
        remark: what the viewer must know about it, in lines, maybe nothing.
        converged: whether all are equilibria.
        stable: whether none of them is known to be unstable.
        extent: size of the robot [m].
        scale: meaning of the rods' values, None if they have none.
        surfaces: rods, bodies and all else that has one; each says what it is.
        tendons: as they run, and further lines.
        arrows: loads.
        lines: through the tails of line loads, and to pulleys.
        axes: frames.
        labels: names and sizes.
        ground: the grid below.
        points: what a picture has to show, (n, 3).
    """

    title: str
    remark: str
    converged: bool
    stable: bool
    extent: float
    scale: Scale | None
    surfaces: tuple[Surface, ...]
    tendons: tuple[Cable, ...]
    arrows: tuple[Arrow, ...]
    lines: tuple[Line, ...]
    axes: tuple[Axes, ...]
    labels: tuple[Label, ...]
    ground: Ground
    points: Array

    def of(self, role: SurfaceRole) -> tuple[Surface, ...]:
        """The surfaces that have a role."""
        return tuple(surface for surface in self.surfaces if surface.role == role)


def scene(
    subject: StaticResult | Robot | Sequence[StaticResult | Robot],
    color: str | None = "bending",
    ghost: bool = True,
    labels: bool = True,
    names: Sequence[str] | None = None,
    opacity: float | None = None,
    lines: Mapping[str, ArrayLike] | None = None,
    ellipsoid: Kind | None = None,
) -> Scene:
    """Collect the primitives of results, or of robots without load.

    Args:
        subject: what to look at; of several, all are drawn in the same place.
        color: name of one of ``COMPONENTS`` to colour the rods by, or None. A robot that was not
            solved has no colours. Several results share one scale.
        ghost: whether to add the unloaded shape, of the first of several; a robot with loops has
            none that is known, and one that is 2.5 times as large as the robot is left out.
        labels: whether to add texts; of several robots, only their names and gravity.
        names: what to call the subjects, one each; None for nothing, but several instants of a
            motion, up to twelve, are called by their times.
        opacity: of the rods, above 0 and up to 1; None is 1, but less for rods with tendons
            inside.
        lines: further lines by their names, points [m], (n, 3) each.
        ellipsoid: "compliance" or "manipulability", to be drawn about bodies, or else about tips.

    Raises:
        ModelError: if the subject is something else, or names, opacity or lines make no sense.
        UnknownName: for an unknown colour.
    """
    chosen = None if color is None else component(color)
    ghost, labels = flag("a scene", "ghost", ghost), flag("a scene", "labels", labels)
    shown = subjects(subject)
    called = _checked_names(names, shown)
    plan = plan_of(shown, chosen, ghost, opacity, several=len(shown) > 1)
    parts = [part(x, i, plan.look) for i, x in enumerate(shown)]
    if ellipsoid is not None:
        for own, x in zip(parts, shown, strict=True):
            about, texts = ellipsoids(x.result, ellipsoid, plan.look.extent, np.array(plan.look.up))
            own.surfaces.extend(about)
            own.labels.extend(texts)
    stage = set_stage(plan, shown, [points_of(x) for x in parts], lines)
    return compose(stage, shown, parts, called, labels)


@dataclass(frozen=True, eq=False)
class Plan:
    """How subjects are drawn.

    Attributes:
        look: of each of them.
        rest: the unloaded shape, if it is shown.
    """

    look: Look
    rest: Subject | None


@dataclass(frozen=True, eq=False)
class Stage:
    """What scenes share that are seen one after the other; ``Scene`` says what it is."""

    look: Look
    scale: Scale | None
    ghosts: tuple[Surface, ...]
    further: Further
    ground: Ground
    points: Array


def plan_of(
    shown: Sequence[Subject],
    color: Component | None,
    ghost: bool,
    opacity: float | None,
    several: bool,
) -> Plan:
    """How to draw subjects: together if they are several, else one after the other."""
    first = shown[0]
    chosen = color if any(_has_colors(x, color) for x in shown) else None
    rest = rest_of(first) if ghost and first.solved and first.result.model.layout.open else None
    extent, rest = _size(shown, rest)
    low, high, up = (tuple(x.tolist()) for x in (*_box(shown), up_of(first)))
    look = Look(extent, (low, high), chosen, _checked_opacity(opacity), several, up)
    return Plan(look, rest)


def set_stage(
    plan: Plan,
    shown: Sequence[Subject],
    points: Sequence[Array],
    lines: Mapping[str, ArrayLike] | None,
) -> Stage:
    """What is around subjects.

    Args:
        plan: how they are drawn.
        shown: all of them.
        points: of what is drawn of them, (n, 3) each.
        lines: further lines by their names.
    """
    look, first = plan.look, shown[0]
    extent = look.extent
    further = further_lines(lines, extent, len(first.robot.tendons))
    ghosts = () if plan.rest is None else ghosts_of(plan.rest, extent)
    around = [*(x.points for x in ghosts), *(x.path for x in further.cables)]
    drawn = np.concatenate([*points, *around])
    planes = planes_below(first.robot, look.box, extent)
    floor = ground(drawn, np.array(look.up), extent, planes)
    weight = _weight(first, extent, floor)
    solved = [x for x in shown if _has_colors(x, look.color)]
    return Stage(
        look=look,
        scale=None if look.color is None else Scale(look.color, limits_of(look.color, solved)),
        ghosts=ghosts,
        further=further,
        ground=floor,
        points=np.concatenate([drawn, *(x.path for x in weight.arrows), floor.corners]),
    )


def compose(
    stage: Stage,
    shown: Sequence[Subject],
    parts: Sequence[Part],
    called: Sequence[str],
    labels: bool,
) -> Scene:
    """All that there is to draw of subjects on a stage.

    Args:
        stage: what is around them.
        shown: the subjects.
        parts: their primitives.
        called: their names, or nothing.
        labels: whether to add texts.
    """
    look, several = stage.look, len(shown) > 1
    weight = _weight(shown[0], look.extent, stage.ground)
    texts = [] if several else parts[0].labels
    for i, (text, x) in enumerate(zip(called, shown, strict=False)):
        own = distinct(PALETTE, i) if several and look.color is None else None
        texts = [*texts, title_label(text, x, own)]
    return Scene(
        title=", ".join(dict.fromkeys(x.robot.name for x in shown)),
        remark=listed([x.remark for x in shown], called or _own_names(shown)),
        converged=all(x.result.converged for x in shown),
        stable=all(x.result.stable is not False for x in shown),
        extent=look.extent,
        scale=stage.scale,
        surfaces=(*_once(x.surfaces for x in parts), *stage.ghosts),
        tendons=(*chain.from_iterable(x.tendons for x in parts), *stage.further.cables),
        arrows=(*chain.from_iterable(x.arrows for x in parts), *weight.arrows),
        lines=tuple(chain.from_iterable(x.lines for x in parts)),
        axes=tuple(apart(chain.from_iterable(x.axes for x in parts))),
        labels=(*texts, *stage.further.labels, *weight.labels) if labels else (),
        ground=stage.ground,
        points=stage.points,
    )


def _checked_names(names: Sequence[str] | None, shown: Sequence[Subject]) -> tuple[str, ...]:
    """Names of the subjects, none or one each; instants are called by their times."""
    if names is None:
        times = [x.result.t for x in shown if isinstance(x.result, Instant)]
        return tuple(f"{t:.4g} s" for t in times) if 1 < len(times) == len(shown) <= CALLED else ()
    given = names.tolist() if isinstance(names, np.ndarray) else names
    found = () if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)
    if len(found) != len(shown) or not all(isinstance(name, str) for name in found):
        raise ModelError(
            f"names must be {len(shown)} texts, one for each result that is shown, got {names!r}; "
            'write for example names=["before", "after"]'
        )
    return found


def _own_names(shown: Sequence[Subject]) -> list[str]:
    """The names of the robots, or numbers where robots have the same name."""
    names = [x.robot.name for x in shown]
    same = len(set(names)) < len(names)
    return [f"result {i}" for i in range(1, len(names) + 1)] if same else names


def _checked_opacity(opacity: float | None) -> float | None:
    """The opacity of rods, None if it is to be chosen."""
    if opacity is None:
        return None
    if not isinstance(opacity, int | float | np.number) or not 0.0 < opacity <= 1.0:
        raise ModelError(
            f"opacity must be a number above 0 and up to 1, or None, got {opacity!r}; 0.3 lets "
            "what is inside of rods be seen"
        )
    return float(opacity)


def _has_colors(subject: Subject, color: Component | None) -> bool:
    """Whether anything of a subject has what colours shall show."""
    if color is not None and color.quantity == "volume":
        return subject.solved and bool(subject.robot.volumes)
    return subject.solved and bool(subject.poses)


def limits_of(chosen: Component, solved: Sequence[Subject]) -> tuple[float, float]:
    """The range of the colours."""
    if chosen.quantity == "volume":
        return volume_limits(chosen, (x.result for x in solved))
    return chosen.limits(chain.from_iterable(x.lines() for x in solved))


def rest_of(subject: Subject) -> Subject:
    """The unloaded shape."""
    return of_result(unloaded(subject.result.model, subject.result.given), {}, "")


def ghosts_of(rest: Subject, extent: float) -> tuple[Surface, ...]:
    """The surfaces of an unloaded shape.

    Volumes are a little smaller: where they have not moved, they are inside of themselves.
    """
    inside = [
        x.but(points=x.points - INSET * extent * x.normals, color=None)
        for x in volume_surfaces(rest.result, None, 1.0, 0)
    ]
    solids = (*plain_rods(rest, extent), *body_surfaces(rest.result, extent), *inside)
    return tuple(with_role("ghost", solids))


def _weight(subject: Subject, extent: float, floor: Ground) -> LoadPrimitives:
    """Where gravity pulls."""
    return gravity_primitives(subject.robot, subject.inputs, extent, floor.corners)


def _size(shown: Sequence[Subject], rest: Subject | None) -> tuple[float, Subject | None]:
    """The size to draw for [m], and the unloaded shape unless it is too large beside the robot."""
    own = _extent(shown)
    both = _extent([*shown, rest]) if rest else own
    return (both, rest) if both <= CROWD * own else (own, None)


def _extent(shown: Sequence[Subject]) -> float:
    """Diagonal of the box around subjects [m]."""
    low, high = _box(shown)
    return float(np.linalg.norm(high - low)) or 1.0


def _box(shown: Sequence[Subject]) -> tuple[Vector, Vector]:
    """Corners of the box around centre lines of rods, bodies, volumes and motors [m]."""
    points = []
    for x in shown:
        points += [poses[:, :3, 3] for poses in x.poses.values()]
        points += [*body_points(x.result), *volume_points(x.result)]
        points += [np.array([j.point]) for j in x.robot.links if isinstance(j, Motor)]
    found = np.concatenate(points)
    return found.min(axis=0), found.max(axis=0)


def points_of(part: Part) -> Array:
    """All points of what is drawn of a robot, (n, 3)."""
    found = [x.points for x in part.surfaces]
    found += [*(x.path for x in part.tendons), *(x.path for x in part.arrows)]
    return np.concatenate([*found, *(x.corners for x in part.axes)])


def up_of(subject: Subject) -> Vector:
    """Against gravity, or along z if there is none."""
    loads = subject.robot.loads
    weights = [subject.inputs[load.name] for load in loads if isinstance(load, Gravity)]
    total = np.sum(weights, axis=0) if weights else np.zeros(3)
    return -total if total.any() else np.array([0.0, 0.0, 1.0])


def _once(parts: Iterable[Sequence[Surface]]) -> tuple[Surface, ...]:
    """Surfaces of several robots; what all but rods have in the same place is drawn once."""
    found: dict[object, Surface] = {}
    for surface in chain.from_iterable(parts):
        place: object = surface.role, surface.name, surface.points.tobytes()
        found.setdefault(surface if surface.role == "rod" else place, surface)
    return tuple(found.values())
