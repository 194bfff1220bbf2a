"""The code in the README and on pages that are not run by the site runs as it stands."""

import re
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.io.discretization_text import KNOWN

ROOT = Path(__file__).parents[1]


def code_of(page):
    """The blocks of Python on a page."""
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL)


def test_the_example_runs():
    (code,) = code_of("README.md")
    names = {}
    exec(code, names)
    assert names["result"].converged


def test_the_models_to_choose_from_have_the_numbers_that_they_have_by_default():
    rows = re.findall(
        r"^\| `([A-Z]\w+\(.*\))` \|", (ROOT / "docs/how/choose.md").read_text(), re.MULTILINE
    )
    choices = [eval(row, vars(fx)) for row in rows]
    assert {type(choice) for choice in choices} == set(KNOWN.values())
    for row, choice in zip(rows, choices, strict=True):
        assert choice == type(choice)(), row


def test_every_way_a_solve_can_end_has_its_row():
    page = (ROOT / "docs/status.md").read_text()
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.+) \| (.+) \|$", page, re.MULTILINE)
    assert sorted(name for name, _, _ in rows) == sorted(status.name for status in fx.Status)
    assert {name for name, _, _ in rows[:4]} == {s.name for s in fx.Status if s.converged}
    assert "(status.md)" in (ROOT / "docs/start.md").read_text()
    assert "(../status.md)" in (ROOT / "docs/how/converge.md").read_text()


@pytest.mark.parametrize("page", ["tubes", "contact"])
def test_the_first_block_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(code_of(f"docs/{page}.md")[0], {})


def test_the_first_block_on_volumes_runs_in_the_repository(monkeypatch):
    pytest.importorskip("meshio", reason="the extra 'mesh' is not installed")
    monkeypatch.chdir(ROOT)
    names = {}
    exec(code_of("docs/volumes.md")[0], names)
    assert names["result"].converged
    assert not names["result"].remarks
    assert names["result"].tension("cable") > 0.0


def test_the_materials_are_used_as_their_page_says(capsys):
    (code,) = code_of("docs/materials.md")
    exec(code, {})
    assert "'nitinol', 'spring_steel'" in capsys.readouterr().out


def test_the_blocks_of_the_start_and_of_the_parts_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in [*code_of("docs/start.md"), *code_of("docs/parts.md")]:
        exec(code, names)
        for value in names.values():
            if isinstance(value, fx.StaticResult):
                assert value.converged
    assert (tmp_path / "arm.png").stat().st_size > 10_000
    assert all(names["many"].converged)
    assert names["bent"].reached
    stiffness = names["rod"].stiffness(0.0)[1:3].min()
    euler = 1000.0 * names["buckling"].fraction  # of a column that stretches and shears a little
    assert euler == pytest.approx(stiffness * np.pi**2 / 4.0, rel=1e-3)


def test_the_blocks_on_calibration_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in code_of("docs/calibration.md"):
        exec(code, names)
    fit, felt = names["fit"], names["felt"]
    # Chance is a few standard errors; what is made without noise is felt to rounding.
    assert abs(fit.values["arm.material.young"] - 1.15e6) < 4 * fit.errors["arm.material.young"]
    np.testing.assert_allclose(fit.registration[:3, 3], (0.5, 0.2, 0.1), atol=2e-3)
    np.testing.assert_allclose(felt.values["push.force"], (0.0, 0.1, 0.08), atol=1e-8)


def test_the_blocks_on_motion_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in code_of("docs/motion.md"):
        exec(code, names)
    assert (tmp_path / "motion.png").stat().st_size > 10_000
    assert "<html" in (tmp_path / "arm.html").read_text()
    assert names["further"].t[0] == names["motion"].t[-1]
    begin, end = names["thrown"].momentum[[0, -1]]
    np.testing.assert_allclose(end, begin, atol=1e-6 * np.abs(begin).max())


def test_the_blocks_on_derivatives_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in code_of("docs/derivatives.md"):
        exec(code, names)
    assert names["J"].shape == (6, 2)
    assert names["C"].shape == (6, 6)
    assert (tmp_path / "arm.png").stat().st_size > 10_000
    assert (tmp_path / "workspace.png").stat().st_size > 5_000


def test_the_block_on_inverse_problems_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    names = {}
    for code in code_of("docs/inverse.md"):
        exec(code, names)
    assert names["answer"].converged
