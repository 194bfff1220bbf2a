"""Three tubes that are turned and pushed: from pose to pose, and a step of tracking their tip."""

import time

import numpy as np

import flexura as fx
from benchmarks.concentric_tubes.cases import read, robot
from benchmarks.table import Table, verdict
from flexura.typing import Array

POSE, TRACKING = 1.5e-3, 4e-3  # targets [s]
POINTS = 60
# Tips are within 0.3 µm and 50 nm of the references (`concentric_tubes`).
RODS = {
    "VariableStrain((2, 3, 3, 0, 0, 0), steps=12)": fx.VariableStrain((2, 3, 3, 0, 0, 0), steps=12),
    "VariableStrain((3, 4, 4, 0, 0, 0), steps=18)": fx.VariableStrain((3, 4, 4, 0, 0, 0), steps=18),
}
USING = [f"{tube}.{way}" for tube in ("inner", "middle") for way in ("rotation", "insertion")]


def way(count: int = POINTS) -> list[dict[str, float]]:
    """Inputs around a closed way: all six of them change."""
    t = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    found: dict[str, Array] = {
        "inner.rotation": 0.8 * np.sin(t),
        "middle.rotation": 0.3 * np.cos(t),
        "outer.rotation": -0.4 * np.sin(t),
        "inner.insertion": 0.14 + 0.01 * np.sin(t + 1.0),
        "middle.insertion": 0.11 + 0.008 * np.cos(t),
        "outer.insertion": 0.06 + 0.005 * np.sin(2.0 * t),
    }
    return [{name: float(x[k]) for name, x in found.items()} for k in range(count)]


def run(quick: bool = False) -> Table:
    """Go around, and track the tip on the way.

    Args:
        quick: once, not five times.
    """
    rows, data = [], {}
    own = robot(read("three_tubes.json")["tubes"]["A"])
    for name, rods in RODS.items():
        model = fx.build(own, rods=rods)
        found = [time_poses(model, 1 if quick else 5), time_tracking(model, 1 if quick else 5)]
        data[name] = dict(zip(("pose", "tracking"), found, strict=True))
        for what, spent, target in zip(
            ("next pose", "step of tracking"), found, (POSE, TRACKING), strict=True
        ):
            times = (float(np.median(spent)), float(np.quantile(spent, 0.1)))
            rows.append(
                [f"{what}, {name}", *(f"{1e3 * x:.2f}" for x in times), f"{1e3 * target:g}",
                 verdict(times[0], target)]
            )  # fmt: skip
    header = ("what", "median", "10 %", "target", "")
    return Table("three tubes, turned and pushed [ms]", header, rows, data=data)


def time_poses(model: fx.Model, rounds: int) -> list[float]:
    """Times of solves from pose to pose [s]."""
    inputs, spent = way(), []
    result = fx.statics(model, inputs[0]).unwrap()
    for _ in range(rounds):
        for given in (*inputs[1:], inputs[0]):
            began = time.process_time()
            result = fx.statics(model, given, start=result)
            spent.append(time.process_time() - began)
            result.unwrap()
    return spent


def time_tracking(model: fx.Model, rounds: int) -> list[float]:
    """Times of steps along the positions of the tip there, by four of the inputs [s]."""
    inputs = way()
    fixed = {name: value for name, value in inputs[0].items() if name not in USING}
    results = [fx.statics(model, {**given, **fixed}).unwrap() for given in inputs]
    path = [{"inner.tip": result.pose("inner.tip")[:3, 3]} for result in results]
    spent = []
    for _ in range(rounds):
        began = time.process_time()
        fx.inverse(model, path[1:], using=USING, start=results[0]).unwrap()
        spent.append((time.process_time() - began) / (len(path) - 1))
    return spent
