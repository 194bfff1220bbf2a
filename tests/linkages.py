"""Linkages that close, by construction: from a closed pose, described by other angles of joints.

Most of them hold more than there is to hold: their joints are parallel, meet in a point or lie as
Bennett's do.
"""

import numpy as np

import flexura as fx
from flexura.lie import se3, so3

STEEL = fx.Material(young=2e11, poisson=0.3, density=7800.0)


class Draft:
    """A linkage that grows hinge by hinge, in a closed pose.

    Attributes:
        rng: draws its frames.
        size: of the linkage over that of its family [m].
        hinges: two links, point and axis of each, whether it is driven.
        pins: points of the hinges of each link.
    """

    def __init__(self, rng, size=1.0):
        self.rng, self.size = rng, size
        self.hinges, self.pins = [], {}
        self.ground = se3.pose(0.3 * rng.normal(size=3), rotation=rng.normal(size=3))

    def hinge(self, a, b, point, axis, driven=False):
        """Hinge a link to another one, or to the world, at a point of the linkage's own frame."""
        point = self.size * (self.ground[:3, :3] @ point + self.ground[:3, 3])
        axis = self.ground[:3, :3] @ axis
        for link in {a, b} - {"world"}:
            self.pins.setdefault(link, []).append(point)
        self.hinges.append((a, b, point, axis / np.linalg.norm(axis), driven))

    def robot(self, spread, rods, gravity):
        """The robot, its hinges turned by up to ``spread`` [rad], and inputs of its closed pose."""
        rng, inputs, joints = self.rng, {}, []
        links = {name: self._link(name, rods) for name in self.pins}
        for i, (a, b, point, axis, driven) in enumerate(self.hinges):
            if b == "world" or (a != "world" and rng.random() < 0.5):
                a, b = b, a
            (frame_a, A), (frame_b, B) = (self._frame(links, x, point) for x in (a, b))
            axis, angle = B[:3, :3].T @ axis, spread * rng.uniform(-1.0, 1.0)
            turned = np.eye(4)
            turned[:3, :3] = so3.exp(-angle * axis)
            offset = se3.inverse(A) @ B @ turned
            joints.append(fx.Hinge(f"h{i}", frame_a, frame_b, axis, offset, driven))
            if driven:
                inputs[f"h{i}"] = angle
        down = rng.normal(size=3)
        loads = [fx.Gravity(tuple(9.81 * down / np.linalg.norm(down)))] if gravity else []
        parts = [part for part, _ in links.values()]
        return fx.Robot(
            "linkage",
            [part for part in parts if isinstance(part, fx.Rod)],
            [joints[k] for k in rng.permutation(len(joints))],
            loads,
            bodies=[part for part in parts if isinstance(part, fx.Body)],
        ), inputs

    def _link(self, name, rods):
        """A rod or a body, and its pose."""
        pins = np.array(self.pins[name])
        way = pins[1] - pins[0]
        if rods and len(pins) == 2:
            length = float(np.linalg.norm(way))
            return fx.Rod(name, length, fx.Circle(5e-3 * self.size), STEEL), _aimed(pins[0], way)
        pose = se3.pose(pins.mean(axis=0), rotation=self.rng.normal(size=3))
        return fx.Body(name, 0.1, inertia=0.01 * self.size**2 * np.ones(3)), pose

    def _frame(self, links, name, point):
        """The frame of a link at a point, and its pose."""
        if name == "world":
            return "world", np.eye(4)
        part, pose = links[name]
        if isinstance(part, fx.Rod):
            if np.allclose(point, pose[:3, 3], atol=1e-9 * self.size):
                return f"{name}.base", pose
            return f"{name}.tip", pose @ se3.pose((part.length, 0.0, 0.0))
        here = se3.pose(point, rotation=self.rng.normal(size=3))
        return fx.At(name, offset=se3.inverse(pose) @ here), here


def _aimed(point, way):
    """A pose whose x axis points along a way."""
    x = way / np.linalg.norm(way)
    y = np.cross(x, np.eye(3)[np.abs(x).argmin()])
    y /= np.linalg.norm(y)
    pose = se3.pose(point)
    pose[:3, :3] = np.stack([x, y, np.cross(x, y)], axis=1)
    return pose


Z = np.array([0.0, 0.0, 1.0])


def flat(*point):
    """A point of the plane across all hinges."""
    return np.array([*point, 0.0])


def parallelogram(draft, driven):
    """Two equal cranks."""
    crank, ground = draft.rng.uniform(0.2, 0.6, 2)
    turn = draft.rng.uniform(0.0, 2.0 * np.pi)
    over = crank * flat(np.cos(turn), np.sin(turn))
    _four(draft, [flat(0.0, 0.0), over, over + flat(ground, 0.0), flat(ground, 0.0)], driven)


def four_bar(draft, driven):
    """Four links of any length in a plane."""
    while True:
        pins = draft.rng.uniform(-0.5, 0.5, (4, 2))
        if np.linalg.norm(pins - np.roll(pins, 1, axis=0), axis=1).min() > 0.15:
            break
    _four(draft, [flat(*pin) for pin in pins], driven)


def _four(draft, pins, driven):
    names = ["world", "crank", "coupler", "rocker"]
    for i in range(4):
        draft.hinge(names[i], names[(i + 1) % 4], pins[i], Z, driven and i == 0)


def bennett(draft, driven):
    """Bennett's four hinges in space; opposite links have equal lengths a, b and twists α, β.

    a sin β = b sin α,    tan(θ/2) tan(φ/2) = sin((β + α)/2) / sin((β - α)/2)
    """
    rng = draft.rng
    alpha, beta = rng.uniform(0.3, 0.7), rng.uniform(0.8, 1.2)
    a = rng.uniform(0.2, 0.6)
    theta = rng.uniform(0.4, 2.6)
    sines = np.sin(0.5 * (beta + alpha)), np.sin(0.5 * (beta - alpha)) * np.tan(0.5 * theta)
    phi = 2.0 * np.arctan2(*sines)
    links = [(a, alpha), (a * np.sin(beta) / np.sin(alpha), beta)] * 2
    poses = [np.eye(4)]
    for turn, (length, twist) in zip((theta, phi, -theta, -phi), links, strict=True):
        turned = se3.pose(rotation=(0.0, 0.0, turn))
        poses.append(poses[-1] @ turned @ se3.pose((length, 0.0, 0.0), rotation=(twist, 0.0, 0.0)))
    np.testing.assert_allclose(poses[4], np.eye(4), atol=1e-12)
    names = ["world", "crank", "coupler", "rocker"]
    for i in range(4):
        pin, axis = poses[i][:3, 3], poses[i][:3, 2]
        draft.hinge(names[i], names[(i + 1) % 4], pin, axis, driven and i == 0)


def sarrus(draft, driven):
    """Three legs of three parallel hinges each below a plate that goes straight up."""
    rng = draft.rng
    height, begin = rng.uniform(0.2, 0.5), rng.uniform(0.0, 2.0 * np.pi)
    for k in range(3):
        out = flat(np.cos(begin + 2.0 * k), np.sin(begin + 2.0 * k))
        foot, ankle = rng.uniform(0.2, 0.4) * out, rng.uniform(0.2, 0.4) * out + height * Z
        knee = foot + rng.uniform(0.3, 0.7) * (ankle - foot) + rng.uniform(0.1, 0.3) * out
        axis = np.cross(Z, out)
        draft.hinge("world", f"low {k}", foot, axis, driven and k == 0)
        draft.hinge(f"low {k}", f"high {k}", knee, axis)
        draft.hinge(f"high {k}", "plate", ankle, axis)


def three_cranks(draft, driven):
    """Three equal cranks on one coupler."""
    rng = draft.rng
    turn, length = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.2, 0.5)
    over = length * flat(np.cos(turn), np.sin(turn))
    for k in range(3):
        foot = flat(0.35 * k + rng.uniform(-0.1, 0.1), rng.uniform(-0.2, 0.2))
        draft.hinge("world", f"crank {k}", foot, Z, driven and k == 0)
        draft.hinge(f"crank {k}", "coupler", foot + over, Z)


def two_four_bars(draft, driven):
    """Two four-bars, of which one drives the other."""
    feet = [flat(0.5 * k, 0.0) + flat(*draft.rng.uniform(-0.15, 0.15, 2)) for k in range(3)]
    heads = [foot + flat(0.0, 0.3) + flat(*draft.rng.uniform(-0.1, 0.1, 2)) for foot in feet]
    draft.hinge("world", "a", feet[0], Z, driven)
    draft.hinge("a", "ab", heads[0], Z)
    draft.hinge("ab", "b", heads[1], Z)
    draft.hinge("world", "b", feet[1], Z)
    draft.hinge("b", "bc", 0.4 * feet[1] + 0.6 * heads[1] + flat(0.05, 0.0), Z)
    draft.hinge("bc", "c", heads[2], Z)
    draft.hinge("world", "c", feet[2], Z)


def platform(draft, driven):
    """A plate on three legs of three parallel hinges each."""
    for k in range(3):
        turn = 2.1 * k + draft.rng.uniform(-0.4, 0.4)
        far = 0.6 * flat(np.cos(turn), np.sin(turn))
        near = 0.2 * flat(np.cos(turn + 0.3), np.sin(turn + 0.3))
        knee = 0.5 * (far + near) + flat(*draft.rng.uniform(-0.25, 0.25, 2))
        draft.hinge("world", f"upper {k}", far, Z, driven and k == 0)
        draft.hinge(f"upper {k}", f"lower {k}", knee, Z)
        draft.hinge(f"lower {k}", "plate", near, Z)


FAMILIES = (
    parallelogram, four_bar, bennett, sarrus, three_cranks, two_four_bars, platform,
)  # fmt: skip


def linkage(family, seed, spread=1.0, rods=False, gravity=True, driven=False, size=1.0):
    """A linkage of a family and the inputs of its closed pose."""
    draft = Draft(np.random.default_rng(seed), size)
    family(draft, driven)
    return draft.robot(spread, rods, gravity)
