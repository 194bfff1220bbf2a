from benchmarks.fem_cosserat_coupling import finger


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
