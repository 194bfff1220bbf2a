"""Rods that are bent at rest, held where their ends are then: they are found at rest."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

PLASTIC = fx.Material(young=1e9, poisson=0.4, density=0.0)
BASE = se3.pose((0.3, -0.2, 0.5), rotation=(0.4, -0.7, 0.2))
DESCRIPTIONS = [fx.LinearStrain(24), fx.Spline(3, 24)]
# Found in another equilibrium, or after more than a hundred iterations, before.
SEEDS = [1, 3, 4, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(5, 40))]


def drawn(seed):
    """A rod whose rest shape waves, or is bent otherwise from somewhere on; some are tapered."""
    rng = np.random.default_rng(seed)
    waves, rates = 12.0 * rng.normal(size=(3, 3)), rng.uniform(2.0, 10.0, size=3)
    first, second = 8.0 * rng.normal(size=(2, 3))
    change = rng.uniform(0.3, 0.7)

    def rest(s):
        return waves @ np.sin(rates * s) if seed % 2 else (first if s < change else second)

    thick = fx.Circle(3e-3)
    section = fx.Taper(thick, fx.Circle(rng.uniform(1e-3, 3e-3))) if seed % 3 else thick
    return fx.Rod("rod", 1.0, section, PLASTIC, rest=rest)


def holders(kind, tip):
    """What holds the tip, or both ends, in their places at rest."""
    base, end = fx.Weld("world", "rod.base", BASE), fx.Weld("world", "rod.tip", tip)
    return {
        "clamps": [base, end],
        "clamp and ball": [base, fx.Ball("b", "world", "rod.tip", offset=tip)],
        "balls": [
            fx.Ball("a", "world", "rod.base", offset=se3.pose(BASE[:3, 3])),
            fx.Ball("b", "world", "rod.tip", offset=se3.pose(tip[:3, 3])),
        ],
        "hinges": [
            fx.Hinge("a", "world", "rod.base", axis=BASE[:3, 2], offset=BASE),
            fx.Hinge("b", "world", "rod.tip", axis=tip[:3, 1], offset=tip),
        ],
    }[kind]


@pytest.mark.parametrize("kind", ["clamps", "clamp and ball", "balls", "hinges"])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)
def test_a_rod_is_found_at_rest_where_its_ends_are_as_at_rest(rods, seed, kind):
    """What elements cannot follow stores no more than where only the base is held."""
    rod = drawn(seed)
    free = fx.Robot("free", [rod], [fx.Weld("world", "rod.base", BASE)])
    rest = fx.statics(fx.build(free, rods=rods)).unwrap()
    robot = fx.Robot("held", [rod], holders(kind, rest.pose("rod.tip")))
    held = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert held.stable
    assert held.iterations <= 20
    # by what rounding stores beside it
    assert held.energy <= rest.energy * (1.0 + 1e-6) + 1e-12


@pytest.mark.parametrize("away", [0.0, 1.0, 30.0, 1000.0])
@pytest.mark.parametrize("elements", [24, 48, 64, 96])
def test_a_ring_rests_wherever_it_is(away, elements):
    """A metre away it was at its LIMIT: a node is rounded by the elements on both sides."""
    length, turned = 0.0138, (-0.108, 0.0416, 0.988)
    section, soft = fx.Circle(0.00452 * length), fx.Material(young=2.5e8, poisson=0.3)
    rod = fx.Rod("ring", length, section, soft, rest=(0.0, 0.0, -6.346 / length))
    there = se3.pose((away, -0.3 * away, 0.2 * away), turned)
    joints = [fx.Weld("world", f"ring.{end}", there) for end in ("base", "tip")]
    model = fx.build(fx.Robot("ring", [rod], joints), rods=fx.LinearStrain(elements))
    result = fx.statics(model)
    assert result.converged
    assert result.iterations <= 2
