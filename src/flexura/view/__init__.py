"""Pictures, windows and plots of results: ``from flexura import view``.

>>> view.picture(result, "arm.png", color="moment_y")      # doctest: +SKIP
>>> view.profiles(result, "arm.pdf")                       # doctest: +SKIP
>>> view.diagram(path, lambda r: r.energy, "path.svg")     # doctest: +SKIP

``view.scene`` collects what there is to draw as plain arrays, for other renderers.
"""

try:
    import matplotlib as _matplotlib  # noqa: F401
    import pyvista as _pyvista  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"flexura.view needs {error.name}: install it with pip install 'flexura[view]'",
        name=error.name,
    ) from error

from flexura.view.component import COMPONENTS, Component
from flexura.view.diagram import diagram
from flexura.view.picture import has_display, picture, window
from flexura.view.plot import profiles
from flexura.view.scene import Scene, scene

__all__ = [
    "COMPONENTS",
    "Component",
    "Scene",
    "diagram",
    "has_display",
    "picture",
    "profiles",
    "scene",
    "window",
]
