"""Tables of benchmarks on disk, with what they were made with: what the report is made of."""

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.machine import processor, versions
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

    @property
    def table(self) -> Table:
        """The table as it was printed."""
        return Table(self.title, self.header, self.rows, self.notes)

    def column(self, name: str) -> list[str]:
        """Cells of the first column of that name."""
        place = self.header.index(name)
        return [row[place] for row in self.rows]


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
    )
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(asdict(record), indent=1, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n")


def read(folder: Path) -> dict[str, Record]:
    """All that is in a folder, by the names of benchmarks."""
    records = [Record(**json.loads(path.read_text())) for path in sorted(folder.glob("*.json"))]
    return {record.name: record for record in records}
