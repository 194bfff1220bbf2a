"""What pictures say of results that are not stable equilibria."""

import numpy as np
import pytest
from view.view_robots import arm, chain, solved

import flexura as fx
from flexura import Status, view
from flexura.view import scene
from flexura.view.heading import remark_lines, room_at_top
from flexura.view.remark import listed, remark_of


@pytest.fixture(scope="module")
def column():
    """Straight under twice Euler's load: an equilibrium, but not a stable one."""
    rod = fx.Rod("column", 1.0, fx.Circle(0.01), fx.Material(young=210e9, poisson=0.3))
    euler = np.pi**2 / 4.0 * rod.stiffness(0.0)[1]
    load = fx.PointLoad("top", "column.tip", force=(-2.0 * euler, 0.0, 0.0))
    robot = fx.Robot("column", [rod], [fx.Weld("world", "column.base")], [load])
    return fx.statics(fx.build(robot), seek_stable=False)


def test_an_unstable_equilibrium_is_called_so(column):
    assert column.status is Status.CONVERGED
    assert column.stable is False
    found = scene(column)
    assert found.remark == "unstable equilibrium"
    assert found.converged
    assert not found.stable
    assert scene(solved(arm)).stable
    assert view.profiles(column).get_suptitle() == "column: unstable equilibrium"


@pytest.mark.parametrize("color", ["bending", "torsion", "moment", "moment_y"])
def test_what_vanishes_in_a_straight_rod_has_a_scale(column, color):
    assert scene(column, color).scale.limits[1] == 1.0


def test_what_does_not_vanish_there_keeps_its_scale(column):
    force = np.abs(column.inputs["top"]).max()
    assert scene(column, "force_x").scale.limits[1] == pytest.approx(force, rel=1e-6)
    stretch = force / column.model.robot.rods[0].stiffness(0.0)[3]
    for color in ("stretch", "shear"):  # shear vanishes: it is shown in the range of both
        assert scene(column, color).scale.limits[1] == pytest.approx(stretch, rel=1e-6)


def test_a_failed_solve_is_told_without_advice():
    failed = fx.statics(fx.build(arm()), iterations=1)
    assert failed.status is Status.EXHAUSTED
    assert remark_of(failed) == "not converged: the iterations ran out"


def test_of_several_each_remark_says_whom_it_is_about(column):
    failed = fx.statics(fx.build(arm()), iterations=1)
    both = scene([solved(arm), failed, column])
    assert both.remark.split("\n") == [
        "result 2: not converged: the iterations ran out",
        "result 3: unstable equilibrium",
    ]
    named = scene([solved(arm), failed], names=["before", "after"])
    assert named.remark == "after: not converged: the iterations ran out"
    assert scene([column, chain()]).remark == "column: unstable equilibrium\nchain: unloaded"
    assert scene([arm(), chain()]).remark == "unloaded"
    assert scene([solved(arm), solved(chain)]).remark == ""


def test_remarks_about_many_are_short():
    text = listed(["unstable"] * 40 + [""], [f"result {i}" for i in range(1, 42)])
    assert text == "result 1, result 2, result 3, result 4, result 5, ... (40): unstable"


def test_the_picture_has_room_for_the_remark(column):
    size = (1600.0, 1000.0)
    failed = fx.statics(fx.build(arm()), iterations=1)
    long = scene([solved(arm), column, failed], names=["a " * 60, "b " * 60, "c " * 60])
    lines = remark_lines(long, size[0])
    assert len(lines) > 2
    assert room_at_top(long, size) > room_at_top(scene(solved(arm)), size) + 0.02 * len(lines)
