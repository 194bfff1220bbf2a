"""Lines that are shown besides the robot."""

import numpy as np
import pytest
from view.view_robots import arm, hollow, solved

from flexura.errors import ModelError
from flexura.view import scene

ROPE = [(0.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 2.0, 3.0)]


def test_lines_are_drawn_with_their_names_in_colours_of_their_own():
    found = scene(solved(hollow), lines={"rope": ROPE, "way": np.zeros((2, 3))})
    *tendons, rope, way = found.tendons
    np.testing.assert_array_equal(rope.path, ROPE)
    assert [x.name for x in tendons] == ["a", "b"]
    assert len({x.color for x in found.tendons}) == 4
    assert {"rope", "way"} < {label.text for label in found.labels}
    assert (found.points.max(axis=0) >= (0.0, 2.0, 3.0)).all()
    assert way.width == rope.width
    assert scene(solved(arm), lines={"rope": ROPE}, labels=False).labels == ()


@pytest.mark.parametrize(
    "lines",
    [
        ROPE,
        {"rope": ROPE[:1]},
        {"rope": [(0.0, 1.0)] * 3},
        {"rope": "long"},
        {"r": [[np.nan] * 3] * 2},
    ],
)
def test_what_is_no_line_is_refused(lines):
    with pytest.raises(
        ModelError, match=r"lines must be points by names|must be two points or more"
    ):
        scene(arm(), lines=lines)
