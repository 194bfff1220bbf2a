"""The site is built strictly: links that lead nowhere, and tutorials that fail, fail the build."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
for needed in ("mkdocs", "material", "mkdocstrings", "latex2mathml"):
    pytest.importorskip(needed, reason="the extra 'docs' is not installed")


def build(folder, run):
    """Build the site into a folder; to run its tutorials and to index its words takes long."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={
            **os.environ,
            "FLEXURA_DOCS_RUN": str(run).lower(),
            "FLEXURA_DOCS_SEARCH": str(run).lower(),
            "NO_MKDOCS_2_WARNING": "1",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_pages_and_links(tmp_path):
    build(tmp_path, run=False)
    theory = (tmp_path / "theory.html").read_text()
    assert 'id="eq-2.5"' in theory
    assert "<math" in theory
    assert "$$" not in theory
    assert "flexura.robot.rod.Rod" in (tmp_path / "reference/robot.html").read_text()
    assert "flexura-rooms" in (tmp_path / "contribute/architecture.html").read_text()
    foreign = [
        (page.name, line)
        for page in tmp_path.rglob("*.html")
        for line in page.read_text().splitlines()
        if ("<script" in line or "<link" in line or "<img" in line) and '="http' in line
    ]
    assert not foreign  # nothing is fetched from another host


@pytest.mark.long
def test_tutorials_and_gallery(tmp_path):
    build(tmp_path, run=True)
    made = {path.name for path in tmp_path.rglob("*.png")}
    assert {"tendon_arm_pulled.png", "09_three_tendons.png"} <= made
    assert "StaticResult of" in (tmp_path / "tutorials/tendon_arm.html").read_text()
