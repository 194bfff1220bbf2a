"""A user of a studio."""

import pytest

import flexura as fx

pytest.importorskip("viser")


@pytest.fixture
def user():
    from browser.page_user import arm, opened

    with opened(fx.build(arm(), fx.LinearStrain(4))) as found:
        yield found
