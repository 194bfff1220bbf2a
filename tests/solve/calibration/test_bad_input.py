"""Calibrations say what they do not understand."""

import numpy as np
import pytest
from measuring import RODS, arm, seen
from support import refused

import flexura as fx

TIP = {"arm.tip": (0.3, 0.0, 0.0)}
YOUNG = ["arm.material.young"]


@pytest.fixture(scope="module")
def model():
    return fx.build(arm(), RODS)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["nothing was measured"], {}),
        (["positions['arm.tip']", "three numbers"], {"positions": {"arm.tip": (0.0, 1.0)}}),
        (["positions['arm.tip']"], {"positions": {"arm.tip": (np.nan,) * 3}}),
        (["positions['arm.tip']"], {"positions": {"arm.tip": "here"}}),
        (["positions", "a dict"], {"positions": (0.0, 0.0, 0.0)}),
        (["positions", "name of a frame"], {"positions": {3: (0.0, 0.0, 0.0)}}),
        (["poses['arm.tip']", "rotation"], {"poses": {"arm.tip": np.diag([2.0, 1, 1, 1])}}),
        (["poses['arm.tip']", "4x4"], {"poses": {"arm.tip": np.eye(3)}}),
        (["lengths['left']", "finite"], {"lengths": {"left": np.inf}}),
        (["sigma", "> 0"], {"positions": TIP, "sigma": 0.0}),
        (["sigma", "'rotation'"], {"poses": {"arm.tip": np.eye(4)}, "sigma": 1e-3}),
        (["kind of measurement", "'place'"], {"positions": TIP, "sigma": {"place": 1e-3}}),
        (["inputs['left']", "'much'"], {"positions": TIP, "inputs": {"left": "much"}}),
    ],
)
def test_observations_that_make_no_sense(words, options):
    with refused(["Observation" if "kind" not in words[0] else "sigma", *words]):
        fx.Observation(**options)


@pytest.mark.parametrize(
    ("words", "observation"),
    [
        (["observation 0", "frame", "'arm.top'", "arm.tip"], {"positions": {"arm.top": (0, 0, 0)}}),
        (["frame 'arm'", "Did you mean 'arm.tip'?"], {"positions": {"arm": (0, 0, 0)}}),
        (["'leg'", "arm"], {"positions": {fx.At("leg", 0.1): (0, 0, 0)}}),
        (["in [0, 0.3] m"], {"positions": {fx.At("arm", 0.4): (0, 0, 0)}}),
        (["tendon", "'lft'", "left"], {"lengths": {"lft": 0.3}}),
        (["input", "'lft'", "left"], {"positions": TIP, "inputs": {"lft": 1.0}}),
        (["'left'", ">= 0"], {"positions": TIP, "inputs": {"left": -1.0}}),
    ],
)
def test_observations_of_another_robot(words, observation, model):
    with refused(["calibrate", *words]):
        fx.calibrate(model, [fx.Observation(**observation)], YOUNG)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["nothing is unknown"], {}),
        (
            ["parameter", "'arm.material.yong'", "arm.material.young"],
            {"parameters": ["arm.material.yong"]},
        ),
        (["'arm.name'", "no number"], {"parameters": ["arm.name"]}),
        (["parameters=", "list of names"], {"parameters": "arm.material.young"}),
        (["names 'arm.length' twice"], {"parameters": ["arm.length", "arm.length"]}),
        (["parameters= takes names", "['a']"], {"parameters": [["a"]]}),
        (["offsets= names 'left' twice"], {"offsets": [("left", "left")]}),
        (["first guess of 'arm.length'", "'long'"], {"parameters": {"arm.length": "long"}}),
        (["input", "'pul'", "pull"], {"inputs": ["pul"]}),
        (["input", "'pull.gz'", "pull.fz"], {"inputs": ["pull.gz"]}),
        (["'up' is unknown", "observation 0 gives it", "offsets="], {"inputs": ["up"]}),
        (["'pull.fx'", "twice"], {"inputs": ["pull.force", "pull.fx"]}),
        (["'pull.fx[0]'", "twice"], {"inputs": ["pull.fx"], "each": ["pull.force"]}),
        (["offsets=", "'pull'", "single numbers"], {"offsets": ["pull"]}),
        (["offsets=", "list"], {"offsets": "left"}),
        (["registration=", "'turn'"], {"registration": "turn"}),
        (["bounds=", "pairs"], {"parameters": YOUNG, "bounds": 3}),
        (
            ["bounds of 'arm.material.young'", "(2, 1)"],
            {"parameters": YOUNG, "bounds": {YOUNG[0]: (2, 1)}},
        ),
        (["unknown to bound", "'left'"], {"parameters": YOUNG, "bounds": {"left": (0, 1)}}),
        (
            ["first guess 1e+06", "not within"],
            {"parameters": YOUNG, "bounds": {YOUNG[0]: (2e6, 3e6)}},
        ),
        (["'base' is a pose"], {"inputs": ["base"], "bounds": {"base": (0, 1)}}),
        (
            ["8 numbers are unknown and 3 were measured"],
            {"inputs": ["pull"], "offsets": ["left", "up"]},
        ),
        (["rods= belongs to a function"], {"parameters": YOUNG, "rods": RODS}),
        (["iterations", "whole number"], {"parameters": YOUNG, "iterations": 0}),
    ],
)
def test_unknowns_that_make_no_sense(words, options, model):
    observations = [fx.Observation({"left": 1.0, "up": 1e-3}, TIP)]
    with refused(words):
        fx.calibrate(model, observations, **options)


def test_no_observations(model):
    with refused(["at least one Observation", "[]"]):
        fx.calibrate(model, [], YOUNG)
    with refused(["observation 0 must be an Observation"]):
        fx.calibrate(model, [{"arm.tip": (0, 0, 0)}], YOUNG)


def test_functions_that_describe_no_robot():
    observations = [fx.Observation({}, TIP)]
    with refused(["Model that build returns", "Robot"]):
        fx.calibrate(arm(), observations, YOUNG)
    with refused(["first guesses", "'young'"]):
        fx.calibrate(arm, observations, ["young"])
    with refused(["other arguments", "yung"]):
        fx.calibrate(arm, observations, {"yung": 1e6})
    with refused(["must return a Robot", "float"]):
        fx.calibrate(lambda young: young, observations, {"young": 1e6})


def test_sigma_is_given_to_all_or_none(model):
    observations = [fx.Observation({}, TIP, sigma=1e-3), fx.Observation({}, TIP)]
    with refused(["observation 1 has no sigma"]):
        fx.calibrate(model, observations, YOUNG)


def test_observations_with_unknowns_of_their_own_have_no_check(model):
    observations = seen(model, [(1.0, 1e-3)])
    fit = fx.calibrate(model, observations, each=["pull.force"]).unwrap()
    with refused(["unknowns of its own", "'pull.fx[0]'"]):
        fit.check(observations)
