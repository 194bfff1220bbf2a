"""What panels make of events, in the order in which these come; without a browser."""

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest
from browser.page_user import arm, opened, play

import flexura as fx
from flexura.browser.guard import welcome
from flexura.browser.panels.play import measure_of

EXAMPLES = Path(__file__).parents[2] / "examples"


def block():
    soft = fx.Material(young=1e5, poisson=0.45, density=1070.0)
    return fx.Robot(
        "block",
        volumes=[fx.Volume("block", str(EXAMPLES / "meshes" / "block.msh"), soft)],
        joints=[fx.Clamp("world", fx.Nodes("block", surface="base"))],
        loads=[fx.Gravity(), fx.Pressure("air", "block", "chamber")],
    )


def value(user, name):
    return float(user.studio.desk.study.inputs[name])


def test_a_description_is_not_lost_behind_a_slider(user):
    with user.busy():
        user.sets("Rods", "Hermite")
        user.sets("left [N]", 0.5)
    assert "Hermite" in str(user.done().model.rods["arm"])
    assert value(user, "left") == pytest.approx(0.5)


def test_a_slider_that_moved_before_another_description_counts(user):
    with user.busy():
        user.sets("left [N]", 0.5)
        user.sets("Rods", "Hermite")
    user.done()
    assert value(user, "left") == pytest.approx(0.5)
    assert user["left [N]"].value == pytest.approx(0.5)


def test_each_button_is_heard(tmp_path):
    """A text that is saved and one that is used after it: the file has the first."""
    file = tmp_path / "arm.toml"
    fx.save(arm(), file)
    with opened(file, rods=fx.LinearStrain(4)) as user:
        saved = user["Robot file"].value.replace("0.3", "0.31", 1)
        with user.busy():
            user.sets("Robot file", saved)
            user.presses("Save")
            user.presses("Use this text")
        user.done()
        assert file.read_text() == saved


def test_a_slider_stays_where_the_user_has_moved_it(user):
    """A solve that ends is older than the slider, if that has moved on."""
    after = []
    on_finding = user.studio.desk.on_finding
    on_finding.insert(0, lambda _: after or user.sets("left [N]", 1.0))
    on_finding.append(lambda _: after.append(user["left [N]"].value))
    user.sets("left [N]", 0.5)
    user.done()
    assert after == [1.0, 1.0]
    assert value(user, "left") == pytest.approx(1.0)


def test_sliders_follow_what_something_else_moves(user):
    user.sets("left [N]", 0.5)
    user.presses("Described values")
    user.done()
    assert value(user, "left") == user["left [N]"].value == 0.0


def test_dragging_stays_within_the_ranges_of_sliders():
    """Where the arm is bent already, knobs made anew would have other ranges."""
    with opened(fx.build(arm(), fx.LinearStrain(4)), bounds={"right": (0.0, 0.4)}) as user:
        user.sets("left [N]", 0.8)
        desk = user.done() and user.studio.desk
        user.sets("Drag", "arm.tip")
        user.done()
        desk.worker.do(lambda: desk.reach({"arm.tip": np.array([0.0, 0.0, -0.25])}))
        user.done()
        for name in ("left", "right"):
            slider = user[f"{name} [N]"]
            assert slider.min <= value(user, name) <= slider.max
            assert slider.value == pytest.approx(value(user, name), abs=2 * slider.step)
        assert user["right [N]"].max == 0.4
        user.sets("Input", "right [N]")
        user.done()
        assert user["To"].value == 0.4


def test_a_draft_stays(user):
    draft = user["Robot file"].value.replace("0.3", "0.35", 1)
    user.sets("Robot file", draft)
    user.sets("Rods", "Hermite")
    user.done()
    assert user["Robot file"].value == draft


def test_each_rod_keeps_its_description():
    model = fx.build(
        fx.load(EXAMPLES / "chain.toml"),
        {"boom": fx.LinearStrain(4), "ribbon": fx.Spline(3, 8), "tail": fx.Spline(3, 9)},
    )
    with opened(model) as user:
        user.sets("Robot file", user["Robot file"].value.replace("length = 0.4", "length = 0.41"))
        user.presses("Use this text")
        study = user.done()
        assert study.model.robot.rods[0].length == 0.41
        assert study.model.rods == model.rods


def test_a_paused_motion_stays_when_something_else_is_to_be_seen(user):
    desk = user.studio.desk
    user.sets("Begins", "unloaded, at rest")
    play(user)
    instant = desk._shown[0]
    assert isinstance(instant, fx.Instant)
    user.sets("Tendons", False)
    user.done()
    assert desk._shown[0] is instant
    user.presses("Back to equilibria")
    user.done()
    assert desk._shown[0] is desk.study.finding.shown


def test_a_motion_is_kept_with_its_own_step(user, monkeypatch):
    kept = []
    monkeypatch.setattr(
        "flexura.browser.panels.play.animated", lambda motion, *_: kept.append(motion) or b"film"
    )
    play(user)
    user.sets("Step [ms]", 50.0)
    user.presses("Keep as a page (HTML)")
    user.done()
    (motion,) = kept
    assert motion.step == pytest.approx(2e-3)
    np.testing.assert_allclose(np.diff(motion.t), 2e-3)
    assert user.client.files == {"motion.html": b"film"}


def test_what_is_plotted_is_what_it_is_called(user):
    user.sets("left [N]", 0.5)
    play(user)
    instant = user.studio.desk._shown[0]
    found = {what: measure_of(what)(instant) for what in user["Plot"].options}
    assert found["elastic energy"] == pytest.approx(instant.evaluation.energy)
    assert found["arm.tip z"] == instant.pose("arm.tip")[2, 3]
    assert found["tension left"] == pytest.approx(0.5)
    parts = ("elastic energy", "kinetic energy", "energy of gravity")
    assert found["energy"] == pytest.approx(sum(found[what] for what in parts))


def test_the_end_of_a_motion_is_told(user, monkeypatch):
    monkeypatch.setattr("flexura.browser.panels.play.MOST", 3)
    user.presses("Play")
    user.done()
    assert any("3 instants are kept" in text for text in user.texts)


def test_no_mesh_file_can_be_read_through_it(user, tmp_path):
    secret = tmp_path / "secret.msh"
    secret.write_text("none of your business")
    user.sets(
        "Robot file", f'name = "x"\n[[volumes]]\nname = "v"\nmesh = {json.dumps(str(secret))}\n'
    )
    user.presses("Use this text")
    assert user.done().model.robot.name == "arm"
    assert any("not one of the robot that was opened" in text for text in user.texts)


@pytest.mark.parametrize("host", ["nonsense.invalid", "203.0.113.7"])
def test_a_host_that_is_not_here(host):
    with pytest.raises(fx.ModelError, match=f"cannot be served on '{host}'"):
        fx.studio(fx.build(arm(), fx.LinearStrain(4)), host=host, show=False)


def test_the_other_loopback():
    with opened(fx.build(arm(), fx.LinearStrain(4)), host="::1") as user:
        assert user.studio.url.startswith("http://[::1]:")


def test_others_on_the_network_are_warned_of(recwarn):
    model = fx.build(arm(), fx.LinearStrain(4))
    with pytest.warns(UserWarning, match="whoever reaches that address"):
        studio = fx.studio(model, host="0.0.0.0", show=False)
    studio.close()


def test_nothing_else_is_silenced(capsys):
    with opened(fx.build(arm(), fx.LinearStrain(4))):
        print("heard")
    assert capsys.readouterr().out == "heard\n"


def test_the_slider_of_a_pressure_moves_a_volume():
    """Its ends are below a third of the modulus, where rubber still holds, and do something."""
    with opened(block()) as user:
        slider = user["air [Pa]"]
        assert 1e4 <= slider.max == -slider.min < 1e5 / 3.0
        rest = user.done().finding.shown.points("block")
        user.sets("air [Pa]", slider.max)
        finding = user.done().finding
        assert finding.good
        moved = np.linalg.norm(finding.shown.points("block") - rest, axis=1).max()
        assert moved > 0.01 * finding.shown.model.length


def test_a_volume_is_offered_what_it_has():
    with opened(block()) as user:
        assert user["Colour"].value == "von_mises"
        assert not any(user[label].visible for label in ("Rods", "Pieces", "Beside it"))


def test_units_are_written_at_sliders():
    with opened(fx.load(EXAMPLES / "held_rod.toml")) as user:
        labels = [knob.label for knob in user.studio.desk.knobs]
        assert {"grip x [m]", "grip rx [rad]"} <= set(labels)
        assert all(label.endswith("]") for label in labels)


def test_a_range_grows_with_what_is_typed(user):
    slider = user["left [N]"]
    far = 1.5 * slider.max
    user.sets("left [N]", far)
    user.done()
    assert value(user, "left") == slider.value == slider.max == far
    user.sets("right [N]", 0.1)
    user.done()
    assert value(user, "left") == far


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -1.0])
def test_what_an_input_cannot_be_is_taken_back(user, wrong):
    user.sets("left [N]", 0.5)
    user.sets("left [N]", wrong)
    user.sets("right [N]", 0.1)
    user.done()
    assert user["left [N]"].value == value(user, "left") == 0.5
    assert value(user, "right") == 0.1


def test_bounds_that_were_given_hold():
    with opened(fx.build(arm(), fx.LinearStrain(4)), bounds={"left": (0.0, 0.4)}) as user:
        user.sets("left [N]", 0.6)
        user.done()
        assert user["left [N]"].value == value(user, "left") == 0.0


@pytest.mark.parametrize(
    ("label", "wrong"),
    [
        ("Colour", "nonsense"), ("Drag", "nonsense"), ("Rods", "nonsense"), ("Pieces", 100_000),
        ("Its pieces", float("nan")), ("Integrator", "nonsense"), ("Step [ms]", float("nan")),
        ("To", float("nan")), ("Speed", 1e9),
    ],
)  # fmt: skip
def test_what_is_not_offered_is_taken_back(user, label, wrong):
    before, study = user[label].value, user.done()
    user.sets(label, wrong)
    assert user.done() is study
    assert user[label].value == before


def test_inputs_that_are_refused_are_told(user):
    study, desk = user.done(), user.studio.desk
    desk.worker.do(lambda: desk.turn({**study.inputs, "left": -1.0}))
    user.done()
    assert not study.finding.good
    assert "not solved; the last equilibrium stays, in grey" in desk._told
    user.sets("left [N]", 0.5)
    user.done()
    assert study.finding.good


def test_words_of_a_file_are_no_markup(user):
    evil = "<iframe srcdoc='<script>parent.PWNED=1</script>'></iframe>"
    user.sets("Robot file", f'name = "x"\n"a\\n```\\n\\n{evil}\\n\\n```" = 1\n')
    user.presses("Use this text")
    user.done()
    assert any("iframe" in text for text in user.texts)
    assert not any("<iframe" in text for text in user.texts)


@pytest.mark.parametrize(
    ("origin", "served"),
    [
        (None, True), ("http://127.0.0.1:{}", True), ("http://evil.example", False),
        ("http://evil.example:{}", False), ("null", False), ("http://localhost:1", False),
    ],
)  # fmt: skip
def test_pages_of_others_are_refused(user, origin, served):
    from viser import __version__
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    port = user.studio.url.rsplit(":", 1)[1]
    options = {"origin": origin and origin.format(port), "subprotocols": [f"viser-v{__version__}"]}
    with contextlib.nullcontext() if served else pytest.raises(InvalidStatus, match="403"):
        connect(user.studio.url.replace("http", "ws"), **options).close()


def test_a_name_that_leads_here_is_none_of_ours():
    """Another's name for this machine: page and request agree, and are refused."""
    assert not welcome("http://evil.example:8080", "evil.example:8080", near=True)
    assert welcome("http://robots.example:8080", "robots.example:8080", near=False)
    assert welcome("http://localhost:9000", "localhost:9000", near=True)
