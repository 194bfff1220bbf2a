"""What is missing of a target, and its slope: by differences of poses."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3
from flexura.model.frame import Frame
from flexura.solve.inverse.target import Target, read_weights

WISH = se3.pose((0.3, -0.2, 0.5), (0.4, 1.1, -0.7))
HERE = se3.pose((0.1, 0.4, -0.3), (-0.8, 0.2, 0.5))


@pytest.mark.parametrize("free", [True, False])
def test_slopes_are_derivatives(free):
    count = 3 if free else 6
    weight = np.linspace(0.5, 2.0, count)
    unit = np.ones(3) if free else np.linspace(1.0, 3.0, count)
    weight[1] = 0.0  # nothing is missing there
    target = Target("arm.tip", Frame(0), WISH, free, unit, weight)
    missing, slope = target.missing(HERE)
    assert missing.shape == (count - 1,)
    whole = WISH[:3, 3] - HERE[:3, 3] if free else unit * se3.log(se3.inverse(HERE) @ WISH)
    np.testing.assert_allclose(missing, np.delete(whole, 1), atol=1e-14)
    h = 1e-6
    for i, twist in enumerate(np.eye(6)):
        ends = [target.missing(HERE @ se3.exp(sign * h * twist))[0] for sign in (1.0, -1.0)]
        expected = (ends[0] - ends[1]) / (2.0 * h)
        np.testing.assert_allclose(slope[:, i], expected, atol=1e-8)  # of the difference


def test_on_the_way_targets_lead_to_the_last():
    target = Target("arm.tip", Frame(0), WISH, False, np.ones(6), np.ones(6))
    np.testing.assert_allclose(target.towards(HERE, 1.0).pose, WISH, atol=1e-12)
    np.testing.assert_allclose(target.towards(HERE, 0.0).pose, HERE, atol=1e-12)


class Asked(dict):
    """Targets that count how often they are gone through."""

    times = 0

    def __iter__(self):
        self.times += 1
        return super().__iter__()


def test_weights_may_name_frames_of_any_target_of_a_path_which_is_gone_through_once():
    path = [Asked({f"rod{i}.tip": (0.0, 0.0, 0.0)}) for i in range(50)]
    weights = {"rod3.tip": 2.0, "rod41.tip": 0.5}
    assert read_weights(weights, path) == weights
    assert [one.times for one in path] == [1] * 50
    assert read_weights(None, path) == {}


def test_weights_of_frames_without_a_target_are_refused():
    with pytest.raises(fx.UnknownName, match=r"no weighted frame 'rod\.top'"):
        read_weights({"rod.top": 1.0}, [{"rod.tip": (0.0, 0.0, 0.0)}])
    with pytest.raises(fx.ModelError, match="weights must be a dict"):
        read_weights([1.0], [{"rod.tip": (0.0, 0.0, 0.0)}])
