"""Imports point one way, as the data does: who may know whom is a list."""

import ast
import os
import subprocess
import sys
from functools import cache

import pytest
from rooms import ALLOWED, FILES, GROUND, LATER, ONLY, SRC, module_of

MODULES = {module_of(path) for path in FILES}


def room_of(module):
    """The room that a module is in."""
    names = module.split(".")
    for n in range(len(names), 0, -1):
        if ".".join(names[:n]) in ALLOWED:
            return ".".join(names[:n])
    return names[0]


@cache
def parsed(path):
    """All nodes of a file."""
    return list(ast.walk(ast.parse(path.read_text())))


@cache
def imported_modules(path):
    """Modules of the library that a file imports, without its name, lazy imports included."""
    return {other for other in _imports(path) if (module_of(path), other) not in LATER}


def _imports(path):
    for node in parsed(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "flexura":
            package = node.module.removeprefix("flexura").lstrip(".")
            for alias in node.names:
                inside = f"{package}.{alias.name}".lstrip(".")
                yield inside if inside in MODULES else package
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("flexura."):
                    yield alias.name.removeprefix("flexura.")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SRC)))
def test_imports_are_allowed(path):
    module = module_of(path)
    room = room_of(module)
    if not module or room in GROUND:
        return
    for other in imported_modules(path):
        there = room_of(other)
        if there in GROUND or there == room:
            continue
        parent = room.startswith(f"{there}.") or there.startswith(f"{room}.")
        assert there in ALLOWED[room] or (parent and (room, there) in ONLY), (
            f"{module} imports {other}: {room} may not know {there}"
        )
        if (room, there) in ONLY:
            part = other.removeprefix(there).lstrip(".").split(".")[0]
            assert part in ONLY[room, there], f"{module} imports {other}"


def test_the_ground_knows_nobody():
    for path in FILES:
        if room_of(module_of(path)) in GROUND:
            assert {room_of(m) for m in imported_modules(path)} <= GROUND


def test_no_cycles_inside_a_unit():
    graph = {module_of(path): imported_modules(path) for path in FILES}
    packages = {module_of(path) for path in FILES if path.name == "__init__.py"}
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


def test_no_room_imports_private_names_of_another():
    for path in FILES:
        for node in parsed(path):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("flexura."):
                names = [*node.module.split(".")[1:], *(alias.name for alias in node.names)]
                own = set(module_of(path).split("."))
                private = [n for n in names if n.startswith("_") and n not in own | GROUND]
                assert not private, f"{path}: {private}"


FRESH = """
import sys
import flexura as fx
plotting = {"matplotlib", "pyvista", "vtk", "viser"}
assert not plotting & set(sys.modules), plotting & set(sys.modules)
rod = fx.Rod("a", 1.0, fx.Circle(0.01), fx.Material(young=1e6, poisson=0.4))
repr(fx.Robot("r", [rod], [fx.Weld("world", "a.base")]))
assert not plotting & set(sys.modules), plotting & set(sys.modules)
from flexura._kernel import seconds_spent_compiling
from flexura.cli.main import main
try:
    main(["--help"])
except SystemExit:
    pass
assert seconds_spent_compiling() == 0.0
"""


def test_importing_printing_and_help_load_no_plotting_library_and_compile_nothing(tmp_path):
    """No kernel runs there: with an empty cache, nothing is compiled, and it stays empty."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", FRESH], check=True, env=environment)
    assert not any(tmp_path.iterdir())
