"""A few random scenes, always the same; ``make fuzz-contacts`` has new ones."""

import pytest
from solve.contact.scenes import follow


# In the last four, a corner of foam slides over the tip of an obstacle, the rim of a cylinder over
# the edge of a box, the end of a rod over foam, from one side to the other in a step, and a
# rim along a rod that bends fast.
@pytest.mark.parametrize(
    "seed",
    [
        0,
        *(pytest.param(x, marks=pytest.mark.long) for x in (1, 2, 3)),
        90000364,
        3005,
        81000045,
        81000126,
        29440711,
    ],
)
def test_scene(seed):
    assert follow(seed, steps=100) == "REACHED"
