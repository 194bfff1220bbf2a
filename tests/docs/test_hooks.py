"""What the site is made with: blocks that run, formulas, the picture of the rooms."""

from types import SimpleNamespace

import pytest

pytest.importorskip("mkdocs", reason="the extra 'docs' is not installed")
pytest.importorskip("latex2mathml", reason="the extra 'docs' is not installed")

from mkdocs.config.base import load_config
from mkdocs.exceptions import PluginError

from docs.hooks import architecture, execute, formula, repository


@pytest.fixture
def site(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "mkdocs.yml").write_text("site_name: a\n")
    config = load_config(str(tmp_path / "mkdocs.yml"))
    # Set while mkdocs calls hooks, and asked for by files that they make.
    monkeypatch.setattr(config.plugins, "_current_plugin", None, raising=False)
    config.extra = {"run": True, "pages_that_run": ["tutorials/*.md"]}
    return config


def run(markdown, config, place="tutorials/a.md"):
    files = []
    page = SimpleNamespace(file=SimpleNamespace(src_uri=place))
    return execute.on_page_markdown(markdown, page, config, files), files


def test_a_block_shows_what_it_prints_and_draws(site):
    code = "from pathlib import Path\nx = 2\nprint(x + 1)\nPath('a.png').write_bytes(b'picture')\n"
    text, files = run(f"```python\n{code}```\n\n```python\nprint(10 * x)\n```\n", site)
    assert "```text\n3\n```" in text
    assert "```text\n20\n```" in text
    assert "![a](made/a_a.png)" in text
    assert [file.src_uri for file in files] == ["tutorials/made/a_a.png"]


def test_a_block_that_fails_fails_the_build(site):
    with pytest.raises(PluginError, match=r"tutorials/a\.md: ZeroDivisionError"):
        run("```python\n1 / 0\n```\n", site)


def test_other_pages_and_quiet_builds_do_not_run(site):
    assert run("```python\n1 / 0\n```\n", site, "theory.md")[0] is None
    site.extra["run"] = False
    assert run("```python\n1 / 0\n```\n", site)[0] is None


def test_a_formula_has_its_number():
    page = SimpleNamespace(file=SimpleNamespace(src_uri="theory.md"))
    block = r'<div class="arithmatex">\[a &lt; b \tag{1.2}\]</div>'
    text = block + r' and <span class="arithmatex">\(c\)</span>'
    found = formula.on_page_content(text, page, None, None)
    assert 'id="eq-1.2"' in found
    assert found.count("<math") == 2
    assert "arithmatex" not in found


def test_a_command_that_is_not_understood_fails_the_build():
    with pytest.raises(ValueError, match="nonsense"):
        formula.mathml(r"a \nonsense b")


def test_indices_of_plain_symbols_are_low():
    found = formula.lowered("<p>η_i = Ad_{A_i}⁻¹ ξ_{i-1}, h^(k+1), ad_ξᵀ in <code>a_b</code></p>")
    assert found == (
        "<p>η<sub>i</sub> = Ad<sub>A<sub>i</sub></sub>⁻¹ ξ<sub>i-1</sub>, h<sup>k+1</sup>, "
        "ad<sub>ξ</sub>ᵀ in <code>a_b</code></p>"
    )


def test_rooms_are_above_what_they_import():
    graph = {"view": {"result", "lie"}, "result": {"lie"}, "lie": set()}
    assert architecture.layers(graph) == {"lie": 0, "result": 1, "view": 2}
    assert architecture.reduced(graph)["view"] == {"result"}
    with pytest.raises(ValueError, match="import each other"):
        architecture.layers({"a": {"b"}, "b": {"a"}})


def test_the_rooms_of_the_library():
    heights = architecture.layers(architecture.rooms(architecture.rules_of_imports()))
    order = ["lie", "robot", "rods", "model", "result", "solve", "view", "cli"]
    assert [heights[room] for room in order] == sorted(heights[room] for room in order)


def test_links_lead_to_where_the_site_has_what_they_name():
    page = SimpleNamespace(file=SimpleNamespace(src_uri="index.md"))
    text = (
        "[a](docs/start.md#pictures) [b](CONTRIBUTING.md) [c](CITATION.cff) ![d](docs/images/x.png)"
    )
    found = repository.on_page_markdown(text, page, None, None)
    assert found == "[a](start.md#pictures) [b](contributing.md) c ![d](images/x.png)"
