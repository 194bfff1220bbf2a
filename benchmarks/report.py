"""The validation report: ``python -m benchmarks.report RECORDS PAGE``.

It is made of what benchmarks have kept (``python -m benchmarks --save RECORDS``), and of nothing
else: tables as they were printed, a summary of theirs, reference and ours read off them, and with
which versions on which machine each was made.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import summary
from benchmarks.record import Record, read

HEAD = """# Validation report

Published figures and tables of papers and classic benchmarks: theirs, an independent reference
where there is one, and ours. `make report` runs the benchmarks and writes this page from what they
print; nothing is written by hand. Times depend on the machine and on what else it does: they are
told, and no claim rests on them here.
"""


@dataclass(frozen=True)
class Chapter:
    """A source, and the benchmarks that reproduce it.

    Attributes:
        title: of the source.
        folder: of the benchmarks, whose README tells more.
        names: of the benchmarks, without the folder.
        lines: reads what is told in the summary off the records.
    """

    title: str
    folder: str
    names: tuple[str, ...]
    lines: Callable[[dict[str, Record]], Iterator[summary.Line]] | None = None


CHAPTERS = (
    Chapter(
        "Classic rods",
        "rods",
        ("reproduction", "buckling", "limit_points", "locking", "cords"),
        summary.rods,
    ),
    Chapter(
        "A General Lie-Group Framework for Continuum Soft Robot Modeling",
        "lie_group_framework",
        (
            "accuracy", "iterations", "rate", "energy", "chiral.curves", "chiral.paths",
            "chiral.kkt", "finger", "tubes.table_7",
        ),
        summary.lie_group,
    ),
    Chapter(
        "Strain models of rods held at both ends",
        "strain_models_comparison",
        ("simulations", "exact", "cold_start", "locking", "work_precision"),
        summary.strain_models,
    ),
    Chapter(
        "Tendon robots with general routing",
        "tendon_newton_lagrange",
        ("table_iii", "discs"),
        summary.tendons,
    ),
    Chapter(
        "A continuum parallel robot without constraints",
        "parallel_robot_constraint_free",
        ("six_rods", "stewart_gough", "times"),
        summary.parallel_robots,
    ),
    Chapter(
        "Finite elements coupled to Cosserat rods",
        "fem_cosserat_coupling",
        ("finger", "times"),
        summary.finite_elements,
    ),
    Chapter("Concentric tubes", "concentric_tubes", ("poses", "snapping"), summary.tubes),
    Chapter(
        "Motions",
        "dynamics",
        (
            "frequencies", "right_angle_cantilever", "flying_spaghetti", "spin_up", "free_rod",
            "pendulum_chain", "closed_loops", "viscous_decay", "orders", "viscous_arm",
            "rubber_pendulum",
        ),
        summary.motions,
    ),
    Chapter("Contact", "contact", ("hertz",)),
)  # fmt: skip


def page(records: dict[str, Record], path: Path, figures: Path) -> str:
    """The report as Markdown.

    Args:
        records: of benchmarks, by name.
        path: where it will be, for links.
        figures: folder of the benchmarks' figures.
    """
    parts = [HEAD, _made_with(list(records.values())), "## Summary", _summary(records)]
    for chapter in CHAPTERS:
        found = [records[name] for name in _names(chapter) if name in records]
        if not found:
            continue
        readme = os.path.relpath(Path("benchmarks") / chapter.folder / "README.md", path.parent)
        parts.append(
            f"## {chapter.title}\n\nWhat is claimed, and why numbers differ: [{readme}]({readme})."
        )
        for record in found:
            parts.append(_section(record, path, figures))
    return "\n\n".join(parts) + "\n"


def _names(chapter: Chapter) -> list[str]:
    return [f"{chapter.folder}.{name}" for name in chapter.names]


def _made_with(records: Sequence[Record]) -> str:
    """What the records were made with, and when."""
    rows = ["| versions | processor | days | benchmarks |", "|---|---|---|---|"]
    for versions, processor in sorted({(r.versions, r.processor) for r in records}):
        own = [r for r in records if (r.versions, r.processor) == (versions, processor)]
        days = sorted({r.day for r in own})
        when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
        rows.append(f"| {versions} | {processor} | {when} | {len(own)} |")
    return "\n".join(rows)


def _summary(records: dict[str, Record]) -> str:
    rows = ["| | theirs | reference | ours |", "|---|---|---|---|"]
    for chapter in CHAPTERS:
        own = {
            n.removeprefix(f"{chapter.folder}."): records[n]
            for n in _names(chapter)
            if n in records
        }
        lines = list(chapter.lines(own)) if chapter.lines is not None else []
        if lines:
            rows.append(f"| **{chapter.title}** | | | |")
        rows += [f"| {x.what} | {x.theirs} | {x.reference} | {x.ours} |" for x in lines]
    return "\n".join(rows)


def _section(record: Record, path: Path, figures: Path) -> str:
    """A table as it was printed, and its figure."""
    quick = ", quick variant" if record.quick else ""
    title, _, table = str(record.table).partition("\n")
    parts = [f"### {record.name}\n\n{title}{quick} ({record.day}, {record.seconds:g} s)\n{table}"]
    figure = figures / f"{record.name.replace('.', '_')}.svg"
    if figure.exists():
        parts.append(f"![{record.title}]({os.path.relpath(figure, path.parent)})")
    return "\n\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument("records", type=Path, help="folder of what benchmarks have kept")
    parser.add_argument("page", type=Path, help="Markdown file to write")
    parser.add_argument("--figures", type=Path, default=Path("docs/benchmarks"))
    options = parser.parse_args(arguments)
    records = read(options.records)
    if not records:
        parser.error(f"nothing is kept in {options.records}: python -m benchmarks --save it first")
    options.page.write_text(page(records, options.page, options.figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
