"""Drawing a scene with PyVista."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import matplotlib
import numpy as np
import pyvista as pv
from matplotlib.colors import LinearSegmentedColormap, ListedColormap

from flexura.typing import Array, ArrayLike
from flexura.view.camera import Camera, frame_points
from flexura.view.ground import Ground
from flexura.view.heading import room_at_top
from flexura.view.primitive import Arrow, Axes, Surface
from flexura.view.scene import Scene
from flexura.view.style import (
    AXIS_COLORS,
    BACKGROUNDS,
    BODY,
    COLORS,
    DISC,
    EDGE,
    GHOST,
    GRID,
    HOLDER,
    JOINT,
    SHADOW,
    SIGNED,
)
from flexura.view.text import color_bar, write

LIGHTS = (((-1.0, 1.6, 1.4), 0.8), ((1.6, 0.2, 1.2), 0.45))  # over the left shoulder, a fill light
SHINE = {"smooth_shading": True, "specular": 0.2, "specular_power": 30.0, "ambient": 0.35}
MARGINS = (0.04, 0.15, 0.05)  # left, right (room for the colour bar), bottom
HEAD = 3.2  # diameter of an arrow's head relative to its shaft
SLIM = 1.4  # length of an arrow's head relative to its diameter
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
    solid = [*scene.rods, *scene.bodies, *scene.joints, *scene.discs]
    _ground(plotter, scene.ground, solid)
    _rods(plotter, scene, unit, np.asarray(towards, dtype=np.float64))
    for ghost in scene.ghosts:
        plotter.add_mesh(_mesh(ghost), color=GHOST, opacity=0.22, smooth_shading=True)
    for holder in scene.holders:
        plotter.add_mesh(_mesh(holder), color=HOLDER, opacity=holder.opacity, **SHINE)
    for body in (*scene.bodies, *scene.wheels):
        _edged(plotter, body, BODY, 1.0, unit)
    for joint in scene.joints:
        plotter.add_mesh(_mesh(joint), color=JOINT, **SHINE)
    for disc in scene.discs:
        _edged(plotter, disc, DISC, 0.55, unit)
    for cable in scene.tendons:
        plotter.add_mesh(_tube(cable.path, cable.width), color=cable.color, lighting=False)
    for arrow in scene.arrows:
        plotter.add_mesh(_arrow(arrow), color=COLORS[arrow.role], **SHINE)
    for line in scene.lines:
        plotter.add_mesh(_polyline(line.points), color=COLORS["force"], line_width=2.0 * unit)
    for axes in scene.axes:
        _axes(plotter, axes)
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


def _rods(plotter: Any, scene: Scene, unit: float, towards: Array) -> None:
    """Rods and volumes in the colours of their values, or each in a colour of its own.

    What is seen through is drawn from the back to the front: smooth edges leave no peeling.
    """
    mapper = None
    for rod in sorted(scene.rods, key=lambda rod: float((rod.points @ towards).mean())):
        colors: dict[str, Any] = {"color": rod.color}
        if scene.scale is not None and rod.values is not None:
            colors = {
                "scalars": "values",
                "cmap": _color_map(scene.scale.component.signed),
                "clim": scene.scale.limits,
                "show_scalar_bar": False,
            }
        shown = rod if rod.opacity == 1.0 else _from_behind(rod, towards)
        actor = plotter.add_mesh(_mesh(shown), opacity=rod.opacity, **colors, **SHINE)
        mapper = actor.mapper if rod.values is not None else mapper
    if any(rod.opacity < 1.0 for rod in scene.rods):
        plotter.enable_depth_peeling(number_of_peels=PEELS)
    if scene.scale is not None:
        color_bar(plotter, mapper, scene.scale, unit)


def _color_map(signed: bool) -> Any:
    """A diverging map about zero for signed values, else one from dark to bright.

    Both keep away from the colour of the background and from black, which hides the shading.
    """
    if signed:
        return LinearSegmentedColormap.from_list("signed", SIGNED)
    return ListedColormap(matplotlib.colormaps["viridis"](np.linspace(0.18, 1.0, 256)))


def _edged(plotter: Any, solid: Surface, color: str, opacity: float, unit: float) -> None:
    """A plate or a body with lines along its edges."""
    mesh = _mesh(solid)
    plotter.add_mesh(mesh, color=color, opacity=opacity, **SHINE)
    # the faces and the sides of a solid have no points in common: their boundaries are its edges
    edges = mesh.extract_feature_edges(
        feature_edges=False, manifold_edges=False, non_manifold_edges=False
    )
    plotter.add_mesh(edges, color=EDGE, line_width=1.2 * unit, lighting=False)


def _from_behind(surface: Surface, towards: Array) -> Surface:
    """A surface whose triangles are listed from the farthest to the nearest."""
    depth = surface.points[surface.triangles].mean(axis=1) @ towards
    triangles = surface.triangles[np.argsort(depth)]
    look = surface.values, surface.color, surface.opacity
    return Surface(surface.name, surface.points, surface.normals, triangles, *look)


def _mesh(surface: Surface) -> Any:
    """A surface as PyVista has it."""
    faces = np.column_stack([np.full(len(surface.triangles), 3), surface.triangles])
    mesh = pv.PolyData(surface.points, faces.ravel())
    mesh.point_data.active_normals = surface.normals
    if surface.values is not None:
        mesh.point_data["values"] = surface.values
    return mesh


def _arrow(arrow: Arrow) -> Any:
    """A shaft along the path and a cone at its end."""
    head = HEAD * arrow.width
    tip = arrow.path[-1]
    steps = np.linalg.norm(np.diff(arrow.path, axis=0), axis=1)
    reach = np.cumsum(steps[::-1])[::-1]  # from each point to the tip, along the path
    shaft = arrow.path[:-1][reach > SLIM * head]
    base = shaft[-1] if len(shaft) else arrow.path[0]
    direction = (tip - base) / np.linalg.norm(tip - base)
    cone = pv.Cone(
        center=tip - SLIM * head / 2.0 * direction,
        direction=direction,
        height=SLIM * head,
        radius=head / 2.0,
        resolution=24,
    )
    neck = tip - SLIM * head * direction
    return _tube(np.vstack([shaft, neck]) if len(shaft) else arrow.path, arrow.width) + cone


def _tube(path: Array, width: float) -> Any:
    """A round tube along a path."""
    return _polyline(path).tube(radius=width / 2.0, n_sides=16, capping=True)


def _polyline(points: Array) -> Any:
    """One line through points."""
    return pv.PolyData(points, lines=[len(points), *range(len(points))])


def _axes(plotter: Any, axes: Axes) -> None:
    """Red x, green y, blue z."""
    for color, mesh in zip(AXIS_COLORS, _axis_arrows(axes.pose.tobytes(), axes.size), strict=True):
        plotter.add_mesh(mesh, color=color, **SHINE)


@lru_cache(maxsize=64)
def _axis_arrows(pose: bytes, size: float) -> tuple[Any, ...]:
    """Arrows along the axes of a pose; most frames stay where they are from scene to scene."""
    T = np.frombuffer(pose).reshape(4, 4)
    paths = [np.array([T[:3, 3], T[:3, 3] + size * axis]) for axis in T[:3, :3].T]
    return tuple(_arrow(Arrow("", "force", path, 0.05 * size)) for path in paths)
