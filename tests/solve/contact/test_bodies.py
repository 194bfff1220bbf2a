"""Rigid bodies on planes and on each other: closed forms."""

import numpy as np
import pytest
from contact_laws import check_contacts

import flexura as fx
from flexura.lie import se3

G = 9.81


def slope(angle):
    """A plane that descends along x, and a rotation onto it."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    return fx.Obstacle("slope", fx.Plane(normal=R[:, 2])), R


def on_slope(angle, friction, body, height):
    obstacle, R = slope(angle)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = R, height * R[:, 2]
    robot = fx.Robot(
        "block",
        bodies=[body],
        loads=[fx.Gravity()],
        obstacles=[obstacle],
        contacts=[fx.Contact(body.name, "slope", friction=friction)],
    )
    return fx.build(robot), {body.name: pose}, R


BLOCK = fx.Body("block", mass=2.0, inertia=(0.01, 0.02, 0.02), shape=fx.Box(0.2, 0.2, 0.1))


@pytest.mark.parametrize(("degrees", "friction"), [(20, 0.5), (30, 0.5), (30, 0.2), (10, 0.0)])
def test_block_on_a_slope(degrees, friction):
    angle, time = np.radians(degrees), 0.2
    model, place, R = on_slope(angle, friction, BLOCK, 0.05)
    motion = fx.simulate(model, time, 0.005, place=place).unwrap()
    drive = np.sin(angle) - friction * np.cos(angle)
    speed = R[:, 0] @ (motion.pose("block")[-1, :3, :3] @ motion.velocity("block")[-1, 3:])
    assert speed == pytest.approx(max(drive, 0.0) * G * time, abs=1e-9)
    last = motion[-1]
    check_contacts(last)
    assert all(x.sliding == (drive > 0.0) for x in last.contacts)
    assert sum(x.pressing for x in last.contacts) == pytest.approx(2.0 * G * np.cos(angle))


@pytest.mark.parametrize("beyond", [-0.01, 0.01])
def test_it_slips_at_the_angle_of_friction(beyond):
    angle, friction = np.arctan(0.5) + np.radians(beyond), 0.5
    model, place, R = on_slope(angle, friction, BLOCK, 0.05)
    motion = fx.simulate(model, 0.1, 0.005, place=place).unwrap()
    moved = R[:, 0] @ (motion.pose("block")[-1] - motion.pose("block")[0])[:3, 3]
    assert (moved > 1e-7) if beyond > 0.0 else (abs(moved) < 1e-10)


@pytest.mark.parametrize("friction", [0.5, 0.1])
def test_a_ball_rolls_or_slides(friction):
    """a = 5/7 g sin α where friction is above 2/7 tan α; else g (sin α - μ cos α), and it spins."""
    radius, mass, angle, time = 0.03, 0.4, np.radians(25.0), 0.2
    inertia = 0.4 * mass * radius**2
    ball = fx.Body("ball", mass=mass, inertia=(inertia,) * 3, shape=fx.Sphere(radius))
    model, place, R = on_slope(angle, friction, ball, radius)
    motion = fx.simulate(model, time, time / 200, place=place).unwrap()
    rolls = friction > 2.0 / 7.0 * np.tan(angle)
    drive = 5.0 / 7.0 * np.sin(angle) if rolls else np.sin(angle) - friction * np.cos(angle)
    twist = motion.velocity("ball")[-1]
    turned = motion.pose("ball")[-1, :3, :3]
    assert R[:, 0] @ turned @ twist[3:] == pytest.approx(drive * G * time, rel=1e-3)
    spin = 5.0 / 7.0 * np.sin(angle) / radius if rolls else 2.5 * friction * np.cos(angle) / radius
    assert R[:, 1] @ turned @ twist[:3] == pytest.approx(spin * G * time, rel=1e-3)


@pytest.mark.parametrize("h", [1e-3, 4e-3, 8e-3])
def test_a_ball_rolls_on(h):
    """At up to eight tenths of a radian a step: it goes as far as it turns, and nothing brakes."""
    radius, speed, time = 0.01, 1.0, 0.2
    ball = fx.Body("ball", 0.1, (0.4 * 0.1 * radius**2,) * 3, shape=fx.Sphere(radius))
    table, touch = fx.Obstacle("table", fx.Plane()), fx.Contact("ball", "table", friction=0.5)
    robot = fx.Robot(
        "rolls", bodies=[ball], loads=[fx.Gravity()], obstacles=[table], contacts=[touch]
    )
    motion = fx.simulate(
        fx.build(robot), time, h, place={"ball": se3.pose((0, 0, radius))},
        velocity={"ball": (0, speed / radius, 0, speed, 0, 0)},
    ).unwrap()  # fmt: skip
    assert motion.pose("ball")[-1, 0, 3] == pytest.approx(speed * time, rel=1e-9)
    assert motion.energy == pytest.approx(motion.energy[0], rel=1e-9)


@pytest.mark.parametrize("names", [("ball", "dome"), ("dome", "ball")])
def test_it_rolls_on_another_one_whoever_is_named_first(names):
    """By up to eight tenths of a radian a step: it goes as far as it turns."""
    radius, speed, dome = 0.01, 1.0, fx.Sphere(10.0)
    ball = fx.Body("ball", 0.1, (0.4 * 0.1 * radius**2,) * 3, shape=fx.Sphere(radius))
    robot = fx.Robot(
        "rolls", bodies=[ball], loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("dome", dome, pose=se3.pose((0, 0, -dome.radius)))],
        contacts=[fx.Contact(*names, friction=0.5)],
    )  # fmt: skip
    motion = fx.simulate(
        fx.build(robot), 0.2, 8e-3, place={"ball": se3.pose((0, 0, radius))},
        velocity={"ball": (0, speed / radius, 0, speed, 0, 0)},
    ).unwrap()  # fmt: skip
    twist = motion.velocity("ball")[-1]
    # 0.2 m on, the dome descends by 0.02 rad, by which rolling and going differ in the end
    assert np.linalg.norm(twist[3:]) == pytest.approx(twist[1] * radius, rel=1e-3)


def test_momentum_is_what_the_floor_gives():
    """It falls flat, without turning: there velocities are exact, and so is the balance."""
    box = fx.Body("box", mass=1.5, inertia=(0.02, 0.03, 0.04), shape=fx.Box(0.1, 0.12, 0.08))
    robot = fx.Robot(
        "falls", bodies=[box], loads=[fx.Gravity()], obstacles=[fx.Obstacle("floor", fx.Plane())],
        contacts=[fx.Contact("box", "floor")],
    )  # fmt: skip
    pose = np.eye(4)
    pose[2, 3] = 0.2
    h = 0.002
    motion = fx.simulate(
        fx.build(robot), 0.4, h, place={"box": pose}, velocity={"box": (0, 0, 0, 0.5, 0.2, 0)}
    ).unwrap()
    energy, before = motion.energy, None
    assert np.all(np.diff(energy) <= 1e-12 * np.abs(energy).max())
    for instant in motion:
        check_contacts(instant)
        if before is not None:
            given = sum((x.force for x in instant.contacts), np.zeros(3))
            change = instant.momentum[3:] - before.momentum[3:]
            np.testing.assert_allclose(change, h * (given - np.array([0, 0, 1.5 * G])), atol=1e-9)
        before = instant
    np.testing.assert_allclose(motion[-1].velocity("box"), (0, 0, 0, 0.5, 0.2, 0), atol=1e-9)


def test_a_body_that_spins_and_falls_gains_no_energy():
    """Where ω × v is along gravity, steps whose centre follows the turning frame gain some."""
    body = fx.Body("top", mass=0.1, inertia=(1e-4, 2e-4, 3e-4))
    model = fx.build(fx.Robot("spins", bodies=[body], loads=[fx.Gravity()]))
    for spin in np.eye(3):
        motion = fx.simulate(
            model, 0.1, 2e-3, velocity={"top": (*(8.0 * spin), 1.0, -0.5, 0.7)},
            integrator=fx.ImplicitEuler(),
        ).unwrap()  # fmt: skip
        assert np.diff(motion.energy).max() <= 0.0
        # its centre falls as any does
        fallen = motion.pose("top")[:, :3, 3] - motion.t[:, None] * np.array([1.0, -0.5, 0.7])
        late = 0.5 * G * motion.t * (motion.t + 2e-3)
        np.testing.assert_allclose(fallen[:, 2], -late, atol=1e-12)
        np.testing.assert_allclose(fallen[:, :2], 0.0, atol=1e-12)


def test_slip_is_that_of_a_step_however_it_is_cut():
    """A hinge elsewhere turns too far in a step: the box still slides from instant to instant."""
    friction, speed = 0.3, 1.0
    robot = fx.Robot(
        "slides",
        bodies=[BLOCK, fx.Body("wheel", mass=1.0, inertia=(0.01,) * 3)],
        joints=[fx.Hinge("turn", "world", "wheel", axis=(0, 0, 1), driven=True)],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("floor", fx.Plane())],
        contacts=[fx.Contact("block", "floor", friction=friction)],
    )
    motion = fx.simulate(
        fx.build(robot), 0.02, 0.005, inputs={"turn": lambda t: 700.0 * t},
        place={"block": se3.pose((0, 0, 0.05))}, velocity={"block": (0, 0, 0, speed, 0, 0)},
    ).unwrap()  # fmt: skip
    assert len(motion.cuts) == 4
    moved, lost = np.diff(motion.pose("block")[:, :3, 3], axis=0), -np.diff(motion.kinetic)
    assert (moved[:, 0] > 3e-3).all()
    for instant, way, energy in zip(motion.results[1:], moved, lost, strict=True):
        for x in instant.contacts:
            np.testing.assert_allclose(x.slip, way, atol=1e-12)  # rounding
        rubbed = -sum(x.rubbing @ x.slip for x in instant.contacts)
        assert rubbed == pytest.approx(friction * 2.0 * G * way[0])
        assert 0.0 < rubbed < energy  # implicit Euler loses more


def test_a_box_tumbles_and_comes_to_rest():
    box = fx.Body("box", mass=1.5, inertia=(0.003, 0.002, 0.003), shape=fx.Box(0.1, 0.12, 0.08))
    robot = fx.Robot(
        "tumbles", bodies=[box], loads=[fx.Gravity()], obstacles=[fx.Obstacle("floor", fx.Plane())],
        contacts=[fx.Contact("box", "floor", friction=0.4)],
    )  # fmt: skip
    pose = fx.lie.se3.exp(np.array([0.3, -0.5, 0.2, 0.0, 0.0, 0.0]))
    pose[2, 3] = 0.2
    motion = fx.simulate(
        fx.build(robot), 1.5, 0.002, place={"box": pose}, velocity={"box": (1, 2, 3, 0.5, 0, 0)}
    ).unwrap()
    for instant in motion:
        check_contacts(instant)
    assert motion[-1].kinetic < 1e-9
    assert motion.energy.max() <= motion.energy[0] * (1.0 + 1e-9)
    assert sum(x.pressing for x in motion[-1].contacts) == pytest.approx(1.5 * G, rel=1e-6)


def test_one_linearisation_leaves_nothing_deep():
    """It spins: what one step of Newton's method leaves would be 6e-4 of the length deep."""
    box = fx.Body("box", mass=1.5, inertia=(0.003, 0.002, 0.003), shape=fx.Box(0.1, 0.12, 0.08))
    robot = fx.Robot(
        "spins", bodies=[box], loads=[fx.Gravity()], obstacles=[fx.Obstacle("floor", fx.Plane())],
        contacts=[fx.Contact("box", "floor", friction=0.4)],
    )  # fmt: skip
    model, pose = fx.build(robot), fx.lie.se3.exp(np.array([0.3, -0.5, 0.2, 0.0, 0.0, 0.0]))
    pose[2, 3] = 0.1
    simulation = fx.Simulation(
        model, 0.01, place={"box": pose}, velocity={"box": (1, 12, 3, 0.5, 0, 0)},
        integrator=fx.ImplicitEuler(linearised=True), record=True,
    )  # fmt: skip
    gaps = [x.gap for _ in range(20) for x in simulation.step().contacts]
    assert simulation.motion().cuts
    assert -1e-4 * model.length <= min(gaps) < 0.0


def test_a_box_that_tips_over_its_edge_gains_nothing():
    """By the lever where a step ends, it would gain ½ N z (ω h)², z the height of its centre."""
    box = fx.Body("box", mass=1.5, inertia=(0.003, 0.002, 0.003), shape=fx.Box(0.1, 0.12, 0.08))
    robot = fx.Robot(
        "tips", bodies=[box], loads=[fx.Gravity()], obstacles=[fx.Obstacle("floor", fx.Plane())],
        contacts=[fx.Contact("box", "floor", friction=1.0)],
    )  # fmt: skip
    _, R = slope(0.85)
    edge = R @ np.array([0.05, 0.0, -0.04])
    pose, spin = np.eye(4), np.array([0.0, 2.0, 0.0])
    pose[:3, :3], pose[2, 3] = R, 1e-9 - edge[2]
    twist = np.append(R.T @ spin, R.T @ np.cross(spin, -edge))
    for h in (4e-3, 2e-3):
        motion = fx.simulate(
            fx.build(robot), 0.06, h, place={"box": pose}, velocity={"box": twist}
        ).unwrap()
        assert np.diff(motion.energy).max() <= 0.0


def test_a_pile_of_boxes_stands():
    boxes = [
        fx.Body(f"b{i}", mass=1.0, inertia=(0.01,) * 3, shape=fx.Box(0.2, 0.2, 0.1))
        for i in range(3)
    ]
    contacts = [fx.Contact("b0", "floor", friction=0.5)]
    contacts += [fx.Contact(f"b{i + 1}", f"b{i}", friction=0.5) for i in range(2)]
    robot = fx.Robot(
        "pile", bodies=boxes, loads=[fx.Gravity()], obstacles=[fx.Obstacle("floor", fx.Plane())],
        contacts=contacts,
    )  # fmt: skip
    place = {}
    for i in range(3):
        place[f"b{i}"] = fx.lie.se3.exp(np.array([0, 0, 0.2 * i, 0, 0, 0]))
        place[f"b{i}"][2, 3] = 0.05 + 0.1 * i
    motion = fx.simulate(fx.build(robot), 0.2, 0.01, place=place).unwrap()
    for i in range(3):
        np.testing.assert_allclose(motion.pose(f"b{i}")[-1], place[f"b{i}"], atol=1e-6)
        own = [x for x in motion[-1].contacts if x.a == f"b{i}"]
        assert sum(x.force[2] for x in own) == pytest.approx((3 - i) * G, rel=1e-5)


def test_a_plate_that_lies_flat_is_stable():
    """Nine places hold three motions: rows of contacts depend on each other."""
    rubber = fx.Material(young=1e6, poisson=0.4, density=1000.0)
    rod = fx.Rod("arm", 0.3, fx.Circle(5e-3), rubber)
    robot = fx.Robot(
        "plate",
        rods=[rod],
        bodies=[fx.Body("plate", 0.3, (1e-3,) * 3, shape=fx.Box(0.1, 0.1, 0.02))],
        joints=[
            fx.Weld("world", "arm.base"),
            fx.Weld("arm.tip", "plate", fx.lie.se3.pose((0.05, 0.0, 0.0))),
        ],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("floor", fx.Plane(point=(0, 0, -0.08)))],
        contacts=[fx.Contact("plate", "floor")],
    )
    result = fx.statics(fx.build(robot, rods=fx.Spline(3, 8))).unwrap()
    assert result.stable
    held = sum(x.pressing for x in result.contacts) + result.reaction("world-arm.base")[5]
    weight = G * (0.3 + rod.mass_per_length(0.0) * rod.length)
    assert held == pytest.approx(weight, rel=1e-9)


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize(
    ("linearised", "status"), [(False, fx.MotionStatus.LOST), (True, fx.MotionStatus.UNSOLVED)]
)
def test_what_is_crushed_between_driven_jaws_goes_nowhere(friction, linearised, status):
    """Jaws meet a rigid cube after 0.05 s: the motion ends there, with a word."""
    bodies = [fx.Body("cube", 0.1, (1e-5,) * 3, shape=fx.Box(0.04, 0.04, 0.04))]
    joints, contacts = [], []
    for side, name in ((1.0, "left"), (-1.0, "right")):
        begin = se3.pose((-0.03 * side, 0.0, 0.0))
        bodies.append(fx.Body(name, 0.1, (1e-5,) * 3, shape=fx.Box(0.01, 0.06, 0.06)))
        axis, drive = (side, 0.0, 0.0), f"close {name}"
        joints.append(fx.Slider(drive, "world", name, axis, offset=begin, driven=True))
        contacts.append(fx.Contact(name, "cube", friction=friction))
    robot = fx.Robot("crushing", joints=joints, bodies=bodies, contacts=contacts)
    given = {joint.name: lambda t: 2.0 * t * t for joint in joints}  # 5 mm after 0.05 s
    integrator = fx.ImplicitEuler(linearised=linearised)
    motion = fx.simulate(fx.build(robot), 0.1, 0.005, given, place={"cube": np.eye(4)},
                         integrator=integrator)  # fmt: skip
    assert motion.status is status
    assert "cannot" in str(motion.status)
    assert motion.t[-1] == pytest.approx(0.05, abs=1e-3)
    gap = motion.pose("left")[:, 0, 3] + 0.025
    assert gap.max() < 1e-4 * 0.1  # one linearisation leaves that much
    assert np.isfinite(motion.energy).all()
