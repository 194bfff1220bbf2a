"""Drawing a scene with PyVista."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pyvista as pv
from matplotlib.colors import ListedColormap

from flexura.typing import Array, ArrayLike
from flexura.view.camera import Camera, frame_points
from flexura.view.ground import Ground
from flexura.view.primitive import Arrow, Axes, Label, Surface
from flexura.view.scene import Scale, Scene

INK = "#2b303a"
FAINT = "#8a919c"
PALETTE = ("#4878a8", "#d08a3e", "#5a9e6f", "#a7639a", "#c25b56", "#7f7f7f")
COLORS = {
    "force": "#c8322b",
    "moment": "#7b3fa0",
    "gravity": "#4a515c",
    "rod": INK,
    "scale": FAINT,
}
AXIS_COLORS = ("#d8352a", "#3a9c3a", "#2f62c9")
SHINE = {"smooth_shading": True, "specular": 0.2, "specular_power": 30.0, "ambient": 0.35}
MARGINS = (0.04, 0.15, 0.04, 0.09)  # left, right (room for the colour bar), bottom, top
GAP = 12.0  # between a point and its label, in a picture 1000 pixels high
FONT = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
HEAD = 3.2  # diameter of an arrow's head relative to its shaft


def draw(scene: Scene, plotter: Any, towards: ArrayLike) -> None:
    """Add a scene to a plotter and point its camera."""
    width, height = plotter.window_size
    unit = height / 1000.0
    _lights(plotter)
    _ground(plotter, scene.ground, scene.rods)
    _rods(plotter, scene, unit)
    for ghost in scene.ghosts:
        plotter.add_mesh(_mesh(ghost), color="#9aa3b0", opacity=0.22, smooth_shading=True)
    for holder in scene.holders:
        plotter.add_mesh(_mesh(holder), color="#8d949f", **SHINE)
    for arrow in scene.arrows:
        plotter.add_mesh(_arrow(arrow), color=COLORS[arrow.role], **SHINE)
    for line in scene.lines:
        plotter.add_mesh(_polyline(line.points), color=COLORS["force"], line_width=2)
    for axes in scene.axes:
        _axes(plotter, axes)
    camera = frame_points(scene.points, towards, scene.ground.up, width / height, MARGINS)
    for label in scene.labels:
        _label(plotter, label, camera, 19.0, unit)
    for label in scene.ground.labels:
        _label(plotter, label, camera, 14.0, unit)
    _titles(plotter, scene, unit)
    plotter.camera.position = camera.position
    plotter.camera.focal_point = camera.target
    plotter.camera.up = camera.up
    plotter.camera.view_angle = camera.angle
    plotter.reset_camera_clipping_range()


def _lights(plotter: Any) -> None:
    """A key light from above the left shoulder, a fill light, both moving with the camera."""
    plotter.set_background("#ffffff", top="#e6ebf2")
    plotter.remove_all_lights()
    for position, intensity in (((-1.0, 1.6, 1.4), 0.8), ((1.6, 0.2, 1.2), 0.45)):
        light = pv.Light(position=position, light_type="camera light", intensity=intensity)
        plotter.add_light(light)


def _rods(plotter: Any, scene: Scene, unit: float) -> None:
    """Rods in the colours of their values, or each in one colour."""
    for i, rod in enumerate(scene.rods):
        mesh = _mesh(rod)
        if scene.scale is None:
            plotter.add_mesh(mesh, color=PALETTE[i % len(PALETTE)], **SHINE)
            continue
        actor = plotter.add_mesh(
            mesh,
            scalars="values",
            cmap=_colors(scene.scale),
            clim=scene.scale.limits,
            show_scalar_bar=False,
            **SHINE,
        )
        if i == 0:
            _color_bar(plotter, actor.mapper, scene.scale, unit)


def _colors(scale: Scale) -> Any:
    """A diverging map about zero for signed values; else one without its darkest end."""
    if scale.component.signed:
        return matplotlib.colormaps["coolwarm"]
    bright = matplotlib.colormaps["viridis"](np.linspace(0.18, 1.0, 256))
    return ListedColormap(bright)


def _color_bar(plotter: Any, mapper: Any, scale: Scale, unit: float) -> None:
    bar = plotter.add_scalar_bar(
        title=f"{scale.component.title}\n[{scale.component.unit}]\n",
        mapper=mapper,
        vertical=True,
        n_labels=5,
        fmt="%.3g",
        color=INK,
        position_x=0.90,
        position_y=0.22,
        width=0.075,
        height=0.56,
        title_font_size=round(20 * unit),
        label_font_size=round(18 * unit),
    )
    bar.SetTextPad(round(6 * unit))
    bar.SetBarRatio(0.28)
    for text in (bar.GetTitleTextProperty(), bar.GetLabelTextProperty()):
        _font(text)


def _mesh(surface: Surface) -> Any:
    faces = np.column_stack([np.full(len(surface.triangles), 3), surface.triangles])
    mesh = pv.PolyData(surface.points, faces.ravel())
    mesh.point_data.active_normals = surface.normals
    if surface.values is not None:
        mesh.point_data["values"] = surface.values
    return mesh


def _ground(plotter: Any, ground: Ground, rods: Sequence[Surface]) -> None:
    """The grid, and the shadows of the rods a little above it."""
    points = ground.lines.reshape(-1, 3)
    pairs = np.column_stack(
        [np.full(len(ground.lines), 2), np.arange(len(points)).reshape(-1, 2)]
    )
    grid = pv.PolyData(points, lines=pairs.ravel())
    plotter.add_mesh(grid, color="#c9ced6", line_width=1.0, lighting=False)
    for rod in rods:
        shadow = _mesh(ground.shadow(rod))
        plotter.add_mesh(shadow, color="#d3d8df", lighting=False)


def _arrow(arrow: Arrow) -> Any:
    """A shaft along the path and a cone at its end."""
    head = HEAD * arrow.width
    steps = np.linalg.norm(np.diff(arrow.path, axis=0), axis=1)
    reach = np.cumsum(steps[::-1])[::-1]  # from each point to the tip
    keep = arrow.path[:-1][reach > 1.4 * head]
    if len(keep) == 0:
        keep = arrow.path[:1]
    tip = arrow.path[-1]
    direction = (tip - keep[-1]) / np.linalg.norm(tip - keep[-1])
    neck = tip - 1.4 * head * direction
    shaft = _tube(np.vstack([keep, neck]), arrow.width)
    cone = pv.Cone(
        center=tip - 0.7 * head * direction,
        direction=direction,
        height=1.4 * head,
        radius=head / 2.0,
        resolution=24,
    )
    return shaft + cone


def _polyline(points: Array) -> Any:
    return pv.PolyData(points, lines=[len(points), *range(len(points))])


def _tube(path: Array, width: float) -> Any:
    return _polyline(path).tube(radius=width / 2.0, n_sides=16, capping=True)


def _axes(plotter: Any, axes: Axes) -> None:
    origin = axes.pose[:3, 3]
    for color, direction in zip(AXIS_COLORS, axes.pose[:3, :3].T, strict=True):
        path = np.array([origin, origin + axes.size * direction])
        mesh = _arrow(Arrow(axes.name, "force", path, 0.05 * axes.size))
        plotter.add_mesh(mesh, color=color, **SHINE)


def _label(plotter: Any, label: Label, camera: Camera, size: float, unit: float) -> None:
    """A text that stays beside a point of the scene and faces the eye."""
    x, y = camera.across(label.away)
    text = _text(label.text, size * unit, COLORS[label.role])
    text.prop.justification_horizontal = "left" if x > 0.4 else "right" if x < -0.4 else "center"
    text.prop.justification_vertical = "bottom" if y > 0.4 else "top" if y < -0.4 else "center"
    offset = text.GetPositionCoordinate()
    world = pv._vtk.vtkCoordinate()
    world.SetCoordinateSystemToWorld()
    world.SetValue(*label.point)
    offset.SetReferenceCoordinate(world)
    offset.SetCoordinateSystemToViewport()
    offset.SetValue(GAP * unit * x, GAP * unit * y)
    if label.role != "scale":
        text.prop.background_color = "white"
        text.prop.background_opacity = 0.6
    plotter.add_actor(text)


def _text(content: str, size: float, color: str) -> Any:
    text = pv.Text(content)
    text.prop.font_size = round(size)
    text.prop.color = color
    _font(text.prop)
    return text


def _font(text: Any) -> None:
    """The font of the plots, which has Greek letters and units."""
    text.SetFontFamily(4)  # VTK_FONT_FILE
    text.SetFontFile(str(FONT))


def _titles(plotter: Any, scene: Scene, unit: float) -> None:
    """Name of the robot and remark at the top, size of a cell at the bottom."""
    lines = [(scene.title, 26, INK, (0.025, 0.945)), (scene.remark, 17, FAINT, (0.025, 0.912))]
    lines.append((f"grid {scene.ground.cell:g} m", 15, FAINT, (0.025, 0.025)))
    for content, size, color, (x, y) in lines:
        text = _text(content, size * unit, color)
        coordinate = text.GetPositionCoordinate()
        coordinate.SetCoordinateSystemToNormalizedViewport()
        coordinate.SetValue(x, y)
        plotter.add_actor(text)
