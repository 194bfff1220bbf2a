"""Robots that are unstable without what they touch: pushed rods between walls."""

import numpy as np
import pytest
from contact_laws import check_contacts

import flexura as fx
from benchmarks.contact.rods import exact_in_tube, in_tube
from flexura.solve.cone.coulomb import solve_normal
from flexura.solve.cone.rows import Rows

NONE = np.empty(0, dtype=np.int64)


def test_contacts_that_hold_go_on_holding():
    """A push on what is unstable beside a wall, a = b + W λ with W < 0: λ = -b/W, or it leaves."""
    rows = Rows(np.arange(2), NONE, np.empty(0))
    compliance, b = np.diag([-1.0, 2.0]), np.array([1.0, -1.0])
    for start, found in (((0.9, 0.0), (1.0, 0.5)), ((0.0, 0.0), (0.0, 0.5))):
        solved = solve_normal(compliance, b, rows, np.array(start))
        assert solved.residual < 1e-14
        assert np.allclose(solved.multipliers, found)


@pytest.mark.parametrize("part", [0.75, 0.99])
def test_a_pushed_rod_stays_on_its_wall(part):
    """Without it, it would buckle at a hundredth of the force; it was led away and back again."""
    model = in_tube(24)
    lying = fx.statics(model).unwrap()
    load = {"load": (0, 0, 0, -part * exact_in_tube(), 0, 0)}
    pushed = fx.statics(model, load, start=lying)
    check_contacts(pushed)
    assert pushed.status is fx.Status.CONVERGED
    assert pushed.stable
    assert pushed.iterations <= 4
    assert np.abs(pushed.pose("rod", np.linspace(0.0, 4.0, 50))[:, 1, 3]).max() < 1e-9
