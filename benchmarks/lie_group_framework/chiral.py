"""Section 8.3: four rods between two plates, of which one is guided, twist when compressed."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Table
from flexura.lie import se3

REFERENCE = Path(__file__).parent / "reference" / "chiral.json"
MODELS = {
    "Spline(3, 12)": fx.Spline(3, 12),
    "VariableStrain, 44": fx.VariableStrain((7, 9, 9, 7, 6, 6), steps=32),
}
UP = (0.0, 0.0, 1.0)
IMPERFECTION = 1e-9  # torque that lets the straight mechanism twist [N·m]; it moves no digit
FINER = 10  # steps to the first point beyond the critical force, along the given height


@cache
def reference() -> dict[str, Any]:
    """Curves of force over strain, and the critical force."""
    return dict(json.loads(REFERENCE.read_text()))


def robot(driven: bool) -> fx.Robot:
    """The mechanism.

    Args:
        driven: whether the height of the moving plate is an input, called "slide" [m]; else it
            slides freely. It turns freely about the vertical in both cases.
    """
    data = reference()["params"]
    material = fx.Material(young=data["E"], poisson=data["nu"])
    rods = [
        fx.Rod(f"rod{k}", data["L"], fx.Circle(data["radius"]), material, shear_factor=1.0)
        for k in range(4)
    ]
    upright = se3.pose(rotation=(0.0, -np.pi / 2.0, 0.0))
    joints: list[Any] = []
    for rod, angle in zip(rods, 0.5 * np.pi * np.arange(4), strict=True):
        where = se3.pose(rotation=(0.0, 0.0, angle)) @ se3.pose((data["plate_radius"], 0.0, 0.0))
        joints.append(fx.Weld("world", f"{rod.name}.base", offset=where @ upright))
        joints.append(fx.Weld("plate", f"{rod.name}.tip", offset=where @ upright))
    top = se3.pose((0.0, 0.0, data["L"]))
    joints.append(fx.Slider("slide", "world", "carriage", axis=UP, offset=top, driven=driven))
    joints.append(fx.Hinge("turn", "carriage", "plate", axis=UP))
    return fx.Robot(
        "chiral mechanism",
        rods=rods,
        bodies=[fx.Body("carriage"), fx.Body("plate")],
        joints=joints,
        loads=[fx.PointLoad("load", at="plate")],
    )


def compressed(rods: Any, curve: dict[str, Any]) -> list[fx.StaticResult]:
    """The points of a curve with the height of the plate held, each from the one before.

    Between the first two points, where the mechanism begins to twist, there are others.
    """
    model = fx.build(robot(driven=True), rods=rods)
    length, load = reference()["params"]["L"], (0.0, 0.0, curve["T"], 0.0, 0.0, 0.0)
    first, second, *later = (point["h"] for point in curve["points"])
    results: list[fx.StaticResult] = []
    for height in (*np.linspace(first, second, FINER + 1), *later):
        inputs = {"slide": height - length, "load": load}
        results.append(fx.statics(model, inputs, start=results[-1] if results else None))
    return results[:1] + results[FINER:]


def pushed(rods: Any, curve: dict[str, Any]) -> list[fx.StaticResult]:
    """The points of a curve with the force on the plate given, each from the one before."""
    model = fx.build(robot(driven=False), rods=rods)
    results: list[fx.StaticResult] = []
    for point in curve["points"]:
        inputs = {"load": (0.0, 0.0, curve["T"], 0.0, 0.0, -point["F"])}
        results.append(fx.statics(model, inputs, start=results[-1] if results else None))
    return results


def errors(results: list[fx.StaticResult], curve: dict[str, Any], driven: bool) -> np.ndarray:
    """Errors of the points: force [N] or height [m], and angle [rad], (n, 2)."""
    found = []
    for result, point in zip(results, curve["points"], strict=True):
        if driven:  # the slider pushes the carriage down
            first = -result.torque("slide") - point["F"]
        else:
            first = result.pose("plate")[2, 3] - point["h"]
        found.append((first, result.coordinate("turn") - point["phi"]))
    return np.abs(found)


def critical_force(rods: Any, digits: float = 1e-6) -> float:
    """Force where the straight mechanism becomes unstable [N], by bisection."""
    model = fx.build(robot(driven=False), rods=rods)
    stable, unstable = 100.0, 200.0
    while unstable - stable > digits:
        middle = 0.5 * (stable + unstable)
        load = {"load": (0.0, 0.0, IMPERFECTION, 0.0, 0.0, -middle)}
        if fx.statics(model, load, seek_stable=False).unwrap().stable:
            stable = middle
        else:
            unstable = middle
    return 0.5 * (stable + unstable)


def run(quick: bool = False) -> Table:
    """Compress the mechanism by every model.

    Args:
        quick: leave out all models but the first.
    """
    rows, data = [], {}
    exact = reference()["critical_twist_buckling_force"]["cosserat"]
    for name, rods in track(list(MODELS.items())[: 1 if quick else None], "models"):
        data[name] = {"critical": critical_force(rods)}
        for curve in reference()["curves"]:
            torque = curve["T"]
            for driven, solve in ((True, compressed), (False, pushed)):
                results = solve(rods, curve)
                off = errors(results, curve, driven)
                good = np.array([r.converged for r in results])
                data[name][torque, driven] = {"results": results, "errors": off, "good": good}
                rows.append(_row(name, torque, driven, results, off[good], good))
    return Table(
        title="chiral mechanism, compressed by up to 30 % under a constant torque",
        header=(
            "model", "torque [N m]", "given", "converged", "force [N]", "height [m]",
            "angle [rad]", "iterations", "load steps",
        ),
        rows=rows,
        notes=[
            "Force, height, angle: largest errors over the points that converged.",
            f"Critical force without torque: {exact:.5f} N; "
            + ", ".join(f"{name} {found['critical']:.5f} N" for name, found in data.items())
            + ".",
        ],
        data=data,
    )  # fmt: skip


def _row(
    name: str,
    torque: float,
    driven: bool,
    results: list[fx.StaticResult],
    off: np.ndarray,
    good: np.ndarray,
) -> list[str]:
    first, angle = (f"{e:.0e}" for e in off.max(axis=0, initial=0.0))
    return [
        name,
        f"{torque:g}",
        "height" if driven else "force",
        f"{int(good.sum())} of {len(good)}",
        first if driven else "",
        "" if driven else first,
        angle,
        str(max(r.iterations for r in results)),
        str(max(r.load_steps for r in results)),
    ]
