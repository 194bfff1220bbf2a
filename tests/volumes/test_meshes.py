"""The meshes of the examples, made with gmsh: what they hold, and robots of them."""

from pathlib import Path

import numpy as np
import pytest

import flexura as fx

pytest.importorskip("meshio")
MESHES = Path(__file__).parents[2] / "examples" / "meshes"
SILICONE = fx.Material(young=5e5, poisson=0.45, density=1070.0)
# Volumes of the solids that were meshed [m³]; what is round has flat faces, and is smaller.
FINGER = 0.081 * 0.015 * 0.025 - 2 * 0.008 * 0.015 * 0.012 - np.pi * 0.004**2 * 0.015
TRUNK = np.pi / 3.0 * 0.195 * (0.015**2 + 0.015 * 0.0065 + 0.0065**2)
BLOCK = 0.06 * 0.02 * 0.02 - 0.044 * 0.01 * 0.005
GRIPPER = 0.07 * 0.016 * 0.5 * (0.018 + 0.008)


def soft(name, **more):
    return fx.Volume(name, str(MESHES / f"{name}.msh"), SILICONE, **more)


@pytest.mark.parametrize(
    ("name", "solid", "off", "surfaces"),
    [
        ("finger", FINGER, 0.02, {"base", "hole"}),
        ("trunk", TRUNK, 0.06, {"base", "tip"}),
        ("block", BLOCK, 1e-9, {"base", "chamber"}),
        ("gripper", GRIPPER, 1e-9, {"base", "pad"}),
    ],
)
def test_meshes_are_the_solids_that_were_drawn(name, solid, off, surfaces):
    mesh = soft(name).mesh
    assert mesh.volumes.min() > 0.0
    assert mesh.volumes.sum() == pytest.approx(solid, rel=off)
    assert surfaces <= set(mesh.surfaces)
    for name in surfaces:  # each triangle once: pressure counts them
        triangles = np.sort(mesh.surfaces[name], axis=1)
        assert len(np.unique(triangles, axis=0)) == len(triangles)


def test_a_finger_is_bolted_through_its_hole():
    robot = fx.Robot(
        "finger",
        volumes=[soft("finger")],
        joints=[fx.Clamp("world", fx.Nodes("finger", surface="hole"), name="bolt")],
        loads=[fx.Gravity()],
    )
    result = fx.statics(fx.build(robot)).unwrap()
    weight = robot.volumes[0].mesh.volumes.sum() * 1070.0 * 9.81
    assert np.linalg.norm(result.reaction("bolt")[3:]) == pytest.approx(weight, rel=1e-9)


def test_air_in_the_chamber_bends_the_block_and_works_on_its_volume():
    robot = fx.Robot(
        "block",
        volumes=[soft("block", law="neo-hookean")],
        joints=[fx.Clamp("world", fx.Nodes("block", surface="base"))],
        loads=[fx.Pressure("air", volume="block", surface="chamber")],
    )
    model = fx.build(robot)
    results = [fx.statics(model, {"air": p}).unwrap() for p in (0.0, 1.98e4, 2e4, 2.02e4)]
    volumes = [-result.evaluation.conjugate[0] for result in results]
    assert volumes[0] == pytest.approx(0.044 * 0.01 * 0.005)
    assert volumes[2] > 1.05 * volumes[0]
    gained = results[3].energy - results[1].energy
    assert gained == pytest.approx(2e4 * (volumes[3] - volumes[1]), rel=1e-4)
    # the chamber lies above the middle: that side becomes longer
    moved = [result.pose(fx.On("block", (0.06, 0.01, 0.01)))[2, 3] for result in results[1:]]
    assert moved == sorted(moved, reverse=True)
    assert moved[0] < 0.01


def test_two_fingers_on_a_palm_at_the_end_of_a_rod_close():
    """Several volumes, a body and a rod: the fingers are one another's image by half a turn."""
    mesh, half = soft("gripper").mesh, np.array([1.0, -1.0, -1.0])
    off, way = np.array([0.0, 0.0, 0.02]), np.array([(x, 0.0, 0.003) for x in (0.02, 0.04, 0.068)])
    volumes, joints, tendons = [], [], []
    for name, turn in (("upper", 1.0), ("lower", half)):
        volumes.append(fx.Volume(name, (turn * (mesh.points + off), mesh.cells), SILICONE))
        base = np.unique(mesh.surfaces["base"])
        joints.append(fx.Clamp("palm", fx.Nodes(name, indices=base)))
        pull = turn * np.add(off, (0.004, 0.0, 0.003))
        points = turn * (way + off)
        tendons.append(fx.Tendon(f"{name} cable", volume=name, points=points[1:], pull=pull))
    steel = fx.Material(young=2e11, poisson=0.3)
    start = fx.lie.se3.pose(position=(-0.1, 0.0, 0.0))
    robot = fx.Robot(
        "gripper",
        rods=[fx.Rod("arm", 0.1, fx.Circle(2e-3), steel)],
        bodies=[fx.Body("palm", mass=0.05)],
        volumes=volumes,
        joints=[
            fx.Weld("world", "arm.base", offset=start),
            fx.Weld("arm.tip", "palm"),
            *joints,
        ],
        tendons=tendons,
    )
    pulled = {"upper cable": 1.0, "lower cable": 1.0}
    result = fx.statics(fx.build(robot, rods=fx.LinearStrain(2)), pulled).unwrap()
    upper, lower = result.points("upper"), result.points("lower")
    assert upper == pytest.approx(lower * half, abs=1e-9)
    assert result.pose("palm")[1:3, 3] == pytest.approx(0.0, abs=1e-9)
    tip = np.argmax(mesh.points[:, 0])
    assert upper[tip, 2] < mesh.points[tip, 2] + off[2] - 1e-3


def test_surfaces_of_files_are_filled_with_edges_of_a_size(tmp_path):
    pytest.importorskip("gmsh")
    meshio = pytest.importorskip("meshio")
    mesh = soft("gripper").mesh
    path = tmp_path / "gripper.stl"
    meshio.Mesh(mesh.points, [("triangle", mesh.boundary)]).write(path, binary=True)
    counts = []
    for size in (0.02, 0.004):
        volume = fx.Volume("gripper", str(path), SILICONE, size=size)
        assert volume.mesh.volumes.sum() == pytest.approx(GRIPPER, rel=1e-5)  # single precision
        counts.append(len(volume.mesh))
    assert counts[1] > 1.3 * counts[0]  # inside; the triangles are those of the file


def test_points_beside_the_surface_go_with_the_element_that_they_are_least_outside_of():
    """By the smallest of the barycentric coordinates, as scenes of others embed their cables."""
    mesh = soft("trunk").elements
    corners = mesh.points[mesh.corners]
    rng = np.random.default_rng(3)
    around = 0.016 * np.exp(1j * rng.uniform(0.0, 2.0 * np.pi, 40))
    along = rng.uniform(0.0, 0.01, 40)
    axis = int(np.argmax(np.ptp(mesh.points, axis=0)))
    points = np.insert(np.stack([around.real, around.imag], axis=1), axis, along, axis=1)
    cells, weights, outside = mesh.find(points)
    assert (outside > 0.0).sum() > 20
    for point, cell, found in zip(points, cells, weights, strict=True):
        edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
        inner = np.linalg.solve(edges, (point - corners[:, 0])[..., None])[..., 0]
        least = np.minimum(1.0 - inner.sum(axis=1), inner.min(axis=1))
        assert least[cell] == pytest.approx(least.max(), abs=1e-9)
        assert found.min() == pytest.approx(least.max(), abs=1e-9)
