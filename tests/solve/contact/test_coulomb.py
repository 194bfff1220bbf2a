"""The cone problem of contacts with friction by itself, judged by the laws of each contact."""

from pathlib import Path

import numpy as np
from scipy.linalg import block_diag

from flexura.solve.cone.alternating import Alternating
from flexura.solve.cone.coulomb import solve_coulomb
from flexura.solve.cone.rows import Rows

# One that ``examples/29_soft_gripper.py`` meets in steps of 25 ms: fourteen contacts of three
# fingers with a cube, which hold the same motions many times.
GRIPPED = Path(__file__).with_name("gripped.npz")


def gripped():
    """Compliance, gaps, a guess and what the rows are."""
    with np.load(GRIPPED) as file:
        rows = Rows(file["single"], file["normal"], file["friction"])
        return file["W"], file["b"], file["start"], rows


def test_contacts_that_hold_the_same_obey_their_laws():
    W, b, start, rows = gripped()
    assert np.linalg.cond(W) > 1e9
    found = solve_coulomb(W, b, rows, start).multipliers.reshape(-1, 3)
    gaps = (b + W @ found.ravel()).reshape(-1, 3)
    force, way = np.abs(found).max(), np.abs(b).max()
    pressing, rubbing = found[:, 0], np.linalg.norm(found[:, 1:], axis=1)
    slid = np.linalg.norm(gaps[:, 1:], axis=1)
    assert pressing.min() >= -1e-9 * force
    assert gaps[:, 0].min() >= -1e-9 * way
    assert np.abs(pressing * gaps[:, 0]).max() <= 1e-9 * force * way
    assert (rubbing <= rows.friction * pressing + 1e-9 * force).all()
    dissipated = -(found[:, 1:] * gaps[:, 1:]).sum(axis=1)
    np.testing.assert_allclose(dissipated, rows.friction * pressing * slid, atol=1e-9 * force * way)


def test_contacts_of_bodies_that_are_apart_are_solved_apart(monkeypatch):
    """Six cubes in six grippers, mixed: each as if it were alone, and no system is larger."""
    W, b, start, rows = gripped()
    n, count, sizes = len(b), 6, []
    alone = solve_coulomb(W, b, rows, start)
    order = np.argsort(np.random.default_rng(0).uniform(size=count * len(rows.normal)))
    mixed = (3 * order[:, None] + np.arange(3)).ravel()
    many = block_diag(*[W] * count)[np.ix_(mixed, mixed)]
    kinds = Rows(rows.single, 3 * np.arange(len(order)), np.tile(rows.friction, count)[order])
    solve = np.linalg.solve
    monkeypatch.setattr(np.linalg, "solve", lambda a, x: sizes.append(len(a)) or solve(a, x))
    guess = np.tile(start, count)[mixed]
    found = solve_coulomb(many, np.tile(b, count)[mixed], kinds, guess)
    assert max(sizes) <= n  # what is open drops out
    assert found.residual <= max(alone.residual, 1e-11)
    gaps = np.abs(many @ found.multipliers - np.tile(W @ alone.multipliers, count)[mixed])
    assert gaps.max() <= 1e-9 * np.abs(b).max()  # forces that hold the same may be shared otherwise


def test_contacts_that_are_open_take_no_part_in_systems(monkeypatch):
    """A problem of many rows of which few press has systems of those, and the same solution."""
    W, b, start, rows = gripped()
    n, far, sizes = len(b), 40, []
    both = block_diag(W, np.eye(3 * far)) + 1e-3  # none is apart from the others
    gaps = np.append(b, np.tile([1.0, 0.0, 0.0], far))
    normal = np.append(rows.normal, n + 3 * np.arange(far))
    kinds = Rows(rows.single, normal, np.append(rows.friction, np.full(far, 0.5)))
    solve = np.linalg.solve
    monkeypatch.setattr(np.linalg, "solve", lambda a, x: sizes.append(len(a)) or solve(a, x))
    found = solve_coulomb(both, gaps, kinds, np.append(start, np.zeros(3 * far)))
    assert found.residual <= 1e-11
    assert not found.multipliers[n:].any()
    assert max(sizes) <= n


def redundant(seed, contacts=30, motions=24, friction=1.5):
    """Contacts that hold few motions, some far softer than others, and hardly give alone."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(3 * contacts, motions)) * np.exp(1.5 * rng.normal(size=motions))
    W = rows @ rows.T
    W += 1e-5 * np.diag(np.diag(W))
    kinds = Rows(np.empty(0, int), np.arange(0, len(W), 3), np.full(contacts, friction))
    return W, rows @ rng.normal(size=motions), kinds


def test_many_contacts_with_much_friction_that_hold_few_motions_are_solved():
    """Most of them; one was, as alternating directions began anew and went in circles."""
    problems = [redundant(seed) for seed in range(20)]
    found = [solve_coulomb(W, b, rows, np.zeros(len(b))) for W, b, rows in problems]
    assert sum(x.residual <= 1e-11 for x in found) >= 12


def test_alternating_directions_go_on_where_they_were():
    W, b, rows = redundant(0)
    parts, whole = (Alternating(W, b, rows, np.zeros(len(b))) for _ in range(2))
    for _ in range(4):
        parts.sweep(100)
    whole.sweep(400)
    np.testing.assert_array_equal(parts.found, whole.found)
