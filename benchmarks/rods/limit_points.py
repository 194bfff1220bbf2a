"""Limit loads of a deep arch and of Lee's frame, and the buckling load of a column."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.rods.cases import reference, rod_of_stiffness
from benchmarks.table import Claim, Table
from flexura.lie import se3
from flexura.typing import Pose

ARCH, FRAME = "S05_deep_arch", "S06_lee_frame"
# Variants of the references with stretch and shear, which these rods have too.
ARCH_VARIANT, FRAME_VARIANT = "EA=GA=1e8", "nu=0.3, ks=1 | dead"
FINE, DEFAULT = fx.Spline(5, 32), fx.Spline()
# Relative. A bifurcation is located to 1e-8 of the path; the error of the fine spline is 6e-10. On
# 12 spans of degree 3 the arch, one rod of 215 degrees, is 7e-4 off.
TOLERANCE, QUICK_TOLERANCE = 2e-8, 1e-3
# Out of the plane, where the references cannot go, rods are this much stiffer.
PLANAR = 100.0
# EA and GA of the column, over EI / L²: soft enough to change its buckling load by 0.4 %.
COLUMN_STRETCH, COLUMN_SHEAR = 1000.0, 400.0


@dataclass(frozen=True)
class Case:
    """Loads to find on a path.

    Attributes:
        name: of the robot.
        published: what the literature has, for each load.
        exact: the reference, for each load [N].
        loads: finds them with a given description.
    """

    name: str
    published: Sequence[str]
    exact: Sequence[float]
    loads: Callable[[fx.Spline], list[float]]


def run(quick: bool = False) -> Table:
    """Follow the paths and locate the loads.

    Args:
        quick: on fewer spans.
    """
    spline, tolerance = (DEFAULT, QUICK_TOLERANCE) if quick else (FINE, TOLERANCE)
    rows, found, beyond = [], {}, []
    for case in track(cases(), "limit"):
        fine, default = case.loads(spline), case.loads(DEFAULT)
        beyond += [f"{case.name} {load:.2f}" for load in fine[len(case.exact) :]]
        for i, exact in enumerate(case.exact):
            error = abs(fine[i] / exact - 1.0)
            rows.append(
                [
                    f"{case.name}, load {i + 1}",
                    case.published[i],
                    f"{exact:.10g}",
                    f"{fine[i]:.10g}",
                    f"{error:.1e}",
                    f"{tolerance:.0e}",
                    f"{abs(default[i] / exact - 1.0):.1e}",
                ]
            )
            found[case.name, i + 1] = (fine[i], exact)
    return Table(
        title="limit loads and bifurcations, by arc length",
        header=(
            "case", "published", "reference", "ours", "relative error", "tolerance",
            "error of Spline(3, 12)",
        ),
        rows=rows,
        notes=[
            f"Spline({spline.degree}, {spline.spans}) for each rod. Further limit loads, without "
            f"reference: {', '.join(beyond)} (Simo and Vu-Quoc -77.07, 40 linear elements)."
        ],
        data=found,
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """Each load."""
    for row in table.named:
        off = f"{row['ours']}, {row['relative error']} off"
        yield Claim(row["case"], row["published"], row["reference"], off)


def cases() -> list[Case]:
    """The deep arch, Lee's frame and Euler's column."""
    arch, frame = reference(ARCH), reference(FRAME)
    return [
        Case(
            "S05 deep arch",
            ["897 (DaDeppo and Schmidt, inextensible)"],
            [point["P"] for point in arch["reference"][ARCH_VARIANT]["limit_points"]],
            lambda spline: limit_loads(deep_arch(arch["data"], spline), 1000.0),
        ),
        Case(
            "S06 Lee's frame",
            ["18532 (Simo and Vu-Quoc)", "-9470 (digitised curve)"],
            [point["P"] for point in frame["reference"][FRAME_VARIANT]["limit_points"]],
            lambda spline: limit_loads(lee_frame(frame["data"], spline), 20000.0),
        ),
        Case(
            "Euler's column",
            ["2.4674 (rigid in stretch and shear)"],
            [column_load()],
            lambda spline: [buckling_load(column(spline))],
        ),
    ]


def limit_loads(model: fx.Model, load: float) -> list[float]:
    """The limit loads on the path to a load downwards [N]."""
    path = fx.continuation(model, "load", (0, 0, 0, 0, -load, 0)).unwrap()
    return [mark.fraction * load for mark in path.limits]


def deep_arch(data: dict[str, Any], spline: fx.Spline) -> fx.Model:
    """A circular arch, clamped on its left and hinged on its right."""
    radius, angle, stiffness = data["R"], math.radians(data["arc_deg"]), data["EI"]
    rod = rod_of_stiffness(
        "arch", radius * angle, PLANAR * stiffness, (PLANAR * stiffness, stiffness),
        stretch=1e8, shear=1e8, rest=(0.0, 0.0, -1.0 / radius),
    )  # fmt: skip

    def end(side: int) -> Pose:
        """Frame of an end: x runs along the arch, clockwise."""
        turn = -side * angle / 2.0
        crown = se3.pose(position=(0.0, radius, 0.0))
        return np.asarray(se3.pose(rotation=(0.0, 0.0, turn)) @ crown)

    robot = fx.Robot(
        "deep arch",
        rods=[rod],
        joints=[
            fx.Weld("world", "arch.base", offset=end(-1)),
            fx.Hinge("hinge", "world", "arch.tip", axis=(0.0, 0.0, 1.0), offset=end(1)),
        ],
        loads=[fx.PointLoad("load", at=fx.At("arch", rod.length / 2.0))],
    )
    return fx.build(robot, rods=spline)


def lee_frame(data: dict[str, Any], spline: fx.Spline, follower: bool = False) -> fx.Model:
    """A column and a beam, welded at a right angle and hinged at their other ends."""
    length, area, second, young = data["legs"], data["A"], data["I"], data["E"]
    section = fx.Section(area, iy=PLANAR * second, iz=second, torsion=PLANAR * second)
    steel = fx.Material(young=young, poisson=data["nu"])
    upright = se3.pose(rotation=(0.0, 0.0, math.pi / 2.0))
    across = se3.pose(position=(length, length, 0.0))
    axis = (0.0, 0.0, 1.0)
    robot = fx.Robot(
        "Lee's frame",
        rods=[fx.Rod(leg, length, section, steel, shear_factor=1.0) for leg in ("column", "beam")],
        joints=[
            fx.Hinge("foot", "world", "column.base", axis, offset=upright),
            fx.Weld("column.tip", "beam.base", offset=se3.inverse(upright)),
            fx.Hinge("wall", "world", "beam.tip", axis, offset=across),
        ],
        loads=[fx.PointLoad("load", at=fx.At("beam", 0.2 * length), follower=follower)],
    )
    return fx.build(robot, rods=spline)


def column(spline: fx.Spline) -> fx.Model:
    """A clamped column of unit length and bending stiffness, twice as stiff in the other plane."""
    rod = rod_of_stiffness(
        "column", 1.0, 1.0, (2.0, 1.0), stretch=COLUMN_STRETCH, shear=COLUMN_SHEAR
    )
    robot = fx.Robot(
        "column",
        rods=[rod],
        joints=[fx.Weld("world", "column.base")],
        loads=[fx.PointLoad("load", at="column.tip")],
    )
    return fx.build(robot, rods=spline)


def column_load() -> float:
    """Where the column buckles [N].

    Small rotations θ of the compressed column obey

        EI θ'' + P (1 - P/EA + P/GA) θ = 0,    θ(0) = θ'(L) = 0

    so it buckles where P (1 - P/EA + P/GA) = π² EI / 4 L².
    """
    give = 1.0 / COLUMN_SHEAR - 1.0 / COLUMN_STRETCH
    return (math.sqrt(1.0 + give * math.pi**2) - 1.0) / (2.0 * give)


def buckling_load(model: fx.Model) -> float:
    """The first bifurcation of the straight column [N]."""
    load = 3.0
    path = fx.continuation(model, "load", (0, 0, 0, -load, 0, 0)).unwrap()
    return path.bifurcations[0].fraction * load
