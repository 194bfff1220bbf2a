"""Pages of the site that are files elsewhere in the repository, and links between all of them."""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
# Files of the repository, and where the site has them. Those in docs are where they are.
ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/dynamics/frequencies.md": "validation/frequencies.md",
    **{
        str(path.relative_to(ROOT)): f"validation/{path.parent.name}.md"
        for path in sorted(ROOT.glob("benchmarks/*/README.md"))
    },
}
LINK = re.compile(r"(!?\[[^\]]*\])\(([^()\s#]+)(#[^()\s]*)?\)")


def on_files(files, config):
    """Add the files that are elsewhere."""
    for source, place in ELSEWHERE.items():
        files.append(File.generated(config, place, content=(ROOT / source).read_text()))
    return files


def on_page_markdown(markdown, page, config, files):
    """Let links lead to where the site has what they name."""
    place = page.file.src_uri
    source = next((s for s, p in ELSEWHERE.items() if p == place), f"docs/{place}")

    def lead(match):
        words, target, part = match.groups()
        if ":" in target:
            return match.group()
        found = site_place(posixpath.normpath(posixpath.join(posixpath.dirname(source), target)))
        if found is None:  # a file of the repository that is no page: its name
            return match.group() if words.startswith("!") else words[1:-1]
        return f"{words}({posixpath.relpath(found, posixpath.dirname(place) or '.')}{part or ''})"

    return LINK.sub(lead, markdown)


def site_place(source):
    """Where the site has a file of the repository; None if it is not part of it."""
    if source in ELSEWHERE:
        return ELSEWHERE[source]
    return source.removeprefix("docs/") if source.startswith("docs/") else None
