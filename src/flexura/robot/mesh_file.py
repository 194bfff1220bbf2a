"""Meshes from files: what meshio reads, and surfaces that gmsh fills."""

import contextlib
import io
from pathlib import Path
from typing import Any

import numpy as np

from flexura.errors import FileError, MissingExtra
from flexura.robot.mesh import Mesh
from flexura.robot.mesh_check import make_mesh
from flexura.typing import Array, Indices

KINDS = {4: "tetra", 10: "tetra10"}
# Nodes 8 and 9 of a quadratic tetrahedron are as VTK has them in everything that meshio reads.


def read_mesh(who: str, path: str, size: float | None = None) -> Mesh:
    """The mesh of a file.

    Args:
        who: who asks, for errors.
        path: of the file.
        size: length of edges for gmsh, where the file has a surface only [m].

    Raises:
        FileError: for a file that is not there, or is no mesh.
        MissingExtra: where meshio or gmsh are missing.
    """
    file = Path(path)
    try:
        there = file.is_file()
    except (OSError, ValueError):  # names that no file can have
        there = False
    if not there:
        raise FileError(f"{file}: there is no such file; check the path of the mesh of {who}")
    found = _read(file)
    points = np.asarray(found.points, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 3:
        raise FileError(f"{file}: a mesh in {points.shape[-1]} dimensions; a volume has three")
    for kind in ("tetra10", "tetra"):
        cells = [block.data for block in found.cells if block.type == kind]
        if cells:
            return make_mesh(who, points, np.concatenate(cells), _surfaces(found), str(path))
    triangles = [block.data for block in found.cells if block.type == "triangle"]
    if not triangles:
        kinds = sorted({block.type for block in found.cells})
        raise FileError(
            f"{file}: no tetrahedra, and no triangles that gmsh could fill, only "
            f"{', '.join(kinds) or 'nothing'}; give a mesh of tetrahedra or a closed surface"
        )
    points, cells_4 = fill(str(file), points, np.concatenate(triangles), size)
    return make_mesh(who, points, cells_4, None, str(path))


def _read(file: Path) -> Any:
    """What meshio reads, quietly."""
    try:
        import meshio
    except ImportError:
        raise MissingExtra("reading a mesh file", "meshio", "mesh") from None
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return meshio.read(file)
    except (Exception, SystemExit) as error:  # meshio ends the process for files it does not know
        reason = str(error).strip() or type(error).__name__
        raise FileError(
            f"{file}: no mesh that meshio reads: {reason}; save it as .msh, .vtk, .vtu, .stl or "
            "another format of meshio"
        ) from error


def _surfaces(found: Any) -> dict[str, Indices]:
    """Named groups of triangles: sets of cells; gmsh's physical surfaces are among these, too."""
    surfaces: dict[str, list[Indices]] = {}
    names = {int(tag): name for name, (tag, dim) in found.field_data.items() if int(dim) == 2}
    physical = found.cell_data.get("gmsh:physical")
    for i, block in enumerate(found.cells):
        if block.type not in ("triangle", "triangle6"):
            continue
        corners = np.asarray(block.data[:, :3], dtype=np.int64)
        if physical is not None:
            for tag in np.unique(physical[i]).tolist():
                name = names.get(int(tag), f"surface {int(tag)}")
                surfaces.setdefault(name, []).append(corners[np.asarray(physical[i]) == tag])
        for name, sets in found.cell_sets.items():
            told = name.startswith("gmsh:") or (physical is not None and name in names.values())
            if not told and sets[i] is not None and len(sets[i]):
                surfaces.setdefault(name, []).append(corners[np.asarray(sets[i], dtype=np.int64)])
    return {name: np.concatenate(parts) for name, parts in surfaces.items()}


def fill(
    file: str, points: Array, triangles: Indices, size: float | None = None
) -> tuple[Array, Indices]:
    """Tetrahedra inside a closed surface, by gmsh.

    Args:
        file: what to call the surface in errors.
        points: its nodes; equal ones are taken as one, as in STL files.
        triangles: its triangles.
        size: length of edges inside [m]; None for that of the triangles.
    """
    try:
        import gmsh
    except ImportError:
        raise MissingExtra("filling a surface with tetrahedra", "gmsh", "mesh") from None
    nodes, number = np.unique(points, axis=0, return_inverse=True)
    faces = number.ravel()[triangles]
    running = bool(gmsh.isInitialized())
    if not running:
        gmsh.initialize(interruptible=False)
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.model.add("flexura")
        gmsh.model.addDiscreteEntity(2, 1)
        gmsh.model.mesh.addNodes(2, 1, np.arange(1, len(nodes) + 1), nodes.ravel())
        gmsh.model.mesh.addElementsByType(1, 2, [], (faces + 1).ravel())
        gmsh.model.geo.addSurfaceLoop([1], 1)
        gmsh.model.geo.addVolume([1], 1)
        gmsh.model.geo.synchronize()
        if size is not None:
            gmsh.option.setNumber("Mesh.MeshSizeMax", size)
            gmsh.option.setNumber("Mesh.MeshSizeMin", size)
        gmsh.model.mesh.generate(3)
        tags, flat, _ = gmsh.model.mesh.getNodes()
        _, cells = gmsh.model.mesh.getElementsByType(4)
        gmsh.model.remove()
    except Exception as error:  # gmsh raises plain ones
        raise FileError(
            f"{file}: gmsh cannot fill this surface: {error}; give a closed surface that does not "
            "cut itself, or a mesh of tetrahedra"
        ) from error
    finally:
        if not running:
            gmsh.finalize()
    if not len(cells):
        raise FileError(f"{file}: gmsh found nothing inside this surface; is it closed?")
    place = np.full(int(tags.max()) + 1, -1)
    place[tags.astype(np.int64)] = np.arange(len(tags))
    t = place[cells.astype(np.int64)].reshape(-1, 4)
    used, t = np.unique(t, return_inverse=True)
    return flat.reshape(-1, 3)[used], t.reshape(-1, 4)
