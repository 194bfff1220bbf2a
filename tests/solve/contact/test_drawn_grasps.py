"""Random fingers that press on something: forces and places that inputs led to are found again."""

import numpy as np
import pytest
from contact_laws import check_contacts

import flexura as fx

NAMES = ["flexor", "side", "back"]
DRAWN = range(24)


def draw(seed):
    """A finger with three tendons above a solid, with friction or without, and two pulls of it.

    Returns:
        The model, pulls where a search begins, and those that it shall find.
    """
    random = np.random.default_rng(seed)
    length, friction = random.uniform(0.05, 0.2), random.choice([0.0, random.uniform(0.05, 0.6)])
    radius, out = length / random.uniform(12.0, 25.0), length / random.uniform(20.0, 30.0)
    rubber = fx.Material(young=float(10.0 ** random.uniform(5.5, 7.0)), poisson=0.45, density=1e3)
    gap, at = random.uniform(0.005, 0.03) * length, random.uniform(0.75, 0.95) * length
    round_by = random.uniform(0.3, 0.6) * length
    shape, below = (fx.Sphere(round_by), round_by) if seed % 2 else (fx.Plane(), 0.0)
    place = fx.lie.se3.pose((at, 0.0, -radius - gap - below))
    tendons = [fx.Parallel(0.0, -out), fx.Parallel(out, 0.0), fx.Parallel(0.0, out)]
    robot = fx.Robot(
        f"drawn {seed}",
        rods=[fx.Rod("finger", length, fx.Circle(radius=radius), rubber)],
        joints=[fx.Weld("world", "finger.base")],
        tendons=[fx.Tendon(*x) for x in zip(NAMES, ["finger"] * 3, tendons, strict=True)],
        obstacles=[fx.Obstacle("other", shape, pose=place)],
        contacts=[fx.Contact("finger", "other", friction=friction)],
    )
    # a pull of this size bends the finger by 0.2 to 0.5 of a right angle
    bends = rubber.young * 0.25 * np.pi * radius**4 / (length * out)
    goal = bends * random.uniform((0.3, 0.0, 0.0), (0.8, 0.05, 0.1))
    begin = goal * random.uniform(0.8, 1.25, size=3)
    return fx.build(robot, rods=fx.Spline(3, 10)), *(
        dict(zip(NAMES, x, strict=True)) for x in (begin, goal)
    )


def pressing(result):
    return result.pressing("finger", "other")


@pytest.mark.parametrize(
    "seed", [*DRAWN[:12], *(pytest.param(seed, marks=pytest.mark.long) for seed in DRAWN[12:])]
)
def test_inputs_that_press_are_found_again(seed):
    model, begin, goal = draw(seed)
    start = fx.statics(model, begin).unwrap()
    there = fx.statics(model, goal, start).unwrap()
    assert pressing(start) > 0.0
    assert pressing(there) > 0.0
    tip = there.pose("finger.tip")[:3, 3]
    asked = {("finger", "other"): pressing(there), "finger.tip": (np.nan, tip[1], np.nan)}
    most = 2.0 * max(*begin.values(), *goal.values())
    bounds = dict.fromkeys(NAMES, (0.0, most))
    answer = fx.inverse(model, asked, NAMES, bounds, start)
    assert answer.status is fx.InverseStatus.REACHED
    assert all(0.0 <= value <= most for value in answer.inputs.values())
    # forces are kept to 1e-6 of their size, places to 5e-10 of the length
    assert pressing(answer.result) == pytest.approx(pressing(there), rel=2e-6)
    assert answer.result.pose("finger.tip")[1, 3] == pytest.approx(tip[1], abs=1e-9 * model.length)
    check_contacts(answer.result, depth=1e-6)
    again = fx.statics(model, answer.inputs, start).unwrap()
    assert pressing(again) == pytest.approx(pressing(there), rel=1e-5)


@pytest.mark.parametrize("seed", DRAWN[::3])
def test_limits_are_kept_where_a_force_is_beyond_them(seed):
    """More than all that is allowed: as much as a scan of what is allowed finds, or more."""
    model, begin, _ = draw(seed)
    start = fx.statics(model, begin).unwrap()
    most = 1.05 * begin["flexor"]
    asked = {("finger", "other"): 10.0 * pressing(start)}
    answer = fx.inverse(model, asked, ["flexor"], {"flexor": (0.0, most)}, start)
    assert answer.status is fx.InverseStatus.INFEASIBLE
    assert 0.0 <= answer.inputs["flexor"] <= most
    scan = [
        pressing(fx.statics(model, {**begin, "flexor": x}, start).unwrap())
        for x in np.linspace(begin["flexor"], most, 4)
    ]
    assert pressing(answer.result) >= max(scan) * (1.0 - 1e-6)
