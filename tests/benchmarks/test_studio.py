"""The benchmarks of the studio run; times and memory are shown, never asserted."""

import pytest

pytest.importorskip("viser", reason="the extra 'studio' is not installed")

from benchmarks.speed import studio, studio_hour


@pytest.mark.long
def test_sliders_lead_to_scenes():
    table = studio.run(quick=True)
    assert [row[0].split(",")[0] for row in table.rows] == list(studio.ROBOTS)
    assert all(len(found["times"]) == 20 for found in table.data.values())


@pytest.mark.long
def test_memory_is_looked_at():
    table = studio_hour.run(minutes=0.25)
    assert int(table.rows[0][1]) > 10
    assert table.data["size"].min() > 50.0  # [MB], what Python with its kernels has at least
