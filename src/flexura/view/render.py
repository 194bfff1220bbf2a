"""Drawing a scene with PyVista."""

from collections.abc import Iterable, Sequence
from typing import Any

import matplotlib
import numpy as np
import pyvista as pv
from matplotlib.colors import LinearSegmentedColormap, ListedColormap

from flexura.typing import Array, ArrayLike
from flexura.view.camera import Camera, frame_points
from flexura.view.coat import Coat, coats
from flexura.view.ground import Ground
from flexura.view.heading import room_at_top
from flexura.view.primitive import Surface
from flexura.view.scene import Scale, Scene
from flexura.view.style import BACKGROUNDS, EDGE, FINISHES, GRID, SHADOW, SIGNED
from flexura.view.text import color_bar, write

LIGHTS = (((-1.0, 1.6, 1.4), 0.8), ((1.6, 0.2, 1.2), 0.45))  # over the left shoulder, a fill light
SHINE = {"smooth_shading": True, "specular": 0.2, "specular_power": 30.0, "ambient": 0.35}
MARGINS = (0.04, 0.15, 0.05)  # left, right (room for the colour bar), bottom
SIDES = 20  # of what is round
PEELS = 8  # layers that can be seen through each other


def draw(scene: Scene, plotter: Any, towards: ArrayLike, background: str) -> None:
    """Add a scene to a plotter and point its camera.

    Args:
        scene: what to draw.
        plotter: PyVista's.
        towards: direction from the robot to the eye.
        background: one of ``style.BACKGROUNDS``.
    """
    width, height = plotter.window_size
    unit = min(height / 1000.0, width / 1600.0)
    margins = (*MARGINS, room_at_top(scene, (width / unit, height / unit)))
    camera = frame_points(scene.points, towards, scene.ground.up, width / height, margins)
    _lights(plotter, background)
    shown = _ordered(coats(scene, SIDES), np.asarray(towards, dtype=np.float64))
    _ground(plotter, scene.ground, [coat.surface for coat in shown if coat.finish.solid])
    mapper = None
    for coat in shown:
        actor = _add(plotter, coat, scene.scale, unit)
        mapper = actor.mapper if coat.color is None else mapper
    if any(seen_through(rod) for rod in scene.of("rod")):
        plotter.enable_depth_peeling(number_of_peels=PEELS)
    if scene.scale is not None:
        color_bar(plotter, mapper, scene.scale, unit)
    write(plotter, scene, camera, unit)
    _point(plotter, camera)


def _lights(plotter: Any, background: str) -> None:
    """The background, and lights that move with the camera."""
    bottom, top = BACKGROUNDS[background]
    plotter.set_background(bottom, top=top)
    plotter.remove_all_lights()
    for position, intensity in LIGHTS:
        light = pv.Light(position=position, light_type="camera light", intensity=intensity)
        plotter.add_light(light)


def _point(plotter: Any, camera: Camera) -> None:
    """Point the plotter's camera."""
    plotter.camera.position = camera.position
    plotter.camera.focal_point = camera.target
    plotter.camera.up = camera.up
    plotter.camera.view_angle = camera.angle
    plotter.reset_camera_clipping_range()


def _ground(plotter: Any, ground: Ground, surfaces: Sequence[Surface]) -> None:
    """The grid and the shadows on it."""
    points = ground.lines.reshape(-1, 3)
    ends = np.arange(len(points)).reshape(-1, 2)
    pairs = np.column_stack([np.full(len(ends), 2), ends])
    grid = pv.PolyData(points, lines=pairs.ravel())
    plotter.add_mesh(grid, color=GRID, line_width=1.0, lighting=False)
    for surface in surfaces:
        plotter.add_mesh(_mesh(ground.shadow(surface)), color=SHADOW, lighting=False)


def seen_through(surface: Surface) -> bool:
    """Whether what is behind a surface is seen."""
    return surface.opacity * FINISHES[surface.role].opacity < 1.0


def _ordered(coats: Iterable[Coat], towards: Array) -> list[Coat]:
    """Rods first, from the back to the front, and so are the triangles of those seen through.

    Smooth edges leave no peeling.
    """
    shown = [*coats]
    rods = [coat for coat in shown if coat.surface.role == "rod"]
    rods.sort(key=lambda coat: float((coat.surface.points @ towards).mean()))
    found = [
        coat._replace(surface=_from_behind(coat.surface, towards)) if coat.opacity < 1.0 else coat
        for coat in rods
    ]
    return [*found, *(coat for coat in shown if coat.surface.role != "rod")]


def _add(plotter: Any, coat: Coat, scale: Scale | None, unit: float) -> Any:
    """Draw a surface in its colour, or in those of its values, and the edges of a solid."""
    look: dict[str, Any] = {"color": coat.color}
    if coat.color is None and scale is not None:
        look = {
            "scalars": "values",
            "cmap": _color_map(scale.component.signed),
            "clim": scale.limits,
            "show_scalar_bar": False,
        }
    mesh, light = _mesh(coat.surface), SHINE if coat.finish.lit else {"lighting": False}
    actor = plotter.add_mesh(mesh, opacity=coat.opacity, **look, **light)
    if coat.finish.edged:
        # faces and sides of a solid have no points in common: their boundaries are its edges
        edges = mesh.extract_feature_edges(
            feature_edges=False, manifold_edges=False, non_manifold_edges=False
        )
        plotter.add_mesh(edges, color=EDGE, line_width=1.2 * unit, lighting=False)
    return actor


def _color_map(signed: bool) -> Any:
    """A diverging map about zero for signed values, else one from dark to bright.

    Both keep away from the colour of the background and from black, which hides the shading.
    """
    if signed:
        return LinearSegmentedColormap.from_list("signed", SIGNED)
    return ListedColormap(matplotlib.colormaps["viridis"](np.linspace(0.18, 1.0, 256)))


def _from_behind(surface: Surface, towards: Array) -> Surface:
    """A surface whose triangles are listed from the farthest to the nearest."""
    depth = surface.points[surface.triangles].mean(axis=1) @ towards
    return surface.but(triangles=surface.triangles[np.argsort(depth)])


def _mesh(surface: Surface) -> Any:
    """A surface as PyVista has it."""
    faces = np.column_stack([np.full(len(surface.triangles), 3), surface.triangles])
    mesh = pv.PolyData(surface.points, faces.ravel())
    mesh.point_data.active_normals = surface.normals
    if surface.values is not None:
        mesh.point_data["values"] = surface.values
    return mesh
