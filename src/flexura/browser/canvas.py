"""Drawing scenes in browsers with viser: few meshes of one colour each, changed in place."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexura.typing import Array, Vector
from flexura.view.camera import frame_points
from flexura.view.ground import Ground
from flexura.view.paint import Paint, painted
from flexura.view.picture import TOWARDS
from flexura.view.primitive import Label
from flexura.view.scene import Scene
from flexura.view.style import GRID, channels

ASPECT = 1.4
MARGINS = (0.04, 0.3, 0.1, 0.1)  # left, right (room for the panels), bottom, top
LARGEST_TEXT = 60  # labels that are drawn at most
AWAY = 0.03  # from a label to what it names, relative to the extent
ROW, WIDTH = 0.045, 0.15  # height and width of a text, about, relative to the extent


class Canvas:
    """The scene of a server, for all browsers that look at it."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._meshes: dict[Paint, Any] = {}
        self._labels: list[Any] = []
        self._grid: Any = None
        self._ground: Ground | None = None
        server.scene.configure_environment_map(hdri=None)
        server.scene.configure_default_lights(enabled=False)
        server.scene.add_light_hemisphere("/sky", intensity=1.6)
        self._lamp = server.scene.add_light_directional("/lamp", intensity=2.2, cast_shadow=False)

    def show(self, scene: Scene, faded: bool = False, ground: bool = True) -> None:
        """Draw a scene instead of the one before.

        Args:
            scene: what to draw.
            faded: whether it is grey, as it is no longer true.
            ground: whether the grid is shown.
        """
        with self._server.atomic():
            self._draw_meshes(scene, faded)
            self._write(scene)
            self._draw_ground(scene.ground, ground)
        self._server.flush()  # now, and not with what comes within the next sixtieth of a second

    def look(self, scene: Scene) -> None:
        """Let browsers look at a scene that they have not seen yet."""
        up = scene.ground.up
        camera = frame_points(scene.points, TOWARDS, up, ASPECT, MARGINS)
        start = self._server.initial_camera
        start.position, start.look_at, start.up = camera.position, camera.target, camera.up
        start.fov = np.radians(camera.angle)
        start.near, start.far = 0.01 * scene.extent, 100.0 * scene.extent
        self._server.scene.set_up_direction(tuple(up.tolist()))
        self._lamp.position = tuple((camera.position + scene.extent * up).tolist())
        for client in self._server.get_clients().values():
            client.camera.up_direction = up
            client.camera.position, client.camera.look_at = camera.position, camera.target

    def _draw_meshes(self, scene: Scene, faded: bool) -> None:
        found = painted(scene, faded)
        for paint, mesh in found.items():
            handle = self._meshes.get(paint)
            if handle is None:
                self._meshes[paint] = self._server.scene.add_mesh_simple(
                    f"/robot/{len(self._meshes)}",
                    mesh.points,
                    mesh.triangles,
                    color=_whole(paint[0]),
                    opacity=None if paint[1] >= 1.0 else paint[1],
                    side="double",
                    cast_shadow=False,
                    receive_shadow=False,
                )
                continue
            if not np.array_equal(handle.vertices, mesh.points):
                handle.vertices = mesh.points
            if not np.array_equal(handle.faces, mesh.triangles):
                handle.faces = mesh.triangles
            if not handle.visible:
                handle.visible = True
        for paint, handle in self._meshes.items():
            if paint not in found and handle.visible:
                handle.visible = False

    def _write(self, scene: Scene) -> None:
        labels = scene.labels[:LARGEST_TEXT]
        places = beside(labels, scene.extent, scene.ground.up)
        for i, (label, place) in enumerate(zip(labels, places, strict=True)):
            if i == len(self._labels):
                self._labels.append(
                    self._server.scene.add_label(
                        f"/texts/{i}", label.text, position=place, depth_test=False
                    )
                )
                continue
            handle = self._labels[i]
            if handle.text != label.text:
                handle.text = label.text
            handle.position = place
            if not handle.visible:
                handle.visible = True
        for handle in self._labels[len(labels) :]:
            if handle.visible:
                handle.visible = False

    def _draw_ground(self, ground: Ground, seen: bool) -> None:
        if ground is not self._ground:
            self._ground = ground
            self._grid = self._server.scene.add_line_segments(
                "/ground", ground.lines.astype(np.float32), colors=_whole(GRID), thickness=1.0,
                thickness_units="screen",
            )  # fmt: skip
        if self._grid.visible is not seen:
            self._grid.visible = seen


def beside(labels: Sequence[Label], extent: float, up: Vector) -> list[tuple[float, ...]]:
    """Where labels stand: a little away from what they name, and above those that are too near."""
    found = np.empty((0, 3))
    for label in labels:
        size = float(np.linalg.norm(label.away)) or 1.0
        place = label.point + AWAY * extent * label.away / size
        while _hidden(place - found, extent, up):
            place = place + ROW * extent * up
        found = np.vstack([found, place])
    return [tuple(place) for place in found.tolist()]


def _hidden(away: Array, extent: float, up: Vector) -> bool:
    """Whether a text would be written over another one, seen from a side: ways from these."""
    above = away @ up
    across = np.linalg.norm(away - above[:, None] * up, axis=1)
    return bool(((across < WIDTH * extent) & (np.abs(above) < 0.99 * ROW * extent)).any())


def _whole(color: str) -> tuple[int, ...]:
    return tuple(channels(color).astype(int).tolist())
