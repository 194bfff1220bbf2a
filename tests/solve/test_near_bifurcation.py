"""Next to a critical load, where rounding may be all that resists, nothing is called free."""

import pytest

import flexura as fx
from benchmarks.rods.buckling import FILE, FINE, frame
from benchmarks.rods.cases import reference


@pytest.mark.parametrize("rods", [FINE, fx.Spline()], ids=str)
@pytest.mark.parametrize("beyond", [-1e-6, 1e-6, 1e-5, 1e-4])
def test_a_frame_that_buckles_does_not_move_freely(rods, beyond):
    data = reference(FILE)
    case = data["cases"][0]  # its buckled shape resists by little more than at once
    load = case["direction"] * case["critical"][0] * (1.0 + beyond)
    model = frame(data, case, rods)
    result = fx.statics(model, {"end": (0, 0, 0, load, 0, 0)}, seek_stable=False)
    assert result.stable is not True
    assert not any("freely" in remark for remark in result.remarks)
