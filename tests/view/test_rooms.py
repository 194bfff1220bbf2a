"""A view looks: what it shows was made elsewhere."""

import ast
from pathlib import Path

import pytest

from flexura import view

FILES = sorted(Path(view.__file__).parent.glob("*.py"))
DRAWING = ("pyvista", "vtkmodules", "vtk", "matplotlib", "PIL", "imageio_ffmpeg")
SHOWN = {"flexura.solve.unloaded"}  # the one thing that a view may ask for


def imported(path):
    """Modules under ``flexura`` that a file imports from."""
    nodes = [
        node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)
    ]
    return {node.module for node in nodes if (node.module or "").startswith("flexura.")}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_views_neither_build_nor_solve(path):
    makers = ("flexura.solve", "flexura.model", "flexura.rods", "flexura.matrix")
    assert {name for name in imported(path) if name.startswith(makers)} <= SHOWN


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_views_make_no_results(path):
    calls = [
        node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)
    ]
    names = {func.id for func in calls if isinstance(func, ast.Name)}
    assert names.isdisjoint({"StaticResult", "replace"})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_only_the_renderer_needs_a_drawing_library(path):
    """Others may load one when they draw, inside of a function, or for types."""
    if path.stem in ("render", "text", "plotter", "easel"):
        return
    for node in ast.parse(path.read_text()).body:
        names = [getattr(node, "module", None) or "", *(x.name for x in getattr(node, "names", ()))]
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name in names:
                library = name.split(".")[0]
                assert library not in DRAWING
