"""A page that plays a film: one file, drawn by the browser itself, without any network.

Surfaces are sent as whole numbers of 16 bits within the box around all that is drawn, each picture
as its difference from the one before, in one packed block. ``player.html`` draws them with WebGL.
"""

import base64
import json
import zlib
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.progress import Progress
from flexura.typing import Array, ArrayLike
from flexura.view.camera import frame_points
from flexura.view.coat import coats
from flexura.view.film import Film
from flexura.view.scene import Scale, Scene
from flexura.view.style import (
    BACKGROUNDS,
    COLORS,
    GRID,
    SHADOW,
    SIGNED,
    UNSIGNED,
)

STATIONS = 60  # sections of a rod
STEPS = 65535  # of a coordinate
ASPECT = 1.6  # of the window that the camera is placed for
MARGINS = (0.04, 0.15, 0.12, 0.12)  # left, right (room for the colour bar), bottom, top
TICKS = 5  # numbers beside the colour bar


@dataclass(eq=False)
class Mesh:
    """A surface as it moves.

    Attributes:
        triangles: of all its pictures.
        color: its colour; None if it has values.
        opacity: from 0 to 1.
        solid: whether it has a shadow.
        frames: the pictures that it is in.
        points: where it is in each of them.
        values: its colours there, from 0 to 1.
    """

    triangles: NDArray[Any]
    color: str | None
    opacity: float
    solid: bool
    frames: list[int] = field(default_factory=list)
    points: list[Array] = field(default_factory=list)
    values: list[Array] = field(default_factory=list)


def page(
    film: Film, speed: float, towards: ArrayLike, background: str, progress: bool | None
) -> str:
    """The page as text.

    Args:
        film: what it plays.
        speed: time of the motion by time of the film, at the beginning.
        towards: direction from the robot to the eye.
        background: one of ``style.BACKGROUNDS``.
        progress: whether to show a bar; None does on a terminal.
    """
    meshes: dict[Any, Mesh] = {}
    texts: list[list[Any]] = []
    first = None
    with Progress(len(film.times), "pictures", progress) as bar:
        for i, scene in enumerate(film.scenes()):
            first = first or scene
            _collect(meshes, scene, i)
            texts.append(
                [[x.text, _list(x.point), x.color or COLORS[x.role]] for x in scene.labels]
            )
            bar.advance()
    assert first is not None  # a film has a picture at least
    head, packed = _packed(list(meshes.values()), film.stage.ground.lines)
    camera = frame_points(film.stage.points, towards, film.stage.ground.up, ASPECT, MARGINS)
    bottom, top = BACKGROUNDS[background]
    ground = film.stage.ground
    data = {
        **head,
        "title": first.title,
        "times": [round(t, 9) for t in film.times.tolist()],
        "speed": speed,
        "extent": film.stage.look.extent,
        "camera": {
            "eye": _list(camera.position), "target": _list(camera.target), "up": _list(camera.up),
            "angle": camera.angle, "aspect": ASPECT,
        },
        "up": _list(ground.up),
        "floor": _list(ground.corners[0]),
        "cell": ground.cell,
        "ticks": [[x.text, _list(x.point), _list(x.away)] for x in ground.labels],
        "texts": texts if any(texts) else None,
        "colors": {"grid": GRID, "shadow": SHADOW, "bottom": bottom, "top": top or bottom},
        "scale": _scale(first.scale),
    }  # fmt: skip
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
    template = files("flexura.view").joinpath("player.html").read_text(encoding="utf-8")
    block = base64.b64encode(packed).decode("ascii")
    return template.replace("@DATA@", text, 1).replace("@BLOCK@", block, 1)


def _collect(meshes: dict[Any, Mesh], scene: Scene, frame: int) -> None:
    """Add the surfaces of a scene to those that they continue."""
    seen: dict[Any, int] = {}
    for surface, color, opacity, finish in coats(scene):
        solid = finish.solid
        key: Any = (len(surface.points), surface.triangles.tobytes(), color, opacity, solid)
        seen[key] = seen.get(key, -1) + 1
        mesh = meshes.setdefault((seen[key], *key), Mesh(surface.triangles, color, opacity, solid))
        mesh.frames.append(frame)
        mesh.points.append(surface.points.astype(np.float32))
        if color is None and surface.values is not None and scene.scale is not None:
            low, high = scene.scale.limits
            mesh.values.append(np.clip((surface.values - low) / (high - low), 0.0, 1.0))


def _packed(meshes: list[Mesh], grid: Array) -> tuple[dict[str, Any], bytes]:
    """A table of contents, and all arrays one after the other, packed."""
    every = np.concatenate([points for mesh in meshes for points in mesh.points])
    low = np.minimum(every.min(axis=0), grid.min(axis=(0, 1)))
    size = float((np.maximum(every.max(axis=0), grid.max(axis=(0, 1))) - low).max()) or 1.0
    arrays: list[bytes] = []

    def place(array: NDArray[Any], kind: str) -> list[int]:
        begin, content = sum(map(len, arrays)), array.astype(kind).tobytes()
        arrays.append(content + bytes(-len(content) % 4))  # arrays begin at whole words
        return [begin, array.size]

    def whole(points: Array) -> NDArray[Any]:
        return np.asarray(np.round((points - low) / size * STEPS), dtype=np.uint16)

    table = []
    for mesh in meshes:
        points = whole(np.array(mesh.points))
        still = bool((points == points[:1]).all())
        moves = points[:1] if still else np.concatenate([points[:1], np.diff(points, axis=0)])
        entry: dict[str, Any] = {
            "color": mesh.color, "opacity": mesh.opacity, "solid": mesh.solid, "still": still,
            "frames": mesh.frames, "size": points.shape[1],
            "triangles": place(mesh.triangles, "<u4"), "points": place(moves, "<u2"),
        }  # fmt: skip
        if mesh.values:
            entry["values"] = place(np.round(255.0 * np.array(mesh.values)), "u1")
        table.append(entry)
    head = {"low": _list(low), "size": size, "meshes": table, "grid": place(whole(grid), "<u2")}
    return head, zlib.compress(b"".join(arrays), 9)


def _scale(scale: Scale | None) -> dict[str, Any] | None:
    """The colour bar."""
    if scale is None:
        return None
    low, high = scale.limits
    return {
        "title": scale.component.title,
        "unit": scale.component.unit,
        "colors": SIGNED if scale.component.signed else UNSIGNED,
        "ticks": [f"{x:.3g}" for x in np.linspace(low, high, TICKS)],
    }


def _list(vector: Array) -> list[float]:
    """A vector as JSON has it, to seven digits."""
    return [float(f"{x:.7g}") for x in np.asarray(vector).tolist()]
