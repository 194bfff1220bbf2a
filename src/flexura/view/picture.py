"""Pictures and windows of results and robots."""

from pathlib import Path

import pyvista as pv

from flexura.view.render import draw
from flexura.view.scene import scene

FROM = (0.45, -1.0, 0.42)

def picture(subject, path=None, color="bending", size=(1600,1000), ghost=True, labels=True, towards=FROM):
    primitives = scene(subject, color, ghost, labels)
    with pv.vtk_verbosity("error"):
        plotter = pv.Plotter(off_screen=True, window_size=list(size), lighting="none")
        draw(primitives, plotter, towards)
        plotter.enable_anti_aliasing("ssaa")
        image = plotter.screenshot(path, return_img=True)
        plotter.close()
    return image
