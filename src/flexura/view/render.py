"""Drawing a scene with PyVista."""

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyvista as pv

from flexura.typing import Array, ArrayLike
from flexura.view.camera import Camera, frame_points
from flexura.view.ground import Ground
from flexura.view.primitive import Arrow, Axes, Label, Surface
from flexura.view.scene import Scale, Scene
from flexura.view.style import (
    AXIS_COLORS,
    BACKGROUND,
    BODY,
    COLORS,
    DISC,
    EDGE,
    FAINT,
    FONT,
    GHOST,
    GRID,
    HOLDER,
    INK,
    JOINT,
    PALETTE,
    SHADOW,
    color_map,
)

LIGHTS = (((-1.0, 1.6, 1.4), 0.8), ((1.6, 0.2, 1.2), 0.45))  # over the left shoulder, a fill light
SHINE = {"smooth_shading": True, "specular": 0.2, "specular_power": 30.0, "ambient": 0.35}
MARGINS = (0.04, 0.15, 0.05, 0.09)  # left, right (room for the colour bar), bottom, top
GAP = 12.0  # between a point and its label, in a picture of 1600 x 1000 pixels
LETTERS = 19.0  # size of the letters of labels, in the same picture
LETTER_WIDTH = 0.6  # of a letter, relative to its size
LINE = 1.4 * LETTERS  # distance of two lines
HEAD = 3.2  # diameter of an arrow's head relative to its shaft
SLIM = 1.4  # length of an arrow's head relative to its diameter
FONT_FILE = 4  # VTK_FONT_FILE


def draw(scene: Scene, plotter: Any, towards: ArrayLike) -> None:
    """Add a scene to a plotter and point its camera, with ``towards`` from robot to eye."""
    width, height = plotter.window_size
    unit = min(height / 1000.0, width / 1600.0)
    camera = frame_points(scene.points, towards, scene.ground.up, width / height, MARGINS)
    _lights(plotter)
    solid = [*scene.rods, *scene.bodies, *scene.joints, *scene.discs]
    _ground(plotter, scene.ground, solid)
    _rods(plotter, scene, unit)
    for ghost in scene.ghosts:
        plotter.add_mesh(_mesh(ghost), color=GHOST, opacity=0.22, smooth_shading=True)
    for holder in scene.holders:
        plotter.add_mesh(_mesh(holder), color=HOLDER, **SHINE)
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
    for label, shift in zip(
        scene.labels, _shifts(scene.labels, camera, height / unit), strict=True
    ):
        _label(plotter, label, camera, LETTERS, unit, shift)
    for label in scene.ground.labels:
        _label(plotter, label, camera, 14.0, unit)
    _titles(plotter, scene, unit)
    _point(plotter, camera)


def _lights(plotter: Any) -> None:
    """A soft sky, and lights that move with the camera."""
    bottom, top = BACKGROUND
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


def _rods(plotter: Any, scene: Scene, unit: float) -> None:
    """Rods in the colours of their values, or each in a colour of its own."""
    if scene.scale is None:
        for i, rod in enumerate(scene.rods):
            plotter.add_mesh(_mesh(rod), color=PALETTE[i % len(PALETTE)], **SHINE)
        return
    colors = {
        "scalars": "values",
        "cmap": color_map(scene.scale.component.signed),
        "clim": scene.scale.limits,
        "show_scalar_bar": False,
    }
    actors = [plotter.add_mesh(_mesh(rod), **colors, **SHINE) for rod in scene.rods]
    _color_bar(plotter, actors[0].mapper, scene.scale, unit)


def _edged(plotter: Any, solid: Surface, color: str, opacity: float, unit: float) -> None:
    """A plate or a body with lines along its edges."""
    mesh = _mesh(solid)
    plotter.add_mesh(mesh, color=color, opacity=opacity, **SHINE)
    # the faces and the sides of a solid have no points in common: their boundaries are its edges
    edges = mesh.extract_feature_edges(
        feature_edges=False, manifold_edges=False, non_manifold_edges=False
    )
    plotter.add_mesh(edges, color=EDGE, line_width=1.2 * unit, lighting=False)


def _color_bar(plotter: Any, mapper: Any, scale: Scale, unit: float) -> None:
    """The meaning of the colours, at the right."""
    title = "\n".join(textwrap.wrap(scale.component.title, 15))
    bar = plotter.add_scalar_bar(
        title=f"{title}\n[{scale.component.unit}]\n",
        mapper=mapper,
        vertical=True,
        n_labels=5,
        fmt="%.3g",
        color=INK,
        position_x=0.895,
        position_y=0.22,
        width=0.08,
        height=0.56,
        title_font_size=round(20 * unit),
        label_font_size=round(18 * unit),
    )
    bar.SetTextPad(round(6 * unit))
    bar.SetBarRatio(0.28)
    _font(bar.GetTitleTextProperty())
    _font(bar.GetLabelTextProperty())


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
    origin = axes.pose[:3, 3]
    for color, direction in zip(AXIS_COLORS, axes.pose[:3, :3].T, strict=True):
        path = np.array([origin, origin + axes.size * direction])
        arrow = Arrow(axes.name, "force", path, 0.05 * axes.size)
        plotter.add_mesh(_arrow(arrow), color=color, **SHINE)


def _label(
    plotter: Any, label: Label, camera: Camera, size: float, unit: float, shift: float = 0.0
) -> None:
    """A text that stays beside a point of the scene and faces the eye."""
    x, y = camera.across(label.away)
    text = _text(label.text, size * unit, label.color or COLORS[label.role])
    text.prop.justification_horizontal = ("right", "center", "left")[_side(x) + 1]
    text.prop.justification_vertical = ("top", "center", "bottom")[_side(y) + 1]
    if label.role in (
        "rod",
        "tendon",
        "joint",
        "force",
        "moment",
    ):  # they may lie over something dark
        text.prop.background_color = "white"
        text.prop.background_opacity = 0.5
    at = pv._vtk.vtkCoordinate()
    at.SetCoordinateSystemToWorld()
    at.SetValue(*label.point)
    offset = text.GetPositionCoordinate()
    offset.SetReferenceCoordinate(at)
    offset.SetCoordinateSystemToViewport()
    offset.SetValue(GAP * unit * x, (GAP * y + shift) * unit)
    plotter.add_actor(text)


def _shifts(labels: Sequence[Label], camera: Camera, height: float) -> list[float]:
    """How far to move each label up so that it does not cover one before it, in units."""
    placed: list[tuple[float, float, float]] = []  # left, right, middle
    shifts = []
    for label in labels:
        x, y = height * camera.project(label.point[None])[0]
        right, up = camera.across(label.away)
        width = LETTER_WIDTH * LETTERS * len(label.text)
        left = x + GAP * right + width * (_side(right) - 1) / 2.0
        middle = start = y + GAP * up + LETTERS * _side(up) / 2.0
        for other in sorted(placed, key=lambda box: box[2]):
            if left < other[1] and other[0] < left + width and abs(middle - other[2]) < LINE:
                middle = other[2] + LINE
        placed.append((left, left + width, middle))
        shifts.append(middle - start)
    return shifts


def _side(x: float) -> int:
    """-1, 0 or 1: on which side of its point a label lies."""
    return int(x > 0.4) - int(x < -0.4)


def _titles(plotter: Any, scene: Scene, unit: float) -> None:
    """Name of the robot and remark at the top, size of the grid at the bottom."""
    width = 0.8 * plotter.window_size[0] / (LETTER_WIDTH * 16.0 * unit)
    remark = textwrap.fill(scene.remark, max(round(width), 20))
    grid = f"coordinates in m, grid {scene.ground.cell:g} m"
    for content, size, color, y, side in (
        (scene.title, 26.0, INK, 0.975, "top"),
        (remark, 16.0, FAINT if scene.converged else COLORS["force"], 0.925, "top"),
        (grid, 14.0, FAINT, 0.025, "bottom"),
    ):
        text = _text(content, size * unit, color)
        text.prop.justification_vertical = side
        place = text.GetPositionCoordinate()
        place.SetCoordinateSystemToNormalizedViewport()
        place.SetValue(0.025, y)
        plotter.add_actor(text)


def _text(content: str, size: float, color: str) -> Any:
    """A text, still without a place."""
    text = pv.Text(content)
    text.prop.font_size = max(round(size), 1)
    text.prop.color = color
    _font(text.prop)
    return text


def _font(text: Any) -> None:
    """Set the font of a text property."""
    text.SetFontFamily(FONT_FILE)
    text.SetFontFile(str(FONT))
