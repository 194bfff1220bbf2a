"""Rods that come down over round and sharp meshes by their weight, all of it at once."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import flexura as fx
from flexura.lie import se3
from flexura.solve.workspace import workspace

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1100.0)
ROUND = 0.03


def hull(points):
    """The convex surface about points, with normals out of it."""
    found = ConvexHull(points)
    triangles = found.simplices.copy()
    corners = points[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inwards = np.sum((corners[:, 0] - points.mean(axis=0)) * normal, axis=1) < 0.0
    triangles[inwards] = triangles[inwards][:, ::-1]
    return fx.Triangles(points, triangles)


def ball(n):
    """Of n points."""
    i = np.arange(n) + 0.5
    down, around = np.arccos(1.0 - 2.0 * i / n), np.pi * (1.0 + np.sqrt(5.0)) * i
    side = np.stack([np.cos(around) * np.sin(down), np.sin(around) * np.sin(down), np.cos(down)], 1)
    return hull(ROUND * side)


def clamped(shape, place, friction, radius, force=None):
    """A rod that is clamped at its base, and what is below it."""
    pushed = [] if force is None else [fx.PointLoad("push", at="rod.tip", force=force)]
    return fx.Robot(
        "falls",
        rods=[fx.Rod("rod", 0.3, fx.Circle(radius), RUBBER)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.Gravity(), *pushed],
        obstacles=[fx.Obstacle("shape", shape, pose=se3.pose(place))],
        contacts=[fx.Contact("rod", "shape", friction)],
    )


def falls(shape, place, friction, rods, radius=4e-3, force=None):
    """The rod comes down by its weight."""
    return fx.statics(fx.build(clamped(shape, place, friction, radius, force), rods))


@pytest.mark.parametrize("at", [0.12, 0.125])
@pytest.mark.parametrize(("n", "friction"), [(200, 0.3), (200, 0.0), (2000, 0.0)])
def test_rods_come_to_rest_on_balls_of_triangles(n, friction, at):
    """Also where bows touch after a step that counted nowhere before it."""
    found = falls(ball(n), (at, 0.0, -0.045), friction, fx.Spline(3, 12))
    assert found.converged, found.status


def test_rods_stay_on_balls_as_their_weight_grows():
    """Each step is about a tenth of the weight: none leaps off what holds the rod."""
    found, at_rest = None, []
    model = fx.build(clamped(ball(200), (0.12, 0.0, -0.045), 0.3, 4e-3), fx.Spline(3, 12))
    for part in np.linspace(0.05, 1.0, 12):
        found = fx.statics(model, {"gravity": (0.0, 0.0, -9.81 * part)}, start=found)
        assert found.converged, found.status
        at_rest.append(len(found.contacts))
    assert all(at_rest[1:])


# A block with edges every way: a soft rod slides on to one of them.
POINTS = np.array(
    [
        (0.11929, 0.05793, -0.07396), (0.12176, -0.05603, -0.06177),
        (0.11084, -0.04431, -0.01218), (-0.06641, -0.04281, -0.08026),
        (0.04662, -0.02452, -0.09730), (0.11374, -0.08892, -0.05066),
        (0.10624, -0.08389, -0.03885),
    ]
)  # fmt: skip
AFAR = (-7.66103092e-05, -9.72106115e-05, -1.38648950e-04)
DESCRIPTIONS = [*(fx.Spline(3, spans) for spans in (6, 12, 24, 32, 48)), fx.LinearStrain(48)]


@pytest.mark.parametrize("rods", DESCRIPTIONS, ids=str)
def test_soft_rods_without_friction_come_to_rest_over_edges(rods):
    """Where one of two tangents ended below the other the edge rested on neither."""
    found = falls(hull(POINTS), (0.0, 0.0, 0.0), 0.0, rods, radius=2e-3, force=AFAR)
    assert found.converged, found.status
    assert found.stable
    assert found.iterations < 100  # a third of what one of them took, 670 to 910 the others
    assert np.abs(found.pose("rod.tip")[[0, 2], 3] - (0.137, -0.2168)).max() < 1e-3


def bent(force, x, height, rods, shape):
    """A rod that a force at its tip bends, and an edge across it."""
    return fx.Robot(
        "bent",
        rods=[fx.Rod("rod", 0.3, fx.Circle(4e-3), RUBBER)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.PointLoad("push", at="rod.tip", force=(0.0, 0.0, force))],
        obstacles=[fx.Obstacle("edge", shape, pose=se3.pose((x, 0.0, height)))],
        contacts=[fx.Contact("rod", "edge")],
    )


ROUND_EDGE = fx.Capsule(1e-3, 0.1, axis=(0.0, 1.0, 0.0))
WEDGE = hull(np.array([(x, y, -abs(x)) for x in (-0.02, 0.0, 0.02) for y in (-0.05, 0.06)]))


@pytest.mark.parametrize("rods", [fx.Spline(3, 6), fx.LinearStrain(6)], ids=str)
@pytest.mark.parametrize("force", [-0.004, 0.004], ids=["inside", "outside"])
@pytest.mark.parametrize("shape", [WEDGE, ROUND_EDGE], ids=["mesh", "capsule"])
def test_edges_pass_along_bent_rods_without_a_leap(shape, force, rods):
    """From one tangent to the next, whichever side of its bend a rod touches with."""
    far = fx.build(bent(force, 0.15, -10.0, rods, shape), rods)
    found = fx.statics(far).unwrap()
    place = found.pose("rod", 0.15)[:3, 3]
    gaps, step = [], 5e-5
    for k in range(400):
        model = fx.build(
            bent(force, place[0] + step * (k - 200), place[2] - 8e-3, rods, shape), rods
        )
        with workspace(model) as assembly:
            none = np.zeros_like(assembly.state.multipliers)
            assembly.place(replace(found.state, multipliers=none), model.inputs.described)
            gaps.append(float(assembly.touch.gap.min()))
    steep = abs(found.pose("rod", 0.19)[2, 0]) + 0.05
    assert max(gaps) < 0.02  # it is found everywhere
    assert np.abs(np.diff(gaps)).max() < steep * step + 0.01 * 4e-3  # 1 % of the radius
