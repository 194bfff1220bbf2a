"""A few random scenes, always the same; ``make fuzz-contacts`` has new ones."""

import pytest
from solve.contact.scenes import follow


@pytest.mark.parametrize("seed", range(4))
def test_scene(seed):
    assert follow(seed, steps=100) == "REACHED"
