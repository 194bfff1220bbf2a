"""Whatever is asked of a view, it draws or raises one of the library's errors."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from view.view_robots import arm

import flexura as fx
from flexura import view

NOTHING = [
    *(None, 3, -1.0, math.nan, math.inf, 10**400, 1j, "", "sky ", b"x", (), [], {}, set()),
    *(np.zeros(3), np.array(5), np.zeros((2, 2)), [1, "a"], [[]], object(), lambda: 0, fx.Robot),
]
LONG = "x" * 5000


@pytest.fixture(scope="module")
def result():
    return fx.statics(fx.build(arm(), rods=fx.LinearStrain(4))).unwrap()


def refused(ask, *arguments, **options):
    with pytest.raises(fx.FlexuraError) as error:
        ask(*arguments, **options)
    assert str(error.value)


@pytest.mark.parametrize("bad", NOTHING, ids=lambda bad: type(bad).__name__)
def test_what_cannot_be_shown(bad, result):
    for ask in (view.scene, view.picture, view.profiles):
        refused(ask, bad)
    refused(view.diagram, bad, lambda r: r.energy)
    refused(view.scene, [result, bad])


@pytest.mark.parametrize("bad", NOTHING, ids=lambda bad: type(bad).__name__)
@pytest.mark.parametrize("option", ["color", "names", "opacity", "ghost", "labels"])
def test_options_of_scenes(option, bad, result):
    if bad is None and option in ("color", "names", "opacity"):
        return
    refused(view.scene, result, **{option: bad})


@pytest.mark.parametrize("bad", NOTHING, ids=lambda bad: type(bad).__name__)
@pytest.mark.parametrize("option", ["size", "towards", "background"])
def test_options_of_pictures(option, bad, result):
    refused(view.picture, result, **{option: bad})


@pytest.mark.parametrize("bad", [*NOTHING[1:], LONG, f"{LONG}.png", "a\0.png", "no/a.png", "a.txt"])
def test_paths(bad, result, column, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for draw in (
        lambda: view.picture(result, bad, size=(16, 16)),
        lambda: view.profiles(result, bad),
        lambda: view.diagram(column, lambda r: r.energy, bad),
    ):
        refused(draw)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("measure", [*NOTHING[:-2], lambda r: "a", lambda r: None, lambda r: r])
def test_measures(measure, column):
    refused(view.diagram, column, measure)


@pytest.mark.parametrize("bad", [x for x in NOTHING if not isinstance(x, str)])
def test_labels(bad, column):
    refused(view.diagram, column, lambda r: r.energy, label=bad)


scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3))
values = st.one_of(
    scalars,
    st.sampled_from(list(view.COMPONENTS)),
    st.lists(scalars, max_size=4),
    st.dictionaries(st.text(max_size=2), scalars, max_size=2),
    st.builds(np.array, st.lists(st.floats(), max_size=4)),
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(
    ("color", "ghost", "labels", "names", "opacity"), values
)))  # fmt: skip
@settings(deadline=None, max_examples=60)
def test_scenes_are_drawn_or_refused(options):
    robot = arm()
    try:
        found = view.scene(robot, **options)
    except fx.FlexuraError:
        return
    assert np.isfinite(found.points).all()
