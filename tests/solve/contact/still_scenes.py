"""Random scenes at rest, with contacts and friction: rods, bodies, soft blocks and obstacles.

Each has a robot, and inputs of one increment after the other; all of it may be turned, moved and
scaled. ``still.py`` solves and judges them.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from meshes import block

import flexura as fx

CORNERS = 0.6 * np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)])
FACES = ((0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2))
G = 9.81


class World(NamedTuple):
    """Where all of a scene is, and how large: gravity stays, Young's moduli grow with lengths.

    Then lengths grow with the scale, forces with its third power, and shapes are the same.
    """

    turn: np.ndarray = np.eye(4)
    scale: float = 1.0

    def place(self, position=(0.0, 0.0, 0.0), rotation=(0.0, 0.0, 0.0)):
        return self.turn @ fx.lie.se3.pose(self.scale * np.asarray(position), rotation)

    def point(self, position):
        return tuple(self.place(position)[:3, 3])

    def force(self, force):
        return tuple(self.scale**3 * self.turn[:3, :3] @ force)

    def direction(self, way):
        return tuple(self.turn[:3, :3] @ way)

    def material(self, young, density, poisson=0.3):
        return fx.Material(young=self.scale * young, poisson=poisson, density=density)

    def body(self, name, mass, size, shape=None):
        s = self.scale
        inertia = (mass * s**3 * (size * s) ** 2 / 6.0,) * 3
        return fx.Body(name, mass * s**3, inertia, shape=shape)

    def block(self, size, cells, corner):
        points, tetrahedra = block(size, cells)
        points = self.scale * (points + np.asarray(corner))
        return points @ self.turn[:3, :3].T + self.turn[:3, 3], tetrahedra


class Scene(NamedTuple):
    """A robot, how its rods are described, and inputs of one increment after the other."""

    parts: dict
    rods: object
    inputs: list

    def build(self, backwards=False):
        """The model; lists of parts may be written down backwards."""
        parts = {k: list(v)[::-1] if backwards else list(v) for k, v in self.parts.items()}
        return fx.build(fx.Robot("still", **parts), rods=self.rods)


def description(rng, length=8):
    n = int(rng.integers(length, 2 * length))
    return (
        fx.Spline(3, n),
        fx.LinearStrain(n),
        fx.Hermite(n),
        fx.ConstantStrain(n),
        fx.VariableStrain(),
        fx.RotationInterpolation(n),
    )[rng.integers(6)]


def shape_of(rng, world, size):
    a, b, c = world.scale * size * rng.uniform(0.5, 1.0, 3)
    return (
        fx.Sphere(0.5 * a),
        fx.Box(a, b, c),
        fx.Capsule(0.3 * a, b),
        fx.Cylinder(0.4 * a, b),
        fx.Triangles(0.5 * world.scale * size * CORNERS, FACES),
    )[rng.integers(5)]


def rod_of(rng, world, name="rod", length=0.3):
    radius, young = ((5e-3, 1e6), (3e-3, 3e7), (8e-4, 2e9), (8e-4, 2e11))[rng.integers(4)]
    rod = fx.Rod(
        name, world.scale * length, fx.Circle(world.scale * radius), world.material(young, 1200.0)
    )
    bends = 0.25 * np.pi * radius**4 * young / length**2
    return rod, radius, bends


def arm(rng, world, friction):
    """A rod that is clamped, and something beside it."""
    rod, radius, bends = rod_of(rng, world)
    size = 0.06
    if rng.uniform() < 0.3:
        normal = np.append(rng.normal(size=2) * 0.3, 1.0)
        below = (0.0, 0.0, -radius - 0.02 - 0.3 * np.hypot(*normal[:2]))
        below = (0.0, 0.0, min(below[2], -rng.uniform(0.02, 0.15)))
        solid = fx.Obstacle("post", fx.Plane(world.direction(normal), world.point(below)))
    else:
        aside = rng.normal(size=3)
        aside[0] = 0.0
        aside *= (radius + 0.055 + rng.uniform(0.0, 0.03)) / np.linalg.norm(aside)
        aside[0] = rng.uniform(0.08, 0.28)
        where = world.place(aside, rng.normal(size=3))
        solid = fx.Obstacle("post", shape_of(rng, world, size), pose=where)
    pulls = []
    for _ in range(int(rng.integers(1, 4))):
        force = rng.normal(size=3)
        force[0] *= 0.3
        pulls.append(world.force(bends * rng.uniform(0.3, 6.0) * force / np.linalg.norm(force)))
    return {
        "rods": [rod],
        "joints": [fx.Weld("world", "rod.base", offset=world.place())],
        "loads": [fx.Gravity(tuple(G * np.array(world.direction((0, 0, -1.0))))),
                  fx.PointLoad("pull", "rod.tip", force=pulls[0])],
        "obstacles": [solid],
        "contacts": [fx.Contact("rod", "post", friction=friction)],
    }, [{"pull": (0, 0, 0, *x)} for x in pulls]  # fmt: skip


def cord(rng, world, friction):
    """A cord between two ends above a floor, or a ball."""
    radius, young = ((2e-3, 1e6), (1e-3, 2e9), (2e-4, 2e11))[rng.integers(3)]
    length, apart = 0.6, rng.uniform(0.3, 0.55)
    section = fx.Circle(world.scale * radius)
    rod = fx.Rod("rod", world.scale * length, section, world.material(young, 1200.0))
    ends = [("base", world.place()), ("tip", world.place((apart, 0.0, 0.0)))]
    if rng.uniform() < 0.5:
        joints = [fx.Ball(f"{x} ball", "world", f"rod.{x}", offset=y) for x, y in ends]
    else:
        joints = [fx.Weld("world", f"rod.{x}", offset=y) for x, y in ends]
    sag = rng.uniform(0.03, 0.2)
    floor = fx.Plane(world.direction((0, 0, 1.0)), world.point((0, 0, -sag)))
    pulls = [(0.0, 0.0, 0.0), *(1e-3 * rng.normal(size=3) for _ in range(rng.integers(0, 3)))]
    pulls = [world.force(x) for x in pulls]
    middle = fx.At("rod", 0.5 * world.scale * length)
    return {
        "rods": [rod],
        "joints": joints,
        "loads": [fx.Gravity(tuple(G * np.array(world.direction((0, 0, -1.0))))),
                  fx.PointLoad("pull", middle, force=pulls[0])],
        "obstacles": [fx.Obstacle("floor", floor)],
        "contacts": [fx.Contact("rod", "floor", friction=friction)],
    }, [{"pull": (0, 0, 0, *x)} for x in pulls]  # fmt: skip


def standing(rng, world, friction):
    """A block that stands on a slope, perhaps with a post below it."""
    size = np.array([0.06, 0.04, 0.03]) * rng.uniform(0.7, 1.0, 3)
    cells = tuple(rng.integers(1, 3, 3).tolist())
    young = 10.0 ** rng.uniform(4.5, 6.5)
    corner = (0.0, 0.0, float(rng.choice([0.0, 1e-3, 0.02])))
    volume = fx.Volume(
        "block", world.block(size, cells, corner), world.material(young, 1000.0),
        quadratic=bool(rng.uniform() < 0.4),
    )  # fmt: skip
    limit = np.arctan(friction)
    pulls = []
    for _ in range(int(rng.integers(1, 4))):
        angle = max(0.0, limit + np.radians(rng.uniform(-15.0, 4.0)))
        way = rng.uniform(0.0, 2.0 * np.pi)
        down = np.array([np.sin(angle) * np.cos(way), np.sin(angle) * np.sin(way), -np.cos(angle)])
        pulls.append(tuple(G * np.array(world.direction(down))))
    plane = fx.Plane(world.direction((0, 0, 1.0)), world.point((0, 0, 0)))
    solids = [fx.Obstacle("floor", plane)]
    if rng.uniform() < 0.3:
        wall = fx.Plane(world.direction((-1.0, 0, 0)), world.point((0.065, 0, 0)))
        solids.append(fx.Obstacle("wall", wall))
    return {
        "volumes": [volume],
        "loads": [fx.Gravity(pulls[0])],
        "obstacles": solids,
        "contacts": [fx.Contact("block", x.name, friction=friction) for x in solids],
    }, [{"gravity": x} for x in pulls]  # fmt: skip


def pressed(rng, world, friction):
    """A body on a slider presses on a rod, or a block, or an obstacle."""
    size, up = 0.05, 0.08
    shape = shape_of(rng, world, size)
    where = world.place((rng.uniform(0.02, 0.05), rng.uniform(-0.01, 0.01), up), rng.normal(size=3))
    hand = world.body("hand", 0.02, size, shape)
    guide = fx.Slider("guide", "world", "hand", (0, 0, 1), offset=world.place())
    # the slider's own axes: those of the world, turned with it
    own = np.linalg.inv(world.place()) @ where
    hand = replace(hand, shape=replace(shape, pose=own))
    parts = {"bodies": [hand], "joints": [guide], "contacts": [], "rods": [], "volumes": [],
             "obstacles": []}  # fmt: skip
    kind = rng.choice(["rod", "block", "solid", "floor"])
    if kind == "rod":
        rod, _, _ = rod_of(rng, world, length=0.1)
        parts["rods"].append(rod)
        ends = [("base", world.place()), ("tip", world.place((0.1, 0, 0)))][: rng.integers(1, 3)]
        parts["joints"] += [fx.Weld("world", f"rod.{x}", offset=y) for x, y in ends]
        other = "rod"
    elif kind == "block":
        mesh = world.block((0.06, 0.06, 0.03), (2, 2, 1), (0.0, -0.03, 0.0))
        young = 10.0 ** rng.uniform(4.5, 6.0)
        parts["volumes"].append(fx.Volume("block", mesh, world.material(young, 1000.0)))
        plane = fx.Plane(world.direction((0, 0, 1.0)), world.point((0, 0, 0)))
        parts["obstacles"].append(fx.Obstacle("floor", plane))
        parts["contacts"].append(fx.Contact("block", "floor", friction=max(friction, 0.1)))
        other = "block"
    elif kind == "solid":
        there = world.place((0.03, 0.0, 0.0), rng.normal(size=3))
        parts["obstacles"].append(fx.Obstacle("post", shape_of(rng, world, size), pose=there))
        other = "post"
    else:
        tilt = np.append(0.3 * rng.normal(size=2), 1.0)
        plane = fx.Plane(world.direction(tilt), world.point((0.03, 0, 0)))
        parts["obstacles"].append(fx.Obstacle("post", plane))
        other = "post"
    parts["contacts"].append(fx.Contact("hand", other, friction=friction))
    pulls = [(0.0, 0.0, -rng.uniform(0.05, 1.0)) for _ in range(int(rng.integers(1, 4)))]
    pulls = [world.force(x) for x in pulls]
    parts["loads"] = [fx.Gravity(tuple(G * np.array(world.direction((0, 0, -1.0))))),
                      fx.PointLoad("pull", "hand", force=pulls[0])]  # fmt: skip
    return parts, [{"pull": (0, 0, 0, *x)} for x in pulls]


def tube(rng, world, friction):
    """A rod in a vessel with bends, pushed aside and along."""
    rod, radius, bends = rod_of(rng, world)
    bow = rng.uniform(0.0, 0.03)
    way = [(-0.05, 0, 0), (0.1, 0, 0), (0.2, bow, 0.0), (0.4, 2.0 * bow, bow)]
    inside = fx.Vessel([world.point(x) for x in way], world.scale * (radius + 0.01 + bow))
    pulls = []
    for _ in range(int(rng.integers(1, 4))):
        pulls.append(world.force(bends * rng.uniform(0.3, 8.0) * rng.normal(size=3)))
    return {
        "rods": [rod],
        "joints": [fx.Weld("world", "rod.base", offset=world.place())],
        "loads": [fx.Gravity(tuple(G * np.array(world.direction((0, 0, -1.0))))),
                  fx.PointLoad("pull", "rod.tip", force=pulls[0])],
        "obstacles": [fx.Obstacle("vessel", inside)],
        "contacts": [fx.Contact("rod", "vessel", friction=friction)],
    }, [{"pull": (0, 0, 0, *x)} for x in pulls]  # fmt: skip


def crossed(rng, world, friction):
    """Two clamped rods, one across the other."""
    first, radius, bends = rod_of(rng, world, "first")
    second, other, more = rod_of(rng, world, "second")
    turn = rng.uniform(0.3, 2.8)
    meet, over = rng.uniform(0.08, 0.25), 1.05 * (radius + other)
    begin = np.array([meet, 0.0, -over]) - rng.uniform(0.08, 0.25) * np.array(
        [np.cos(turn), np.sin(turn), 0.0]
    )
    pulls = []
    for _ in range(int(rng.integers(1, 4))):
        force = np.array([*0.3 * rng.normal(size=2), -1.0])
        pulls.append(world.force(min(bends, more) * rng.uniform(0.3, 4.0) * force))
    return {
        "rods": [first, second],
        "joints": [fx.Weld("world", "first.base", offset=world.place()),
                   fx.Weld("world", "second.base", offset=world.place(begin, (0, 0, turn)))],
        "loads": [fx.PointLoad("pull", "first.tip", force=pulls[0])],
        "contacts": [fx.Contact("first", "second", friction=friction)],
    }, [{"pull": (0, 0, 0, *x)} for x in pulls]  # fmt: skip


def poking(rng, world, friction):
    """A clamped rod whose tip is pushed onto a soft block that is held from below."""
    rod, radius, bends = rod_of(rng, world, length=0.2)
    mesh = world.block((0.08, 0.08, 0.04), (2, 2, 1), (0.1, -0.04, -0.04 - radius - 2e-3))
    young = 10.0 ** rng.uniform(4.5, 6.5)
    volume = fx.Volume("block", mesh, world.material(young, 1000.0))
    under = np.linalg.inv(world.place()) @ np.append(mesh[0].T, [np.ones(len(mesh[0]))], axis=0)
    low = np.flatnonzero(under[2] <= under[2].min() + 1e-6 * world.scale)
    pulls = []
    for _ in range(int(rng.integers(1, 4))):
        force = np.array([*0.5 * rng.normal(size=2), -1.0])
        pulls.append(world.force(bends * rng.uniform(0.3, 4.0) * force))
    return {
        "rods": [rod],
        "volumes": [volume],
        "joints": [fx.Weld("world", "rod.base", offset=world.place()),
                   fx.Clamp("world", fx.Nodes("block", indices=tuple(low.tolist())))],
        "loads": [fx.PointLoad("pull", "rod.tip", force=pulls[0])],
        "contacts": [fx.Contact("rod", "block", friction=friction)],
    }, [{"pull": (0, 0, 0, *x)} for x in pulls]  # fmt: skip


FAMILIES = (arm, cord, standing, pressed, tube, crossed, poking)


def scene(seed, world=None):
    """The scene of a seed, somewhere."""
    rng = np.random.default_rng(seed)
    friction = float(rng.choice([0.0, 0.1, 0.3, 0.6, 1.0]))
    family = FAMILIES[seed % len(FAMILIES)]
    choice = description(rng)
    parts, inputs = family(rng, world or World(), friction)
    return Scene(parts, choice, inputs)
