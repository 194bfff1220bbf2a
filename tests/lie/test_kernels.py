"""Kernels that have no vectorised twin, and that every kernel fills all of its output."""

import numpy as np
import pytest

from flexura.lie import se3, so3
from flexura.lie.kernels import se3 as pose_kernels
from flexura.lie.kernels import so3 as rotation_kernels
from flexura.lie.kernels.vector import rotate, rotate_back

RNG = np.random.default_rng(0)
X, Y, F = RNG.standard_normal((3, 6))
G, H = se3.exp(X), se3.exp(Y)

APPLY = {
    "Ad_apply": (G, se3.Ad(G)),
    "Ad_inv_apply": (G, se3.Ad(se3.inverse(G))),
    "Ad_T_apply": (G, se3.Ad(G).T),
    "Ad_inv_T_apply": (G, se3.Ad_dual(G)),
    "ad_apply": (X, se3.ad(X)),
    "ad_T_apply": (X, se3.ad_dual(X)),
    "dexp_apply": (X, se3.dexp(X)),
    "dexpinv_apply": (X, se3.dexpinv(X)),
}


@pytest.mark.parametrize("name", APPLY)
def test_apply_is_the_product_with_the_matrix(name):
    first, matrix = APPLY[name]
    out = np.full(6, np.nan)
    getattr(pose_kernels, name)(out, first, F)
    np.testing.assert_allclose(out, matrix @ F, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("angle", [1e-9, 0.9, 3.0, 4.2, 6.0])
def test_tangents_apply_at_every_angle(angle):
    x = X * np.repeat([angle / np.linalg.norm(X[:3]), 1.0], 3)
    for name in ("dexp", "dexpinv"):
        out = np.full(6, np.nan)
        getattr(pose_kernels, f"{name}_apply")(out, x, F)
        matrix = getattr(se3, name)(x)
        scale = np.max(np.abs(matrix) @ np.abs(F))
        np.testing.assert_allclose(out, matrix @ F, rtol=0, atol=1e-14 * scale)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("compose_into", G @ H), ("between_into", np.linalg.inv(G) @ H)],
)
def test_products_of_poses(name, expected):
    out = np.full((4, 4), np.nan)
    getattr(pose_kernels, name)(out, G, H)
    np.testing.assert_allclose(out, expected, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(out[3], [0, 0, 0, 1])


W, M, R = X[:3].copy(), F[:3].copy(), so3.exp(X[:3])
KERNELS = {so3: rotation_kernels, se3: pose_kernels}
FILL = [
    (so3, "hat", (3, 3), (W,)),
    (so3, "exp", (3, 3), (W,)),
    (so3, "log", (3,), (R,)),
    (so3, "dexp", (3, 3), (W,)),
    (so3, "dexpinv", (3, 3), (W,)),
    (so3, "dexp_derivative", (3, 3), (W, M)),
    (so3, "dexpinv_derivative", (3, 3), (W, M)),
    (se3, "hat", (4, 4), (X,)),
    (se3, "exp", (4, 4), (X,)),
    (se3, "log", (6,), (G,)),
    (se3, "inverse", (4, 4), (G,)),
    (se3, "Ad", (6, 6), (G,)),
    (se3, "ad", (6, 6), (X,)),
    (se3, "dexp", (6, 6), (X,)),
    (se3, "dexpinv", (6, 6), (X,)),
    (se3, "dexp_derivative", (6, 6), (X, F)),
    (se3, "dexpinv_derivative", (6, 6), (X, F)),
]


@pytest.mark.parametrize(("module", "name", "shape", "inputs"), FILL)
def test_kernel_fills_its_output_with_what_the_stack_gets(module, name, shape, inputs):
    out, before = np.full(shape, np.nan), [values.copy() for values in inputs]
    getattr(KERNELS[module], f"{name}_into")(out, *inputs)
    np.testing.assert_array_equal(out, getattr(module, name)(*inputs))
    for values, old in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(values, old)


def test_inverse_adjoint_fills_its_output():
    out = np.full((6, 6), np.nan)
    pose_kernels.Ad_inv_into(out, G)
    np.testing.assert_allclose(out, np.linalg.inv(se3.Ad(G)), rtol=0, atol=1e-14)


def test_rotations_of_vectors():
    v = tuple(F[:3])
    np.testing.assert_allclose(rotate(G, v), G[:3, :3] @ v, rtol=0, atol=1e-15)
    np.testing.assert_allclose(rotate_back(G, v), G[:3, :3].T @ v, rtol=0, atol=1e-15)
