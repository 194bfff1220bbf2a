"""What the report tells first: theirs, reference and ours, read off the tables of benchmarks."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.record import Record

Records = dict[str, Record]
CLASSICS = {
    "S01": "S01 tip moment, up to a double circle",
    "S02": "S02 Mattiasson's cantilever",
    "S02b": "S02b shear-flexible cantilevers (Batista and others)",
    "S03": "S03 45-degree bend",
    "S04": "S04 helix of ten coils",
    "S12b": "S12b semicircle and helical spring",
    "P000": "P000 tapered rod",
}


@dataclass(frozen=True)
class Line:
    """A line of the summary; what there is none of is a dash."""

    what: str
    theirs: str = "–"
    reference: str = "–"
    ours: str = "–"


def rods(records: Records) -> Iterator[Line]:
    """Tips of rods by case, critical and limit loads one by one."""
    if "reproduction" in records:
        record = records["reproduction"]
        for key, what in CLASSICS.items():
            own = [i for i, cell in enumerate(record.column("case")) if cell.split()[0] == key]
            near, error = (
                _largest([record.column(column)[i] for i in own])
                for column in ("to published", "error")
            )
            theirs = "–" if near == "–" else f"{near} from ours"
            yield Line(f"{what}: tip over the length", theirs, f"{error} from ours", "below")
    for name in ("buckling", "limit_points"):
        if name in records:
            for row in records[name].rows:
                yield Line(row[0], row[1], row[2], f"{row[3]} ({row[4]} off the reference)")


def lie_group(records: Records) -> Iterator[Line]:
    """Sections 7.1 to 7.4, 8.3, 8.4 and Table 7."""
    if "accuracy" in records:
        worst = _largest(records["accuracy"].column("largest"))
        yield Line(
            "7.1 position error over the length, 15 cubic control poses",
            "< 1 %",
            "collocation of order 16",
            worst,
        )
    if "iterations" in records:
        record = records["iterations"]
        last = record.rows[-1]
        yield Line(
            "7.2 residual after the last iteration, 5 N",
            "about five iterations",
            "rounding",
            f"{last[5]} after {last[0]}",
        )
    if "energy" in records:
        for row in records["energy"].rows:
            yield Line(
                f"7.4 energy after the swing, {row[0]}, steps of {row[1]} ms",
                "symplectic keeps it, implicit Euler does not",
                "0",
                f"{row[6]} relative",
            )
    if "chiral.paths" in records:
        yield Line(
            "8.3, Figure 27: force over strain, error",
            "a figure",
            "coupled shooting",
            f"{_largest(records['chiral.paths'].column('error [N]'))} N of 170 N",
        )
    if "finger" in records:
        yield Line(
            "8.4 fingertip",
            "a figure",
            "plane equations",
            f"{_largest(records['finger'].column('error [mm]'))} mm off",
        )
    if "tubes.table_7" in records:
        for row in records["tubes.table_7"].rows:
            yield Line(f"Table 7, {row[0]}: snaps at [rad]", "–", row[3], row[2])


def strain_models(records: Records) -> Iterator[Line]:
    """Table III: errors in per cent of the length."""
    if "simulations" in records:
        for row in records["simulations"].rows:
            what = f"{row[0]}, {row[1]}: error [% of L], largest and mean"
            yield Line(what, f"{row[3]}, {row[5]}", "exact solution", f"{row[2]}, {row[4]}")


def tendons(records: Records) -> Iterator[Line]:
    """Table III: differences of tips between models."""
    if "table_iii" in records:
        record = records["table_iii"]
        paper = {row[0]: row for row in record.rows if row[1] == "paper"}
        for row in record.rows:
            if row[1] != "paper":
                what = f"scenario {row[0]}, {row[1]}: difference of tips [mm], median"
                yield Line(
                    what, paper[row[0]][2], "shooting", f"{row[2]}, {row[6]} in one load step"
                )


def parallel_robots(records: Records) -> Iterator[Line]:
    """The platform on six rods; Stewart-Gough robots."""
    if "six_rods" in records:
        for row in records["six_rods"].rows:
            yield Line(
                f"six rods, {row[0]}: position of the platform",
                "2.1 to 3.5 mm from an experiment",
                "coupled shooting",
                f"{row[3]} m off, {row[1]} unknowns",
            )
    if "stewart_gough" in records:
        record = records["stewart_gough"]
        refined = [row for row in record.rows if row[1] != "LinearStrain(4)"]
        found = sum(row[3] == "converged" for row in refined)
        yield Line(
            "Stewart-Gough robots from straight, over the length",
            "–",
            "coupled shooting",
            f"{_largest([r[7] for r in refined])} off, {found} of {len(refined)} at once",
        )


def finite_elements(records: Records) -> Iterator[Line]:
    """Table I: a step with one linearisation."""
    if "times" in records:
        theirs = {
            "finger": "4.31 ms, 389 elements",
            "trunk": "82.3 ms, 1972 elements, with an inverse",
        }
        for row in records["times"].rows:
            if row[0] in theirs:
                yield Line(
                    f"step with one linearisation, {row[0]}",
                    theirs[row[0]],
                    "–",
                    f"{row[3]} ms, {row[1]} elements",
                )


def tubes(records: Records) -> Iterator[Line]:
    """Poses of three tubes, and the snapping of two."""
    if "poses" in records:
        record = records["poses"]
        yield Line(
            f"tips of {len(record.rows)} published poses, from cold",
            "a published program, 1e-10 m",
            "shooting, a Ritz method",
            f"{_largest(record.column('tip off [m]'))} m off",
        )
    if "snapping" in records:
        for row in records["snapping"].rows:
            yield Line(f"snapping of {row[0]} [rad]", "–", row[3], row[2])


def motions(records: Records) -> Iterator[Line]:
    """Classic motions of rods."""
    if "spin_up" in records:
        yield Line(
            "spin-up: steady extension [m]",
            "5.14e-4",
            "5.1432e-4, closed form",
            records["spin_up"].rows[-1][3],
        )
    if "right_angle_cantilever" in records:
        record = records["right_angle_cantilever"]
        best = min(map(float, record.column("tip")))
        yield Line(
            "right-angle cantilever: tip over 15 s, legs of 10",
            "a figure",
            "spectral elements, known to 2.5e-4",
            f"{best:.1e} off",
        )
    if "frequencies" in records:
        record = records["frequencies"]
        worst = _largest([cell for row in record.rows for cell in row[2:]])
        yield Line(
            "natural frequencies of cantilevers",
            "closed forms",
            "closed forms",
            f"{worst} off, relative",
        )


def _largest(cells: list[str]) -> str:
    """The largest number among cells, as it is written; a dash if there is none."""
    numbers = [(_number(cell), cell) for cell in cells]
    found = [pair for pair in numbers if not math.isnan(pair[0])]
    return max(found)[1] if found else "–"


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.nan
