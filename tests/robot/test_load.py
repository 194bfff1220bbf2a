import numpy as np
import pytest
from support import refused

from flexura.robot import At, Gravity, LineLoad, PointLoad, Pulley


def test_defaults():
    assert Gravity() == Gravity(acceleration=[0, 0, -9.81], name="gravity")
    assert PointLoad("p", "r.tip").wrench == (0.0,) * 6


def test_wrenches_are_moment_then_force():
    assert PointLoad("p", "r.tip", force=(1, 2, 3), moment=(4, 5, 6)).wrench == (4, 5, 6, 1, 2, 3)
    assert LineLoad("l", "r", force=(1, 2, 3), moment=(4, 5, 6)).wrench == (4, 5, 6, 1, 2, 3)


def test_equal_loads_have_equal_hashes():
    first = PointLoad("p", At("r", 1), np.array([0, 0, 1]), follower=np.True_)
    second = PointLoad("p", At("r", 1.0), [0.0, 0.0, 1.0], follower=True)
    assert first == second
    assert hash(first) == hash(second)


def test_pulley():
    pulley = Pulley("w", At("r", 0.5), point=[0, 0, 1], force=2)
    assert pulley == Pulley("w", At("r", 0.5), (0.0, 0.0, 1.0), np.float64(2.0))
    assert pulley.jumps == (("r", 0.5),)
    assert Pulley("w", "plate", (0, 0, 1), 0).jumps == ()


@pytest.mark.parametrize(
    ("cls", "arguments", "words"),
    [
        (Gravity, {"acceleration": 9.81}, ["Gravity", "acceleration", "3 finite", "9.81"]),
        (Gravity, {"acceleration": (0, 0, None)}, ["acceleration[2]", "None"]),
        (Gravity, {"name": 1}, ["name", "1"]),
        (PointLoad, {"name": "", "at": "r.tip"}, ["PointLoad", "name", "''"]),
        (PointLoad, {"name": "p", "at": 0.1}, ["PointLoad 'p'", "at", "0.1", "backbone.tip"]),
        (PointLoad, {"name": "p", "at": "world"}, ["at", "'world'", "does not move"]),
        (PointLoad, {"name": "p", "at": "r.tip", "force": (1, 2)}, ["force", "3 finite", "(1, 2)"]),
        (PointLoad, {"name": "p", "at": "r.tip", "force": "abc"}, ["force", "'abc'"]),
        (PointLoad, {"name": "p", "at": "r.tip", "moment": (0, 0, np.nan)}, ["moment[2]", "nan"]),
        (PointLoad, {"name": "p", "at": "r.tip", "follower": 1}, ["follower", "True or False"]),
        (Pulley, {"name": 1, "at": "r.tip"}, ["Pulley: name", "1"]),
        (Pulley, {"name": "w", "at": None}, ["Pulley 'w': at", "None"]),
        (Pulley, {"name": "w", "at": "world"}, ["Pulley 'w': at", "does not move"]),
        (Pulley, {"name": "w", "at": "r.tip", "point": 1}, ["point", "3 finite numbers"]),
        (Pulley, {"name": "w", "at": "r.tip", "force": -1}, ["Pulley 'w': force", ">= 0", "-1"]),
        (Pulley, {"name": "w", "at": "r.tip", "force": (0, 0, 1)}, ["force", "plain number"]),
        (LineLoad, {"name": "l", "rod": None}, ["LineLoad 'l'", "rod", "None"]),
        (LineLoad, {"name": "l", "rod": "r", "start": -1}, ["start", ">= 0", "-1"]),
        (LineLoad, {"name": "l", "rod": "r", "end": 0}, ["end", "> 0", "0"]),
        (LineLoad, {"name": "l", "rod": "r", "start": 2, "end": 1}, ["end", "start = 2.0", "1.0"]),
    ],
)
def test_bad_values_are_named(cls, arguments, words):
    if cls is Pulley:
        arguments = {"point": (0, 0, 1), "force": 1.0} | arguments
    with refused(words):
        cls(**arguments)
