"""Forces of two contacts that inputs led to are found again, in one increment from the start."""

import numpy as np
import pytest
from contact_laws import check_contacts

import flexura as fx
from flexura.lie import se3

DOWN = se3.pose(rotation=(0.0, 0.5 * np.pi, 0.0))
RUBBER = fx.Material(young=1.2e6, poisson=0.45, density=1100.0)


def bar(size, begin):
    """Corners and cells of a bar along z."""
    n, sides = (2, 2, 6), list(np.ndindex(2, 2, 2))
    number = np.arange(3 * 3 * 7).reshape(3, 3, 7)
    six = [(0, 4, 6, 7), (0, 5, 4, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 1, 5, 7), (0, 3, 1, 7)]
    cells = [[number[*np.add(at, sides[i])] for i in one] for at in np.ndindex(*n) for one in six]
    return np.indices(number.shape).reshape(3, -1).T / n * size + begin, cells


def volumes(random, friction):
    """Two soft fingers above a table, a box on a slider between them; how strong pulls are [N]."""
    side, mass = random.uniform(0.025, 0.035), 0.03
    silicone = fx.Material(float(random.uniform(3e5, 1e6)), poisson=0.4, density=1000.0)
    at = fx.lie.se3.pose((0.0, 0.0, 0.5 * side))
    own, tendons, joints = [], [], [fx.Slider("fall", "world", "box", (0, 0, 1), offset=at)]
    for name, way in (("left", -1.0), ("right", 1.0)):
        x = way * (0.5 * side + 0.005 + random.uniform(0.001, 0.004))
        mesh = bar((0.01, 0.014, 0.07), (x - 0.005, -0.007, 0.01))
        own.append(fx.Volume(name, mesh, silicone))
        joints.append(fx.Clamp("world", fx.Nodes(name, box=((-1, -1, 0.0799), (1, 1, 0.0801)))))
        inside = [(x - 0.004 * way, 0.0, z) for z in np.linspace(0.08, 0.012, 8)]
        tendons.append(fx.Tendon(f"pull {name}", volume=name, points=inside))
    robot = fx.Robot(
        "soft fingers",
        bodies=[fx.Body("box", mass, (mass * side**2 / 6,) * 3, shape=fx.Box(side, side, side))],
        volumes=own,
        joints=joints,
        tendons=tendons,
        obstacles=[fx.Obstacle("table", fx.Plane())],
        loads=[fx.Gravity()],
        contacts=[fx.Contact(x, "box", friction) for x in ("left", "right", "table")],
    )
    return robot, [("left", "box"), ("right", "box")], 7.5e-6 * silicone.young


def rods(random, friction):
    """Two fingers and a ball between them, on a slider above a table, or welded."""
    fingers, joints, tendons = [], [], []
    for name, way in (("left", -1.0), ("right", 1.0)):
        fingers.append(fx.Rod(name, 0.1, fx.Circle(radius=6e-3), RUBBER))
        base = se3.pose((way * random.uniform(0.03, 0.036), 0, 0.1)) @ DOWN
        joints.append(fx.Weld("world", f"{name}.base", offset=base))
        tendons.append(fx.Tendon(f"pull {name}", name, fx.Parallel(0.0, -4e-3 * way)))
    z = random.uniform(0.015, 0.03)
    ends, at = ("world", "ball"), se3.pose((0.0, 0.0, z))
    slides = bool(random.integers(2))
    hold = fx.Slider("hold", *ends, (0, 0, 1), offset=at) if slides else fx.Weld(*ends, at)
    robot = fx.Robot(
        "fingers",
        rods=fingers,
        bodies=[fx.Body("ball", mass=0.02, shape=fx.Sphere(0.02))],
        joints=[*joints, hold],
        tendons=tendons,
        obstacles=[fx.Obstacle("table", fx.Plane(point=(0, 0, z - 0.0201)))],
        loads=[fx.Gravity()],
        contacts=[fx.Contact(x, "ball", friction) for x in ("left", "right", "table")],
    )
    return robot, [("left", "ball"), ("right", "ball")], 1.3


def between(random, friction):
    """A finger with two tendons above one ball and beside another."""
    length, young = random.uniform(0.05, 0.2), float(10.0 ** random.uniform(5.5, 7.0))
    radius, out = length / random.uniform(12.0, 25.0), length / random.uniform(20.0, 30.0)
    gap, at = random.uniform(0.005, 0.03) * length, random.uniform(0.75, 0.95) * length
    ball = random.uniform(0.2, 0.4) * length
    away = -radius - gap - ball
    robot = fx.Robot(
        "finger",
        rods=[
            fx.Rod(
                "finger", length, fx.Circle(radius), fx.Material(young, poisson=0.45, density=1e3)
            )
        ],
        joints=[fx.Weld("world", "finger.base")],
        tendons=[
            fx.Tendon("down", "finger", fx.Parallel(0.0, -out)),
            fx.Tendon("aside", "finger", fx.Parallel(-out, 0.0)),
        ],
        obstacles=[
            fx.Obstacle("low", fx.Sphere(ball), pose=se3.pose((at, 0.0, away))),
            fx.Obstacle("beside", fx.Sphere(ball), pose=se3.pose((0.5 * length, away, 0.0))),
        ],
        contacts=[fx.Contact("finger", x, friction) for x in ("low", "beside")],
    )
    pull = young * 0.25 * np.pi * radius**4 / (length * out)  # that bends it by a radian
    return robot, [("finger", "low"), ("finger", "beside")], 0.7 * pull


def draw(kind, seed):
    """A model, the sides that press, where a search begins, and pulls that it shall find."""
    random = np.random.default_rng(seed)
    robot, sides, strong = kind(random, (0.0, 0.3, 0.8)[seed % 3])
    model, names = fx.build(robot, rods=fx.Spline(3, 10)), [x.name for x in robot.tendons]
    start, most = fx.statics(model).unwrap(), strong * random.uniform(0.7, 1.4, 2)
    for part in np.linspace(0.15, 1.0, 6):
        pulls = dict(zip(names, part * most, strict=True))
        start = fx.statics(model, pulls, start).unwrap()
    goal = most * random.uniform(0.75, 1.25, 2)
    return model, sides, start, dict(zip(names, goal, strict=True))


FEW = [*((volumes, seed) for seed in (3, 5, 43)), *((rods, seed) for seed in (1, 2, 28, 42, 174))]
FEW += [(between, seed) for seed in (6, 10, 19, 31, 96, 197)]
MORE = [(kind, seed) for kind in (volumes, rods, between) for seed in range(30)]


@pytest.mark.parametrize(
    ("kind", "seed"),
    [*FEW, *(pytest.param(*one, marks=pytest.mark.long) for one in MORE if one not in FEW)],
)
def test_forces_are_found_again(kind, seed):
    model, sides, start, goal = draw(kind, seed)
    there = fx.statics(model, goal, start).unwrap()
    asked = {both: there.pressing(*both) for both in sides}
    answer = fx.inverse(model, asked, list(goal), start=start)
    assert answer.status is fx.InverseStatus.REACHED
    again = fx.statics(model, answer.inputs, start).unwrap()
    check_contacts(again, depth=1e-6)
    largest = max(asked.values())
    for both, force in asked.items():
        # forces are kept to 1e-6 of their size; another way may end by as much elsewhere
        assert answer.result.pressing(*both) == pytest.approx(force, rel=2e-6, abs=2e-6 * largest)
        assert again.pressing(*both) == pytest.approx(force, rel=1e-5, abs=1e-5 * largest)
