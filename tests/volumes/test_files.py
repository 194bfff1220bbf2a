"""Volumes in files, pickles and bad input."""

import copy
import pickle

import numpy as np
import pytest
from meshes import block, cavity
from scipy.spatial import cKDTree

import flexura as fx
import flexura.robot.mesh
from flexura.io.robot_file import robot_of_text, text_of_robot
from flexura.robot.mesh_file import fill
from flexura.robot.tetrahedron import EDGES

SILICONE = fx.Material(young=5e5, poisson=0.3, density=1000.0)
POINTS, TETRAHEDRA = block(cells=(3, 1, 1))


def robot(mesh=(POINTS, TETRAHEDRA), **more):
    volume = fx.Volume("block", mesh, SILICONE, law="neo-hookean", damping=(0.1, 0.01), **more)
    rod = fx.Rod("cable", 0.1, fx.Circle(0.5e-3), SILICONE)
    way = [(0.0, 0.01, 0.015), (0.05, 0.01, 0.015), (0.1, 0.01, 0.015)]
    start = fx.lie.se3.pose(position=way[0])
    return fx.Robot(
        "soft",
        rods=[rod],
        volumes=[volume],
        joints=[
            fx.Weld("world", "cable.base", offset=start),
            fx.Clamp("world", fx.Nodes("block", box=((0, 0, 0), (0, 0.02, 0.02))), name="wall"),
            fx.Threaded("cable", "block", points=way),
        ],
        loads=[
            fx.Gravity(),
            fx.PointLoad("tip", at=fx.On("block", (0.1, 0.01, 0.01)), force=(0.0, 0.01, 0.0)),
            fx.PointLoad("end", at=fx.At("cable", s=0.05)),
            fx.PointLoad("all", at=fx.Nodes("block", indices=[1, 2, 3])),
            fx.Pressure("air", volume="block", surface="boundary", pressure=10.0),
        ],
        tendons=[fx.Tendon("t", volume="block", points=way[1:], pull=(0.0, 0.01, 0.0))],
    )


def test_robot_files_hold_meshes(tmp_path):
    own = robot()
    fx.save(own, tmp_path / "soft.toml")
    assert fx.load(tmp_path / "soft.toml") == own


@pytest.mark.parametrize("kind", ["vtk", "msh", "vtu"])
def test_mesh_files_are_named_relative_to_the_robot_file(tmp_path, kind):
    meshio = pytest.importorskip("meshio")
    (tmp_path / "parts").mkdir()
    path = tmp_path / "parts" / f"block.{kind}"
    meshio.Mesh(POINTS, [("tetra", TETRAHEDRA)]).write(path)
    own = robot(str(path))
    fx.save(own, tmp_path / "soft.toml")
    assert f'mesh = "parts/block.{kind}"' in (tmp_path / "soft.toml").read_text()
    (tmp_path / "parts").rename(tmp_path / "moved")
    with pytest.raises(fx.FileError, match="no such file"):
        fx.load(tmp_path / "soft.toml")
    (tmp_path / "moved").rename(tmp_path / "parts")
    again = fx.load(tmp_path / "soft.toml")
    assert again.volumes[0].mesh.points == pytest.approx(POINTS, abs=1e-12)
    assert np.array_equal(again.volumes[0].mesh.cells, own.volumes[0].mesh.cells)


def test_surfaces_beside_a_mesh_file_are_kept(tmp_path):
    meshio = pytest.importorskip("meshio")
    points, tetrahedra = block((0.03, 0.03, 0.03), (3, 3, 3), left_out=[(1, 1, 1)])
    walls = cavity(points, tetrahedra, (0.01, 0.01, 0.01), (0.02, 0.02, 0.02))
    meshio.Mesh(points, [("tetra", tetrahedra)]).write(tmp_path / "b.vtu")
    volume = fx.Volume("b", str(tmp_path / "b.vtu"), SILICONE, surfaces={"chamber": walls})
    clamp = fx.Clamp("world", fx.Nodes("b", box=((0, 0, 0), (0, 0.03, 0.03))))
    air = fx.Pressure("air", volume="b", surface="chamber")
    own = fx.Robot("r", volumes=[volume], joints=[clamp], loads=[air])
    fx.save(own, tmp_path / "r.toml")
    assert 'mesh = "b.vtu"' in (tmp_path / "r.toml").read_text()
    again = fx.load(tmp_path / "r.toml")
    assert again == own
    assert robot_of_text(text_of_robot(own), "text") == own
    pressed = [fx.statics(fx.build(x), {"air": 1e3}).unwrap().points("b") for x in (own, again)]
    assert np.array_equal(*pressed)


def test_points_are_looked_for_in_one_tree(monkeypatch):
    made = []

    def counted(centers):
        made.append(centers)
        return cKDTree(centers)

    monkeypatch.setattr(flexura.robot.mesh, "cKDTree", counted)
    result = fx.statics(fx.build(robot(quadratic=True)), {"t": 0.1}).unwrap()
    for x in np.linspace(0.0, 0.1, 5):
        result.pose(fx.On("block", (x, 0.01, 0.01)))
        result.tendon_path("t")
    assert len(made) == 1
    volume = result.model.robot.volumes[0]
    assert volume.elements is volume.elements


def test_results_come_back_from_files_and_pickles(tmp_path):
    result = fx.statics(fx.build(robot()), {"t": 0.1}).unwrap()
    fx.save_result(result, tmp_path / "a.npz")
    for again in (fx.load_result(tmp_path / "a.npz"), pickle.loads(pickle.dumps(result)),
                  copy.deepcopy(result)):  # fmt: skip
        assert np.array_equal(again.points("block"), result.points("block"))
        assert np.array_equal(again.sliding("cable-block")[0], result.sliding("cable-block")[0])
        assert again.reaction("wall") == pytest.approx(result.reaction("wall"), abs=1e-12)
        # and the next solve begins there
        assert fx.statics(again.model, {"t": 0.1}, start=again).iterations <= 1


def test_surfaces_are_filled():
    pytest.importorskip("gmsh")
    points, tetrahedra = block((0.02, 0.02, 0.02), (2, 2, 2))
    mesh = fx.Volume("x", (points, tetrahedra), SILICONE).mesh
    x, t = fill("cube", points[mesh.boundary].reshape(-1, 3), np.arange(3 * 48).reshape(-1, 3))
    volume = fx.Volume("x", (x, t), SILICONE)
    assert volume.mesh.volumes.sum() == pytest.approx(8e-6)
    assert (volume.mesh.volumes > 0.0).all()


def test_files_that_are_no_mesh_are_named(tmp_path):
    pytest.importorskip("meshio")
    path = tmp_path / "words.msh"
    path.write_text("these are words")
    with pytest.raises(fx.FileError, match=r"words\.msh"):
        fx.Volume("x", str(path), SILICONE)
    with pytest.raises(fx.FileError, match="no such file"):
        fx.Volume("x", str(tmp_path / "nothing.vtk"), SILICONE)
    with pytest.raises(fx.FileError, match="no such file"):
        fx.Volume("x", "x" * 300, SILICONE)


def changed(cells=TETRAHEDRA, points=POINTS):
    return points, cells


FLAT = POINTS.copy()
FLAT[TETRAHEDRA[5]] = [(0, 0, 0), (1e-3, 0, 0), (0, 1e-3, 0), (1e-3, 1e-3, 0)]
TURNED = TETRAHEDRA.copy()
TURNED[4, :2] = TURNED[4, 1::-1]


def overlapping():
    """Three tetrahedra on one face, two of them on the same side."""
    points = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (2, 2, 2)], float)
    return points, np.array([(0, 1, 2, 3), (4, 1, 3, 2), (5, 1, 3, 2)])


def bent(far):
    """A tetrahedron of ten nodes, one of these off the middle of its edge along that."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
    middles = corners[EDGES].mean(axis=1)
    middles[0] += (far - 0.5, 0.0, 0.0)
    return np.concatenate([corners, middles]), np.arange(10)[None]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: robot((POINTS, TURNED)), ["tetrahedron 4 is inverted"]),
        (lambda: robot((FLAT, TETRAHEDRA)), ["flat", "tetrahedr"]),
        (lambda: robot((np.vstack([POINTS, [[1, 1, 1]]]), TETRAHEDRA)), ["node 16", "no tetrahed"]),
        (lambda: robot((POINTS, TETRAHEDRA + 1)), ["0 to 15", "count them from 0"]),
        (lambda: robot((POINTS, TETRAHEDRA[:, :3])), ["4 or 10", "mesh=(points, tetrahedra)"]),
        (lambda: robot((POINTS,)), ["(points, tetrahedra)"]),
        (lambda: robot(3.0), ["path of a mesh file"]),
        (
            lambda: fx.Volume("b", (POINTS, TETRAHEDRA), fx.Material(young=1e5, poisson=0.5)),
            ["poisson", "0.5", "0.49"],
        ),
        (lambda: fx.Volume("b", (POINTS, TETRAHEDRA), SILICONE, law="hooke"), ["no law 'hooke'"]),
        (lambda: fx.Nodes("b"), ["exactly one of box, indices and surface"]),
        (lambda: fx.Nodes("b", box=((1, 0, 0), (0, 1, 1))), ["lowest"]),
        (
            lambda: fx.Nodes("b", box=((1, 1, 1), (2, 2, 2))).find(
                fx.Volume("b", (POINTS, TETRAHEDRA), SILICONE)
            ),
            ["box that holds nodes", "0.1"],
        ),
        (
            lambda: soft(loads=[fx.PointLoad("f", at=fx.On("b", (0.1, 0.01, 0.03)))]),
            ["0.01 m outside", "PointLoad 'f'"],
        ),
        (lambda: soft(loads=[fx.PointLoad("f", at=fx.On("c", (0, 0, 0)))]), ["no volume 'c'"]),
        (
            lambda: soft(loads=[fx.PointLoad("f", at=fx.On("b", (0, 0, 0)), moment=(0, 0, 1))]),
            ["moment", "zero on a volume"],
        ),
        (
            lambda: soft(loads=[fx.Pressure("p", "b", "lid")], surfaces={"lid": [[0, 1, 2]]}),
            ["triangle [0, 1, 2]", "boundary"],
        ),
        (lambda: soft(loads=[fx.Pressure("p", "b", "lid")], lid=True), ["open", "closed surfaces"]),
        (lambda: soft(surfaces=3), ["surfaces", "triangles by the names", "got 3"]),
        (lambda: soft(surfaces="lid"), ["surfaces", "triangles by the names", "'lid'"]),
        (lambda: soft(surfaces=[1, 2]), ["surfaces", "triangles by the names", "[1, 2]"]),
        (lambda: soft(surfaces={3: [[0, 1, 2]]}), ["surfaces", "got 3"]),
        (lambda: soft(surfaces={"boundary": [[0, 1, 2]]}), ["surfaces", "all of the surface"]),
        (lambda: robot(size=0.01), ["size", "gmsh fills", "leave it out"]),
        (
            lambda: soft(tendons=[fx.Tendon("t", volume="b", points=[(0.1, 0.01, 0.01)])]),
            ["two points at least"],
        ),
        (
            lambda: fx.Tendon("t", rod="r", volume="b", points=[(0, 0, 0), (1, 0, 0)]),
            ["rod", "left out"],
        ),
        (
            lambda: soft(joints=[fx.Clamp("world", fx.Nodes("b", indices=[0]), name="again")]),
            ["node 0", "held by Clamp", "already"],
        ),
        (lambda: soft(joints=[fx.Threaded("q", "b", [(0, 0, 0)])]), ["no rod 'q'"]),
        (lambda: fx.Threaded("q", "b", [(0, 0, 0)], name=np.array([])), ["Threaded", "name"]),
        (lambda: fx.Threaded("q", "b", [(0, 0, 0)] * 2), ["points[0] and points[1]", "same"]),
        (lambda: robot((POINTS, np.r_[TETRAHEDRA, TETRAHEDRA[3:4]])), ["tetrahedron 3", "twice"]),
        (lambda: robot(overlapping()), ["3 tetrahedra share the face", "[1, 2, 3]"]),
        (lambda: robot(bent(0.8)), ["tetrahedron 0 is inverted in places", "middles of edges"]),
    ],
)  # fmt: skip
def test_bad_input_is_named(make, words):
    with pytest.raises(fx.ModelError) as caught:
        make()
    for word in words:
        assert word in str(caught.value)


def soft(joints=(), surfaces=None, lid=False, **more):
    if lid:
        mesh = fx.Volume("b", (POINTS, TETRAHEDRA), SILICONE).mesh
        surfaces = {"lid": mesh.boundary[:2]}
    volume = fx.Volume("b", (POINTS, TETRAHEDRA), SILICONE, surfaces=surfaces or ())
    clamp = fx.Clamp("world", fx.Nodes("b", box=((0, 0, 0), (0, 0.02, 0.02))))
    return fx.Robot("r", volumes=[volume], joints=[clamp, *joints], **more)


def test_volumes_that_hang_on_nothing_are_named():
    volume = fx.Volume("b", (POINTS, TETRAHEDRA), SILICONE)
    with pytest.raises(fx.ModelError, match="volume 'b' has no way to the world"):
        fx.statics(fx.build(fx.Robot("r", volumes=[volume])))


def test_points_of_curved_elements_are_where_they_are_asked():
    """A bar of quadratic elements, half way from a square section to a round one."""
    points, tetrahedra = block((0.1, 0.02, 0.02), (4, 2, 2))
    mesh = fx.Volume("bar", (points, tetrahedra), SILICONE, quadratic=True).elements
    x, flat = mesh.points[:, :1], mesh.points[:, 1:] - 0.01
    square, far = np.abs(flat).max(axis=1), np.linalg.norm(flat, axis=1)
    rounder = 0.5 + 0.5 * square / np.maximum(far, 1e-12)
    bar = fx.Volume("bar", (np.hstack([x, flat * rounder[:, None]]), mesh.cells), SILICONE)
    clamp = fx.Clamp("world", fx.Nodes("bar", box=((0, -1, -1), (0, 1, 1))))
    result = fx.statics(fx.build(fx.Robot("bar", volumes=[bar], joints=[clamp]))).unwrap()
    turns = np.linspace(0.0, 6.0, 7)
    for at in np.stack([0.01 + 0.01 * turns, 7e-3 * np.cos(turns), 7e-3 * np.sin(turns)], axis=1):
        assert result.pose(fx.On("bar", at))[:3, 3] == pytest.approx(at, abs=1e-12)


def test_volumes_that_are_held_too_little_say_how_they_move():
    """By two nodes, it turns about the line through them; a loose piece moves in all six ways."""
    volume = fx.Volume("b", (POINTS, TETRAHEDRA), SILICONE)
    clamp = fx.Clamp("world", fx.Nodes("b", indices=[0, 1]))
    result = fx.statics(fx.build(fx.Robot("r", volumes=[volume], joints=[clamp]))).unwrap()
    axis = POINTS[1] - POINTS[0]
    named = ", ".join(f"{x:.3g}" for x in axis / np.linalg.norm(axis))
    (said,) = result.remarks
    assert f"volume 'b' turns freely about the axis ({named})" in said
    pieces = (
        np.vstack([POINTS, np.add(POINTS, (0, 0.05, 0))]),
        np.vstack([TETRAHEDRA, TETRAHEDRA + 16]),
    )
    wall = fx.Clamp("world", fx.Nodes("b", box=((0, 0, 0), (0, 0.02, 0.02))))
    loose = fx.Robot(
        "r", volumes=[fx.Volume("b", pieces, SILICONE)], joints=[wall], loads=[fx.Gravity()]
    )
    result = fx.statics(fx.build(loose))
    assert result.status is fx.Status.UNHELD
    assert len(result.remarks) == 6
    assert all(said.startswith("piece 1 of volume 'b'") for said in result.remarks)


def test_a_mesh_that_is_numbered_the_other_way_round_is_turned():
    turned = fx.Volume("block", (POINTS, TETRAHEDRA[:, [1, 0, 2, 3]]), SILICONE).mesh
    as_it_is = fx.Volume("block", (POINTS, TETRAHEDRA), SILICONE).mesh
    np.testing.assert_allclose(turned.volumes, as_it_is.volumes, rtol=1e-12)
    assert turned.volumes.sum() == pytest.approx(0.1 * 0.02 * 0.02)
