"""Plots of motions over time."""

import numpy as np
import pytest
from view.view_motions import arm, spaghetto, waving

import flexura as fx
from flexura import view
from flexura.errors import FileError, ModelError, UnknownName


def lines(axes):
    return {line.get_label(): line.get_xydata() for line in axes.lines}


def test_positions_and_velocities_are_those_of_the_motion():
    motion = arm()
    place, speed = view.plot(motion, ["position", "velocity"]).axes
    for i, axis in enumerate("xyz"):
        expected = np.column_stack([motion.t, motion.pose("arm.tip")[:, i, 3]])
        np.testing.assert_array_equal(lines(place)[axis], expected)
    v = np.array([i.pose("arm.tip")[:3, :3] @ i.velocity("arm.tip")[3:] for i in motion])
    found = np.array([lines(speed)[axis][:, 1] for axis in "xyz"]).T
    np.testing.assert_allclose(found, v, rtol=1e-12, atol=1e-15)
    assert place.get_ylabel() == "arm.tip [m]"
    assert place.get_xlabel() == "time [s]"


def test_energies_add_up_and_tensions_are_shown():
    motion = arm()
    energy, tension = view.plot(motion, ["energy", "tension"]).axes
    found = {name: xy[:, 1] for name, xy in lines(energy).items()}
    assert set(found) == {"kinetic", "elastic", "Δ gravity", "dissipated", "work", "Δ balance"}
    gained = found["kinetic"] + found["elastic"] + found["Δ gravity"] + found["dissipated"]
    np.testing.assert_allclose(found["Δ balance"], gained - gained[0] - found["work"], atol=1e-15)
    assert np.abs(found["Δ balance"]).max() <= 0.01 * np.abs(found["work"]).max()  # of the step
    gravity = found["Δ gravity"]
    heights = motion.pose("arm", np.linspace(0.0, 0.3, 401))[..., 2, 3]
    mass = 0.3 * np.pi * 0.01**2 * 1000.0
    weight = 9.81 * mass * np.trapezoid(heights, dx=1.0 / 400, axis=1)
    np.testing.assert_allclose(gravity, weight, rtol=1e-4, atol=1e-6)  # the rod stretches
    np.testing.assert_allclose(lines(tension)["up"][:, 1], 10.0 * motion.t, rtol=1e-12)


def test_paths_are_seen_along_the_axes():
    motion = spaghetto()
    panels = view.plot(motion, "path", frames=["rod.base", "stone"]).axes
    assert len(panels) == 3
    way = motion.pose("stone")[:, :3, 3]
    for axes, (i, j) in zip(panels, ((0, 2), (0, 1), (1, 2)), strict=True):
        np.testing.assert_array_equal(lines(axes)["stone"], way[:, [i, j]])
        low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
        assert (low <= way[:, [i, j]].min(axis=0)).all()
        assert (high >= way[:, [i, j]].max(axis=0)).all()


def test_functions_of_an_instant():
    motion = waving()
    one, several = view.plot(
        motion, [lambda i: i.torque("shoulder"), lambda i: i.reaction("shoulder")], label="hold"
    ).axes
    (line,) = one.lines
    np.testing.assert_array_equal(line.get_ydata(), motion.torque("shoulder"))
    assert one.get_ylabel() == "hold"
    assert len(several.lines) == 6
    (named,) = view.plot(motion, lambda i: {"a": i.t, "b": 2.0 * i.t}).axes
    np.testing.assert_array_equal(lines(named)["b"][:, 1], 2.0 * motion.t)


def test_what_lies_presses_with_its_weight():
    """Beside what is thrown on the floor and stays there."""
    parts = [fx.Body(x, 0.1, (1e-5,) * 3, shape=fx.Sphere(0.01)) for x in ("left", "right")]
    robot = fx.Robot(
        "balls",
        bodies=parts,
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("floor", fx.Plane())],
        contacts=[fx.Contact("left", "floor"), fx.Contact("floor", "right")],
    )
    place = {"left": fx.lie.se3.pose((0, 0, 0.01)), "right": fx.lie.se3.pose((1, 0, 0.02))}
    motion = fx.simulate(fx.build(robot), 0.1, 0.01, place=place).unwrap()
    (axes,) = view.plot(motion, "pressing").axes
    found = {name: xy[:, 1] for name, xy in lines(axes).items()}
    assert set(found) == {"left on floor", "floor on right"}
    np.testing.assert_allclose(found["left on floor"][1:], 0.981, rtol=1e-9)
    assert found["floor on right"].max() > 0.981
    with pytest.raises(ModelError, match="has no contacts"):
        view.plot(arm(), "pressing")


def test_without_a_choice_there_is_what_the_robot_has(tmp_path):
    view.plot(arm(), path=tmp_path / "arm.png")
    assert (tmp_path / "arm.png").stat().st_size > 10_000
    labels = [axes.get_ylabel() for axes in view.plot(arm()).axes]
    assert labels == ["arm.tip [m]", "energy [J]", "tension [N]"]
    labels = [axes.get_ylabel() for axes in view.plot(spaghetto()).axes]
    assert labels == ["rod.tip [m]", "stone [m]", "energy [J]"]


def test_cut_steps_are_marked_and_failures_are_told():
    motion = arm()
    cut = fx.Motion(motion.results, fx.MotionStatus.LOST, 0.01, (0.05, 0.11))
    figure = view.plot(cut, "energy")
    marks = {line.get_xdata()[0] for line in figure.axes[0].lines if line.get_linestyle() == ":"}
    assert marks == {0.05, 0.11}
    assert "failed: a step in time was not found" in figure.get_suptitle()


def test_what_makes_no_sense(tmp_path):
    motion = arm()
    for wrong in (None, motion[0], [motion]):
        with pytest.raises(ModelError, match="plot shows a Motion"):
            view.plot(wrong)
    with pytest.raises(ModelError, match="empty"):
        view.plot(motion[:0])
    with pytest.raises(
        UnknownName, match=r"no quantity of a motion 'energi'.*Did you mean 'energy'"
    ):
        view.plot(motion, "energi")
    with pytest.raises(ModelError, match="plot takes a name"):
        view.plot(motion, 3)
    with pytest.raises(UnknownName, match=r"arm\.tip"):
        view.plot(motion, "position", frames="arm.tpi")
    with pytest.raises(ModelError, match="has no tendons"):
        view.plot(spaghetto(), "tension")
    with pytest.raises(ModelError, match="a number or a few, got 'much' at t = 0 s"):
        view.plot(motion, lambda i: "much")
    with pytest.raises(ModelError, match="the same numbers"):
        view.plot(motion, lambda i: [1.0] * (1 + (i.t > 0.1)))
    with pytest.raises(FileError, match="a plot is written as"):
        view.plot(motion, "energy", tmp_path / "a.txt")
