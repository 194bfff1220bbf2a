from benchmarks.fem_cosserat_coupling import finger, inverse


def test_cables_that_are_thick_bend_less_and_work_is_stored():
    found = finger.run(quick=True).data
    names = ("tendon, by length", *(f"15 sections, {r} mm" for r in ("0.5", "1", "1.5")))
    lifts = [abs(found[name][0]) for name in names]
    assert lifts == sorted(lifts, reverse=True)
    # six sections are near to fifteen (Figure 6)
    few, many = found["6 sections, 0.5 mm"], found["15 sections, 0.5 mm"]
    assert abs(few[0] / many[0] - 1.0) < 0.1
    assert max(missing for _, _, missing in found.values()) < 1e-3
    assert abs(found["pre-bent"][0]) > 1e-3


def test_the_tip_of_the_finger_follows_a_path_by_a_force_on_its_cable():
    found = inverse.run(quick=True).data
    for one in found.values():
        assert one["error"] < 1e-9
        assert one["least"] >= inverse.TAUT["finger"]
    # what one linearisation leaves is of second order in the way between targets, 1.5 mm at most
    assert found["finger", "one linearisation"]["left"] < 0.05
    assert found["finger", "to the end"]["left"] < 1e-9
