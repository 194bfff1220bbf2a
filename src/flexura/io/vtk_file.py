"""Results for ParaView: volumes with what they carry, centre lines of rods, ways of tendons."""

import numpy as np

from flexura.errors import FileError, MissingExtra
from flexura.io.target import PathLike, as_path
from flexura.result.static import StaticResult
from flexura.robot.check import instance
from flexura.typing import Array, Indices

# Points of each rod.
STATIONS = 100


def save_vtk(result: StaticResult, path: PathLike) -> None:
    """Write a result to a file that ParaView reads, of any kind that meshio writes, as .vtu.

    Points have ``displacement`` [m] and ``von_mises`` [Pa], elements have ``von_mises``, ``stress``
    and ``strain`` (xx, yy, zz, xy, yz, xz); of rods and tendons these are zero. ``part`` counts
    volumes, then rods, then tendons, from 0.

    Raises:
        FileError: if the file cannot be written.
        MissingExtra: without meshio.
    """
    instance("save_vtk", "result", result, StaticResult)
    try:
        import meshio
    except ImportError:
        raise MissingExtra("writing a file for ParaView", "meshio", "mesh") from None
    points: list[Array] = []
    moved: list[Array] = []
    carried: list[Array] = []
    cells: list[tuple[str, Indices]] = []
    tensors: list[tuple[Array, Array, Array]] = []
    begin, robot = 0, result.model.robot
    for volume in robot.volumes:
        state = result.volume(volume.name)
        points.append(state.points)
        moved.append(state.displacements)
        carried.append(state.at_nodes(state.von_mises))
        kind = "tetra" if state.cells.shape[1] == 4 else "tetra10"
        cells.append((kind, begin + state.cells))
        tensors.append((state.von_mises, _six(state.stress), _six(state.strain)))
        begin += len(state.points)
    along = [(rod.name, np.linspace(0.0, rod.length, STATIONS)) for rod in robot.rods]
    lines = [result.pose(name, s)[:, :3, 3] for name, s in along]
    lines += [result.tendon_path(tendon.name) for tendon in robot.tendons]
    for line in lines:
        at = begin + np.arange(len(line))
        points.append(line)
        moved.append(np.zeros_like(line))
        carried.append(np.zeros(len(line)))
        cells.append(("line", np.stack([at[:-1], at[1:]], axis=1)))
        n = len(line) - 1
        tensors.append((np.zeros(n), np.zeros((n, 6)), np.zeros((n, 6))))
        begin += len(line)
    parts = [np.full(len(own), i) for i, (_, own) in enumerate(cells)]
    mesh = meshio.Mesh(
        np.concatenate(points),
        cells,
        point_data={"displacement": np.concatenate(moved), "von_mises": np.concatenate(carried)},
        cell_data={
            "part": parts,
            "von_mises": [x for x, _, _ in tensors],
            "stress": [x for _, x, _ in tensors],
            "strain": [x for _, _, x in tensors],
        },
    )
    file = as_path(path)
    try:
        mesh.write(file)
    except Exception as error:  # meshio raises whatever its formats do
        raise FileError(f"{file}: cannot be written: {error}; use a name such as a.vtu") from error


def _six(tensors: Array) -> Array:
    """xx, yy, zz, xy, yz, xz of symmetric tensors, (n, 6)."""
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))
    return np.stack([tensors[:, i, j] for i, j in pairs], axis=1)
