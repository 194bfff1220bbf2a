from itertools import combinations

import numpy as np
import pytest

from flexura.view.style import PALETTE, TENDONS, distinct, tendon_color


def lab(color):
    """A colour in CIE L*a*b*, where distance is how different colours look; white is D65."""
    c = np.array([int(color[i : i + 2], 16) / 255.0 for i in (1, 3, 5)])
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = to_xyz @ linear / (0.9505, 1.0, 1.089)
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_twelve_tendons_look_different():
    """A difference of 2.3 is just seen; ten times that is not taken for another."""
    colors = [lab(tendon_color(i, taut=True)) for i in range(12)]
    assert min(np.linalg.norm(a - b) for a, b in combinations(colors, 2)) > 23.0


@pytest.mark.parametrize("palette", [TENDONS, PALETTE])
def test_colours_do_not_repeat(palette):
    colors = [distinct(palette, i) for i in range(100)]
    assert colors[: len(palette)] == list(palette)
    assert len(set(colors)) == 100
    pairs = zip(colors[len(palette) :], colors[len(palette) + 1 :], strict=False)
    assert min(np.linalg.norm(lab(a) - lab(b)) for a, b in pairs) > 23.0


def test_a_tendon_that_does_not_pull_is_paler():
    for i in range(30):
        taut, slack = lab(tendon_color(i, taut=True)), lab(tendon_color(i, taut=False))
        assert slack[0] > taut[0] + 10.0
        assert np.hypot(*slack[1:]) < np.hypot(*taut[1:])
