"""Where linkages begin: closed, with rods as they are at rest if that is possible."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from flexura.model.closing import CLOSED, STARTS, close
from flexura.model.inputs import Inputs
from flexura.model.layout import Layout
from flexura.model.linkage import linkages
from flexura.model.model import Model
from flexura.model.start_load import whole_load
from flexura.model.walk import BY_JOINT
from flexura.typing import Indices, Pose


def closed_at_rest(
    model: Model, layout: Layout, poses: Pose, loads: Inputs, placed: Indices
) -> Pose:
    """Coordinates with linkages closed by rigid rods, where these can.

    What bodies alone make is brought as near to closed as it gets. A single rod that joints hold
    in the world bends (``pinned``), and what tubes make is left to them. Where rods lie in a plane
    that they would have to leave, no gap tells to which side: then loads do.

    Args:
        model: the robot.
        layout: at the inputs of the start.
        poses: of all coordinates, where it begins.
        loads: inputs with the loads that will act.
        placed: coordinates that are where they belong, as the world is.
    """
    if not len(model.joints.nodes) or model.tubes:
        return poses
    carriers = _carriers(layout)
    carriers[placed] = -1
    for linkage in linkages(model, layout, carriers):
        gives = len(linkage.coordinates) > int(linkage.carrier.max()) + 1
        if gives and linkage.carrier.max() == 0:
            continue
        found = close(linkage, layout, poses, 1 if gives else STARTS)
        if gives and found.gap > CLOSED:
            load = whole_load(model, layout, poses, loads)
            size = float(np.linalg.norm(load))
            if size > 0.0:
                found = close(linkage, layout, poses, towards=load / size)
        if found.gap <= CLOSED or not gives:
            poses = found.poses
    return poses


def _carriers(layout: Layout) -> Indices:
    """The piece that each coordinate is on if rods were rigid, -1 for the world."""
    n, links = layout.n_coordinates, []
    for near, far, way in layout.walk.tolist():
        if way != BY_JOINT:
            own = np.arange(min(near, far), max(near, far) + 1)
            own = layout.coordinate[own[~layout.loose[own]]] + 1  # the world is 0
            links.append(np.stack([np.full(len(own) - 1, own[0]), own[1:]]))
    pairs = np.concatenate([np.empty((2, 0), dtype=np.int64), *links], axis=1)
    graph = coo_array((np.ones(pairs.shape[1]), pairs), shape=(n + 1, n + 1))
    part = connected_components(graph, directed=False)[1]
    return np.where(part[1:] == part[0], -1, part[1:])
