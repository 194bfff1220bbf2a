"""Pages of the API: every public name of flexura, by where it belongs, from its docstring."""

import importlib
import inspect
import re

from mkdocs.structure.files import File

import flexura as fx
from flexura import typing

# Pages, and the first parts of modules whose names are on them.
PAGES = {
    "robot": ("Robots", "What robots are made of: the description.", ("flexura.robot",)),
    "rods": ("Descriptions of rods", "How `build` makes numbers of rods.", ("flexura.rods",)),
    "solve": (
        "Solving",
        "From a description to a model, and from a model to results.",
        ("flexura.model", "flexura.solve", "flexura.browser"),
    ),
    "result": ("Results", "What solves return, and what it answers.", ("flexura.result",)),
    "files": ("Files", "Robots and results on disk.", ("flexura.io",)),
    "errors": ("Errors", "What is raised, and when.", ("flexura.errors",)),
}
MODULES = {
    "view": ("Pictures", "flexura.view"),
    "lie": ("Lie groups", "flexura.lie.se3", "flexura.lie.so3"),
}

ALIAS = re.compile(r"(\w+): TypeAlias = (.*?)(?:  # (.*))?$")


def on_files(files, config):
    """Add the pages."""
    pages = {name: _page(*what) for name, what in PAGES.items()}
    pages |= {name: _modules(*what) for name, what in MODULES.items()}
    pages["types"] = _types()
    pages["index"] = _index()
    for name, text in pages.items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def names_of(modules):
    """Public names of flexura whose definition is in one of the modules."""
    return [name for name in fx.__all__ if _home(name).startswith(modules)]


def _home(name):
    thing = getattr(fx, name)
    return thing.__name__ if inspect.ismodule(thing) else getattr(thing, "__module__", "")


def _page(title, words, modules):
    parts = [f"# {title}", words]
    for name in names_of(modules):
        thing = getattr(fx, name)
        where = thing.__name__ if inspect.ismodule(thing) else f"{_home(name)}.{name}"
        parts.append(f"::: {where}")
    return "\n\n".join(parts)


def _modules(title, *modules):
    parts = [f"# {title}"]
    for module in modules:
        found = importlib.import_module(module)
        parts.append(f"## `{module}`\n\n{inspect.getdoc(found)}")
        parts += [f"::: {where}" for where in _members(found)]
    return "\n\n".join(parts)


def _members(module):
    """Where the public functions and classes of a module are defined."""
    if hasattr(module, "__all__"):
        things = [(name, getattr(module, name)) for name in module.__all__]
        return [f"{getattr(x, '__module__', module.__name__)}.{name}" for name, x in things]
    own = inspect.getmembers(module, lambda x: getattr(x, "__module__", "") == module.__name__)
    return [f"{module.__name__}.{name}" for name, _ in own if not name.startswith("_")]


def _index():
    rows = ["| | |", "|---|---|"]
    for page, (title, words, modules) in PAGES.items():
        links = ", ".join(f"[`{name}`]({page}.md#{_anchor(name)})" for name in names_of(modules))
        rows.append(f"| [{title}]({page}.md) {words} | {links} |")
    for page, (title, *modules) in MODULES.items():
        links = ", ".join(f"`{module}`" for module in modules)
        rows.append(f"| [{title}]({page}.md) | {links} |")
    rows.append("| [Types](types.md) that signatures name | `flexura.typing` |")
    return "\n".join(["# API", "", "`import flexura as fx`", "", *rows])


def _types():
    """The names of arrays in signatures, with what their comments say of them."""
    rows = ["| name | is | meaning |", "|---|---|---|"]
    for line in inspect.getsource(typing).splitlines():
        if found := ALIAS.match(line):
            name, what, words = found.groups()
            rows.append(f"| `{name}` | `{what}` | {' '.join((words or '').split())} |")
    return "\n".join(["# Types", "", inspect.getdoc(typing), "", *rows])


def _anchor(name):
    thing = getattr(fx, name)
    return thing.__name__ if inspect.ismodule(thing) else f"{_home(name)}.{name}"
