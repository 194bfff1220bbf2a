"""What docstrings cite exists: papers in references.bib, equations in docs/theory.md."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = [path.read_text() for path in (ROOT / "src").rglob("*.py")]


def test_papers_are_in_the_bibliography():
    known = set(re.findall(r"@\w+\{(\w+),", (ROOT / "docs/references.bib").read_text()))
    cited = {key for text in SOURCES for key in re.findall(r"\[([A-Z][A-Za-z]+\d{4})", text)}
    assert cited
    assert cited <= known


def test_equations_are_in_the_theory():
    """Numbers of formulas are tags, those of rules in words end a paragraph."""
    theory = (ROOT / "docs/theory.md").read_text()
    numbers = set(re.findall(r"\\tag\{(\d+\.\d+)\}|\((\d+\.\d+)\)\n\n", theory))
    numbers = {tag or words for tag, words in numbers}
    cited = {n for text in SOURCES for n in re.findall(r"theory (\d+\.\d+)", text)}
    assert cited
    assert cited <= numbers
