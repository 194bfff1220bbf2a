"""The primitives of one robot of a picture, without what all of them share."""

from dataclasses import dataclass

import numpy as np

from flexura.robot import Robot, Rod
from flexura.typing import Pose, Vector
from flexura.view.body import body_surfaces
from flexura.view.component import Component
from flexura.view.contact import contact_arrows, contact_labels
from flexura.view.frame import frame_axes, plates
from flexura.view.joint import joint_surfaces, links, motor_labels
from flexura.view.load import load_primitives
from flexura.view.obstacle import obstacle_surfaces
from flexura.view.primitive import Arrow, Axes, Cable, Label, Line, Surface, with_role
from flexura.view.rod import half_widths, rod_surface
from flexura.view.style import PALETTE, distinct
from flexura.view.subject import Subject
from flexura.view.tendon import cables, discs, runs_inside, tendon_labels
from flexura.view.volume import volume_surfaces

# A rod thinner than this is drawn this thick, relative to the extent of the robot: about three
# pixels in a picture of 1000 pixels.
THINNEST = 0.0022  # half width
GLASS = 0.32  # opacity of a rod that would hide a tendon
CROWD = 12  # more rods than this have no names
# Tubes inside each other are drawn this much wider, each than the one in it, where all are too thin
# to see; and the outer ones this translucent.
WIDER, SHELL = 0.6, 0.4


@dataclass(frozen=True, eq=False)
class Part:
    """What is drawn of one robot; ``Scene`` says what the attributes are."""

    surfaces: list[Surface]
    tendons: list[Cable]
    arrows: list[Arrow]
    lines: list[Line]
    axes: list[Axes]
    labels: list[Label]


@dataclass(frozen=True)
class Look:
    """How robots are drawn.

    Attributes:
        extent: size of all of them [m].
        box: lower and upper corner of what is about them [m].
        color: what their rods are coloured by; None for plain colours.
        opacity: of their rods; None lets tendons inside of rods be seen.
        several: whether there is more than one: then each has a colour of its own.
        up: upwards in the picture.
    """

    extent: float
    box: tuple[tuple[float, ...], tuple[float, ...]]
    color: Component | None
    opacity: float | None
    several: bool
    up: tuple[float, ...]


def part(subject: Subject, number: int, look: Look) -> Part:
    """The primitives of the robot with that number."""
    result, extent = subject.result, look.extent
    loads = load_primitives(result, subject.inputs, extent, THINNEST * extent)
    up = np.array(look.up)
    tendons = cables(result, extent)
    texts = [*loads.labels, *_names(subject, up), *tendon_labels(result, tendons)]
    texts += contact_labels(result, extent)
    held = [*plates(result, extent), *links(result, extent)]
    held += obstacle_surfaces(result, extent, np.mean(look.box, axis=0))
    return Part(
        surfaces=[
            *_rods(subject, number, look),
            *_volumes(subject, number, look),
            *with_role("holder", held),
            *with_role("body", body_surfaces(result, extent)),
            *with_role("wheel", loads.wheels),
            *with_role("joint", joint_surfaces(result, extent)),
            *with_role("disc", discs(result, extent)),
        ],
        tendons=tendons,
        arrows=[*loads.arrows, *contact_arrows(result, extent)],
        lines=loads.lines,
        axes=frame_axes(result, extent),
        labels=[*texts, *motor_labels(result, extent, up)],
    )


def plain_rods(subject: Subject, extent: float) -> list[Surface]:
    """Surfaces of the rods, without colours."""
    least = THINNEST * extent
    return [
        rod_surface(subject.robot.rod(name), subject.along[name], poses, least)
        for name, poses in subject.poses.items()
    ]


def title_label(text: str, subject: Subject, color: str | None) -> Label:
    """The name of a whole robot, ahead of its last rod, beside it, or at its first body."""
    robot = subject.robot
    if not (robot.slender or robot.bodies):
        points = subject.result.points(robot.volumes[0].name)
        top = points[np.argmax(points[:, 2])]
        return Label(text, top, np.array([0.0, 0.0, 1.0]), "result", color)
    if not robot.slender:
        pose = subject.result.pose(robot.bodies[0].name)
        return Label(text, pose[:3, 3], pose[:3, 0], "result", color)
    poses = subject.poses[robot.slender[-1].name]
    return Label(text, poses[-1, :3, 3], poses[-1, :3, 0], "result", color, poses[:, :3, 3])


def _rods(subject: Subject, number: int, look: Look) -> list[Surface]:
    """The rods, in a colour for each result if there are several, else for each rod."""
    chosen, result = look.color if subject.solved else None, subject.result
    chosen = None if chosen is None or chosen.quantity == "volume" else chosen
    found = []
    for i, (name, poses) in enumerate(subject.poses.items()):
        rod, s = subject.robot.rod(name), subject.along[name]
        values = None if chosen is None else chosen.values(result, name, s)
        color = distinct(PALETTE, number if look.several else i)
        opacity = _opacity(subject.robot, rod, look.opacity)
        least = THINNEST * look.extent * (1.0 + WIDER * _shell(subject.robot, name))
        found.append(rod_surface(rod, s, poses, least, values, color, opacity))
    return found


def _volumes(subject: Subject, number: int, look: Look) -> list[Surface]:
    """The volumes, behind the rods in the order of colours."""
    chosen = look.color if subject.solved else None
    first = number if look.several else len(subject.poses)
    return volume_surfaces(subject.result, chosen, look.opacity, first)


def _opacity(robot: Robot, rod: Rod, wanted: float | None) -> float:
    """The opacity that is wanted, or one that shows tendons inside."""
    if wanted is not None:
        return wanted
    if _shell(robot, rod.name):
        return SHELL
    return GLASS if runs_inside(robot, rod) else 1.0


def _shell(robot: Robot, name: str) -> int:
    """How many tubes are inside this one; none in a rod."""
    sets = ([tube.name for tube in own.tubes] for own in robot.tubes)
    return next((tubes.index(name) for tubes in sets if name in tubes), 0)


def _names(subject: Subject, up: Vector) -> list[Label]:
    """The names of the rods, if there are several, but not too many."""
    if not 1 < len(subject.poses) <= CROWD:
        return []
    return [
        _name(subject.robot.rod(rod), poses[_bare(subject, rod)], up)
        for rod, poses in subject.poses.items()
    ]


def _bare(subject: Subject, name: str) -> slice:
    """Stations of a tube where no other is around it, outside of the plate; of rods, all."""
    every = slice(None)
    for own in subject.robot.tubes:
        ends = [float(subject.result.inputs[f"{tube.name}.insertion"]) for tube in own.tubes]
        names = [tube.name for tube in own.tubes]
        if name not in names:
            continue
        j, s = names.index(name), subject.along[name]
        beyond = s - own.tubes[j].length + ends[j]  # distances from the plate
        first = int(np.searchsorted(beyond, max([0.0, *ends[j + 1 :]])))
        return slice(first, None) if first < len(s) - 1 else every
    return every


def _name(rod: Rod, poses: Pose, up: Vector) -> Label:
    """The name of a rod above its middle."""
    up = up / np.linalg.norm(up)
    radius = max(half_widths(rod.section_at(rod.length / 2.0)))
    middle = poses[len(poses) // 2, :3, 3] + radius * up
    return Label(rod.name, middle, up, "rod", along=poses[:, :3, 3])
