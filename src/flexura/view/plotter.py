"""Scenes as pixels and in windows, with PyVista."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from flexura.typing import ArrayLike
from flexura.view.easel import Easel
from flexura.view.render import draw, seen_through
from flexura.view.scene import Scene

Pixels: TypeAlias = NDArray[np.uint8]  # (height, width, 3)


def photograph(scene: Scene, size: tuple[int, int], towards: ArrayLike, background: str) -> Pixels:
    """The pixels of a scene; this needs no display."""
    with _quiet():
        plotter = pv.Plotter(off_screen=True, window_size=[*size], lighting="none")
        try:
            draw(scene, plotter, towards, background)
            plotter.enable_anti_aliasing("ssaa")
            pixels: Pixels = np.asarray(plotter.screenshot(return_img=True))[..., :3]
        finally:
            plotter.close()
    return pixels


def photographs(
    scenes: Iterable[Scene], size: tuple[int, int], towards: ArrayLike, background: str
) -> Iterator[Pixels]:
    """The pixels of scenes, one after the other, by one camera."""
    with _quiet():
        plotter = pv.Plotter(off_screen=True, window_size=[*size], lighting="none")
        easel, first = Easel(plotter), True
        try:
            for scene in scenes:
                if first:
                    _smooth(plotter, scene)
                    first = False
                plotter.suppress_rendering = True  # or each actor that is added would be shown
                draw(scene, easel, towards, background)
                easel.finish()
                plotter.suppress_rendering = False
                plotter.render()
                yield np.array(plotter.screenshot(return_img=True))[..., :3]
        finally:
            plotter.close()


def open_window(scene: Scene, size: tuple[int, int], towards: ArrayLike, background: str) -> None:
    """A window with a scene, until it is closed."""
    plotter = pv.Plotter(window_size=[*size], lighting="none", title=scene.title)
    draw(scene, plotter, towards, background)
    plotter.enable_anti_aliasing("msaa", multi_samples=8)
    plotter.show()


def _smooth(plotter: Any, scene: Scene) -> None:
    """Smooth edges; those that are seen through need the way that takes twice the time."""
    if any(seen_through(surface) for surface in scene.surfaces if surface.role != "holder"):
        plotter.enable_anti_aliasing("ssaa")
    else:
        plotter.enable_anti_aliasing("msaa", multi_samples=8)


def _quiet() -> Any:
    """Keep VTK from telling on stderr that it found no X server before it does without one."""
    return pv.vtk_verbosity("error")
