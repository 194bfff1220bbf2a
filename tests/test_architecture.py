"""Imports point one way, as the data does: who may know whom is a list."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import flexura

SRC = Path(flexura.__file__).parent
FILES = sorted(SRC.rglob("*.py"))
GROUND = {
    "typing", "errors", "progress", "value", "text", "shown", "version",
    "_kernel", "_kernel_cache", "_kernel_compiler",
}  # fmt: skip
# Each room, and the rooms that it may import besides itself and the ground. A room inside another
# one is named with it; the longest name that fits counts.
ALLOWED = {
    "lie": {"lie.kernels"},
    "lie.kernels": set(),
    "matrix": set(),  # knows storage, and nothing of mechanics
    "robot": {"lie"},
    "continuous": {"lie.kernels", "robot"},
    "rods": {"lie", "lie.kernels", "robot"},
    "volumes": {"robot"},
    "contact": {"lie.kernels", "robot"},  # distances; knows no mechanics
    "model": {"lie", "lie.kernels", "matrix", "robot", "rods", "volumes", "contact"},
    "model.laws": {"lie", "lie.kernels", "robot", "rods", "model"},
    "model.terms": {"lie", "lie.kernels", "robot", "model"},
    "model.constraints": {"model"},
    "model.members": {"lie.kernels", "matrix", "robot", "rods", "volumes", "model"},
    "model.mechanics": {
        "lie", "robot", "rods", "volumes", "contact", "model", "model.laws", "model.terms",
        "model.constraints", "model.members",
    },
    "model.motion": {
        "lie", "lie.kernels", "robot", "model", "model.laws", "model.members", "model.terms",
    },
    "result": {
        "lie", "robot", "continuous", "volumes", "model", "model.terms", "model.members",
        "model.motion",
    },
    "solve": {
        "lie", "matrix", "robot", "rods", "contact", "model", "model.terms", "result",
        "solve.accuracy",
    },
    "solve.shooting": {
        "lie", "lie.kernels", "matrix", "robot", "continuous", "rods", "model", "result", "solve",
    },
    "solve.motion": {"lie", "matrix", "robot", "model", "model.motion", "result", "solve"},
    "solve.inverse": {
        "lie", "lie.kernels", "robot", "model", "result", "solve", "solve.derivative",
    },
    "solve.calibration": {
        "lie", "robot", "rods", "model", "result", "solve", "solve.derivative",
    },
    "solve.accuracy": {"lie", "matrix", "robot", "model"},
    "solve.derivative": {"lie", "robot", "model", "result", "solve"},
    "solve.linear": {
        "lie", "matrix", "robot", "model", "model.motion", "result", "solve", "solve.motion",
    },
    "io": {"lie", "robot", "rods", "model", "model.motion", "result"},
    "view": {"lie", "robot", "contact", "result", "solve", "io"},
    "cli": {
        "lie", "robot", "rods", "model", "result", "solve", "solve.inverse", "solve.linear",
        "solve.motion", "solve.shooting", "io", "view", "browser",
    },
    "browser": {
        "lie", "robot", "rods", "model", "result", "solve", "solve.inverse", "solve.linear",
        "solve.motion", "io", "view",
    },
    "__main__": {"cli"},
}  # fmt: skip
# Where a room knows only a part of another one.
ONLY = {
    ("model", "matrix"): ("structure", "ordering", "slot"),  # nobody else knows storage
    ("solve", "matrix"): ("structure",),
    ("solve.accuracy", "matrix"): ("negative",),
    ("solve.linear", "matrix"): ("structure",),
    ("solve.shooting", "matrix"): ("structure", "bordered", "slot"),
    ("solve.motion", "matrix"): ("structure",),
    ("model.laws", "model"): ("law", "wrenches", "tube_mesh", "given_kernels", "inertia_kernels"),
    ("model.members", "matrix"): ("slot",),
    ("model.members", "robot"): ("tetrahedron",),
    ("model.members", "model"): (
        "member",
        "layout",
        "particles",
        "particle_kernels",
    ),
    ("model.terms", "model"): (
        "point_kernels",
        "law",
        "term",
        "layout",
        "wrenches",
        "given_kernels",
        "inertia_kernels",
    ),
    ("model.constraints", "model"): ("law", "constraint"),
    ("model", "model.members"): ("solid",),
    ("model", "model.terms"): ("joint",),
    ("model", "model.mechanics"): (
        "contact",
        "elasticity",
        "joint",
        "load",
        "tendon",
        "thread",
        "tubes",
        "volume",
    ),
    ("view", "solve"): ("unloaded",),  # a view looks at results; it does not make them
    ("view", "io"): ("target",),
}
# What is imported only when it is asked for: the pictures that things show of themselves, and
# answers of results that take a solver.
LATER = {
    ("shown", "view.notebook"),
    ("result.static", "solve.accuracy.accuracy"),
    ("result.static", "solve.refined"),
    ("result.static", "solve.derivative.response"),
    ("result.calibration", "solve.calibration.check"),
}


def module_of(path):
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path) for path in FILES}


def room_of(module):
    """The room that a module is in."""
    names = module.split(".")
    for n in range(len(names), 0, -1):
        if ".".join(names[:n]) in ALLOWED:
            return ".".join(names[:n])
    return names[0]


def imported_modules(path):
    """Modules of the library that a file imports, without its name, lazy imports included."""
    return {other for other in _imports(path) if (module_of(path), other) not in LATER}


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
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
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("flexura."):
                names = [*node.module.split(".")[1:], *(alias.name for alias in node.names)]
                own = set(module_of(path).split("."))
                private = [n for n in names if n.startswith("_") and n not in own | GROUND]
                assert not private, f"{path}: {private}"


@pytest.mark.parametrize("library", ["matplotlib", "pyvista", "vtk", "viser"])
def test_importing_flexura_loads_no_plotting_library(library):
    code = f"import flexura, sys; assert {library!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_importing_flexura_compiles_and_writes_nothing(tmp_path):
    """No kernel runs at import: with an empty cache, nothing is compiled, and it stays empty."""
    code = (
        "import flexura, flexura.cli.main\n"
        "from flexura._kernel import seconds_spent_compiling\n"
        "assert seconds_spent_compiling() == 0.0"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
