"""Fixtures for all tests."""

import numpy as np
import pytest

import flexura as fx
from flexura._kernel import be_quiet, compile_here


@pytest.fixture(scope="session", autouse=True)
def quiet():
    """Say nothing of compiling, as some tests read all that is said; machine code only."""
    be_quiet()
    compile_here()


@pytest.fixture
def rng():
    """Random numbers that are the same in every run."""
    return np.random.default_rng(20260)


@pytest.fixture(scope="session")
def column():
    """A path: a column that is pushed past its buckling load."""
    rubber = fx.Material(young=1e6, poisson=0.45, density=1000.0)
    rod = fx.Rod("arm", 0.5, fx.Rectangle(0.02, 0.04), rubber)
    tip = fx.PointLoad("push", "arm.tip")
    model = fx.build(fx.Robot("column", [rod], [fx.Weld("world", "arm.base")], [tip]))
    return fx.continuation(model, "push", (0.0, 0.0, 0.0, -0.5, 0.0, 0.0)).unwrap()
