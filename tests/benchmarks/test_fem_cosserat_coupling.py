import numpy as np
import pytest
from contact_laws import check_contacts

import flexura as fx
from benchmarks.fem_cosserat_coupling import finger, grasper, inverse, linearised, scenes


def test_cables_that_are_thick_bend_less_and_work_is_stored():
    found = finger.run(quick=True).data
    names = ("tendon, by length", *(f"15 sections, {r} mm" for r in ("0.5", "1", "1.5")))
    lifts = [-found[name][0][2] for name in names]
    assert lifts == sorted(lifts, reverse=True)  # Figure 7
    assert lifts[-1] > 0.0
    # six sections are near to fifteen (Figure 6)
    few, many = found["6 sections, 0.5 mm"], found["15 sections, 0.5 mm"]
    assert abs(few[0][2] / many[0][2] - 1.0) < 0.1
    # Simpson's rule over 5 % of the way: what is left of the fourth order
    assert max(missing for _, _, missing in found.values()) < 1e-6
    # turned by half a turn, a bent rod bends the finger the other way (Figure 8)
    up, down = (found[f"pre-bent, 1.5 mm, turned by {x} deg"][0] for x in (0, 180))
    assert down[2] > 1e-3 > -1e-3 > up[2]
    assert np.abs([up[1], down[1]]).max() < 0.1 * abs(up[2])  # in its plane


def test_one_linearisation_is_near_to_steps_solved_to_the_end():
    apart = linearised.run(quick=True).data["finger"]
    assert apart[0] < 1e-3 * linearised.WAY
    assert np.log2(apart[0] / apart[1]) > 2.5  # the third power of the step


@pytest.mark.slow
def test_tips_follow_paths_by_forces_on_cables():
    found = inverse.run(quick=True).data
    for (name, _), one in found.items():
        assert one["error"] < 1e-9
        assert one["least"] >= inverse.TAUT[name]
    # what one linearisation leaves is of third order in the way between targets: 0.7 of 81 mm, and
    # 1 of 195 mm; forces that are not in balance move the tip by less than these ways
    assert found["finger", "one linearisation"]["left"] < 0.05**3
    assert found["finger", "one linearisation"]["off"] < 2e-4
    assert found["trunk", "one linearisation"]["off"] < 5e-4
    assert found["finger", "to the end"]["left"] < 1e-9
    assert found["finger", "to the end"]["off"] < 1e-9


def test_three_fingers_lift_a_cube_with_one_linearisation_a_step():
    found = grasper.run(quick=True).data["one linearisation"]
    # the hand has lifted it by half of the way; closing fingers raise it a bit
    assert 0.5 * grasper.LIFT < found["height"] < 0.5 * grasper.LIFT + 5e-3
    assert found["deep"] < 1e-6 * scenes.LENGTH
    model = fx.build(grasper.robot(), rods=fx.ConstantStrain(15))
    for instant in grasper.grasp(model, False, 0.15)[0][::3]:
        check_contacts(instant, depth=1e-6)
