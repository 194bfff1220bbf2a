"""The gallery: every example with its picture, drawn while the site is built."""

import contextlib
import importlib.util
import io
import tempfile
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("[0-9]*.py"))
HEAD = """# Gallery

Examples of at most 60 lines, each with `main()`, which solves, and `figure(...)`, which draws.
They are in `examples/` and run as they stand: `python examples/09_three_tendons.py`.
"""


def on_files(files, config):
    """Add the page and its pictures."""
    parts = [HEAD]
    for path in EXAMPLES:
        example = _module(path)
        title, _, more = example.__doc__.partition("\n\n")
        parts.append(f"## {path.stem}\n\n{title}\n\n{more.strip()}".rstrip())
        if config.extra["run"]:
            picture = File.generated(
                config, f"gallery/{path.stem}.png", content=_draw(path, example)
            )
            files.append(picture)
            parts.append(f"![{path.stem}](gallery/{path.stem}.png)")
        code = "\n".join(f"    {line}".rstrip() for line in path.read_text().splitlines())
        parts.append(f'??? example "The code"\n\n    ```python\n{code}\n    ```')
    files.append(File.generated(config, "gallery.md", content="\n\n".join(parts)))
    return files


def _draw(path, example):
    """The picture of an example.

    Raises:
        PluginError: if the example fails.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                example.figure(example.main(), "picture.png")
        except Exception as error:
            raise PluginError(f"{path.name}: {type(error).__name__}: {error}") from error
        return Path("picture.png").read_bytes()


def _module(path):
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
