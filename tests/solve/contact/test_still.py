"""A few random scenes at rest, always the same; ``make fuzz-still`` has new ones."""

import pytest
from solve.contact.still import judge
from solve.contact.still_scenes import FAMILIES

import flexura as fx


@pytest.mark.parametrize("seed", range(2002, 2002 + len(FAMILIES)))
def test_scene(seed):
    """It ends with an answer, or with what a robot cannot do, not with what a solver cannot."""
    names = {x.name for x in fx.Status if x.converged} | {"UNHELD", "BEGINS INSIDE"}
    assert judge(seed, images=False) in names
