"""Tip of a clamped rod in published cases: against publications and accurate references."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.rods.cases import Case, load_cases
from benchmarks.table import Claim, Table, largest
from benchmarks.timing import measure

DEFAULT = fx.Spline()
KINDS = {  # how the names of cases begin
    "S01": "S01 tip moment, up to a double circle",
    "S02": "S02 Mattiasson's cantilever",
    "S02b": "S02b shear-flexible cantilevers (Batista and others)",
    "S03": "S03 45-degree bend",
    "S04": "S04 helix of ten coils",
    "S12b": "S12b semicircle and helical spring",
    "P000": "P000 tapered rod",
}


@dataclass(frozen=True)
class Choice:
    """How a file of cases is solved.

    Attributes:
        file: its reference.
        fine: discretization whose error is small compared with the tolerance, or makes it.
        tolerance: distance of the tip from the reference that is accepted, over the length.
        reason: where the tolerance comes from.
    """

    file: str
    fine: fx.Spline
    tolerance: float
    reason: str

    @property
    def note(self) -> str:
        """The choice in a sentence."""
        spline = f"Spline({self.fine.degree}, {self.fine.spans})"
        return f"{self.file}: {spline}, error below {self.tolerance:.0e}: {self.reason}."


CHOICES = (
    Choice(
        "S01_tip_moment_circle",
        DEFAULT,
        1e-12,
        "a constant strain is a spline: rounding only, at any number of spans",
    ),
    Choice(
        "S02_mattiasson_cantilever",
        fx.Spline(5, 256),
        2e-7,
        "rigid means EA = GA = 1e8 EI/L² here, which stretches by 1e-7 at the largest load",
    ),
    Choice(
        "S02b_shear_flexible_cantilever",
        fx.Spline(5, 256),
        1e-11,
        "what the reference claims",
    ),
    Choice(
        "S03_45_degree_bend",
        fx.Spline(5, 256),
        1e-10,
        "what the reference claims",
    ),
    Choice(
        "S04_helix",
        fx.Spline(5, 256),
        1e-9,
        "what the reference claims; ten coils need a fine spline",
    ),
    Choice(
        "S12b_initially_curved_rods",
        fx.Spline(5, 256),
        2e-7,
        "semicircle: rigid means EA = GA = 1e8 EI/L²; the spring reaches 3e-14",
    ),
    Choice(
        "P000_tapered_rod",
        fx.Spline(5, 128),
        1e-10,
        "what the reference claims",
    ),
)
# Load factors of the helix that the quick variant solves: half the load, and all of it.
QUICK_HELIX = ("0.50", "1.00")


def run(quick: bool = False) -> Table:
    """Solve all cases, with the fine choice and with the default.

    Args:
        quick: solve fewer load factors of the helix, and take no times.
    """
    cases = quick_cases if quick else all_cases
    todo = [(choice, case) for choice in CHOICES for case in cases(choice)]
    rows, data = [], {}
    for choice, case in track(todo, "rods"):
        row, entry = _compare(choice, case, quick)
        rows.append(row)
        data[case.name] = entry
    return Table(
        title="tip of clamped rods, errors over the length",
        header=(
            "case", "published", "reference", "ours", "to published", "error", "rotation [rad]",
            "iterations", "load steps", "ms", "default: error", "iterations", "ms",
        ),
        rows=rows,
        notes=[choice.note for choice in CHOICES]
        + ["Default: Spline(3, 12). Rotation: of the tip from the reference. ms: median, warm."],
        data=data,
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """The worst of each kind of rod: published values and ours, off the reference."""
    cases, errors = table.column("case"), table.column("error")
    for key, what in KINDS.items():
        own = [i for i, case in enumerate(cases) if case.split()[0] == key]
        near, error = (
            largest([column[i] for i in own]) for column in (table.column("to published"), errors)
        )
        yield Claim(f"{what}: tip, off over the length", near, "0", error)


def all_cases(choice: Choice) -> list[Case]:
    """The cases of a choice."""
    return load_cases(choice.file)


def quick_cases(choice: Choice) -> list[Case]:
    """The cases of a choice, but only some load factors of the helix."""
    return [
        case
        for case in all_cases(choice)
        if "load factor" not in case.name or case.name.endswith(QUICK_HELIX)
    ]


def _compare(choice: Choice, case: Case, quick: bool) -> tuple[list[str], dict[str, object]]:
    """One row of the table, and the numbers behind it."""
    fine, fine_ms = _solve(case, choice.fine, quick)
    coarse, coarse_ms = _solve(case, DEFAULT, quick)
    published = next(iter(case.published.values()), None)
    rotation = case.rotation_error(fine)
    row = [
        case.name,
        "-" if published is None else _vector(published),
        _vector(case.reference),
        _vector(case.tip(fine)),
        "-" if published is None else f"{_distance(case, fine, published):.1e}",
        f"{case.error(fine):.1e}" if fine.converged else "none",
        "-" if rotation is None else f"{rotation:.1e}",
        str(fine.iterations),
        str(fine.load_steps),
        "-" if fine_ms is None else f"{fine_ms:.1f}",
        f"{case.error(coarse):.1e}" if coarse.converged else f"none, {coarse.status.name}",
        str(coarse.iterations),
        "-" if coarse_ms is None else f"{coarse_ms:.1f}",
    ]
    return row, {"case": case, "choice": choice, "fine": fine, "default": coarse}


def _solve(case: Case, spline: fx.Spline, quick: bool) -> tuple[fx.StaticResult, float | None]:
    """The result from the unloaded rod, and the median time of a warm solve [ms]."""
    model = fx.build(case.robot, rods=spline)
    if quick:
        return fx.statics(model), None
    results: list[fx.StaticResult] = []
    timing = measure(lambda: results.append(fx.statics(model)), seconds=0.3, least=1, most=50)
    return results[0], 1e3 * timing.median


def _distance(case: Case, result: fx.StaticResult, published: np.ndarray) -> float:
    return float(np.linalg.norm(case.tip(result) - published) / case.length)


def _vector(values: Sequence[float]) -> str:
    """A position with seven digits, small components rounded to zero."""
    return " ".join(f"{0.0 if abs(x) < 5e-13 else x:.7g}" for x in values)
