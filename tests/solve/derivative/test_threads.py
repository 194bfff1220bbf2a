"""One equilibrium asked by several threads at once."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

import flexura as fx
from benchmarks.tendon_newton_lagrange import cases as tendons


def test_answers_are_those_of_one_thread():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads take turns within a call
    try:
        ask_at_once()
    finally:
        sys.setswitchinterval(before)


def ask_at_once():
    robot = tendons.robot("A")
    load = fx.PointLoad("load", tendons.tip(robot))  # more inputs than outputs: solves backwards
    model = fx.build(replace(robot, loads=[*robot.loads, load]), rods=fx.Spline(3, 8))
    pulls = dict(zip(model.tendons.names, (1.0, 0.3, 0.0), strict=True))
    rod = model.robot.rods[0]
    frames = [fx.At(rod.name, s) for s in np.linspace(0.05, 1.0, 12) * rod.length]

    def ask(result, frame):
        return result.jacobian(frame), result.compliance(frame)

    for _ in range(5):
        one, shared = (fx.statics(model, pulls).unwrap() for _ in range(2))
        expected = [ask(one, frame) for frame in frames]
        with ThreadPoolExecutor(12) as pool:
            found = list(pool.map(lambda frame: ask(shared, frame), frames * 5))  # noqa: B023
        for mine, own in zip(found, expected * 5, strict=True):
            for a, b in zip(mine, own, strict=True):
                np.testing.assert_allclose(a, b, rtol=0, atol=1e-9 * np.abs(b).max())
