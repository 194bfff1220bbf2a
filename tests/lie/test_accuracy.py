"""Every map against its definition with 80 digits, each block relative to its own size."""

import lie_oracle as oracle
import numpy as np
import pytest

from flexura.lie import se3, so3

TOLERANCE = 1e-14

SHORT, LONG = 1.0, 4.0  # thresholds of the series, as angles
ANGLES = np.concatenate(
    [
        np.geomspace(1e-12, np.pi - 1e-6, 14),
        np.pi - np.array([1e-6, 1e-9]),
        SHORT * (1 + np.array([-1e-15, 1e-15])),
        LONG * (1 + np.array([-1e-15, 1e-15])),
        [0.0, 2.0, 2.9, 5.5],
    ]
)


def samples(n, seed):
    """Vectors of n: angles as above, other parts of sizes 1e-12 … 1e12, in random directions."""
    rng = np.random.default_rng(seed)
    parts = rng.standard_normal((len(ANGLES), n // 3, 3))
    parts /= np.linalg.norm(parts, axis=-1, keepdims=True)
    size = 10.0 ** rng.uniform(-12, 12, (len(ANGLES), n // 3))
    size[:, 0] = ANGLES
    size[3, 1:] = 0.0
    parts[5] = np.eye(3)[2]  # along an axis, all parts parallel
    return (parts * size[..., None]).reshape(-1, n)


def wrenches(n, seed):
    """Vectors of n, each part of a size 1e-6 … 1e6."""
    rng = np.random.default_rng(seed)
    parts = rng.standard_normal((len(ANGLES), n // 3, 3))
    return (parts * 10.0 ** rng.uniform(-6, 6, (len(ANGLES), n // 3, 1))).reshape(-1, n)


def worst(function, definition, *inputs):
    """Largest error over a stack of inputs."""
    got = function(*inputs)
    exact = [oracle.exact(values) for values in inputs]
    return max(
        oracle.error(got[i], definition(*(values[i] for values in exact))) for i in range(len(got))
    )


def left(definition):
    return lambda x: definition(-x)


GROUPS = pytest.mark.parametrize(("group", "n"), [(so3, 3), (se3, 6)], ids=["so3", "se3"])


@GROUPS
@pytest.mark.parametrize("name", ["exp", "dexp", "dexpinv"])
def test_exp_and_tangents(group, n, name):
    assert worst(getattr(group, name), getattr(oracle, name), samples(n, 1)) <= TOLERANCE


@GROUPS
@pytest.mark.parametrize("name", ["dexp", "dexpinv"])
def test_left_tangents(group, n, name):
    definition = left(getattr(oracle, name))
    assert worst(getattr(group, name + "_left"), definition, samples(n, 2)) <= TOLERANCE


@pytest.mark.slow
@GROUPS
@pytest.mark.parametrize("name", ["dexp_derivative", "dexpinv_derivative"])
def test_derivatives_of_tangents(group, n, name):
    inputs = samples(n, 3), wrenches(n, 4)
    assert worst(getattr(group, name), getattr(oracle, name), *inputs) <= TOLERANCE


@GROUPS
def test_log_of_rounded_exp(group, n):
    x = samples(n, 5)
    x = x[np.linalg.norm(x[:, :3], axis=1) < np.pi]
    g = np.array([oracle.exp(row).astype(float) for row in oracle.exact(x)])
    got = group.log(g)
    assert max(oracle.error(a, oracle.exact(b)) for a, b in zip(got, x, strict=True)) <= TOLERANCE


@GROUPS
def test_adjoint(group, n):
    assert worst(group.Ad, oracle.Ad, group.exp(samples(n, 6))) <= TOLERANCE


@GROUPS
def test_adjoint_of_exp_is_exp_of_ad(group, n):
    def definition(x):
        return oracle.power_series(oracle.ad(x), oracle.n_terms(x), 0)

    assert worst(lambda x: group.Ad(group.exp(x)), definition, samples(n, 13)) <= TOLERANCE


@GROUPS
def test_dual_adjoint(group, n):
    def definition(g):
        return oracle.inverse(oracle.Ad(g)).T

    assert worst(group.Ad_dual, definition, group.exp(samples(n, 7))) <= TOLERANCE
