"""What decides how long steps are, driven by an engine that only counts."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import flexura as fx
from flexura.result.motion import MotionStatus
from flexura.solve.motion.engine import Engine
from flexura.solve.motion.simulation import prepared
from flexura.solve.motion.strides import HALVINGS, EvenStrides, advance


@pytest.fixture(scope="module")
def model():
    return fx.build(fx.Robot("r", bodies=[fx.Body("b", 1.0, (1.0, 1.0, 1.0))]))


@dataclass
class Failing:
    """An engine whose steps fail where they are too long; it notes what was tried."""

    engine: Engine
    longest: float
    why: MotionStatus = MotionStatus.LOST

    def __post_init__(self):
        self.tried = []

    def __getattr__(self, name):
        return getattr(self.engine, name)

    def look(self, h, end, inputs_at):
        self.tried.append(h)
        return self.why if h > self.longest else replace(self.now, t=end)

    @property
    def now(self):
        return self.engine.now

    @now.setter
    def now(self, now):
        self.engine.now = now


def failing(model, longest, **rest):
    engine = prepared(model, None, None, None, None, None)
    return Failing(engine, longest, **rest)


def run(engine, strides):
    """Times that count, and how it ended."""
    times = []
    while not strides.over:
        status = advance(engine, strides, lambda t: engine.now.inputs)
        if not status.converged:
            return times, status
        times.append(engine.now.t)
    return times, status


def test_steps_of_one_length(model):
    engine = failing(model, 1.0)
    times, status = run(engine, EvenStrides(0.0, 1.0, 0.3))
    assert status is MotionStatus.REACHED
    np.testing.assert_allclose(times, [0.3, 0.6, 0.9, 1.0], rtol=1e-15)
    assert len(engine.tried) == 4
    assert not engine.cuts


def test_a_step_is_halved_until_it_is_found_and_the_next_one_is_whole_again(model):
    engine = failing(model, 0.06)
    times, _ = run(engine, EvenStrides(0.0, 0.4, 0.2))
    np.testing.assert_allclose(times, [0.2, 0.4], rtol=1e-15)
    np.testing.assert_allclose(engine.tried, 2 * [0.2, 0.1, *4 * [0.05]], rtol=1e-12)
    np.testing.assert_allclose(engine.cuts, [0.0, 0.2], rtol=1e-15)  # each once


@pytest.mark.parametrize("why", [MotionStatus.LOST, MotionStatus.COARSE])
def test_it_gives_up_and_says_why(model, why):
    engine = failing(model, 0.0, why=why)
    times, status = run(engine, EvenStrides(0.0, 1.0, 0.5))
    assert times == []
    assert status is why
    assert len(engine.tried) == 1 + HALVINGS
    assert engine.now.t == 0.0


def test_the_strides_may_refuse_what_was_found(model):
    """That is no failure to converge, and no cut."""

    class Picky(EvenStrides):
        def accepts(self, before, after, h):
            return h < 0.15

    engine = failing(model, 1.0)
    times, _ = run(engine, Picky(0.0, 0.2, 0.2))
    np.testing.assert_allclose(engine.tried, [0.2, 0.1, 0.1], rtol=1e-12)
    assert times == [0.2]
    assert not engine.cuts
