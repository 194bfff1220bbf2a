"""Blocks of samples that are far from solids are not looked at, and nothing is missed by that."""

import numpy as np
import pytest
from contact_laws import check_contacts
from meshes import block

import flexura as fx
from flexura.contact.distance_kernels import FAR
from flexura.model.start import start_state
from flexura.model.touch_tangent_kernels import LINK, SKIN
from flexura.solve.workspace import workspace

SOFT = fx.Material(young=1e6, poisson=0.4, density=1000.0)
CORNERS = [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.05)]
SHAPES = (
    fx.Sphere(0.03),
    fx.Box(0.05, 0.1, 0.3),
    fx.Cylinder(0.02, 0.2),
    fx.Capsule(0.02, 0.3),
    fx.Triangles(CORNERS, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]),
)


def room(rng, count=10):
    """A rod, bodies and obstacles of all shapes, any two of which may touch."""
    bodies = [fx.Body(f"b{k}", 1.0, (1e-3,) * 3, shape=SHAPES[k % 5]) for k in range(count)]
    poses = [fx.lie.se3.pose(rng.uniform(-1, 1, 3), rng.normal(size=3)) for _ in range(count)]
    obstacles = [fx.Obstacle(f"o{k}", SHAPES[k % 5], pose=x) for k, x in enumerate(poses)]
    names, fixed = ["rod", *(x.name for x in bodies)], [x.name for x in obstacles]
    pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :] + fixed]
    return fx.Robot(
        "room",
        rods=[fx.Rod("rod", 1.0, fx.Circle(0.01), SOFT)],
        bodies=bodies,
        obstacles=obstacles,
        contacts=[fx.Contact(a, b) for a, b in pairs],
    )


@pytest.mark.parametrize("seed", range(3))
def test_what_is_near_is_seen_as_it_is(seed):
    """Gaps are those of a look at everything, or larger than what matters in a step."""
    rng = np.random.default_rng(seed)
    model = fx.build(room(rng))
    inputs = model.read_inputs(None)
    begin = start_state(model, inputs, inputs)[0]
    with workspace(model) as assembly:
        touch = assembly.touch
        own = touch.contacts
        matters = np.maximum(own.reach, own.scope)
        for _ in range(10):
            dq = rng.normal(size=model.layout.n_dof)
            assembly.place(model.layout.retract(begin, dq), inputs)
            gap, normal = touch.gap.copy(), touch.normal.copy()
            assembly.look(beyond=np.inf)
            seen = gap < FAR
            assert np.count_nonzero(seen) < 0.5 * len(seen)
            assert np.array_equal(gap[seen], touch.gap[seen])
            assert np.array_equal(normal[seen], touch.normal[seen])
            assert (touch.gap[~seen] > matters[~seen]).all()


def test_a_rod_does_not_jump_over_what_it_does_not_see():
    """A load at once would bend it past a post that it sees neither before nor after."""
    post = fx.lie.se3.pose((0.35, 0.0, -0.04), (0.0, 0.0, 0.5 * np.pi))
    robot = fx.Robot(
        "jump",
        rods=[fx.Rod("rod", 0.5, fx.Circle(5e-3), SOFT)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.PointLoad("load", "rod.tip", force=(0.0, 0.0, 0.0))],
        obstacles=[fx.Obstacle("post", fx.Cylinder(2e-3, 0.1), pose=post)],
        contacts=[fx.Contact("rod", "post")],
    )
    load = {"load": (0, 0, 0, 0, 0, -1.8e-3)}
    free = fx.build(fx.Robot("free", robot.rods, joints=robot.joints, loads=robot.loads))
    assert fx.statics(free, load).unwrap().pose("rod", 0.35)[2, 3] < -0.07  # beyond the post
    result = fx.statics(fx.build(robot, rods=fx.Spline(3, 20)), load).unwrap()
    assert len(result.contacts)
    check_contacts(result)


def test_what_is_far_has_no_normal():
    """Nor what was near before: whether steps are cut asks which normals were there."""
    points, cells = block((0.1, 0.1, 0.1), (1, 1, 1))
    robot = fx.Robot(
        "tangle",
        rods=[fx.Rod(name, 1.0, fx.Circle(0.01), SOFT) for name in "ab"],
        bodies=[fx.Body("ball", 1.0, (1e-3,) * 3, shape=fx.Sphere(0.03))],
        volumes=[fx.Volume("foam", (points, cells), SOFT)],
        contacts=[fx.Contact("a", "b"), fx.Contact("ball", "foam"), fx.Contact("b", "foam")],
    )
    model, rng = fx.build(robot), np.random.default_rng(0)
    inputs = model.read_inputs(None)
    begin = start_state(model, inputs, inputs)[0]
    with workspace(model) as assembly:
        touch, was = assembly.touch, np.zeros(model.contacts.count, dtype=bool)
        left = was.copy()
        for _ in range(20):
            size = 10.0 ** rng.uniform(-3.0, 1.0)
            dq = size * rng.normal(size=model.layout.n_dof)
            assembly.place(model.layout.retract(begin, dq), inputs)
            left |= was & ~touch.found
            was = touch.found.copy()
            assert not touch.normal[~was].any()
            assert np.allclose(np.linalg.norm(touch.normal[was], axis=1), 1.0)
        kinds = touch.seen.kind[left]
        assert {SKIN, LINK} <= set(kinds.tolist())  # something of both came and went
