"""Meshes of volumes in robot files: a path relative to the file, or points and tetrahedra."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from flexura.io.key import under
from flexura.robot.check import BadField
from flexura.robot.mesh import Mesh
from flexura.robot.mesh_check import make_mesh
from flexura.robot.robot import Robot

KEYS = {"points", "tetrahedra", "surfaces"}


def mesh_table(mesh: Mesh) -> dict[str, Any]:
    """A mesh, written out."""
    table: dict[str, Any] = {"points": mesh.points.tolist(), "tetrahedra": mesh.cells.tolist()}
    if mesh.surfaces:
        table["surfaces"] = {name: faces.tolist() for name, faces in mesh.surfaces.items()}
    return table


def name_meshes(robot: Robot, document: dict[str, Any], folder: Path | None) -> None:
    """Write the paths of meshes that come from files instead, relative to a folder."""
    if folder is None:
        return
    for volume, table in zip(robot.volumes, document.get("volumes", ()), strict=True):
        if volume.mesh.path is not None:
            table["mesh"] = Path(os.path.relpath(volume.mesh.path, folder)).as_posix()


def read(
    document: dict[str, Any], folder: Path | None, allowed: Collection[str] | None = None
) -> None:
    """Turn what a file says of meshes into what a volume takes.

    Args:
        document: the file.
        folder: that paths are relative to.
        allowed: the mesh files that may be read; None for any.
    """
    tables = document.get("volumes", ())
    for i, table in enumerate(tables if isinstance(tables, list) else ()):
        mesh = table.get("mesh") if isinstance(table, dict) else None
        if isinstance(mesh, str):
            path = mesh if folder is None else str(folder / mesh)
            if allowed is not None and path not in allowed:
                raise BadField(
                    f"the mesh file {mesh!r} is not one of the robot that was opened first; write "
                    "its points and tetrahedra into this text",
                    f"volumes[{i}].mesh",
                )
            table["mesh"] = path
        elif isinstance(mesh, dict):
            key = f"volumes[{i}].mesh"
            if not {"points", "tetrahedra"} <= mesh.keys() <= KEYS:
                raise BadField(
                    f"a mesh has the keys points and tetrahedra, and may have surfaces; got "
                    f"{', '.join(map(repr, mesh))}; or give the path of a mesh file",
                    key,
                )
            surfaces = mesh.get("surfaces", {})
            if not isinstance(surfaces, dict):
                raise BadField("surfaces must be a table of triangles by name", f"{key}.surfaces")
            with under(f"volumes[{i}]"):
                table["mesh"] = make_mesh(
                    f"Volume {table.get('name')!r}",
                    mesh["points"],
                    _whole(mesh["tetrahedra"]),
                    {name: _whole(faces) for name, faces in surfaces.items()},
                )


def _whole(rows: Any) -> Any:
    """Rows of numbers as an array, whatever else as it is."""
    try:
        return np.array(rows)
    except ValueError:
        return np.empty(0)
