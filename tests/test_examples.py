"""Every example runs, converges, is short, and its picture is written."""

import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura import view
from flexura.model.assemble import Assembly

SMALL = (480, 300)  # a picture of a tenth of the pixels
EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


def module_of(path):
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_example(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    large = view.picture
    monkeypatch.setattr(view, "picture", lambda *x, **to: large(*x, **{"size": SMALL, **to}))
    example = module_of(path)
    outcome = example.main()
    for result in [outcome] if isinstance(outcome, fx.StaticResult) else outcome:
        assert isinstance(result, fx.StaticResult)
        assert result.converged
        assert np.isfinite(result.energy)
    example.figure(outcome, str(tmp_path / "picture.png"))
    assert (tmp_path / "picture.png").stat().st_size > 10_000
    assert len(path.read_text().splitlines()) <= 60
    assert 'if __name__ == "__main__":' in path.read_text()


def test_the_cells_of_the_notebook_run_one_after_the_other(tmp_path, monkeypatch):
    """As a notebook does, which needs no more than Python here; its last values show themselves."""
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((EXAMPLES[0].parent / "first_steps.ipynb").read_text())
    assert notebook["nbformat"] == 4
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
            assert not cell["outputs"]  # what a machine has drawn is not kept
    assert names["answer"].converged
    assert names["answer"].result.pose("arm.tip")[2, 3] == pytest.approx(-0.05, abs=1e-8)
    assert names["result"]._repr_html_()
    assert f'<iframe src="{names["studio"].url}"' in names["studio"]._repr_html_()
    for name in ("many.png", "motion.png"):
        assert (tmp_path / name).stat().st_size > 10_000


def test_there_are_examples():
    assert len(EXAMPLES) >= 6


def test_double_circle_closes():
    result = module_of(next(p for p in EXAMPLES if "double_circle" in p.stem)).main()
    assert np.linalg.norm(result.pose("strip.tip")[:3, 3]) < 1e-8


def test_warm_starts_are_quick_and_the_circle_closes():
    results = module_of(next(p for p in EXAMPLES if "warm_start" in p.stem)).main()
    np.testing.assert_allclose(results[0].pose("arm.tip"), results[-1].pose("arm.tip"), atol=1e-9)
    assert max(r.iterations for r in results[1:]) <= results[0].iterations


def test_the_arm_winds_around_the_post_by_more_than_half_a_turn():
    example = module_of(next(p for p in EXAMPLES if "27_around_a_post" in p.stem))
    results = example.main()
    assert example.wound(results[-1]) > np.pi
    for result in results:
        assembly = Assembly(result.model)
        assembly.evaluate(result.state, result.given)
        assert assembly.imbalance()[0] < 1e-9
        assert all(x.gap > -1e-10 for x in result.contacts)
        assert result.iterations < 20


def test_the_file_of_the_parallel_robot_has_the_robot_of_the_example(tmp_path):
    """Text and numbers of the file, without its comments; angles differ by rounding elsewhere."""
    example = next(p for p in EXAMPLES if "parallel_robot" in p.stem)
    fx.save(module_of(example).robot(), tmp_path / "parallel.toml")
    files = (example.with_name("parallel.toml"), tmp_path / "parallel.toml")
    kept, written = (re.sub(r"(?m)^#.*\n", "", file.read_text()).strip() for file in files)
    number = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
    assert re.sub(number, "0", kept) == re.sub(number, "0", written)
    values = [np.array(re.findall(number, text), dtype=float) for text in (kept, written)]
    np.testing.assert_allclose(*values, rtol=1e-12, atol=1e-15)
