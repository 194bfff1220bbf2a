"""Cords between two points, from cold: every material, support, sag and description.

What hangs limp between clamps bends only near them, within √(EI/T); a description that is too
coarse for that says so. Places are compared with those of a boundary value problem in the plane.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.rods.planar_cord import PlanarCord
from benchmarks.table import Table, verdict
from flexura.lie import se3
from flexura.robot import Joint
from flexura.rods.discretization import Discretization
from flexura.typing import Array

LENGTH = 2.0
TARGET = 50e-3  # [s]
REPEATED = 3
PLACES = np.linspace(0.0, LENGTH, 201)  # [m]
# Radius [m] and material.
CORDS = {
    "silicone": (2e-3, fx.Material(young=1e5, poisson=0.49, density=1070.0)),
    "ecoflex": (3e-3, fx.materials.ecoflex_00_30),
    "nylon": (2e-4, fx.materials.nylon),
    "rubber": (2e-3, fx.Material(young=2e6, poisson=0.49, density=1100.0)),
    "steel wire": (2.5e-4, fx.materials.spring_steel),
}
SUPPORTS = ("clamps", "hinges", "balls")
# Distance along x and height of the second end over the length.
ENDS = ((0.3, 0.0), (0.6, 0.0), (0.9, 0.0), (0.99, 0.0), (0.999, 0.0), (0.5, 0.5), (0.3, -0.8))
DESCRIPTIONS = (
    fx.Spline(3, 24),
    fx.Hermite(16),
    fx.Power(3, 16),
    fx.LinearStrain(24),
    fx.VariableStrain((14,) * 6),
    fx.ConstantStrain(32),
    fx.RotationInterpolation(16),
)
HEADER = (
    "cord, description",
    "stable",
    "coarse",
    "else",
    "iterations",
    "ms",
    "most",
    "target",
    "",
    "error [mm]",
    "told/true",
)
QUICK = {
    ("nylon", "balls", ENDS[1]),
    ("silicone", "hinges", ENDS[5]),
    ("steel wire", "clamps", ENDS[2]),
}


@dataclass(frozen=True)
class Hung:
    """How a cord was found.

    Attributes:
        cord: its material.
        supports: what holds its ends.
        ends: where the second one is, over the length.
        rods: its description.
        status: how the solve ended.
        stable: whether it is stable.
        iterations: of Newton.
        seconds: time of the processor for the solve, the least of several.
        error: largest distance from where it hangs; without stretch, if its rods have none [m].
        off: largest distance from where it hangs [m].
        accuracy: what the result says about that [m].
    """

    cord: str
    supports: str
    ends: tuple[float, float]
    rods: Discretization
    status: fx.Status
    stable: bool | None
    iterations: int
    seconds: float
    error: float
    off: float
    accuracy: float


def run(quick: bool = False) -> Table:
    """Hang all cords.

    Args:
        quick: three cords only.
    """
    found = list(hang(quick))
    rows = [_row(name, rods, found) for name in CORDS for rods in DESCRIPTIONS]
    return Table(
        title=f"cords of {LENGTH:g} m between clamps, hinges and balls, from cold",
        header=HEADER,
        rows=[row for row in rows if row],
        notes=[
            "Error: of stable ones, against a boundary value problem; of rods that cannot stretch, "
            "against one that does not.",
            "Told/true: least and largest `accuracy` over the distance from where cords hang that "
            "stretch, above 1e-6 of the length.",
        ],
        data={"hung": found},
    )


def robot(cord: str, supports: str, ends: tuple[float, float]) -> fx.Robot:
    """A cord between the origin and a second point."""
    radius, material = CORDS[cord]
    end = se3.pose((LENGTH * ends[0], 0.0, LENGTH * ends[1]))
    across = (0.0, 1.0, 0.0)
    joints: dict[str, list[Joint]] = {
        "clamps": [fx.Weld("world", "cord.base"), fx.Weld("world", "cord.tip", end)],
        "hinges": [
            fx.Hinge("a", "world", "cord.base", across),
            fx.Hinge("b", "world", "cord.tip", across, offset=end),
        ],
        "balls": [fx.Ball("a", "world", "cord.base"), fx.Ball("b", "world", "cord.tip", end)],
    }
    rod = fx.Rod("cord", LENGTH, fx.Circle(radius), material)
    return fx.Robot(cord, [rod], joints[supports], [fx.Gravity()])


def places(cord: str, supports: str, ends: tuple[float, float], stretches: bool) -> Array:
    """Where a cord hangs, by a boundary value problem, (n, 2) [m]."""
    radius, material = CORDS[cord]
    area, poisson = np.pi * radius**2, material.poisson
    stiff = material.young * area
    assert poisson is not None
    hung = PlanarCord(
        length=LENGTH,
        end=(LENGTH * ends[0], LENGTH * ends[1]),
        weight=material.density * area * 9.81,
        bending=0.25 * stiff * radius**2,
        stretching=stiff if stretches else np.inf,
        shearing=0.5 * stiff / (1.0 + poisson) if stretches else np.inf,
        clamped=supports == "clamps",
    )
    return hung.places(PLACES)


def hang(quick: bool, repeated: int = REPEATED) -> Iterator[Hung]:
    """Solve each cord as a boundary value problem and with all descriptions.

    Args:
        quick: three cords only.
        repeated: solves of each, for the time of the fastest.
    """
    cases = [(c, s, e) for c in CORDS for s in SUPPORTS for e in ENDS]
    for case in track([case for case in cases if not quick or case in QUICK], "cords"):
        hung = robot(*case)
        true = {stretches: places(*case, stretches) for stretches in (True, False)}
        for rods in DESCRIPTIONS:
            model = fx.build(hung, rods=rods)
            times = []
            for _ in range(repeated):
                began = time.process_time()
                result = fx.statics(model)
                times.append(time.process_time() - began)
            found = result.pose("cord", PLACES)[:, [0, 2], 3]
            error, off = (
                float(np.linalg.norm(found - true[stretches], axis=1).max())
                for stretches in (not isinstance(rods, fx.RotationInterpolation), True)
            )
            yield Hung(
                *case, rods, result.status, result.stable, result.iterations, min(times), error,
                off, result.accuracy,
            )  # fmt: skip


def _row(cord: str, rods: Discretization, hung: list[Hung]) -> list[str]:
    """A row for a cord in a description, empty if there is none."""
    found = [each for each in hung if each.cord == cord and each.rods == rods]
    if not found:
        return []
    good = [each for each in found if each.status.equilibrium and each.stable is not False]
    coarse = [each for each in found if each.status is fx.Status.COARSE]
    seconds = [each.seconds for each in found]
    return [
        f"{cord}, {type(rods).__name__}",
        str(len(good)),
        str(len(coarse)),
        str(len(found) - len(good) - len(coarse)),
        f"{np.median([each.iterations for each in found]):.0f}",
        f"{1e3 * np.median(seconds):.1f}",
        f"{1e3 * max(seconds):.0f}",
        f"{1e3 * TARGET:.0f}",
        verdict(max(seconds), TARGET),
        f"{1e3 * max((each.error for each in good), default=np.nan):.2g}",
        _ratios([each for each in good if each.off > 1e-6 * LENGTH]),
    ]


def _ratios(found: list[Hung]) -> str:
    """Least and largest of what results say about their errors, over these."""
    ratios = [each.accuracy / each.off for each in found]
    return f"{min(ratios):.1g} … {max(ratios):.2g}" if ratios else ""
