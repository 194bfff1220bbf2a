"""Texts of a picture: labels, titles and the colour bar, drawn with PyVista."""

import textwrap
from pathlib import Path
from typing import Any

import matplotlib
import pyvista as pv
from vtkmodules.vtkRenderingAnnotation import vtkLeaderActor2D
from vtkmodules.vtkRenderingCore import vtkCoordinate

from flexura.typing import Vector
from flexura.view.camera import Camera
from flexura.view.heading import BELOW, LEFT, REMARK, TITLE, TOP, remark_lines
from flexura.view.layout import LETTERS, RINGS, Place, place
from flexura.view.primitive import Label
from flexura.view.scene import Scale, Scene
from flexura.view.style import COLORS, FAINT, INK

TICKS = 14.0  # size of the letters of coordinates
FONT_FILE = 4  # VTK_FONT_FILE
# The font of the plots: it has Greek letters and the signs of units.
FONT = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


def write(plotter: Any, scene: Scene, camera: Camera, unit: float) -> None:
    """Add all texts but the colour bar; ``unit`` is that of the layout, in pixels."""
    width, height = plotter.window_size
    places = place(scene, camera, (width / unit, height / unit))
    for label, where in zip(scene.labels, places, strict=True):
        _label(plotter, label, where, unit)
    for label in scene.ground.labels:
        _tick(plotter, label, camera, unit)
    _titles(plotter, scene, unit)


def color_bar(plotter: Any, mapper: Any, scale: Scale, unit: float) -> None:
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


def _label(plotter: Any, label: Label, where: Place, unit: float) -> None:
    """A text that stays beside a point of the scene and faces the eye."""
    color = label.color or COLORS[label.role]
    text = _text(label.text, LETTERS * unit, color)
    text.prop.justification_horizontal = text.prop.justification_vertical = "center"
    text.prop.background_color = "white"  # it may lie over something dark where there is no room
    text.prop.background_opacity = 0.5
    _beside(text.GetPositionCoordinate(), where.point, where.x * unit, where.y * unit)
    if where.leader is not None:
        _leader(plotter, where.point, where.leader, color, unit)
    plotter.add_actor(text)


def _leader(plotter: Any, point: Vector, end: tuple[float, float], color: str, unit: float) -> None:
    """A thin arrow from a label to what it names."""
    line = vtkLeaderActor2D()
    line.SetArrowPlacementToPoint1()
    line.SetArrowStyleToFilled()
    line.SetMaximumArrowSize(8.0 * unit)
    line.SetMinimumArrowSize(8.0 * unit)
    line.GetPositionCoordinate().SetCoordinateSystemToWorld()
    line.GetPositionCoordinate().SetValue(*point)
    _beside(line.GetPosition2Coordinate(), point, end[0] * unit, end[1] * unit)
    line.GetProperty().SetColor(*pv.Color(color).float_rgb)
    line.GetProperty().SetLineWidth(1.3 * unit)
    line.GetProperty().SetOpacity(0.8)
    plotter.add_actor(line)


def _tick(plotter: Any, label: Label, camera: Camera, unit: float) -> None:
    """A coordinate beside the ground."""
    x, y = camera.across(label.away)
    text = _text(label.text, TICKS * unit, COLORS[label.role])
    text.prop.justification_horizontal = ("right", "center", "left")[_side(x) + 1]
    text.prop.justification_vertical = ("top", "center", "bottom")[_side(y) + 1]
    _beside(text.GetPositionCoordinate(), label.point, RINGS[0] * unit * x, RINGS[0] * unit * y)
    plotter.add_actor(text)


def _beside(coordinate: Any, point: Vector, x: float, y: float) -> None:
    """Let a coordinate be so many pixels from a point, wherever that is seen."""
    at = vtkCoordinate()
    at.SetCoordinateSystemToWorld()
    at.SetValue(*point)
    coordinate.SetReferenceCoordinate(at)
    coordinate.SetCoordinateSystemToViewport()
    coordinate.SetValue(x, y)


def _side(x: float) -> int:
    """-1, 0 or 1: on which side of its point a coordinate lies."""
    return int(x > 0.4) - int(x < -0.4)


def _titles(plotter: Any, scene: Scene, unit: float) -> None:
    """Name of the robot and remark at the top, size of the grid at the bottom."""
    remark = "\n".join(remark_lines(scene, plotter.window_size[0] / unit))
    sound = scene.converged and scene.stable
    grid = f"coordinates in m, grid {scene.ground.cell:g} m"
    for content, size, color, y, side in (
        (scene.title, TITLE, INK, TOP, "top"),
        (remark, REMARK, FAINT if sound else COLORS["force"], BELOW, "top"),
        (grid, TICKS, FAINT, 0.025, "bottom"),
    ):
        text = _text(content, size * unit, color)
        text.prop.justification_vertical = side
        place = text.GetPositionCoordinate()
        place.SetCoordinateSystemToNormalizedViewport()
        place.SetValue(LEFT, y)
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
