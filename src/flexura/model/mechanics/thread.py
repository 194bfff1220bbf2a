"""Rods that are threaded through volumes."""

import numpy as np

from flexura.model.members.thread import Threads
from flexura.model.site import Site
from flexura.robot import Threaded
from flexura.robot.volume_place import place_on
from flexura.rods.windows import check_window
from flexura.typing import Array, Indices, frozen


def add_threads(site: Site) -> None:
    """All threaded rods, group by group."""
    ties = [tie for tie in site.robot.ties if isinstance(tie, Threaded)]
    for part, group in enumerate(site.groups):
        own = [tie for tie in ties if site.place(tie.rod).part == part]
        if not own:
            continue
        for tie in own:
            check_window(tie.rod, group)
        placed = [_points(site, tie) for tie in own]
        counts = [len(tie.points) for tie in own]
        widest = max(nodes.shape[1] for nodes, _ in placed)
        pads = [((0, 0), (0, widest - nodes.shape[1])) for nodes, _ in placed]
        slides = [
            np.arange(count) < count - tie.anchored for tie, count in zip(own, counts, strict=True)
        ]
        ends = [site.nodes.ends(tie.rod) for tie in own]
        site.members.append(
            Threads(
                tuple(tie.label for tie in own),
                frozen(np.repeat(np.arange(len(own)), counts)),
                part,
                int(site.nodes.begins[part]),
                frozen(np.repeat([site.place(tie.rod).index for tie in own], counts)),
                frozen(np.repeat(np.array(ends), counts, axis=0)),
                frozen(np.repeat([site.robot.rod(tie.rod).length for tie in own], counts)),
                frozen(np.concatenate([_abscissae(site, tie) for tie in own])),
                frozen(np.concatenate(slides).astype(np.int64)),
                frozen(
                    np.concatenate([np.pad(x, p) for (x, _), p in zip(placed, pads, strict=True)])
                ),
                frozen(
                    np.concatenate([np.pad(x, p) for (_, x), p in zip(placed, pads, strict=True)])
                ),
            )
        )


def _points(site: Site, tie: Threaded) -> tuple[Indices, Array]:
    """Particles and weights of the points of a tie."""
    who, volume = f"Threaded {tie.label!r}", site.robot.volume(tie.volume)
    nodes, weights = place_on(who, "points", volume, tie.points)
    return site.volumes[tie.volume] + nodes, weights


def _abscissae(site: Site, tie: Threaded) -> Array:
    """Where a rod passes its points at rest: nearest to each, as long as the tip is anchored.

    Distances are those along the points, from the tip back, as a rod that is straight between them
    passes them; the first guess of an iteration needs no more.
    """
    length = site.robot.rod(tie.rod).length
    points = np.asarray(tie.points, dtype=np.float64)
    back = np.append(np.linalg.norm(np.diff(points, axis=0), axis=1)[::-1].cumsum()[::-1], 0.0)
    return np.asarray(np.maximum(length - back, 0.0))
