"""Diagrams of paths of equilibria."""

import numpy as np
import pytest
from support import rod_of

import flexura as fx
from flexura import view

FORCE = 20.0


@pytest.fixture(scope="module")
def column():
    """A column under a force beyond its critical one, and its buckled branch."""
    robot = fx.Robot(
        "column",
        rods=[rod_of(GJ=1.0)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.PointLoad("force", at="rod.tip")],
    )
    model = fx.build(robot, rods=fx.Spline(3, 6))
    straight = fx.continuation(model, "force", (0, 0, 0, -FORCE, 0, 0)).unwrap()
    mark = straight.bifurcations[0]
    bent = fx.continuation(model, "force", (0, 0, 0, -FORCE, 0, 0), start=mark, steps=12)
    return straight, bent


def sideways(result):
    return float(np.linalg.norm(result.pose("rod.tip")[1:3, 3]))


def test_lines_are_the_paths(column):
    straight, bent = column
    axes = view.diagram([straight, bent], sideways, label="sideways [m]").axes[0]
    lines = [line for line in axes.lines if line.get_linestyle() != "None"]
    drawn = np.unique(np.concatenate([line.get_xydata() for line in lines]), axis=0)
    expected = [(sideways(result), result.inputs["force"][3]) for path in column for result in path]
    np.testing.assert_allclose(drawn, np.unique(expected, axis=0), atol=1e-12)
    assert axes.get_xlabel() == "sideways [m]"
    assert axes.get_ylabel() == "force: force x [N]"


def test_stability_and_marks_are_shown(column):
    straight, _ = column
    axes = view.diagram(straight, sideways).axes[0]
    styles = {line.get_linestyle(): line.get_xydata() for line in axes.lines}
    critical = -0.25 * np.pi**2
    assert styles["-"][:, 1].min() > critical > styles["--"][-1, 1]
    (mark,) = (line for line in axes.lines if line.get_marker() == "X")
    np.testing.assert_allclose(mark.get_ydata()[0], critical, rtol=1e-3)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["bifurcation"]


def test_bad_arguments(column, tmp_path):
    straight, _ = column
    for wrong in (None, [], straight.results, [straight, "x"]):
        with pytest.raises(fx.ModelError, match="diagram shows EquilibriumPaths"):
            view.diagram(wrong, sideways)
    with pytest.raises(fx.FlexuraError, match="a plot"):
        view.diagram(straight, sideways, tmp_path / "path.txt")
    view.diagram(straight, sideways, tmp_path / "path.png")
    assert (tmp_path / "path.png").stat().st_size > 1000
