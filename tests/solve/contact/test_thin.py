"""Products with matrices that are mostly zeros."""

import numpy as np
import pytest

from flexura.solve.contact import thin
from flexura.solve.contact.thin import product


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("part", [0.0, 0.02, 0.5, 1.0])
def test_products_are_what_they_are(part: float, order: str) -> None:
    """Whether few entries are not zero, or many, and however the other matrix lies."""
    random = np.random.default_rng(1)
    left = np.where(random.uniform(size=(150, 200)) < part, random.normal(size=(150, 200)), 0.0)
    right = np.array(random.normal(size=(200, 30)), order=order)
    assert left.size > thin.SMALL
    found = product(left, right)
    np.testing.assert_allclose(found, left @ right, rtol=0.0, atol=1e-13)
    assert found.flags.writeable


def test_few_entries_take_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """No dense product is made where rows have a few entries each."""
    looked: list[int] = []
    made = thin.csr_array
    monkeypatch.setattr(thin, "csr_array", lambda x: looked.append(x.size) or made(x))
    product(np.eye(200), np.ones((200, 3)))
    product(np.ones((200, 200)), np.ones((200, 3)))
    assert looked == [40000]
