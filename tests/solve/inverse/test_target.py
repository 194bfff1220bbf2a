"""What is missing of a target, and its slope: by differences of poses."""

import numpy as np
import pytest

from flexura.lie import se3
from flexura.model.frame import Frame
from flexura.solve.inverse.target import Target

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
