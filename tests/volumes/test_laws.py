"""Laws of material at large random deformations: energy, stress, modulus, objectivity."""

import numpy as np
import pytest

from flexura._kernel import kernel as compiled
from flexura.volumes.elements import LAW_NUMBERS
from flexura.volumes.material_kernels import VECTORS, add_blocks, put_stiffness, respond

LAWS = tuple(LAW_NUMBERS)
LAM, MU = 1.3, 0.7
TINY = 1e-40  # of complex steps, which have no error but rounding


@compiled
def between_axes(law, lam, mu, F, R, axes, B, vectors, work, block):
    """Stiffness between the axes as gradients."""
    put_stiffness(law, lam, mu, F, R, axes, B, vectors, work)
    add_blocks(block, 1.0, axes, B, vectors, False)


def kernel(law, F):
    """Energy, stress and modulus as the library has them."""
    (P, R), work, number = np.zeros((2, 3, 3)), np.zeros((3, 3, 3)), LAW_NUMBERS[law]
    W = respond(number, LAM, MU, F, P, R, work)
    block, B, vectors = np.zeros((3, 3, 3, 3)), np.zeros((3, 3)), np.zeros((3, VECTORS, 3))
    between_axes(number, LAM, MU, F, R, np.eye(3), B, vectors, work, block)
    return W, P, block.transpose(2, 0, 3, 1).reshape(9, 9)


def polar(F):
    """The rotation of F, by rational operations, so that it is one for complex F, too."""
    R = F
    for _ in range(60):
        R = 0.5 * (R + np.linalg.inv(R).T)
    return R


def energy(law, F):
    """W as the books have it, for complex F, too."""
    E = 0.5 * (F.T @ F - np.eye(3))
    if law == "saint-venant-kirchhoff":
        return MU * np.trace(E @ E) + 0.5 * LAM * np.trace(E) ** 2
    if law == "neo-hookean":
        J = np.log(np.linalg.det(F))
        return 0.5 * MU * (np.trace(F.T @ F) - 3.0) - MU * J + 0.5 * LAM * J**2
    change = polar(F).T @ F - np.eye(3)
    return MU * np.trace(change @ change) + 0.5 * LAM * np.trace(change) ** 2


def stress(law, F):
    """P = ∂W/∂F, for complex F, too."""
    E, inverse = 0.5 * (F.T @ F - np.eye(3)), np.linalg.inv(F).T
    if law == "saint-venant-kirchhoff":
        return F @ (2.0 * MU * E + LAM * np.trace(E) * np.eye(3))
    if law == "neo-hookean":
        return MU * (F - inverse) + LAM * np.log(np.linalg.det(F)) * inverse
    R = polar(F)
    return 2.0 * MU * (F - R) + LAM * np.trace(R.T @ F - np.eye(3)) * R


def turned(rng):
    """A random rotation."""
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return Q * np.sign(np.linalg.det(Q))


def deformations(count=40):
    """Any rotation, principal stretches from a fourth to four."""
    rng = np.random.default_rng(5)
    for _ in range(count):
        stretches = np.exp(np.log(4.0) * rng.uniform(-1.0, 1.0, size=3))
        yield rng, turned(rng) @ np.diag(stretches) @ turned(rng)


@pytest.mark.parametrize("law", LAWS)
def test_stress_and_modulus_are_derivatives_of_the_energy(law):
    """By complex steps of formulas that are not those of the library."""
    for _, F in deformations():
        W, P, A = kernel(law, F)
        size, stiff = np.abs(P).max(), np.abs(A).max()
        assert pytest.approx(energy(law, F), rel=1e-12) == W
        for j in range(9):
            step = np.zeros(9, dtype=complex)
            step[j] = 1j * TINY
            there = F + step.reshape(3, 3)
            assert P.flat[j] == pytest.approx(energy(law, there).imag / TINY, abs=1e-12 * size)
            slope = stress(law, there).imag.ravel() / TINY
            # where two stretches add up to little, rotations change fast, and rounding with them
            assert A[:, j] == pytest.approx(slope, abs=1e-11 * stiff)
        assert pytest.approx(A.T, abs=1e-13 * stiff) == A


@pytest.mark.parametrize("law", LAWS)
def test_rotations_turn_the_stress_and_nothing_else(law):
    for rng, F in deformations(10):
        Q = turned(rng)
        (W, P, A), (again, moved, modulus) = kernel(law, F), kernel(law, Q @ F)
        assert again == pytest.approx(W, rel=1e-12)
        assert moved == pytest.approx(Q @ P, abs=1e-12 * np.abs(P).max())
        both = np.einsum("ia,kb,ajbl->ijkl", Q, Q, A.reshape(3, 3, 3, 3)).reshape(9, 9)
        assert modulus == pytest.approx(both, abs=1e-11 * np.abs(A).max())
        # an isotropic material does not mind in which direction it is cut
        assert kernel(law, F @ Q)[0] == pytest.approx(W, rel=1e-12)
        assert pytest.approx(0.0, abs=1e-14) == kernel(law, Q)[0]
        assert np.abs(kernel(law, Q)[1]).max() < 1e-14


@pytest.mark.parametrize("law", LAWS)
def test_small_strains_have_the_modulus_of_hooke(law):
    A = kernel(law, np.eye(3))[2]
    e = np.random.default_rng(1).normal(size=(3, 3))
    strain = 0.5 * (e + e.T)
    hooke = 2.0 * MU * strain + LAM * np.trace(strain) * np.eye(3)
    assert (A @ e.ravel()).reshape(3, 3) == pytest.approx(hooke, abs=1e-14)


@pytest.mark.parametrize("law", LAWS)
def test_inverted_elements_are_no_numbers(law):
    for F in (np.diag([1.0, 1.0, -1.0]), np.diag([1.0, 1.0, 0.0])):
        W, P, _ = kernel(law, F)
        assert np.isnan(W)
        assert np.isnan(P).all()


def test_uniaxial_stretch_of_neo_hooke_is_that_of_the_book():
    """Principal stresses of three stretches."""
    P = kernel("neo-hookean", np.diag([1.5, 0.9, 0.9]))[1]
    J = 1.5 * 0.81
    expected = [MU * x + (LAM * np.log(J) - MU) / x for x in (1.5, 0.9, 0.9)]
    assert np.diag(P) == pytest.approx(expected)
