"""What several tests share: robots to solve and ways to judge."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import combinations, product

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.start import start_state
from flexura.model.step import linearise

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1000.0)
OFFSET = se3.pose(position=(0.05, 0.02, 0.01), rotation=(0.3, -0.2, 0.9))
TURNED = se3.pose(position=(-0.02, 0.04, 0.03), rotation=(0.5, 0.3, -0.6))
GRIP = se3.pose(position=(0.9, 0.6, -0.4), rotation=(0.3, 0.3, 0.9))  # stem_and_arm reach it
EVERY_DEGREE = (1, 2, 3, 4, 5)
STEPS = np.logspace(-3.0, -1.5, 6)  # of differences, for an order


def mixed(together=1, ids=str, where=None, **values):
    """Parametrize by all combinations of values; most of them are only for ``make test-long``.

    Those of ``make test`` are few, and have each value at least once.

    Args:
        together: 2 for few that have each pair of values of different parameters at least once.
        ids: the name of a value.
        where: which combinations there are, by their values; None for all.
        values: of each parameter.
    """
    columns = [list(column) for column in values.values()]

    def of(chosen):
        return [column[i] for column, i in zip(columns, chosen, strict=True)]

    every = list(product(*(range(len(column)) for column in columns)))
    every = [chosen for chosen in every if where is None or where(*of(chosen))]

    def parts(chosen):
        return set(combinations(enumerate(chosen), together))

    missing, few = set().union(*map(parts, every)), []

    def good(chosen):
        used = sum(a == b for other in few for a, b in zip(chosen, other, strict=True))
        return len(parts(chosen) & missing), -used

    while missing:
        few.append(max(every, key=good))
        missing -= parts(few[-1])
    params = []
    for chosen in every:
        found = of(chosen)
        marks = () if chosen in few else (pytest.mark.long,)
        params.append(pytest.param(*found, id="-".join(map(ids, found)), marks=marks))
    return pytest.mark.parametrize(tuple(values), params)


def rod_of(EI=1.0, GJ=None, EA=1e6, GA=None, length=1.0, rest=None, name="rod"):
    """A rod with given stiffnesses."""
    GJ, GA = EI if GJ is None else GJ, EA if GA is None else GA
    unit = fx.Material(young=1.0, shear=1.0)
    section = fx.Section(area=EA, iy=EI, iz=EI, torsion=GJ)
    return fx.Rod(name, length, section, unit, rest=rest, shear_factor=GA / EA)


def cantilever(rod, base=None, **load):
    """The rod clamped at its base, with a load at its tip called "tip"."""
    return fx.Robot(
        "cantilever",
        rods=[rod],
        joints=[fx.Weld("world", f"{rod.name}.base", offset=base)],
        loads=[fx.PointLoad("tip", f"{rod.name}.tip", **load)],
    )


def wire():
    """The steel wire of the theory notes."""
    steel = fx.Material(young=210e9, poisson=0.3125)
    return fx.Rod("rod", 0.242, fx.Circle(0.4e-3), steel)


def stem_and_arm():
    """Two rods for a chain: one tapered and curved, one whose curvature varies."""
    taper = fx.Taper(fx.Circle(0.03), fx.Circle(0.015))
    return [
        fx.Rod("stem", 1.0, taper, RUBBER, (0.2, 0.5, -0.3)),
        fx.Rod("arm", 0.6, fx.Rectangle(0.02, 0.03), RUBBER, rest=_wavy),
    ]


def _wavy(s):
    return (0.3, 3.0 * s, np.sin(5.0 * s))


def branched(follower=False, moment=0.0):
    """Three rods with everything that a robot can have: a taper, curvature, offsets, a branch, a
    rod held by its tip, and every kind of load.
    """
    spin = (moment, -moment, 0.5 * moment)
    return fx.Robot(
        "branched",
        rods=[
            fx.Rod(
                "stem", 1.0, fx.Taper(fx.Circle(0.03), fx.Circle(0.015)), RUBBER, (0.2, 0.5, -0.3)
            ),
            fx.Rod("left", 0.7, fx.Rectangle(0.02, 0.03), RUBBER),
            fx.Rod("right", 0.4, fx.Tube(0.02, 0.01), RUBBER, rest=lambda s: (0.0, 3.0 * s, 1.0)),
        ],
        joints=[
            fx.Weld("world", "stem.base", offset=OFFSET),
            fx.Weld("stem.tip", "left.tip", offset=OFFSET),
            fx.Weld("right.base", "stem.tip", offset=OFFSET),
        ],
        loads=[
            fx.Gravity((1.0, 2.0, -9.81)),
            fx.PointLoad("end", "left.base", (1.0, 2.0, 3.0), spin, follower=follower),
            fx.PointLoad("inside", fx.At("stem", 0.4, OFFSET), (-1.0, 3.0, 0.5), spin, follower),
            fx.LineLoad("wind", "stem", (0.0, 3.0, 1.0), spin, follower, start=0.1, end=0.6),
        ],
    )


def random_state(model, rng, size=0.3):
    """A state far from the unloaded one, with large rotations and strains."""
    assembly, inputs = Assembly(model), model.read_inputs(None)
    assembly.evaluate(start_of(model), inputs)
    return linearise(assembly, size * rng.normal(size=model.n_dof)).advance()[0]


def start_of(model):
    """The unloaded robot."""
    return start_state(model, model.read_inputs(None))[0]


def nodes_at(model, state):
    """Poses of all nodes; those of loose ends follow from their rods."""
    assembly = Assembly(model)
    assembly.evaluate_residual(state, model.read_inputs(None))
    return assembly.nodes


def moved(model, state, step):
    """The state after a step along the exponential map of every pose; the rest moves straight."""
    return model.layout.retract(state, step, np.zeros_like(state.multipliers))


def pulled_back(model, residual, step):
    """Forces at a moved state, seen from the state before: J_r(step)ᵀ r for every pose."""
    seen = residual.copy()
    rows = model.layout.pose_dof[:, None] + np.arange(6)
    seen[rows] = np.einsum("nji,nj->ni", se3.dexp(step[rows]), residual[rows])
    return seen


def tangent_of(assembly):
    """The tangent of the last evaluation, written out."""
    return assembly.layout.structure.dense(assembly.values)


def check_gradient(model, state, inputs, direction):
    """The residual is the gradient of the potential: what is left is of second order."""
    assembly = Assembly(model)
    assembly.evaluate(state, inputs)
    energy, power = assembly.potential(), assembly.residual @ direction
    error = []
    for h in STEPS:
        assembly.evaluate(moved(model, state, h * direction), inputs)
        error.append(abs(assembly.potential() - energy - h * power))
    assert slope(STEPS, error) == pytest.approx(2.0, abs=0.1)


def check_tangent(model, state, inputs, direction, tolerance, order=False, past=None):
    """The tangent is the derivative of the residual along a direction.

    In size, by a central difference with one extrapolation; the tolerance is relative to the
    largest entry. With ``order`` also by the order of what is left, which is two. The residual
    alone is the same. With a ``past``, all that resists motion acts, too.
    """
    assembly = Assembly(model)
    assembly.move_from(past)
    assembly.evaluate(state, inputs)
    force, change = assembly.residual.copy(), tangent_of(assembly) @ direction
    assembly.evaluate_residual(state, inputs)
    np.testing.assert_allclose(assembly.residual, force, atol=1e-12 * np.abs(force).max())

    def ahead(h):
        assembly.evaluate_residual(moved(model, state, h * direction), inputs)
        return pulled_back(model, assembly.residual, h * direction)

    if order:
        error = [np.linalg.norm(ahead(h) - force - h * change) for h in STEPS]
        assert slope(STEPS, error) == pytest.approx(2.0, abs=0.1)
    wide, narrow = ((ahead(h) - ahead(-h)) / (2.0 * h) for h in (2e-4, 1e-4))
    best = (4.0 * narrow - wide) / 3.0
    np.testing.assert_allclose(best, change, atol=tolerance * np.abs(change).max())


def wrench_at(point, force):
    """A force at a point as a wrench about the origin."""
    return np.concatenate([np.cross(point, force), force])


def wrench_along(result, rod, begin, end, density):
    """A force per arc length, a function of it, as a wrench about the origin, by quadrature."""
    s, w = np.polynomial.legendre.leggauss(60)
    s, w = 0.5 * (begin + end) + 0.5 * (end - begin) * s, 0.5 * (end - begin) * w
    places = zip(s, w, result.pose(rod, s), strict=True)
    return sum(wrench_at(pose[:3, 3], weight * density(x)) for x, weight, pose in places)


def check_weld_reactions(solve, strain_tolerance, force_tolerance):
    """A weld between rods carries what the rod beyond it carries, whichever way it was written."""
    load = fx.PointLoad("p", "b.tip", force=(0.0, 0.3, 0.1))
    rods = [rod_of(name=name, length=0.5, EA=100.0) for name in "ab"]
    wall = fx.Weld("world", "a.base")
    for weld, sign in ((fx.Weld("a.tip", "b.base"), 1.0), (fx.Weld("b.base", "a.tip"), -1.0)):
        result = solve(fx.Robot("r", rods, [wall, weld], [load])).unwrap()
        carried = sign * result.reaction(weld)
        inside = -result.internal_wrench("b", 0.0)
        np.testing.assert_allclose(carried, inside, atol=strain_tolerance)
        force = result.pose("b.base")[:3, :3] @ carried[3:]
        np.testing.assert_allclose(force, (0.0, -0.3, -0.1), atol=force_tolerance)


@contextmanager
def refused(words: Iterable[str]) -> Iterator[pytest.ExceptionInfo[fx.ModelError]]:
    """What is inside raises a ModelError whose text has all these words."""
    with pytest.raises(fx.ModelError) as caught:
        yield caught
    for word in words:
        assert word in str(caught.value)


def slope(x, y):
    """Slope of y over x in log-log scale."""
    return np.polyfit(np.log(x), np.log(y), 1)[0]
