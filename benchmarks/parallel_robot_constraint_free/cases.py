"""Parallel robots, the cycle of their motors, and reference equilibria."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import flexura as fx
from flexura.lie import se3

REFERENCE = Path(__file__).parent / "reference"
PLATFORM = "platform"
MOTORS = ("m0", "m1", "m2")
# Rods run along their local x axis; those of the references along their local z axis.
UPRIGHT = np.eye(4)[[1, 2, 0, 3]]
PHASES = 2.0 * np.pi * np.arange(3) / 3.0
# The first sample has no angles; ten phases of one turn follow [rad], (11, 3).
CYCLE = np.array(
    [np.zeros(3)] + [np.pi / 12.0 * (np.sin(0.2 * np.pi * k + PHASES) + 1.0) for k in range(10)]
)


@dataclass(frozen=True)
class Equilibrium:
    """A reference solution.

    Attributes:
        name: its name in the file.
        robot: the robot that it is of.
        inputs: motor angles [rad] and the force of the pulley [N]; none of a Stewart-Gough robot.
        pose: pose of the platform, 4x4.
        torques: holding torques of the motors [N·m], (3,); empty if there are none.
    """

    name: str
    robot: fx.Robot
    inputs: dict[str, float]
    pose: np.ndarray
    torques: np.ndarray

    def error(self, result: fx.StaticResult) -> tuple[float, float, float]:
        """Distance of the platform [m], its angle [rad], largest error of a torque [N·m]."""
        torques = [result.torque(name) for name in MOTORS[: len(self.torques)]]
        off = np.abs(np.subtract(torques, self.torques)).max(initial=0.0)
        return (*apart(result.pose(PLATFORM), self.pose), float(off))


def apart(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Distance of two poses [m] and the angle between them [rad]."""
    chord = np.linalg.norm(a[:3, :3] - b[:3, :3]) / np.sqrt(8.0)
    return float(np.linalg.norm(a[:3, 3] - b[:3, 3])), float(2.0 * np.arcsin(min(chord, 1.0)))


def three_motors() -> fx.Robot:
    """Three motors that carry two rods each, and a platform on the six rods."""
    data = _read("three_motors_six_rods")
    rod, where = data["rod"], data["geometry"]
    material = fx.Material(young=rod["E"], shear=rod["G"])
    motors = [
        fx.Motor(
            name,
            axis=where["motor_axis_dirs"][m],
            point=where["motor_axis_points"][m],
            drives={
                f"rod{k}.base": _upright_at(where["base_points_theta0"][k])
                for k in (2 * m, 2 * m + 1)
            },
        )
        for m, name in enumerate(MOTORS)
    ]
    return fx.Robot(
        "three motors, six rods",
        rods=[fx.Rod(f"rod{k}", rod["L"], fx.Circle(rod["radius"]), material) for k in range(6)],
        bodies=[fx.Body(PLATFORM)],
        joints=[*motors, *_on_platform(where["platform_points"])],
        loads=[fx.Pulley("pull", at=PLATFORM, point=data["pulley"], force=0.0)],
    )


def inputs(angles: Sequence[float] | np.ndarray, loaded: bool) -> dict[str, float]:
    """Inputs of the robot with three motors: angles [rad], and the pulley or none."""
    pull = _read("three_motors_six_rods")["load_N"] if loaded else 0.0
    return {**dict(zip(MOTORS, map(float, angles), strict=True)), "pull": pull}


def three_motors_references() -> list[Equilibrium]:
    """The reference solutions of the robot with three motors."""
    robot = three_motors()
    return [
        Equilibrium(
            case["id"],
            robot,
            inputs(case["theta"], loaded=case["id"].startswith("load")),
            _pose(case),
            np.array(case["motor_torque_holding"]),
        )
        for case in _read("three_motors_six_rods")["cases"]
    ]


def stewart_gough(
    lengths: Sequence[float],
    force: Sequence[float] = (0.0, 0.0, 0.0),
    moment: Sequence[float] = (0.0, 0.0, 0.0),
    density: float = 0.0,
) -> fx.Robot:
    """Six rods of given lengths [m] between the ground and a platform with a wrench on it."""
    data = _read("stewart_gough")
    rod = data["rod"]
    steel = fx.Material(young=rod["E"], shear=rod["G"], density=density)
    names = [f"rod{k}" for k in range(6)]
    clamps = [
        fx.Weld("world", f"{name}.base", offset=_upright_at(point), name=f"clamp{k}")
        for k, (name, point) in enumerate(zip(names, data["base_points"], strict=True))
    ]
    return fx.Robot(
        "Stewart-Gough",
        rods=[
            fx.Rod(name, length, fx.Circle(rod["radius"]), steel)
            for name, length in zip(names, lengths, strict=True)
        ],
        bodies=[fx.Body(PLATFORM)],
        joints=[*clamps, *_on_platform(data["platform_points"])],
        loads=[fx.PointLoad("wrench", PLATFORM, force, moment), fx.Gravity()],
    )


def lowered(robot: fx.Robot) -> dict[str, np.ndarray]:
    """Inputs of a Stewart-Gough robot without load whose platform is level.

    The clamp of each rod is lowered by what the rod is longer than the mean.
    """
    mean = np.mean([rod.length for rod in robot.rods])
    found: dict[str, np.ndarray] = {"wrench": np.zeros(6), "gravity": np.zeros(3)}
    for rod, weld in zip(robot.rods, robot.joints[:6], strict=True):
        T = np.array(weld.offset)
        T[2, 3] -= rod.length - mean
        found[weld.label] = T
    return found


def stewart_gough_references() -> list[Equilibrium]:
    """The reference solutions of Stewart-Gough robots."""
    return [
        Equilibrium(
            case["id"],
            stewart_gough(case["L"], case["F"], case["M"], case["rho"]),
            {},
            _pose(case),
            np.zeros(0),
        )
        for case in _read("stewart_gough")["cases"]
    ]


def chain(count: int, length: float = 1.0) -> fx.Robot:
    """A cantilever of a given length [m] that is cut into equal rods, with a force at its tip."""
    rubber = fx.Material(young=1e6, poisson=0.45)
    names = [f"rod{i}" for i in range(count)]
    welds = [fx.Weld(f"{a}.tip", f"{b}.base") for a, b in pairwise(names)]
    return fx.Robot(
        "chain",
        rods=[fx.Rod(name, length / count, fx.Circle(0.02), rubber) for name in names],
        joints=[fx.Weld("world", f"{names[0]}.base"), *welds],
        loads=[fx.PointLoad("tip", f"{names[-1]}.tip")],
    )


def tree(depth: int) -> fx.Robot:
    """Rods that fork at every tip, 2^(depth + 1) - 1 of them, with a force at the first fork."""
    rubber = fx.Material(young=1e6, poisson=0.45)
    rods: list[fx.Rod] = []
    welds: list[fx.Weld] = []
    parents = [("world", "rod")]
    for level in range(depth + 1):
        for parent, name in parents:
            rods.append(fx.Rod(name, 0.2 * 0.8**level, fx.Circle(0.02 * 0.8**level), rubber))
            side = {"l": 0.5, "r": -0.5}.get(name[-1], 0.0)
            turn = se3.pose(rotation=(0.3 * level, side, 0.2))
            welds.append(fx.Weld(parent, f"{name}.base", offset=turn))
        parents = [(f"{name}.tip", name + side) for _, name in parents for side in "lr"]
    return fx.Robot("tree", rods=rods, joints=welds, loads=[fx.PointLoad("tip", "rod.tip")])


@cache
def _read(name: str) -> dict[str, Any]:
    return dict(json.loads((REFERENCE / f"{name}.json").read_text()))


def _pose(case: dict[str, Any]) -> np.ndarray:
    """The platform's pose in a case of a file."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = case["RE"], case["pE"]
    return T


def _upright_at(point: Sequence[float]) -> np.ndarray:
    """Pose of a rod's end at a point, with the rod along z."""
    T = UPRIGHT.copy()
    T[:3, 3] = point
    return T


def _on_platform(points: Sequence[Sequence[float]]) -> list[fx.Weld]:
    """Welds of the rods' tips to the platform."""
    return [
        fx.Weld(PLATFORM, f"rod{k}.tip", offset=_upright_at(point))
        for k, point in enumerate(points)
    ]
