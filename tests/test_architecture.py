"""Imports point one way, as the data does."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import flexura

SRC = Path(flexura.__file__).parent
LAYERS = [  # who may know whom: a unit imports itself and anything higher in this list
    {"typing", "errors", "progress", "_kernel"},
    {"lie"},
    {"robot"},  # what the user writes
    {"rods"},  # how it is discretized
    {"model"},  # built once, immutable
    {"result"},  # passive records, filled by solve
    {"solve"},
    {"io"},
    {"view"},
    {"cli"},
    {"__main__"},
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
FILES = sorted(SRC.rglob("*.py"))


def imported_modules(path):
    """Modules under ``flexura`` that a file imports, lazy imports included."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "flexura":
            yield from (f"flexura.{a.name}" for a in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("flexura."):
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("flexura."))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SRC)))
def test_imports_point_down(path):
    unit = path.relative_to(SRC).parts[0].removesuffix(".py")
    if unit == "__init__":
        return
    for module in imported_modules(path):
        other = module.split(".")[1]
        assert other == unit or RANK[other] < RANK[unit], f"{unit} imports {other}"


def test_no_cycles_inside_a_unit():
    def name(path):
        return ".".join(("flexura", *path.relative_to(SRC).with_suffix("").parts)).removesuffix(
            ".__init__"
        )

    graph = {name(p): set(imported_modules(p)) for p in FILES}
    # `from flexura.lie import se3` names a module through its package
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                graph[name(path)] |= {
                    f"{node.module}.{a.name}"
                    for a in node.names
                    if f"{node.module}.{a.name}" in graph
                }
    packages = {name(p) for p in FILES if p.name == "__init__.py"}
    state = {}

    def visit(module, trail):
        if state.get(module) == "done" or module not in graph or module in packages:
            return
        assert state.get(module) != "open", f"import cycle: {' -> '.join([*trail, module])}"
        state[module] = "open"
        for other in graph[module]:
            visit(other, [*trail, module])
        state[module] = "done"

    for module in graph:
        visit(module, [])


@pytest.mark.parametrize("library", ["matplotlib", "pyvista", "vtk", "viser"])
def test_importing_flexura_loads_no_plotting_library(library):
    code = f"import flexura, sys; assert {library!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
