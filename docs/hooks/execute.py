"""Runs the Python of tutorials while the site is built: what it prints and draws stands below it.

A block that fails makes the build fail. All blocks of a page share their names, in a folder of
their own; pictures, films and pages that they write there are shown.
"""

import contextlib
import io
import os
import posixpath
import re
import tempfile
from fnmatch import fnmatch
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = {
    **dict.fromkeys((".png", ".gif", ".svg"), "![{name}]({path})"),
    ".html": '<iframe src="{path}" title="{name}" class="flexura-film"></iframe>',
}


def on_page_markdown(markdown, page, config, files):
    """Add to each block of Python what it prints and draws."""
    place = page.file.src_uri
    if not config.extra["run"] or not runs(place, config):
        return None
    names = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return BLOCK.sub(lambda found: _with_outcome(found, names, place, config, files), markdown)


def runs(place, config):
    """Whether the Python of a page is run."""
    return any(fnmatch(place, pattern) for pattern in config.extra["pages_that_run"])


def execute(code, names):
    """Run a block; what it has printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


def _with_outcome(found, names, place, config, files):
    before = _written()
    try:
        printed = execute(found.group(1), names)
    except Exception as error:
        raise PluginError(f"{place}: {type(error).__name__}: {error}\n{found.group(1)}") from error
    parts = [found.group()]
    if printed.strip():
        parts.append(f"```text\n{printed.rstrip()}\n```")
    for name, time in _written().items():
        if before.get(name) != time:
            parts.append(_shown(Path(name), place, config, files))
    return "\n\n".join(parts)


def _written():
    return {
        name: os.stat(name).st_mtime_ns
        for name in sorted(os.listdir())
        if Path(name).suffix in SHOWN
    }


def _shown(file, place, config, files):
    """Put a file into the site beside the page, and the words that show it."""
    folder, stem = posixpath.split(posixpath.splitext(place)[0])
    path = posixpath.join(folder, "made", f"{stem}_{file.name}")
    files.append(File.generated(config, path, content=file.read_bytes()))
    return SHOWN[file.suffix].format(
        name=file.stem, path=posixpath.join("made", posixpath.basename(path))
    )
