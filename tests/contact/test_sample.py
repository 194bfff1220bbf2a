"""What solids touch each other with: all that is nearest, and what is round only once."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import flexura as fx
from flexura.model.start import start_state
from flexura.solve.workspace import workspace

BALL, ROLL, ROD = fx.Sphere(0.03), fx.Cylinder(0.02, 0.2), fx.Capsule(0.02, 0.3)
PLATE = fx.Box(0.05, 0.1, 0.3)
CORNER = [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.05)]
WEDGE = fx.Triangles(CORNER, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
DENT = fx.Triangles(
    [*CORNER, (0.01, 0.01, 0.01)],
    [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4)],
)


SHAPES = (BALL, ROLL, ROD, PLATE, WEDGE)
# Edges are looked at where they are not farther than half of what they are long, rims by their
# radius: that of the cylinder is the least of these.
NEAR = 0.019


def pair(a, b, swapped=False):
    """Two free bodies that may touch."""
    bodies = [fx.Body(x, 1.0, (1e-3,) * 3, shape=s) for x, s in (("a", a), ("b", b))]
    names = ("b", "a") if swapped else ("a", "b")
    return fx.build(fx.Robot("pair", bodies=bodies, contacts=[fx.Contact(*names)]))


def gaps(model, seed, count=200):
    """Least gaps of two bodies that are near at random places, and their poses there."""
    inputs, rng = model.read_inputs(None), np.random.default_rng(seed)
    begin = start_state(model, inputs, inputs)[0]
    with workspace(model) as assembly:
        for _ in range(count):
            dq = rng.uniform(-2.0, 2.0, (2, 6)) * (1.0, 1.0, 1.0, 0.07, 0.07, 0.07)
            assembly.place(model.layout.retract(begin, dq.ravel()), inputs)
            assembly.look(beyond=np.inf)
            yield assembly.touch.gap.min(), assembly.touch.frames.copy()


@pytest.mark.parametrize(
    ("a", "b", "count"),
    [
        (BALL, BALL, 1),
        (BALL, ROD, 1),
        (ROLL, BALL, 1),
        (BALL, PLATE, 1),
        (WEDGE, BALL, 1),
        (BALL, DENT, 1 + 5),  # may lie in the dent, on several of its sides
        (ROD, ROD, 2 + 2 + 1),  # ends of both, and where they cross
    ],
)
def test_what_is_round_touches_once(a, b, count):
    for swapped in (False, True):
        assert pair(a, b, swapped).contacts.count == count


@pytest.mark.parametrize("k", range(15))
def test_the_least_gap_does_not_depend_on_who_is_named_first(k):
    a, b = list(combinations_with_replacement(SHAPES, 2))[k]
    both, near = [gaps(pair(a, b, swapped), seed=k) for swapped in (False, True)], 0
    for (here, _), (there, _) in zip(*both, strict=True):
        if 0.0 < here < NEAR:
            near += 1
            # springs draw edges to their middles, by 1e-6 of the thickness
            assert there == pytest.approx(here, abs=1e-6 * 0.05)
    assert near > 5


def test_capsules_are_as_far_as_their_lines():
    near = 0
    for gap, poses in gaps(pair(ROD, ROD), seed=7):
        (p, d), (q, e) = [(x[:3, 3], 0.5 * ROD.length * x[:3, 0]) for x in poses]
        apart = lsq_linear(np.column_stack([d, -e]), q - p, (-1.0, 1.0), tol=1e-14).cost
        if 0.0 < gap < NEAR:
            near += 1
            exact = np.sqrt(2.0 * apart) - 2.0 * ROD.radius
            assert gap == pytest.approx(exact, abs=1e-6 * ROD.radius)  # springs, as above
    assert near > 5


def test_a_ball_lies_on_another_one_at_one_place():
    ball = fx.Body("ball", 0.1, (1e-5,) * 3, shape=BALL)
    robot = fx.Robot(
        "balls",
        bodies=[ball],
        joints=[fx.Slider("up", "world", "ball", (0, 0, 1))],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("other", BALL, pose=fx.lie.se3.pose((0.0, 0.0, -0.06)))],
        contacts=[fx.Contact("ball", "other")],
    )
    (touching,) = fx.statics(fx.build(robot)).unwrap().contacts
    assert touching.pressing == pytest.approx(0.1 * 9.81)
