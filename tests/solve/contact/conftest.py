"""Whatever is solved here obeys the laws of contact."""

import pytest
from contact_laws import check_all

import flexura as fx


@pytest.fixture(autouse=True)
def lawful(monkeypatch):
    """Look at every result of statics and simulate."""
    for name in ("statics", "simulate"):
        solve = getattr(fx, name)

        def checked(*args, _solve=solve, **kwargs):
            found = _solve(*args, **kwargs)
            check_all(found)
            return found

        monkeypatch.setattr(fx, name, checked)
