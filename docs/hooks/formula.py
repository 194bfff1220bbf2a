"""Formulas of the pages, typeset as MathML: browsers draw it themselves, without a script.

The font that has the large operators and brackets comes from the package ``ziamath``.
"""

import html
import re
from importlib.util import find_spec
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

FONT = "STIXTwoMath-Regular.ttf"
FORMULA = re.compile(
    r'<(?P<kind>div|span) class="arithmatex">\\[\[(](?P<tex>.*?)\\[\])]</(?:div|span)>', re.DOTALL
)
PLAIN = "theory.md"  # has symbols between its words, too, as docstrings write them
NOT_TEXT = ("code", "pre", "math")
GREEK = "A-Za-z0-9α-ωΑ-Ω"
BRACED = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
LOW = re.compile(rf"([{GREEK}])_(?:{BRACED}|([{GREEK}]{{1,3}})(?![{GREEK}_]))")
HIGH = re.compile(r"\^\(([^()]*)\)")
TAG = re.compile(r"\\tag\{([\d.]+)\}")


def on_files(files, config):
    """Put the font into the site."""
    (font,) = Path(find_spec("ziamath").origin).parent.rglob(FONT)
    files.append(File.generated(config, f"css/{FONT}", abs_src_path=str(font)))
    return files


def on_page_content(content, page, config, files):
    """Typeset all formulas of a page."""
    drawn = FORMULA.sub(lambda found: _typeset(found, page.file.src_uri), content)
    return lowered(drawn) if page.file.src_uri == PLAIN else drawn


def lowered(content):
    """A page whose plain symbols, as in a_i or h^(k+1), have their indices low and powers high."""
    inside, found = 0, []
    for part in re.split(r"(<[^>]*>)", content):
        tag = re.match(r"<(/?)(\w+)", part)
        if tag and tag[2] in NOT_TEXT:
            inside += -1 if tag[1] else 1
        elif not tag and not inside:
            part = HIGH.sub(r"<sup>\1</sup>", _low(part))
        found.append(part)
    return "".join(found)


def _low(text):
    return LOW.sub(lambda found: f"{found[1]}<sub>{_low(found[2] or found[3])}</sub>", text)


def _typeset(found, place):
    tex = html.unescape(found["tex"]).strip()
    number = TAG.search(tex)
    block = found["kind"] == "div"
    try:
        drawn = mathml(TAG.sub("", tex), block)
    except Exception as error:
        raise PluginError(f"{place}: this formula is not understood: {tex}") from error
    if not block:
        return drawn
    if number is None:
        return f'<div class="flexura-formula">{drawn}</div>'
    name = number.group(1)
    return (
        f'<div class="flexura-formula" id="eq-{name}">{drawn}'
        f'<a href="#eq-{name}">({name})</a></div>'
    )


def mathml(tex, block=False):
    """A formula as MathML.

    Raises:
        ValueError: where a command is not understood: it would be printed as it is written.
    """
    lines = tex.replace("{aligned}", "{align*}")  # the same, by the name that is understood here
    drawn = convert(lines, display="block" if block else "inline")
    text = re.sub(r"<[^>]*>", "", drawn)
    if "\\" in text:
        raise ValueError(text)
    return drawn
