"""What the studio offers of a robot, and what it does with what it is not offered."""

import pytest
from browser.page_user import opened, play

import flexura as fx


def dropped():
    rubber = fx.Material(young=1e6, poisson=0.45, density=1100.0)
    return fx.Robot(
        "dropped",
        rods=[fx.Rod("rod", 0.2, fx.Circle(5e-3), rubber)],
        loads=[fx.Gravity()],
    )


def needle():
    nitinol = fx.materials.nitinol
    tubes = [
        fx.Rod("inner", 0.2, fx.Circle(4e-4), nitinol, rest=(0.0, 3.0, 0.0)),
        fx.Rod("outer", 0.1, fx.Tube(9e-4, 6e-4), nitinol),
    ]
    return fx.Robot(
        "needle",
        tubes=[fx.TubeSet("needle", tubes=tubes)],
        joints=[fx.Weld("world", "needle.base")],
    )


def test_a_robot_that_nothing_holds_is_shown_and_falls():
    with opened(dropped(), rods=fx.LinearStrain(2)) as user:
        finding = user.done().finding
        assert not finding.good
        assert "no way to the world" in finding.words
        assert "no equilibrium; unloaded, in grey" in user.studio.desk._told
        play(user)
        assert user.studio.desk._shown[0].pose("rod.tip")[2, 3] < -1e-3
        user.presses("Back to equilibria")
        assert not user.done().finding.good


def test_tubes_are_offered_what_takes_them():
    with opened(needle()) as user:
        assert user["Rods"].options == ("spline", "variable strain", "constant strain")
        assert user["Beside it"].options[1:] == user["Rods"].options
        assert user["Integrator"].options == ("generalized alpha", "implicit Euler")
        for name in user["Rods"].options:
            user.sets("Rods", name)
            assert user.done().finding.good


def test_a_robot_without_mass_is_not_played():
    light = fx.Material(young=210e9, poisson=0.3)
    rod = fx.Rod("rod", 0.3, fx.Circle(4e-4), light)
    robot = fx.Robot("light", rods=[rod], joints=[fx.Weld("world", "rod.base")])
    with opened(robot) as user:
        assert user["Play"].disabled
        assert user["Modes"].disabled
        assert any("has mass" in text for text in user.texts)
        assert user["Drag"].options == ("nothing",)


def test_what_is_offered_follows_the_robot(user, tmp_path):
    assert user["Drag"].options == ("nothing", "arm.tip")
    assert not user["Play"].disabled
    fx.save(needle(), tmp_path / "needle.toml")
    user.sets("Robot file", (tmp_path / "needle.toml").read_text())
    user.presses("Use this text")
    user.done()
    assert "Hermite" not in user["Rods"].options
    assert user["Drag"].options[0] == "nothing"


def test_steps_that_are_too_long_are_told(user):
    user.sets("left [N]", 1.0)
    user.sets("Begins", "unloaded, at rest")
    user.sets("Step [ms]", 10.0)
    user.sets("Speed", 4.0)
    play(user)
    assert any("take steps of" in text for text in user.texts)


def _listen(page):
    """Until it is told to go."""
    while True:
        page.recv(timeout=30.0)


@pytest.mark.parametrize("frame", [b"", b"\xff" * 10, b"\x81", b"\x80", "text"])
def test_a_frame_that_is_no_message_ends_its_connection_in_a_line(user, frame, caplog):
    from viser import __version__
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    protocols = [f"viser-v{__version__}"]
    page = connect(user.studio.url.replace("http", "ws"), subprotocols=protocols, max_size=None)
    page.send(frame)
    with pytest.raises(ConnectionClosed):
        _listen(page)
    assert page.close_code == 1007
    assert [record.exc_info for record in caplog.records] == [None]
    assert "a page of the studio was left" in caplog.text
