"""Random scenes of rods, bodies, soft cubes and obstacles; ``make fuzz-contacts`` has new ones.

Each is followed for 100 steps. No exception, no number that is none, nothing goes through the floor
or breaks a law of contact at any instant, no energy comes from nowhere, and what fails says why.
"""

import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from contact_laws import check_motion
from meshes import block

import flexura as fx

STEPS, STEP = 100, 2e-3
# Steps are cut in which contacts whose normals turn by more than 0.05 rad do more work than 1e-3 of
# the kinetic energy. With an angle α below that, forces along n do λ s α/2 on the way s, less what
# the step loses: at most T α²/4 of impacts, 6e-4 T, and λ s/40 of weights, 1 mm in a step here.
GROWN = 1e-3
RUBBER = fx.Material(young=2e6, poisson=0.4, density=1000.0)
FOAM = fx.Material(young=5e4, poisson=0.3, density=300.0)
# A tetrahedron of triangles, around its centre.
CORNERS = 0.3 * np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)])
FACES = ((0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2))


def shape_of(rng, size):
    """A random solid of about that size."""
    a, b, c = size * rng.uniform(0.5, 1.0, 3)
    return (
        fx.Sphere(0.5 * a),
        fx.Box(a, b, c),
        fx.Capsule(0.3 * a, b),
        fx.Cylinder(0.4 * a, b),
        fx.Triangles(size * CORNERS, FACES),
    )[rng.integers(5)]


def scene(seed):
    """A robot of several parts above a floor, where they begin, and how fast."""
    rng = np.random.default_rng(seed)
    friction, size = float(rng.choice([0.0, 0.2, 0.6])), 0.05
    kinds = rng.choice(["body", "body", "rod", "volume"], size=rng.integers(1, 4))
    bodies, rods, volumes, names, place, velocity = [], [], [], [], {}, {}
    for i, kind in enumerate(kinds.tolist()):
        name, height = f"{kind}{i}", 0.06 + 0.12 * i
        names.append(name)
        if kind == "volume":
            points, cells = block((size,) * 3, (2, 2, 2))
            begin = height - 0.5 * size
            volumes.append(fx.Volume(name, (points + np.array([0, 0, begin]), cells), FOAM))
            continue
        place[name] = fx.lie.se3.exp(np.append(rng.normal(size=3), np.zeros(3)))
        place[name][:3, 3] = *rng.uniform(-0.01, 0.01, 2), height
        twist = np.append(rng.uniform(-5.0, 5.0, 3), rng.uniform(-0.5, 0.5, 3))
        if kind == "body":
            shape = shape_of(rng, size)
            inertia = 0.1 * size**2 / 6.0
            bodies.append(fx.Body(name, 0.1, (inertia,) * 3, shape=shape))
            velocity[name] = twist
        else:
            place[name] = fx.lie.se3.pose((-0.05, 0.0, height), (0.0, rng.uniform(-0.1, 0.1), 0.0))
            rods.append(fx.Rod(name, 0.1, fx.Circle(radius=5e-3), RUBBER))
    obstacles = [fx.Obstacle("floor", fx.Plane())]
    if rng.uniform() < 0.6:
        where = fx.lie.se3.exp(np.append(rng.normal(size=3), np.zeros(3)))
        where[:3, 3] = 0.03, 0.01, -0.01
        obstacles.append(fx.Obstacle("post", shape_of(rng, size), pose=where))
    if rng.uniform() < 0.3:
        way = [(0.0, 0.0, -0.3), (0.01, 0.0, 0.2), (0.0, 0.0, 0.7)]
        obstacles.append(fx.Obstacle("chimney", fx.Vessel(way, 0.1)))
    still = [x.name for x in obstacles]
    ways = [(a, b) for i, a in enumerate(names) for b in [*names[i + 1 :], *still]]
    ways += [(x.name, x.name) for x in rods]
    pairs = [fx.Contact(a, b, friction=friction) for a, b in ways]
    robot = fx.Robot(
        f"scene {seed}", rods=rods, bodies=bodies, volumes=volumes, loads=[fx.Gravity()],
        obstacles=obstacles, contacts=pairs,
    )  # fmt: skip
    return robot, place, velocity


def lowest(instant):
    """Height of the lowest of what is not flat: centres of bodies and volumes, points of rods."""
    robot = instant.model.robot
    return min(
        *(instant.pose(x.name)[2, 3] for x in robot.bodies),
        *(instant.pose(x.name, np.linspace(0.0, x.length, 9))[:, 2, 3].min() for x in robot.rods),
        *(instant.points(x.name)[:, 2].mean() for x in robot.volumes),
        np.inf,
        np.inf,
    )


def follow(seed, steps=STEPS):
    """Follow a scene and judge it; how it ended."""
    robot, place, velocity = scene(seed)
    model = fx.build(robot, rods=fx.Spline(3, 4))
    try:
        motion = fx.simulate(model, steps * STEP, STEP, place=place, velocity=velocity)
    except fx.ModelError as error:
        if "begins inside" in str(error) or "begins outside" in str(error):
            return "BEGINS INSIDE"
        raise
    energy = motion.energy
    assert np.isfinite(energy).all(), "energies are no numbers"
    grown = np.diff(energy).max(initial=0.0) / (motion.kinetic.max() + np.ptp(motion.gravity))
    assert grown <= GROWN, f"energy grows by {grown:.2g} of it in a step"
    check_motion(motion)
    for instant in motion:
        low = lowest(instant)
        assert low > 0.0, f"something is {-low:.3g} m below the floor at {instant.t:g} s"
    return motion.status.name


def main(count):
    """Follow so many new scenes; how many were judged wrong."""
    ends, wrong, first = Counter(), 0, time.time_ns() % 10**9
    for seed in range(first, first + count):
        try:
            end = follow(seed)
            ends[end] += 1
            if end not in ("REACHED", "BEGINS INSIDE"):
                print(f"scene {seed}: {end}")
        except Exception as error:
            wrong += 1
            print(f"scene {seed}: {type(error).__name__}: {error}")
    print(f"{count} scenes from seed {first}: {dict(ends)}, {wrong} wrong")
    return wrong


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])) > 0)
