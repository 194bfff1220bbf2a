"""Many results and paths answer all that one result answers, are sliced, and make tables."""

from dataclasses import replace

import numpy as np
import pytest
from support import RUBBER

import flexura as fx
from flexura.lie import se3

ANSWERS = [
    name for name in dir(fx.StaticResult) if not name.startswith("_")
] + list(fx.StaticResult.__dataclass_fields__)  # fmt: skip


@pytest.fixture(scope="module")
def model():
    """All that can be asked: tendons, driven and free joints, a body, a named weld."""
    rods = [fx.Rod(name, 0.5, fx.Circle(0.02), RUBBER) for name in ("a", "b")]
    joints = [
        fx.Weld("world", "a.base", name="wall"),
        fx.Hinge("elbow", "a.tip", "b.base", axis=(0, 1, 0), driven=True),
        fx.Hinge("pin", "b.tip", "load", axis=(0, 1, 0)),
    ]
    tendons = [
        fx.Tendon("pulled", "a", fx.Parallel(0.03, 0.0)),
        fx.Tendon("wound", "a", fx.Parallel(-0.03, 0.0), drive="length"),
    ]
    load = fx.Body("load", mass=0.02, center=(0.0, 0.0, -0.1))
    robot = fx.Robot("arm", rods, joints, [fx.Gravity()], tendons, [load])
    return fx.build(robot, fx.LinearStrain(4))


@pytest.fixture(scope="module")
def many(model):
    wall = [se3.pose((0.0, 0.0, z), (0.0, 0.0, z)) for z in (0.0, 0.1, 0.2, 0.3)]
    inputs = {"pulled": [0.0, 0.1, 0.2, 0.3], "elbow": [0.0, 0.2, 0.4, 0.6], "wall": wall}
    return fx.statics_many(model, inputs).unwrap()


@pytest.mark.parametrize("answer", sorted(set(ANSWERS)))
@pytest.mark.parametrize("kind", [fx.StaticResults, fx.EquilibriumPath])
def test_there_is_an_answer_to_everything(kind, answer):
    assert hasattr(kind, answer) or answer in kind.__dataclass_fields__


def test_answers_stack(many):
    s = np.array([0.1, 0.4])
    asked = {
        "pose": [("a.tip",), ("a", s), ("load",)],
        "strain": [("a", s)],
        "internal_wrench": [("b", s)],
        "energy_density": [("b", s)],
        "reaction": [("wall",), ("pin",)],
        "torque": [("elbow",)],
        "coordinate": [("pin",)],
        "tension": [("wound",)],
        "tendon_length": [("pulled",)],
        "slack": [("wound",)],
        "tendon_path": [("wound",)],
    }
    for name, arguments in asked.items():
        for given in arguments:
            found = getattr(many, name)(*given)
            for i, result in enumerate(many):
                np.testing.assert_array_equal(found[i], getattr(result, name)(*given))
    for name in ("energy", "residual", "load_factor", "tensions", "tendon_lengths", "converged"):
        found = getattr(many, name)
        assert isinstance(found, np.ndarray)
        for i, result in enumerate(many):
            np.testing.assert_array_equal(found[i], getattr(result, name))
    for name in ("stable", "potential", "remarks", "residuals", "steps", "status", "state"):
        assert getattr(many, name) == tuple(getattr(result, name) for result in many)
    assert many.model is many[0].model
    np.testing.assert_array_equal(many.inputs["elbow"], [0.0, 0.2, 0.4, 0.6])
    assert many.inputs["wall"].shape == (4, 4, 4)


def test_unstable_equilibria_are_taken_if_asked_for(many):
    """As one result does it."""
    shaky = replace(many[1], status=fx.Status.UNSTABLE)
    mixed = fx.StaticResults((many[0], shaky))
    with pytest.raises(fx.NotConverged, match=r"1 of 2 .*number 1: unstable"):
        mixed.unwrap()
    assert mixed.unwrap(unstable=True) is mixed


def test_slices_are_of_the_same_kind(many):
    part = many[1:3]
    assert isinstance(part, fx.StaticResults)
    assert part.results == many.results[1:3]
    assert many[-1] is many.results[-1]
    assert many[np.int64(1)] is many.results[1]
    assert many[many.energy > many[0].energy].results == tuple(
        result for result in many if result.energy > many[0].energy
    )
    assert many[[2, 0]].results == (many[2], many[0])
    assert len(many[[]]) == len(many[4:]) == 0
    with pytest.raises(IndexError):
        many[4]


@pytest.mark.parametrize("index", ["a", 1.5, [0.5], [[0]], None, [7], [True]])
def test_bad_indices(many, index):
    with pytest.raises(fx.ModelError, match=r"chosen by a number|there are 4 results"):
        many[index]


def test_a_part_of_a_path_is_a_path(column):
    every = column[::2]
    assert isinstance(every, fx.EquilibriumPath)
    assert every.results == column.results[::2]
    np.testing.assert_array_equal(every.fraction, column.fraction[::2])
    assert every.unstable_modes == column.unstable_modes[::2]
    assert column[:] == column
    (mark,) = column.bifurcations
    for part in (every, column[1::3], column[::-1], column[::-2], column[column.fraction >= 0.0]):
        (kept,) = part.bifurcations
        assert kept.result is mark.result
        before, after = part.fraction[kept.index], part.fraction[kept.index + 1]
        assert min(before, after) <= mark.fraction <= max(before, after)
    assert column[: mark.index + 1].bifurcations == ()
    assert column[mark.index + 1 :].bifurcations == ()


def test_a_part_of_a_path_says_that_it_is_one(column):
    assert column[2:].status is fx.PathStatus.REACHED
    assert column[:3].status is fx.PathStatus.PART
    assert not column[::-1].reached
    with pytest.raises(fx.NotConverged, match="a part of a path"):
        column[:3].unwrap()
    assert len(column[3:3]) == 0
    assert "without points" in repr(column[3:3])


def test_points_of_a_path_keep_their_order(column):
    with pytest.raises(fx.ModelError, match="in their order or backwards"):
        column[[0, 2, 1]]


def test_a_table(many):
    table = many.table()
    assert {len(column) for column in table.values()} == {len(many)}
    assert {column.ndim for column in table.values()} == {1}
    np.testing.assert_array_equal(table["pulled"], [0.0, 0.1, 0.2, 0.3])
    np.testing.assert_array_equal(table["gravity.z"], -9.81)
    np.testing.assert_allclose(table["wall.z"], [0.0, 0.1, 0.2, 0.3])
    np.testing.assert_allclose(table["wall.rz"], [0.0, 0.1, 0.2, 0.3], atol=1e-15)
    np.testing.assert_array_equal(table["energy"], many.energy)
    np.testing.assert_array_equal(table["b.tip.y"], many.pose("b.tip")[:, 1, 3])
    np.testing.assert_array_equal(table["load.x"], many.pose("load")[:, 0, 3])
    np.testing.assert_array_equal(table["wound.tension"], many.tension("wound"))
    np.testing.assert_array_equal(table["pulled.length"], many.tendon_length("pulled"))
    np.testing.assert_array_equal(table["elbow.torque"], many.torque("elbow"))
    np.testing.assert_array_equal(table["pin.coordinate"], many.coordinate("pin"))
    assert table["stable"].tolist() == list(many.stable)
    assert table["status"][0] == str(many.status[0])
    assert table["remarks"].tolist() == ["; ".join(remarks) for remarks in many.remarks]
    assert fx.StaticResults(()).table() == {}


def test_a_table_of_a_path(column):
    table = column.table()
    assert list(table)[:2] == ["fraction", "unstable_modes"]
    np.testing.assert_array_equal(table["push.fx"], column.value()[:, 3])
    assert table["unstable_modes"].tolist() == list(column.unstable_modes)
    table["fraction"][0] = 5.0  # it is the reader's own
    assert column.fraction[0] == 0.0


def test_pandas_takes_a_table(many):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(many.table())
    assert frame.shape == (4, len(many.table()))
    assert frame["converged"].all()


def test_inputs_with_the_name_of_another_column():
    rod = fx.Rod("a", 0.5, fx.Circle(0.02), RUBBER)
    tendons = [fx.Tendon(name, "a", fx.Parallel(0.03, 0.0)) for name in ("energy", "a.tip.x")]
    robot = fx.Robot("odd", [rod], [fx.Weld("world", "a.base")], tendons=tendons)
    many = fx.statics_many(fx.build(robot), [[0.1, 0.0], [0.2, 0.0]])
    table = many.table()
    np.testing.assert_array_equal(table["input.energy"], [0.1, 0.2])
    np.testing.assert_array_equal(table["energy"], many.energy)
    np.testing.assert_array_equal(table["input.a.tip.x"], 0.0)
    np.testing.assert_array_equal(table["a.tip.x"], many.pose("a.tip")[:, 0, 3])


@pytest.mark.parametrize("joint", [None, 3, ["wall"], "wal"])
def test_reactions_of_what_is_no_joint(many, joint):
    with pytest.raises(fx.UnknownName, match="no joint"):
        many[0].reaction(joint)


@pytest.mark.parametrize("name", [None, 3, ["a.tip"]])
def test_names_that_are_no_texts(many, name):
    with pytest.raises(fx.UnknownName, match="no frame"):
        many[0].pose(name)
    with pytest.raises(fx.UnknownName, match="no rod"):
        many[0].strain(name, 0.1)
    for ask in (many[0].tension, many[0].torque, many[0].coordinate):
        with pytest.raises(fx.UnknownName):
            ask(name)


def test_texts_are_no_numbers(model, many):
    """Also where they look like numbers."""
    for value in ("0.1", np.array("0.1"), b"0.1", [1j], True):
        with pytest.raises(fx.ModelError, match="input 'pulled' takes a finite number"):
            fx.statics(model, {"pulled": value})
    with pytest.raises(fx.ModelError, match="input 'gravity' takes 3 finite numbers"):
        fx.statics(model, {"gravity": ("0", 0, -9.81)})
    with pytest.raises(fx.ModelError, match="a column for each tendon"):
        fx.statics_many(model, [["0.1", "0.0"]])
    with pytest.raises(fx.ModelError, match="input 'elbow' takes"):
        fx.statics_many(model, {"elbow": ["0.1"]})
    with pytest.raises(fx.ModelError, match="Rod 'a': s must be a finite number"):
        many[0].pose("a", "0.1")
    with pytest.raises(fx.ModelError, match="the str '1', which is no real number"):
        se3.pose(("1", 2, 3))
    with pytest.raises(fx.ModelError, match="breakpoints"):
        fx.Spline(breakpoints=("0.1",))
