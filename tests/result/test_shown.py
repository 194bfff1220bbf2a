"""Results, models and robots introduce themselves in a few lines, and in notebooks."""

import base64
import builtins

import numpy as np
import pytest
from support import RUBBER

import flexura as fx
from flexura.view import notebook


def robot(rods=1):
    names = [f"arm{i}" for i in range(rods)]
    return fx.Robot(
        "soft <arm>",
        rods=[fx.Rod(name, 0.5, fx.Circle(0.02), RUBBER) for name in names],
        joints=[fx.Weld("world", f"{name}.base", name=f"wall{name}") for name in names],
        loads=[fx.Gravity(), fx.PointLoad("pull", "arm0.tip")],
        tendons=[fx.Tendon("left", "arm0", fx.Parallel(0.03, 0.0))],
    )


@pytest.fixture(scope="module")
def model():
    return fx.build(robot())


@pytest.fixture(scope="module")
def result(model):
    return fx.statics(model, {"left": 0.2}).unwrap()


@pytest.fixture(scope="module")
def many(model):
    return fx.statics_many(model, {"left": np.linspace(0.0, 0.3, 12)})


@pytest.fixture(scope="module")
def path(model):
    return fx.continuation(model, "left", 0.2, inputs={"left": 0.0})


@pytest.mark.parametrize("what", ["model", "result", "many", "path"])
def test_a_few_lines(what, request):
    """The repr too: it is what a prompt and a notebook without pictures show."""
    text = repr(request.getfixturevalue(what))
    assert text == str(request.getfixturevalue(what))
    assert len(text.splitlines()) <= 8
    assert max(map(len, text.splitlines())) < 200
    assert "'soft <arm>'" in text
    assert "array(" not in text


def test_results_tell_their_accuracy(model, result):
    """In a prompt, in a notebook, and in a table of their own."""
    told = f"{result.accuracy:.1e} m"
    assert told in repr(result)
    assert told in result._repr_html_()
    table = result.table()
    assert table["accuracy"] == [result.accuracy]
    assert table["status"] == [str(result.status)]
    assert all(column.shape == (1,) for column in table.values())
    failed = fx.statics(model, {"pull": (0, 0, 0, 1e9, 1e9, 0)}, iterations=1)
    assert not failed.converged
    assert "accuracy" not in repr(failed)
    assert np.isnan(failed.table()["accuracy"]).all()


def test_states_and_inputs_are_short_too(result):
    for part in (result.state, result.evaluation, result.given, result.model.layout):
        assert len(repr(part)) < 700
        assert "array(" not in repr(part)


def test_a_robot_of_many_rods_is_no_longer():
    text = repr(robot(40))
    assert len(text.splitlines()) == 5
    assert "arm0 (0.5 m), arm1 (0.5 m)" in text
    assert "... (40)" in text
    assert len(repr(fx.build(robot(40)))) < 400


def test_what_a_result_says(result):
    x, y, z = result.pose("arm0.tip")[:3, 3]
    text = str(result)
    assert text.startswith("StaticResult of 'soft <arm>': converged:")
    assert f"{result.iterations} iterations" in text
    assert f"{result.energy:.6g} J\n" in text
    assert "stable     yes" in text
    assert "left = 0.2" in text
    assert f"arm0.tip ({x:.4g}, {y:.4g}, {z:.4g}) m" in text


def test_a_failed_solve_says_why(model):
    failed = fx.statics(model, iterations=1)
    assert "not converged" in repr(failed)
    short = fx.StaticResults((failed,))
    assert "0 of 1 solves converged" in repr(short)
    assert "the first is number 0: not converged" in repr(short)


def test_nothing_is_short():
    assert repr(fx.StaticResults(())) == "StaticResults of no robot: 0 of 0 solves converged"


@pytest.mark.parametrize("what", ["model", "result"])
def test_notebooks_show_a_table_and_a_picture(what, request):
    pytest.importorskip("pyvista")
    html = request.getfixturevalue(what)._repr_html_()
    assert "soft &lt;arm&gt;" in html
    assert "<table" in html
    content = html.split("base64,")[1].split('"')[0]
    assert base64.b64decode(content).startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize("what", ["many", "path"])
def test_notebooks_show_many_results_as_rows(what, request):
    results = request.getfixturevalue(what)
    html = results._repr_html_()
    assert "<th>left.tension</th>" in html
    assert html.count("<tr>") > min(len(results), 10)
    assert f"and {len(results) - 10} more" in html or len(results) <= 10


def test_without_the_extra_there_is_no_picture(result, monkeypatch):
    original = builtins.__import__

    def without(name, *args, **kwargs):
        if name.split(".")[0] in ("pyvista", "matplotlib") or name == "flexura.view.notebook":
            raise ImportError(name=name)
        return original(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    html = result._repr_html_()
    assert "<table" in html
    assert "<img" not in html


def test_graphics_that_fail_leave_the_table(result, monkeypatch):
    def fail(_):
        raise RuntimeError("no <GL> here")

    monkeypatch.setattr(notebook, "png", fail)
    html = result._repr_html_()
    assert "<table" in html
    assert "no picture: no &lt;GL&gt; here" in html
