"""A view looks: what it shows was made elsewhere."""

import ast
from pathlib import Path

import pytest

from flexura import view

FILES = sorted(Path(view.__file__).parent.glob("*.py"))
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
