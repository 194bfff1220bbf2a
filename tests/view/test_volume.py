"""Volumes in pictures, and in files for ParaView."""

import numpy as np
import pytest
from meshes import block

import flexura as fx
from flexura.view.frame import frame_axes
from flexura.view.volume import volume_surfaces

SILICONE = fx.Material(young=5e5, poisson=0.3, density=1000.0)


@pytest.fixture(scope="module", params=[False, True])
def result(request):
    volume = fx.Volume("block", block(cells=(3, 1, 1)), SILICONE, quadratic=request.param)
    rod = fx.Rod("cable", 0.1, fx.Circle(1e-3), fx.Material(young=1e9, poisson=0.3))
    way = [(x, 0.01, 0.015) for x in (0.0, 0.05, 0.1)]
    robot = fx.Robot(
        "soft",
        rods=[rod],
        volumes=[volume],
        joints=[
            fx.Clamp("world", fx.Nodes("block", box=((0, 0, 0), (0, 1, 1)))),
            fx.Weld("world", "cable.base", offset=fx.lie.se3.pose(position=way[0])),
            fx.Threaded("cable", "block", points=way),
        ],
        tendons=[fx.Tendon("t", volume="block", points=way[1:], pull=(-0.01, 0.01, 0.015))],
        loads=[fx.PointLoad("tip", at=fx.On("block", (0.1, 0.01, 0.01)))],
    )
    model = fx.build(robot, rods=fx.LinearStrain(4))
    return fx.statics(model, {"tip": (0, 0, 0, 0, 0, -0.1), "t": 0.1}).unwrap()


def test_edges_are_sharp_and_surfaces_closed(result):
    (surface,) = volume_surfaces(result, None, None, 0)
    assert surface.opacity < 1.0  # a rod runs inside
    assert np.linalg.norm(surface.normals, axis=1) == pytest.approx(1.0)
    a, b, c = np.moveaxis(surface.points[surface.triangles], 1, 0)
    flat = np.cross(b - a, c - a)
    # the flux of x through a closed surface is three times what it holds, to the outside
    inside = np.einsum("ni,ni->n", (a + b + c) / 3.0, flat).sum() / 6.0
    assert inside == pytest.approx(4e-5, rel=0.05)
    unit = flat / np.linalg.norm(flat, axis=1, keepdims=True)
    corners = surface.normals[surface.triangles]
    assert np.einsum("ni,nki->nk", unit, corners).min() > 0.9  # no side lends its normal to another


def test_files_for_paraview_have_what_results_have(result, tmp_path):
    meshio = pytest.importorskip("meshio")
    fx.save_vtk(result, tmp_path / "a.vtu")
    mesh, state = meshio.read(tmp_path / "a.vtu"), result.volume("block")
    kind, n = ("tetra10", 10) if state.cells.shape[1] == 10 else ("tetra", 4)
    assert np.array_equal(mesh.cells_dict[kind], state.cells)
    assert mesh.cells_dict[kind].shape[1] == n
    count = len(state.points)
    assert mesh.points[:count] == pytest.approx(state.points, abs=1e-15)
    assert mesh.point_data["displacement"][:count] == pytest.approx(state.displacements, abs=1e-15)
    assert mesh.cell_data_dict["von_mises"][kind] == pytest.approx(state.von_mises)
    stress = mesh.cell_data_dict["stress"][kind]
    assert stress[:, 0] == pytest.approx(state.stress[:, 0, 0])
    assert stress[:, 4] == pytest.approx(state.stress[:, 1, 2])
    lines = mesh.points[count:]
    tip = result.pose("cable.tip")[:3, 3]
    assert np.linalg.norm(lines - tip, axis=1).min() < 1e-12
    assert set(np.concatenate(list(mesh.cell_data_dict["part"].values())).tolist()) == {0, 1, 2}


@pytest.mark.parametrize(("place", "near"), [((0.0, 0.0, 0.0), True), ((100.0, 0.0, 0.0), False)])
def test_axes_of_the_world_beside_a_robot_of_a_volume_alone(place, near):
    """Nothing but the mesh tells how far the origin is."""
    points, cells = block(cells=(2, 1, 1))
    volume = fx.Volume("block", (points + place, cells), SILICONE)
    held = fx.Clamp("world", fx.Nodes("block", indices=[0, 1, 2]))
    robot = fx.Robot("block", volumes=[volume], joints=[held])
    result = fx.statics(fx.build(robot)).unwrap()
    assert [axes.name for axes in frame_axes(result, extent=0.1)] == (["world"] if near else [])
