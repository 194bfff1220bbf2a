"""Figure 27: force over strain for several torques, by arc length, and twist buckling without."""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

import flexura as fx
from benchmarks.lie_group_framework.chiral.cases import MODELS, reference, robot, wrench
from benchmarks.progress import track
from benchmarks.table import Claim, Table, largest

SPLINE = "Spline(3, 12)"
TORQUES = (0.1, 0.5, 1.0, 1.5, 2.0)  # the paper's text names the first and the last [N·m]
FORCE = 190.0  # where paths end [N]: beyond the first limit load of each
STRAIGHT = 250.0  # where the straight path ends [N]: beyond its first bifurcation
STRAINS = (0.02, 0.1, 0.2, 0.3)
LOAD = 150.0  # to compare how far the mechanism gives way [N]
LONGEST = 0.03  # step, for smooth curves
DRAWN = 0.5  # largest strain of the figure
CLOSE = 1e-10  # of a strain to the wanted one: 1e-8 N, where the force grows by 100 N


def pretwisted(model: fx.Model, torque: float, longest: float = LONGEST) -> fx.EquilibriumPath:
    """The path while the plate of a mechanism under a torque [N·m] is pushed down."""
    begin = {"load": wrench(torque, 0.0)}
    end = wrench(torque, FORCE)
    return fx.continuation(model, "load", end, inputs=begin, steps=500, longest=longest).unwrap()


def straight(model: fx.Model) -> fx.EquilibriumPath:
    """The path of the mechanism that does not twist."""
    return fx.continuation(model, "load", wrench(0.0, STRAIGHT)).unwrap()


def branch(
    start: fx.EquilibriumPath, side: Literal[1, -1] = 1, longest: float = LONGEST
) -> fx.EquilibriumPath:
    """The path that leaves the straight one at its first bifurcation."""
    return fx.continuation(
        start[0].model,
        "load",
        wrench(0.0, FORCE),
        start=start.bifurcations[0],
        side=side,
        steps=500,
        longest=longest,
    ).unwrap()


def critical_force(rods: Any) -> float:
    """Force where the straight mechanism begins to twist [N]."""
    first = straight(fx.build(robot(driven=False), rods=rods)).bifurcations[0]
    return force(first.result)


def force(result: fx.StaticResult) -> float:
    """What pushes the plate down [N]."""
    return -float(result.inputs["load"][5])


def strains(path: fx.EquilibriumPath, rest: float) -> np.ndarray:
    """Part of the length that the plate has moved down from its height at rest [m], (n,)."""
    return np.array([strain(result, rest) for result in path])


def strain(result: fx.StaticResult, rest: float) -> float:
    """The same of one equilibrium."""
    return float((rest - result.pose("plate")[2, 3]) / reference()["params"]["L"])


def at_strain(path: fx.EquilibriumPath, wanted: float, rest: float) -> fx.StaticResult:
    """The equilibrium with a given strain, by the secant method from the points around it."""
    along, torque = strains(path, rest), float(path.value()[0, 2])
    beyond = int(np.argmax(along > wanted))
    (x0, y0), (x1, y1) = ((force(path[i]), along[i] - wanted) for i in (beyond - 1, beyond))
    result = path[beyond]
    while abs(y1) > CLOSE and x1 != x0:
        x0, y0, x1 = x1, y1, x1 - y1 * (x1 - x0) / (y1 - y0)
        load = {"load": wrench(torque, x1)}
        result = fx.statics(path[0].model, load, start=result).unwrap()
        y1 = strain(result, rest) - wanted
    return result


def errors(path: fx.EquilibriumPath, points: list[dict[str, float]]) -> np.ndarray:
    """Errors of force [N] and angle [rad] at the strains of points of a reference, (n, 2)."""
    rest = path[0].pose("plate")[2, 3]
    found = []
    for point in points:
        result = at_strain(path, point["strain_from_pretwist"], rest)
        found.append((force(result) - point["F"], result.coordinate("turn") - point["phi"]))
    return np.abs(found)


def run(quick: bool = False) -> Table:
    """Follow the paths.

    Args:
        quick: only the torques of the reference, at a third of its points, with long steps and by
            one model.
    """
    every = 3 if quick else 1
    curves = {curve["T"]: curve["points"][every::every] for curve in reference()["curves"]}
    longest = 0.1 if quick else LONGEST
    model = fx.build(robot(driven=False), rods=MODELS[SPLINE])
    upright = straight(model)
    rest = reference()["params"]["L"]
    branches = {side: branch(upright, side, longest) for side in (1, -1)}
    followed = {0.0: branches[1]}
    for torque in track(tuple(curves) if quick else TORQUES, "torques"):
        followed[torque] = pretwisted(model, torque, longest)
    rows, off, forces = [], {}, {}
    for torque, path in followed.items():
        low = rest if torque == 0.0 else path[0].pose("plate")[2, 3]
        off[torque] = errors(path, curves[torque]) if torque in curves else None
        forces[torque] = [force(at_strain(path, s, low)) for s in STRAINS]
        rows.append(_row(torque, path, low, forces[torque], off[torque]))
    exact = reference()["critical_twist_buckling_force"]["cosserat"]
    critical = {SPLINE: force(upright.bifurcations[0].result)}
    if not quick:
        critical |= {n: critical_force(rods) for n, rods in MODELS.items() if n != SPLINE}
    stretch = np.array([force(r) for r in upright]) / (4.0 * reference()["params"]["EA"])
    off_line = float(np.abs(strains(upright, rest) - stretch).max())
    return Table(
        title="chiral mechanism: force over strain, by arc length",
        header=(
            "torque [N m]", "points", *(f"{100 * s:g} % [N]" for s in STRAINS),
            f"strain at {LOAD:g} N", "limit load [N]", "at strain", "unstable from", "to",
            "error [N]", "angle [rad]",
        ),
        rows=rows,
        notes=[
            f"Errors: largest over {len(curves[0.1])} strains of the reference. Strains count from "
            "the twisted mechanism without force. Unstable: first and last such point, under a "
            "given force.",
            f"Critical force without torque: reference {exact:.6f} N; "
            + ", ".join(f"{n} {f:.6f} N ({f / exact - 1.0:+.0e})" for n, f in critical.items())
            + ".",
            f"Straight path: its strain is F / 4 EA to {off_line:.0e}.",
        ],
        data={
            "paths": followed,
            "straight": upright,
            "branches": branches,
            "errors": off,
            "forces": forces,
            "critical": critical,
            "off line": off_line,
        },
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """Figure 27, where there is a reference."""
    ours = f"{largest(table.column('error [N]'))} N off"
    what = f"8.3, Figure 27: force over strain, up to {largest(table.column('limit load [N]'))} N"
    yield Claim(what, "a figure", "coupled shooting", ours)


def _row(
    torque: float, path: fx.EquilibriumPath, rest: float, forces: list[float], off: Any
) -> list[str]:
    along = strains(path, rest)
    limit = path.limits[0]
    unstable = along[[stable is False for stable in path.stable]]
    return [
        f"{torque:g}",
        str(len(path)),
        *(f"{x:.4f}" for x in forces),
        f"{100 * _strain_at(path, LOAD, rest):.2f} %",
        f"{force(limit.result):.4f}",
        f"{100 * strain(limit.result, rest):.1f} %",
        *(f"{100 * x:.0f} %" for x in (unstable.min(), unstable.max())),
        *(["", ""] if off is None else (f"{e:.0e}" for e in off.max(axis=0))),
    ]


def _strain_at(path: fx.EquilibriumPath, load: float, rest: float) -> float:
    """Strain under a force [N] on the first part of a path, from the point before."""
    torque = float(path.value()[0, 2])
    if load < force(path[0]):  # the branch begins at the critical force: the straight path
        return float(load / (4.0 * reference()["params"]["EA"]))
    before = int(np.argmax([force(result) > load for result in path])) - 1
    found = fx.statics(path[0].model, {"load": wrench(torque, load)}, start=path[before]).unwrap()
    return strain(found, rest)


def figure(table: Table) -> Any:
    """Force over strain; solid where stable under a given force."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(11.0, 4.4))
    length = reference()["params"]["L"]
    for column, right in ((1, DRAWN), (2, 0.04)):
        axes = drawing.add_subplot(1, 2, column)
        _draw(axes, table.data["straight"], length, "0.5", "0, straight")
        for i, (torque, path) in enumerate(table.data["paths"].items()):
            rest = length if torque == 0.0 else path[0].pose("plate")[2, 3]
            name = "0, twisted" if torque == 0.0 else f"{torque:g}"
            _draw(axes, path, rest, f"C{i}", name)
        for curve in reference()["curves"]:
            points = [(p["strain_from_pretwist"], p["F"]) for p in curve["points"]]
            x, y = np.array(points).T
            label = "reference" if curve["T"] == 0.1 else None
            axes.plot(100 * x, y, "o", color="k", mfc="none", ms=5, label=label)
        first = table.data["straight"].bifurcations[0].result
        mark = 100 * strain(first, length), force(first)
        axes.plot(*mark, "s", color="0.3", ms=6, label="bifurcation")
        axes.set(xlabel="strain [%]", xlim=(0.0, 100 * right), ylim=(0.0, 195.0))
        axes.grid(alpha=0.3)
        if column == 1:
            axes.set_ylabel("force [N]")
            axes.legend(loc="lower right", title="torque [N m]; dashed: unstable")
    drawing.tight_layout()
    return drawing


def _draw(axes: Any, path: fx.EquilibriumPath, rest: float, color: str, label: str) -> None:
    """One path, solid where it is stable and dashed where it is not."""
    x = 100.0 * strains(path, rest)
    y = np.array([force(result) for result in path])
    unstable = np.array([stable is False for stable in path.stable])
    part = unstable[:-1] | unstable[1:]  # of the pieces between points
    for kind, line in ((~part, "-"), (part, "--")):
        pieces = [
            (np.append(x[i : i + 2], np.nan), np.append(y[i : i + 2], np.nan))
            for i in np.flatnonzero(kind)
        ]
        if pieces:
            along, up = (np.concatenate(values) for values in zip(*pieces, strict=True))
            axes.plot(along, up, line, color=color, lw=1.5, label=label if line == "-" else None)
