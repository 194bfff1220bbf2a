"""The validation report, from what benchmarks print."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.__main__ import BENCHMARKS
from benchmarks.published import PUBLISHED
from benchmarks.record import read

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    names = ["rods.buckling", "lie_group_framework.accuracy", "concentric_tubes.poses"]
    program = [sys.executable, "-m", "benchmarks", *names, "--quick"]
    done = subprocess.run(
        [*program, "--save", str(folder), "--figures", str(folder)], cwd=ROOT, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_a_quick_report_has_theirs_reference_and_ours(records):
    found = read(records)
    page = report.page(found, Path("docs/report.md"), records)
    (row,) = found["rods.buckling"].rows
    theirs, reference, ours = row[1:4]
    summary = page.partition("## Summary")[2].partition("\n## ")[0]
    assert f"| {theirs} | {reference} | {ours}, " in summary
    assert "1.088 (Argyris 1979)" in theirs
    assert float(ours) == pytest.approx(float(reference), rel=1e-5)
    assert "| < 0.01 |" in summary
    for word in ("python 3", "numba", found["rods.buckling"].processor, "quick variant"):
        assert word in page
    assert "lie_group_framework_accuracy.svg)" in page
    assert "(../benchmarks/rods/README.md)" in page


def test_every_benchmark_of_the_report_can_be_run():
    named = [name for chapter in report.CHAPTERS for name in chapter.benchmarks]
    assert set(named) <= set(BENCHMARKS)
    assert len(named) == len(set(named))


def test_what_papers_show_is_here_or_it_is_said_why_not():
    chapters = {chapter.folder: chapter for chapter in report.CHAPTERS}
    assert len(PUBLISHED) == 5
    for folder, shown in PUBLISHED.items():
        for one in shown:
            assert set(one.benchmarks) <= set(chapters[folder].names)
            assert one.benchmarks or one.instead


def test_quick_variants_are_not_mixed_with_others(records, tmp_path, capsys):
    for path in records.glob("*.json"):
        kept = json.loads(path.read_text())
        kept["quick"] = path.stem == "rods.buckling"
        (tmp_path / path.name).write_text(json.dumps(kept))
    with pytest.raises(SystemExit):
        report.main([str(tmp_path), str(tmp_path / "page.md")])
    assert "mixes quick variants with others: rods.buckling" in capsys.readouterr().err


def test_the_page_is_what_the_records_say(monkeypatch):
    monkeypatch.chdir(ROOT)
    kept = read(Path("benchmarks/records"))
    made = report.page(kept, Path("docs/report.md"), Path("docs/benchmarks"))
    assert Path("docs/report.md").read_text() == made


def test_an_empty_folder_is_told(tmp_path, capsys):
    with pytest.raises(SystemExit):
        report.main([str(tmp_path), str(tmp_path / "page.md")])
    assert "nothing is kept" in capsys.readouterr().err


def test_a_record_is_read_as_it_was_kept(records):
    kept = json.loads((records / "rods.buckling.json").read_text())
    assert kept["quick"] is True
    assert len(kept["commit"].rstrip("+")) == 9
    assert read(records)["rods.buckling"].header == kept["header"]
