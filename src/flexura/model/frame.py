"""Frames of a model: what carries them, among its nodes, along its rods or in its volumes."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from flexura.errors import ModelError, UnknownName, known
from flexura.model.model import Model
from flexura.model.part import Place
from flexura.model.spot import Spot
from flexura.model.state import State
from flexura.robot import At, Nodes, On
from flexura.robot.tubes import check_no_set
from flexura.robot.volume_check import check_no_volume
from flexura.typing import Pose


class Frame(NamedTuple):
    """A frame of a model.

    Attributes:
        node: that carries it; -1 for the world, and along rods.
        place: the rod that carries it, of a point that is given by its arc length; else None.
        s: the arc length [m].
        offset: pose of the frame in what carries it; None for that itself.
        spot: what carries it in a volume; else None.
    """

    node: int
    place: Place | None = None
    s: float = 0.0
    offset: Pose | None = None
    spot: Spot | None = None

    def pose(self, model: Model, nodes: Pose, state: State) -> Pose:
        """Its pose in the world, for poses of the nodes and a state."""
        if self.spot is not None:
            return self.spot.pose(model.layout.particles, nodes, state.numbers)
        if self.place is not None:
            part = model.parts[self.place.part]
            inner, s = model.inner(state, self.place.part), np.array([self.s])
            found = part.group.shape(nodes[part.nodes], inner, self.place.index, s)[0][0]
        elif self.node < 0:
            return np.eye(4) if self.offset is None else self.offset
        else:
            found = nodes[self.node]
        found = model.layout.in_world(found)
        return np.asarray(found if self.offset is None else found @ self.offset)


def find_frame(
    model: Model,
    frame: object,
    kind: str = "frame",
    also: Iterable[str] = (),
    moving: bool = False,
) -> Frame:
    """The frame of that name, or at that point.

    Args:
        model: the robot.
        frame: name of a frame, ``At(...)``, ``On(...)`` or ``Nodes(...)``.
        kind: what it is called where there is none of that name.
        also: what else could have been meant.
        moving: whether the world is none.

    Raises:
        UnknownName: if there is none.
        ModelError: for a point beyond the ends of a rod, or outside of a volume.
    """
    if isinstance(frame, On | Nodes):
        volume = model.robot.volume(known("volume", frame.volume, model.volumes))
        return Frame(-1, spot=Spot.of(volume, model.volumes[volume.name], frame))
    at = frame if isinstance(frame, At) else None
    name = frame if at is None else at.rod
    offset = None if at is None or at.offset is None else at.transform
    who = "frame" if at is None else str(at)
    check_no_set(who, name, model.robot.tubes)
    if at is not None and at.rod in model.places:
        place = model.places[at.rod]
        return Frame(-1, place, float(place.rod.clamp(at.s)), offset)
    if at is not None and at.rod in model.tubes:
        return Frame(_on_tube(model, at), offset=offset)
    if isinstance(name, str) and name == "world" and not moving:
        return Frame(-1, offset=offset)
    if not isinstance(name, str) or name not in model.frames:
        check_no_volume(who, name, model.volumes)
        hint = f"{name}.tip" if isinstance(name, str) and name in model.places else None
        names = [*([] if moving else ["world"]), *model.frames, *also]
        raise UnknownName(kind, name, names, hint)
    return Frame(model.frames[name], offset=offset)


def _on_tube(model: Model, at: At) -> int:
    """The node of a frame of a tube: its tip, or a point that something acts on."""
    anchor = str(model.robot.graph.anchor_of(At(at.rod, at.s))[0])
    if anchor not in model.frames:
        raise ModelError(
            f"{str(at)!r} is no frame that moves by itself: on a tube these are '{at.rod}.tip' and "
            f"points that something acts on; add PointLoad('mark', at=At({at.rod!r}, {at.s!r}))"
        )
    return model.frames[anchor]
