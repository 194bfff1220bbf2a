"""Whether what names volumes, points and nodes of them names any, and nothing else does."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from flexura.robot.check import BadField
from flexura.robot.frame import At
from flexura.robot.load import PointLoad, Pressure
from flexura.robot.volume import Volume
from flexura.robot.volume_place import Nodes, On, check_surface, find_volume, place_on
from flexura.robot.volume_tie import Clamp, Threaded

# How joints, loads and what ties volumes call the frames and rods that they act on.
FRAMES = ("a", "b", "at", "frame", "rod")


def check_no_volume(
    who: str, name: object, volumes: Collection[str], key: str = "rod", remedy: str | None = None
) -> None:
    """Raise for a volume where a rod, a body or an end is meant: "beam", "beam.tip".

    Args:
        who: who names it.
        name: what is named.
        volumes: names of the volumes that there are.
        key: where it is named.
        remedy: what to write instead; else how volumes are held and points of them named.
    """
    own = name.partition(".")[0] if isinstance(name, str) else None
    if own in volumes:
        instead = remedy or (
            f"hold it with Clamp(frame, Nodes({own!r}, ...)), and name a point of it as "
            f"On({own!r}, (x, y, z))"
        )
        raise BadField(
            f"{who}: {own!r} is a volume, which has neither ends nor an arc length; {instead}", key
        )


def check_no_volumes(
    volumes: Sequence[Volume],
    joints: Sequence[Any],
    loads: Sequence[Any],
    tendons: Sequence[Any],
) -> None:
    """Raise for volumes where joints, loads and tendons name rods, bodies and ends."""
    names = [volume.name for volume in volumes]
    for kind, entries in (("joints", joints), ("loads", loads)):
        for i, entry in enumerate(entries):
            who = f"{type(entry).__name__} {getattr(entry, 'label', None) or entry.name!r}"
            for field in FRAMES:
                frame = getattr(entry, field, None)
                name = frame.rod if isinstance(frame, At) else frame
                check_no_volume(who, name, names, f"{kind}[{i}].{field}")
    for i, tendon in enumerate(tendons):
        for rod in tendon.rods:
            remedy = f"let it run through with volume={rod!r} and points=[(x, y, z), ...]"
            check_no_volume(f"Tendon {tendon.name!r}", rod, names, f"tendons[{i}].rod", remedy)


def check_volumes(
    volumes: Sequence[Volume],
    joints: Sequence[Any],
    loads: Sequence[Any],
    tendons: Sequence[Any],
) -> None:
    """Raise unless all volumes that are named exist, and hold what is asked of them."""
    by_name = {volume.name: volume for volume in volumes}
    taken: dict[str, dict[int, str]] = {name: {} for name in by_name}
    for i, joint in enumerate(joints):
        if isinstance(joint, Clamp):
            _check_clamp(f"joints[{i}]", joint, by_name, taken)
        elif isinstance(joint, Threaded):
            who = f"Threaded {joint.label!r}"
            volume = find_volume(who, f"joints[{i}].volume", joint.volume, by_name)
            place_on(who, f"joints[{i}].points", volume, joint.points)
    for i, load in enumerate(loads):
        if isinstance(load, PointLoad) and isinstance(load.at, On | Nodes):
            who = f"PointLoad {load.name!r}"
            volume = find_volume(who, f"loads[{i}].at", load.at.volume, by_name)
            if isinstance(load.at, On):
                place_on(who, f"loads[{i}].at", volume, load.at.point)
            else:
                load.at.find(volume)
        elif isinstance(load, Pressure):
            who = f"Pressure {load.name!r}"
            volume = find_volume(who, f"loads[{i}].volume", load.volume, by_name)
            check_surface(who, volume, load.surface)
    for i, tendon in enumerate(tendons):
        if tendon.volume is not None:
            who = f"Tendon {tendon.name!r}"
            volume = find_volume(who, f"tendons[{i}].volume", tendon.volume, by_name)
            place_on(who, f"tendons[{i}].points", volume, tendon.points)


def _check_clamp(
    key: str, clamp: Clamp, volumes: Mapping[str, Volume], taken: dict[str, dict[int, str]]
) -> None:
    """Raise unless the nodes exist and no other clamp holds them."""
    volume = find_volume(f"Clamp {clamp.label!r}", f"{key}.nodes", clamp.nodes.volume, volumes)
    nodes, own = clamp.nodes.find(volume), taken[volume.name]
    twice = [n for n in nodes.tolist() if n in own]
    if twice:
        raise BadField(
            f"Clamp {clamp.label!r}: node {twice[0]} of volume {volume.name!r} is held by Clamp "
            f"{own[twice[0]]!r} already; hold each node once",
            f"{key}.nodes",
        )
    own.update(dict.fromkeys(np.asarray(nodes).tolist(), clamp.label))
