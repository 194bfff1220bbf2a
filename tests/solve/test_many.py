"""Many solves at once: the same results as one by one, whatever the threads."""

import numpy as np
import pytest
from support import rod_of

import flexura as fx
from benchmarks.tendon_newton_lagrange import cases
from flexura.progress import Progress

TENSIONS = cases.combinations("A")[::5]


@pytest.fixture(scope="module")
def model():
    return fx.build(cases.robot("A"), rods=fx.LinearStrain(8))


@pytest.mark.parametrize("warm", [True, False])
def test_the_same_as_one_by_one(model, warm):
    many = fx.statics_many(model, TENSIONS, warm=warm).unwrap()
    assert len(many) == len(TENSIONS)
    for row, result in list(zip(TENSIONS, many, strict=True))[::7]:
        one = fx.statics(model, dict(zip(("t1", "t2", "t3"), row, strict=True)))
        np.testing.assert_allclose(result.pose("segment1.tip"), one.pose("segment1.tip"), atol=1e-9)
        assert result.inputs["t2"] == row[1]
    assert many.pose("segment1", [0.1, 0.2]).shape == (len(TENSIONS), 2, 4, 4)
    np.testing.assert_array_equal(many.tension("t3"), TENSIONS[:, 2])


def test_results_do_not_depend_on_the_number_of_threads(model):
    one, four = (fx.statics_many(model, TENSIONS, threads=n) for n in (1, 4))
    np.testing.assert_array_equal(one.pose("segment1.tip"), four.pose("segment1.tip"))
    np.testing.assert_array_equal(one.iterations, four.iterations)


def test_neighbours_are_a_better_start(model):
    fine = np.linspace(0.0, 3.0, 32)[:, None] * (1.0, 0.5, 0.0)
    warm = fx.statics_many(model, fine).iterations.mean()
    assert warm < fx.statics_many(model, fine, warm=False).iterations.mean() - 0.5


@pytest.mark.parametrize(
    "inputs",
    [
        {"t1": [0.0, 1.0, 2.0], "t2": 1.0, "gravity": (0.0, 0.0, 0.0)},
        [{"t1": t, "t2": 1.0, "gravity": (0.0, 0.0, 0.0)} for t in (0.0, 1.0, 2.0)],
    ],
    ids=["columns", "rows"],
)
def test_inputs_by_name(model, inputs):
    many = fx.statics_many(model, inputs).unwrap()
    np.testing.assert_array_equal(many.tension("t1"), [0.0, 1.0, 2.0])
    np.testing.assert_array_equal(many.tension("t2"), 1.0)
    assert not many[0].inputs["gravity"].any()


def test_a_failure_does_not_stop_the_rest():
    robot = cases.robot("A")
    long = fx.Tendon("t1", "segment1", fx.Parallel(8e-3, 0.0), drive="length")
    robot = fx.Robot("one", robot.rods, robot.joints, robot.loads, [long])
    many = fx.statics_many(fx.build(robot, rods=fx.LinearStrain(4)), [[0.005], [5.0], [0.01]])
    assert many.converged.tolist() == [True, False, True]
    assert many.status[1] is fx.Status.PULLED
    with pytest.raises(
        fx.NotConverged, match="1 of 3 solves did not converge, the first is number 1"
    ):
        many.unwrap()
    assert "2 of 3" in str(many)


def test_nothing_to_solve(model):
    assert len(fx.statics_many(model, np.empty((0, 3)))) == 0


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (np.zeros((4, 2)), r"a column for each tendon \(t1, t2, t3\)"),
        ("abc", "a column for each tendon"),
        ([[0.0, 1.0, -1.0]], "inputs number 0: .*cannot push"),
        ({"t1": [1.0, 2.0], "t2": [1.0]}, "same first axis"),
        ({"t1": 1.0}, "same first axis"),
        ({"t4": [1.0]}, "no input 't4'"),
        ({"t1": ["a"]}, "a tension"),
    ],
)
def test_bad_inputs(model, inputs, message):
    with pytest.raises(fx.ModelError, match=message):
        fx.statics_many(model, inputs)


def test_bad_threads(model):
    with pytest.raises(fx.ModelError, match="threads must be a whole number"):
        fx.statics_many(model, TENSIONS, threads=0)


def test_progress_bar(capsys, model):
    fx.statics_many(model, TENSIONS[:4], progress=True)
    assert "4/4 solves" in capsys.readouterr().err
    fx.statics_many(model, TENSIONS[:4])
    assert capsys.readouterr().err == ""


def test_progress_counts_every_piece(capsys):
    with Progress(3, "things", shown=True) as bar:
        for _ in range(3):
            bar.advance()
    assert "[##############################] 3/3 things, 0 s left" in capsys.readouterr().err


def test_starts_are_near_in_motors_too():
    """A motor that turns step by step: each solve begins from the one before it."""
    rod = rod_of(EA=1e4)
    hinge = fx.Hinge("turn", "world", "rod.base", axis=(0.0, 0.0, 1.0), driven=True)
    load = fx.PointLoad("tip", "rod.tip", force=(0.0, 3.0, 0.0))
    model = fx.build(fx.Robot("arm", [rod], [hinge], [load]))
    angles = np.linspace(0.0, 0.3, 7)
    warm = fx.statics_many(model, {"turn": angles}).unwrap()
    cold = fx.statics_many(model, {"turn": angles}, warm=False).unwrap()
    np.testing.assert_allclose(warm.pose("rod.tip"), cold.pose("rod.tip"), atol=1e-9)
    assert (warm.iterations[1:] < cold.iterations[1:]).all()
