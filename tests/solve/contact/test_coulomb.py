"""The cone problem of contacts with friction by itself, judged by the laws of each contact."""

from pathlib import Path

import numpy as np

from flexura.solve.cone_rows import Rows
from flexura.solve.coulomb import solve_coulomb

# One that ``examples/29_soft_gripper.py`` meets in steps of 25 ms: fourteen contacts of three
# fingers with a cube, which hold the same motions many times.
GRIPPED = Path(__file__).with_name("gripped.npz")


def test_contacts_that_hold_the_same_obey_their_laws():
    with np.load(GRIPPED) as file:
        W, b, start = file["W"], file["b"], file["start"]
        rows = Rows(file["single"], file["normal"], file["friction"])
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
