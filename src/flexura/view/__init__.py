"""Pictures, windows and plots of results: ``from flexura import view``.

>>> view.picture(result, "arm.png", color="moment_y")      # doctest: +SKIP
>>> view.profiles(result, "arm.pdf")                       # doctest: +SKIP
>>> view.mode_shapes(modes, "modes.png")                   # doctest: +SKIP
>>> view.diagram(path, lambda r: r.energy, "path.svg")     # doctest: +SKIP
>>> view.workspace(many, "arm.tip", "workspace.png")       # doctest: +SKIP
>>> view.plot(motion, "energy", "motion.png")              # doctest: +SKIP
>>> view.animate(motion, "motion.mp4")                     # doctest: +SKIP

``view.scene`` collects what there is to draw as plain arrays, for other renderers: it needs no
package besides those of flexura. The others load PyVista or matplotlib when they are called.
"""

from flexura.view.animate import animate
from flexura.view.component import COMPONENTS, Component
from flexura.view.diagram import diagram
from flexura.view.mode_shapes import mode_shapes
from flexura.view.picture import has_display, picture, window
from flexura.view.plot import plot
from flexura.view.profiles import profiles
from flexura.view.scene import Scene, scene
from flexura.view.workspace import workspace

__all__ = [
    "COMPONENTS",
    "Component",
    "Scene",
    "animate",
    "diagram",
    "has_display",
    "mode_shapes",
    "picture",
    "plot",
    "profiles",
    "scene",
    "window",
    "workspace",
]
