"""Tables of benchmarks on disk, with what they were made with: what the report is made of."""

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.machine import commit, processor, versions
from benchmarks.table import Table


@dataclass(frozen=True)
class Record:
    """What a benchmark has found.

    Attributes:
        name: of the benchmark, as the program has it.
        quick: whether it was the quick variant.
        title: what was measured.
        header: names of the columns.
        rows: cells as text.
        notes: sentences below the table.
        versions: of Python and the packages.
        processor: that it ran on.
        day: when it ended, in UTC.
        seconds: what it took [s].
        commit: of the code, with a plus where it was changed since; nothing if it is not known.
    """

    name: str
    quick: bool
    title: str
    header: list[str]
    rows: list[list[str]]
    notes: list[str]
    versions: str
    processor: str
    day: str
    seconds: float
    commit: str = ""

    @property
    def table(self) -> Table:
        """The table as it was printed."""
        return Table(self.title, self.header, self.rows, self.notes)


def keep(folder: Path, name: str, table: Table, quick: bool, seconds: float) -> None:
    """Write what a benchmark has found."""
    record = Record(
        name,
        quick,
        table.title,
        list(table.header),
        [list(row) for row in table.rows],
        list(table.notes),
        versions(),
        processor(),
        datetime.now(UTC).date().isoformat(),
        round(seconds, 1),
        commit(),
    )
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(asdict(record), indent=1, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n")


def read(folder: Path) -> dict[str, Record]:
    """All that is in a folder, by the names of benchmarks.

    Raises:
        ValueError: if quick variants are among others: a page tells of either.
    """
    records = [Record(**json.loads(path.read_text())) for path in sorted(folder.glob("*.json"))]
    quick = [record.name for record in records if record.quick]
    if 0 < len(quick) < len(records):
        raise ValueError(f"{folder} mixes quick variants with others: {', '.join(quick)}")
    return {record.name: record for record in records}
