"""Who may know whom: what ``test_architecture.py`` checks, and the documentation draws."""

from pathlib import Path

SRC = Path(__file__).parents[1] / "src" / "flexura"
FILES = sorted(SRC.rglob("*.py"))
GROUND = {
    "typing", "errors", "progress", "value", "text", "shown", "version",
    "_kernel", "_kernel_brief", "_kernel_cache", "_kernel_compiler", "_kernel_crew",
    "_kernel_lowering", "_kernel_meanwhile", "_kernel_typing",
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
        "solve.accuracy", "solve.cone",
    },
    "solve.cone": set(),
    "solve.shooting": {
        "lie", "lie.kernels", "matrix", "robot", "continuous", "rods", "model", "result", "solve",
        "solve.cone",
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
        "point_kernels",
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
    ("model", "model.members"): ("solid", "thread"),
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
    ("result.static", "solve.told"),
    ("result.static", "solve.derivative.response"),
    ("result.modes", "solve.linear.mode_accuracy"),
    ("result.calibration", "solve.calibration.check"),
}


def module_of(path):
    """The name of a file as a module, without that of the library."""
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
