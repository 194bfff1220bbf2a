import numpy as np
import pytest
from view.view_robots import arm, chain, solved, wire

from flexura import view
from flexura.errors import FileError, ModelError
from flexura.view.component import STRAINS, WRENCHES


def test_lines_are_the_strains_and_wrenches_of_the_result():
    result = solved(chain)
    panels = view.profiles(result).axes
    assert [p.get_title() for p in panels] == [c.heading for c in (*STRAINS, *WRENCHES)]
    for i, panel in enumerate(panels):
        lines = {line.get_label(): line for line in panel.get_lines()}
        for rod in result.model.robot.rods:
            s, y = lines[rod.name].get_data()
            assert (s[0], s[-1]) == (0.0, rod.length)
            if i < 6:
                rest = np.array([rod.rest_strain(x) for x in s])
                expected = (result.strain(rod.name, s) - rest)[:, i]
            else:
                expected = result.internal_wrench(rod.name, s)[:, i - 6]
            np.testing.assert_array_equal(y, expected)


def test_jumps_are_marked_and_the_axis_is_labelled():
    panel = view.profiles(solved(chain)).axes[-1]
    marks = {line.get_xdata()[0] for line in panel.get_lines() if line.get_linestyle() == ":"}
    assert marks == {0.1, 0.35, 0.15}
    assert panel.get_xlabel() == "arc length s [m]"


def test_rounding_is_not_blown_up():
    """The wire bends in a plane: the panel of its torsion shows zero, not rounding."""
    torsion, bending, *_ = view.profiles(solved(wire)).axes
    assert torsion.get_ylim()[1] >= 1e-3 * np.abs(bending.get_ylim()).max() * 0.9


@pytest.mark.parametrize("suffix", [".png", ".pdf", ".svg"])
def test_plot_is_written(suffix, tmp_path):
    path = tmp_path / f"lines{suffix}"
    view.profiles(solved(arm), path)
    assert path.stat().st_size > 5_000


def test_bad_arguments(tmp_path):
    with pytest.raises(ModelError, match="profiles shows a StaticResult, got Robot"):
        view.profiles(arm())
    with pytest.raises(FileError, match=r"a plot is written as .*got '\.docx'"):
        view.profiles(solved(arm), tmp_path / "lines.docx")
