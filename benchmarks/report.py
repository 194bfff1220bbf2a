"""The validation report: ``python -m benchmarks.report RECORDS PAGE``.

It is made of what benchmarks have kept (``python -m benchmarks published --save RECORDS``): tables
as they were printed, and with which versions on which machine each was made. The summary is what
each benchmark claims of its table (``claims(table)``): ours are cells of it, theirs are
quoted there.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from benchmarks.published import PUBLISHED, Shown
from benchmarks.record import Record, read
from benchmarks.table import Claim

HEAD = """# Validation report

Published figures and tables of papers and classic benchmarks: theirs, an independent reference
where there is one, and ours. `make report` runs the benchmarks and writes this page from what they
print; theirs are quoted in the benchmarks, with their sources. Times depend on the machine and on
what else it does: they are told, and no claim rests on them here.
"""


@dataclass(frozen=True)
class Chapter:
    """A source, and the benchmarks that reproduce it.

    Attributes:
        title: of the source.
        folder: of the benchmarks, whose README tells more.
        names: of the benchmarks, without the folder.
    """

    title: str
    folder: str
    names: tuple[str, ...]

    @property
    def benchmarks(self) -> list[str]:
        """Names of the benchmarks, as the program has them."""
        return [f"{self.folder}.{name}" for name in self.names]


CHAPTERS = (
    Chapter(
        "Classic rods",
        "rods",
        ("reproduction", "buckling", "limit_points", "locking", "cords"),
    ),
    Chapter(
        "A General Lie-Group Framework for Continuum Soft Robot Modeling",
        "lie_group_framework",
        (
            "accuracy", "iterations", "rate", "energy", "chiral.curves", "chiral.paths",
            "chiral.kkt", "finger", "tubes.table_7", "tubes.figure_23",
        ),
    ),
    Chapter(
        "Strain models of rods held at both ends",
        "strain_models_comparison",
        ("simulations", "exact", "cold_start", "locking", "work_precision"),
    ),
    Chapter(
        "Tendon robots with general routing",
        "tendon_newton_lagrange",
        ("table_iii", "discs"),
    ),
    Chapter(
        "A continuum parallel robot without constraints",
        "parallel_robot_constraint_free",
        ("six_rods", "stewart_gough", "times"),
    ),
    Chapter(
        "Finite elements coupled to Cosserat rods",
        "fem_cosserat_coupling",
        ("finger", "times", "inverse", "grasper"),
    ),
    Chapter("Concentric tubes", "concentric_tubes", ("poses", "snapping")),
    Chapter(
        "Motions",
        "dynamics",
        (
            "frequencies", "right_angle_cantilever", "flying_spaghetti", "spin_up", "free_rod",
            "pendulum_chain", "closed_loops", "viscous_decay", "orders", "viscous_arm",
            "rubber_pendulum",
        ),
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
        found = [records[name] for name in chapter.benchmarks if name in records]
        if not found:
            continue
        readme = os.path.relpath(Path("benchmarks") / chapter.folder / "README.md", path.parent)
        parts.append(
            f"## {chapter.title}\n\nWhat is claimed, and why numbers differ: [{readme}]({readme})."
        )
        if chapter.folder in PUBLISHED:
            parts.append(_shown(PUBLISHED[chapter.folder]))
        for record in found:
            parts.append(_section(record, path, figures))
    return "\n\n".join(parts) + "\n"


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
        lines = [x for n in chapter.benchmarks if n in records for x in _claims(records[n])]
        if lines:
            rows.append(f"| **{chapter.title}** | | | |")
        rows += [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join(rows)


def _claims(record: Record) -> Iterator[Claim]:
    """What a benchmark claims of its table, if anything."""
    module = import_module(f"benchmarks.{record.name}")
    if hasattr(module, "claims"):
        yield from module.claims(record.table)


def _shown(published: Sequence[Shown]) -> str:
    """What a paper shows, and where it is here."""
    rows = ["| theirs | what | here |", "|---|---|---|"]
    for x in published:
        here = "; ".join([", ".join(f"`{name}`" for name in x.benchmarks), x.instead]).strip("; ")
        rows.append(f"| {x.theirs} | {x.what} | {here} |")
    return "\n".join(rows)


def _section(record: Record, path: Path, figures: Path) -> str:
    """A table as it was printed, and its figure."""
    quick = ", quick variant" if record.quick else ""
    made = f"{record.day}, {record.commit}" if record.commit else record.day
    title, _, table = str(record.table).partition("\n")
    parts = [f"### {record.name}\n\n{title}{quick} ({made}, {record.seconds:g} s)\n{table}"]
    figure = figures / f"{record.name.replace('.', '_')}.svg"
    if figure.exists():
        parts.append(f"![{record.title}]({os.path.relpath(figure, path.parent)})")
    return "\n\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument("records", type=Path, help="folder of what benchmarks have kept")
    parser.add_argument("page", type=Path, help="Markdown file to write")
    parser.add_argument(
        "--figures",
        type=Path,
        default=Path("docs/benchmarks"),
        metavar="DIRECTORY",
        help="where the figures of benchmarks are (default: docs/benchmarks)",
    )
    options = parser.parse_args(arguments)
    try:
        records = read(options.records)
    except ValueError as error:
        parser.error(str(error))
    if not records:
        parser.error(f"nothing is kept in {options.records}: python -m benchmarks --save it first")
    options.page.write_text(page(records, options.page, options.figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
