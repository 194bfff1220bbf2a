"""Tangents of contacts by differences: forces turn with normals, on all frames that carry them."""

import numpy as np
import pytest
from support import moved, pulled_back, start_of, tangent_of

import flexura as fx
from flexura.contact.link_kernels import MIDDLE
from flexura.model.assemble import Assembly
from flexura.model.motion.flow import tracks_of
from flexura.model.state import State
from flexura.model.touch_rows import touch_rows
from flexura.solve.motion.start import flow_at_rest
from flexura.solve.stability import stability

RADIUS = 0.01
RUBBER = fx.Material(young=1e5, poisson=0.4, density=1000.0)
CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
TETRAHEDRA = np.array(
    [(0, 4, 6, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 3, 1, 7), (0, 1, 5, 7), (0, 5, 4, 7)]
)


TIP = fx.Triangles(
    [(-0.03, -0.02, -0.02), (0.04, -0.03, -0.02), (0.0, 0.04, -0.02), (0.01, 0.0, 0.027)],
    [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)],
)


def cube(name, corner, size=0.1):
    """A soft cube of six tetrahedra, held by its side at the least x."""
    x = np.asarray(corner) + size * CUBE
    held = fx.Nodes(name, indices=np.flatnonzero(CUBE[:, 0] == 0).tolist())
    return fx.Volume(name, (x, TETRAHEDRA), RUBBER), fx.Clamp("world", held, name=f"{name} held")


def rod(name, radius=RADIUS, taper=None):
    section = (
        fx.Circle(radius=radius)
        if taper is None
        else fx.Taper(fx.Circle(radius=radius), fx.Circle(radius=taper))
    )
    return fx.Rod(name, length=0.3, section=section, material=RUBBER)


def body(name, shape):
    return fx.Body(name, mass=1.0, inertia=(1e-3, 2e-3, 3e-3), shape=shape)


def robots():
    """Robots with one contact each, and where its loose parts are."""
    pose = fx.lie.se3.pose
    tilt = (0.2, -0.3, 0.4)
    across = fx.Weld("world", "b.base", offset=pose((0.11, -0.13, -0.021), (0.1, 0.05, 1.4)))
    held = fx.Weld("world", "a.base")
    yield (
        "rods",
        fx.Robot(
            "r",
            rods=[rod("a"), rod("b", taper=0.008)],
            joints=[held, across],
            contacts=[fx.Contact("a", "b", 0.3)],
        ),
        {},
    )
    beside = fx.Weld("world", "b.base", offset=pose((0.02, 0.0, -0.021), (0.0, 0.01, 0.02)))
    yield (
        "parallel rods",
        fx.Robot(
            "r", rods=[rod("a"), rod("b")], joints=[held, beside], contacts=[fx.Contact("a", "b")]
        ),
        {},
    )
    for shape in (
        fx.Sphere(0.03),
        fx.Box(0.06, 0.05, 0.04),
        fx.Capsule(0.02, 0.05),
        fx.Cylinder(0.02, 0.05),
        TIP,
    ):
        yield (
            f"rod and {type(shape).__name__}",
            fx.Robot(
                "r",
                rods=[rod("a")],
                joints=[held],
                bodies=[body("b", shape)],
                contacts=[fx.Contact("a", "b", 0.2)],
            ),
            {"b": pose((0.15, 0.02, -0.035), tilt)},
        )
    boxes = [body(x, fx.Box(0.06, 0.05, 0.04)) for x in "ab"]
    yield (
        "boxes",
        fx.Robot("r", bodies=boxes, contacts=[fx.Contact("a", "b", 0.4)]),
        {"b": pose((0.01, 0.02, 0.045), tilt)},
    )
    ball = fx.Obstacle("o", fx.Sphere(0.05), pose=pose((0.15, 0.01, -0.06)))
    yield (
        "rod on a ball",
        fx.Robot(
            "r",
            rods=[rod("a")],
            joints=[held],
            obstacles=[ball],
            contacts=[fx.Contact("a", "o", 0.4)],
        ),
        {},
    )
    edge = fx.Obstacle("o", TIP, pose=pose((0.16, 0.012, -0.025), (0.1, 0.7, 0.3)))
    yield (
        "rod on an edge",
        fx.Robot(
            "r",
            rods=[rod("a")],
            joints=[held],
            obstacles=[edge],
            contacts=[fx.Contact("a", "o", 0.4)],
        ),
        {},
    )
    soft, clamp = cube("v", (0.0, 0.0, 0.0))
    yield (
        "cube on a ball",
        fx.Robot(
            "r",
            volumes=[soft],
            joints=[clamp],
            obstacles=[fx.Obstacle("o", fx.Sphere(0.05), pose=pose((0.13, 0.11, 0.12)))],
            contacts=[fx.Contact("v", "o", 0.4)],
        ),
        {},
    )
    yield (
        "cube and body",
        fx.Robot(
            "r",
            volumes=[soft],
            joints=[clamp],
            bodies=[body("b", fx.Box(0.06, 0.05, 0.04))],
            contacts=[fx.Contact("v", "b", 0.4)],
        ),
        {"b": pose((0.06, 0.04, 0.135), tilt)},
    )
    other, grip = cube("w", (0.02, 0.03, 0.101))
    yield (
        "cubes",
        fx.Robot(
            "r", volumes=[soft, other], joints=[clamp, grip], contacts=[fx.Contact("v", "w", 0.4)]
        ),
        {},
    )
    on_top = fx.Weld("world", "a.base", offset=pose((-0.05, 0.04, 0.112), (0.0, 0.02, 0.1)))
    yield (
        "rod and cube",
        fx.Robot(
            "r",
            rods=[rod("a")],
            volumes=[soft],
            joints=[on_top, clamp],
            contacts=[fx.Contact("a", "v", 0.3)],
        ),
        {},
    )


CASES = {name: (robot, place) for name, robot, place in robots()}


def touched(robot, place):
    """An assembly where all that is near presses somehow, and the state."""
    rng = np.random.default_rng(1)
    model = fx.build(robot, rods=fx.Spline(3, 4))
    state = start_of(model)
    poses = np.array(state.poses)
    for name, pose in place.items():
        node = model.frames[name]
        poses[model.layout.coordinate[node]] = pose
    state = State(poses, state.numbers, state.multipliers)
    way = rng.normal(size=model.n_dof) * np.where(model.layout.multiplier, 0.0, 1.0)
    state = moved(model, state, 1e-3 * model.length * model.layout.units * way)
    assembly = Assembly(model)
    assembly.place(state, model.inputs.described)
    touch = assembly.touch
    near = np.argsort(touch.gap)[:6]
    near = near[touch.gap[near] < 1.0]
    multipliers = np.zeros((touch.contacts.count, 3))
    pressing = rng.uniform(1.0, 3.0, len(near))
    multipliers[near] = pressing[:, None] * touch.normal[near]
    rubs = touch.contacts.friction[near] > 0.0
    multipliers[near[rubs]] += 0.5 * rng.normal(size=(rubs.sum(), 3))
    return assembly, State(state.poses, state.numbers, multipliers.ravel()), near


def exerted(assembly, state):
    """What contacts add to the residual."""
    inputs = assembly.model.inputs.described
    assembly.evaluate_residual(state, inputs)
    found = assembly.residual.copy()
    free = State(state.poses, state.numbers, np.zeros_like(state.multipliers))
    assembly.evaluate_residual(free, inputs)
    return found - assembly.residual


def tangent_of_contacts(assembly, state):
    """What they add to the tangent, and the rows of all that is near."""
    inputs = assembly.model.inputs.described
    free = State(state.poses, state.numbers, np.zeros_like(state.multipliers))
    assembly.evaluate(free, inputs)
    without = tangent_of(assembly)
    assembly.evaluate(state, inputs)
    rows = touch_rows(assembly, assembly.touch)
    B = rows.base[len(rows.base) - len(rows.turning) :]
    return tangent_of(assembly) - without + B.T @ rows.turning @ B, rows


@pytest.mark.parametrize("case", CASES, ids=str)
def test_tangent_is_what_differences_say(case):
    assembly, state, near = touched(*CASES[case])
    model, touch, inputs = assembly.model, assembly.touch, assembly.model.inputs.described
    tangent, rows = tangent_of_contacts(assembly, state)
    made, gaps = rows.made @ rows.base, touch.gap[rows.pairs].copy()
    normals, forces = touch.normal[near].copy(), touch.forces(state.multipliers)[near].copy()
    pressing = np.einsum("ki,ki->k", forces, normals)
    first = np.cumsum(rows.counts) - rows.counts
    rng, h = np.random.default_rng(2), 1e-6
    for _ in range(3):
        way = rng.normal(size=model.n_dof) * np.where(model.layout.multiplier, 0.0, 1.0)
        way *= model.length * model.layout.units
        found, gap = [], []
        for step in (h * way, -h * way):
            there = moved(model, state, step)
            assembly.place(there, inputs)
            gap.append(touch.gap[rows.pairs].copy())
            dn = touch.normal[near] - normals
            turned = np.zeros((touch.contacts.count, 3))
            turned[near] = forces + pressing[:, None] * dn
            turned[near] -= np.einsum("ki,ki->k", forces, dn)[:, None] * normals
            there = State(there.poses, there.numbers, turned.ravel())
            found.append(pulled_back(model, exerted(assembly, there), step))
        expected, slope = tangent @ way, (found[0] - found[1]) / (2.0 * h)
        np.testing.assert_allclose(slope, expected, atol=1e-6 * np.abs(expected).max())
        change, by_rows = (gap[0] - gap[1]) / (2.0 * h), -(made @ way)[first]
        # rods: rows are exact where gaps are closed (link_kernels)
        relative = 1e-6 + (
            MIDDLE * np.abs(gaps).max() / RADIUS if len(touch.contacts.links.radius) else 0.0
        )
        np.testing.assert_allclose(by_rows, change, atol=relative * np.abs(change).max())


@pytest.mark.parametrize("pressing", [1e-4, 1e-2, 3e-2, 0.1, 1.0])
def test_stability_is_that_of_the_whole_tangent(pressing):
    """The inertia by parts is that of the dense tangent on what contacts leave free."""
    assembly, state, near = touched(*CASES["parallel rods"])
    state = State(state.poses, state.numbers, pressing * state.multipliers)
    assembly.evaluate(state, assembly.model.inputs.described)
    rows = touch_rows(assembly, assembly.touch)
    B = rows.base[len(rows.base) - len(rows.turning) :]
    tangent = tangent_of(assembly) + B.T @ rows.turning @ B
    held = np.isin(rows.pairs, near)
    _, size, across = np.linalg.svd(np.asarray(rows.made @ rows.base)[held])
    free = across[np.count_nonzero(size > 1e-9 * size[0]) :]
    sizes = np.linalg.eigvalsh(free @ (0.5 * (tangent + tangent.T)) @ free.T)
    negative = np.count_nonzero(sizes < 0.0)
    assert stability(assembly).stable is bool(negative == assembly.layout.n_multipliers)


def tipped(turn):
    """A box that tips on a floor, at the end of a step that turned it; one corner presses."""
    floor = fx.Obstacle("floor", fx.Plane(normal=(0, 0, 1), point=(0, 0, 0)))
    robot = fx.Robot(
        "tipping",
        bodies=[body("b", fx.Box(0.06, 0.05, 0.04))],
        obstacles=[floor],
        contacts=[fx.Contact("b", "floor", 0.4)],
    )
    model = fx.build(robot)
    tracks = tracks_of(model)
    assembly, inputs = Assembly(tracks.moving.model), model.inputs.described
    pose = fx.lie.se3.pose((0.1, -0.2, 0.045), (0.3, 0.5, 0.2))
    begin = start_of(model)
    begin = State(
        pose[None] @ fx.lie.se3.exp([*-np.asarray(turn), 0, 0, 0]), begin.numbers, begin.multipliers
    )
    assembly.place(begin, inputs)
    assembly.touch.set_out()
    state = State(pose[None], begin.numbers, begin.multipliers)
    assembly.move_from(tracks.now(flow_at_rest(tracks, begin, inputs)))
    assembly.place(state, inputs)
    corner = int(np.argmin(assembly.touch.gap))
    multipliers = np.zeros((assembly.touch.contacts.count, 3))
    multipliers[corner] = (0.2, -0.1, 1.5)
    state = State(state.poses, state.numbers, multipliers.ravel())
    assembly.evaluate(state, inputs)
    return assembly, state, corner


def test_rows_in_motion_are_what_forces_exert():
    assembly, state, corner = tipped((0.1, -0.05, 0.02))
    rows, inputs = touch_rows(assembly, assembly.touch), assembly.inputs
    (at,) = np.flatnonzero(rows.pairs == corner)
    made = (rows.made @ rows.base)[3 * at : 3 * at + 3]
    for row, axis in zip(made, rows.axes[at], strict=True):
        found = []
        for part in (1.0, -1.0):
            multipliers = state.multipliers.reshape(-1, 3).copy()
            multipliers[corner] += part * axis
            there = State(state.poses, state.numbers, multipliers.ravel())
            assembly.evaluate_residual(there, inputs)
            found.append(assembly.residual.copy())
        np.testing.assert_allclose(row, 0.5 * (found[0] - found[1]), atol=1e-14)


@pytest.mark.parametrize("size", [0.0, 0.02, 0.1])
def test_rows_in_motion_are_half_a_turn_off_the_slope_of_gaps(size):
    """Those of the middle of the arc: at rest, they are that slope."""
    turn = size * np.array([0.6, -0.8, 0.0])
    assembly, state, corner = tipped(turn)
    rows = touch_rows(assembly, assembly.touch)
    (at,) = np.flatnonzero(rows.pairs == corner)
    row, slope, h = (rows.made @ rows.base)[3 * at], np.empty(6), 1e-6
    for i, way in enumerate(np.eye(6)):
        gaps = []
        for part in (h, -h):
            assembly.place(moved(assembly.model, state, part * way), assembly.inputs)
            gaps.append(float(assembly.touch.gap[corner]))
        slope[i] = (gaps[0] - gaps[1]) / (2.0 * h)
    off = np.linalg.norm((row + slope)[:3])
    arm = float(np.linalg.norm(assembly.touch.contacts.offset[corner]))
    assert np.linalg.norm((row + slope)[3:]) < 1e-8
    assert 0.1 * size * arm - 1e-9 <= off <= 0.5 * size * arm + 1e-9


def test_what_lies_on_what_gives_moves_with_it():
    """A ball on a free slider, on a beam: by differences. Nothing of its props is left."""
    stiff = fx.Material(young=5e8, poisson=0.4, density=1000.0)
    robot = fx.Robot(
        "ball on a beam",
        rods=[fx.Rod("beam", 0.2, fx.Circle(5e-3), stiff)],
        bodies=[fx.Body("ball", 0.02, (1e-6,) * 3, shape=fx.Sphere(0.01))],
        joints=[
            fx.Slider("lift", "world", "beam.base", (0, 0, 1), driven=True),
            fx.Slider("up", "world", "ball", (0, 0, 1), offset=fx.lie.se3.pose((0.15, 0, 0.03))),
        ],
        loads=[fx.Gravity(), fx.PointLoad("push", "beam.tip")],
        contacts=[fx.Contact("beam", "ball")],
    )
    model = fx.build(robot, rods=fx.Spline(3, 8))
    here = fx.statics(model).unwrap()
    found = here.jacobian("ball", ["lift", "push"])[5, [0, 6]]
    wanted = []
    for name, size in (("lift", 1e-5), ("push", 1e-4)):
        change = size if name == "lift" else size * np.eye(6)[5]
        ends = [fx.statics(model, {name: x * change}, start=here).unwrap() for x in (1.0, -1.0)]
        up = [x.pose("ball")[2, 3] for x in ends]
        wanted.append((up[0] - up[1]) / (2.0 * size))
    np.testing.assert_allclose(found, wanted, rtol=1e-6)
