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


# A block that falls on a slope and is held; a softer one, which creeps; a ball on a slider; blocks
# that turn freely but for the stresses that they fell with, or are tilted; one that slides down to
# a wall, and along it, from where it landed.
@pytest.mark.parametrize("seed", [777044, 777002, 777003, 540928278, 540928369, 7100, 918823110])
def test_scene_in_any_frame(seed):
    """What friction holds is held, wherever all of it is, and however it is written down."""
    judge(seed)
