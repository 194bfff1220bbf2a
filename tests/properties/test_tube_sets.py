"""What is true of every set of tubes."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties.budget import robots
from properties.parts import poses, vectors

import flexura as fx
from flexura.lie import se3

LENGTH, YOUNG, RADIUS = 0.1, 60e9, 4e-4
FORCE = 0.3 * YOUNG * np.pi * RADIUS**4 / 4.0 / LENGTH**2  # bends tubes a little [N]
NAMES = ("a", "b", "c")
DESCRIPTIONS = (fx.VariableStrain((3, 4, 4, 0, 0, 0), steps=18), fx.Spline(4, 12))
# Newton's method ends with forces that balance to 1e-12 of those in play; tubes are a thousand
# times as stiff against stretch as against bending.
EXACT = 1e-8


@dataclass(frozen=True)
class Case:
    """Tubes of given lengths and curvatures, turned and pushed; a force at the farthest tip."""

    lengths: tuple
    curvatures: tuple
    rotations: tuple
    parts: tuple
    force: np.ndarray
    rods: object
    length: float = 1.0
    modulus: float = 1.0
    plate: np.ndarray = None
    order: tuple = ()

    def tube(self, j):
        """A tube that is straight, then curved."""
        whole, bent = self.length * self.lengths[j], self.curvatures[j] / self.length
        rest = fx.PiecewiseRest([(0.5 * whole, (0, 0, 0)), (whole, (0, bent, 0))])
        material = fx.Material(young=self.modulus * YOUNG, poisson=0.3)
        outer = self.length * RADIUS * (1.0 + 0.4 * j)
        return fx.Rod(NAMES[j], whole, fx.Tube(outer, 0.8 * outer), material, rest=rest)

    def solve(self):
        """The equilibrium."""
        n, plate = len(self.lengths), np.eye(4) if self.plate is None else self.plate
        tubes = [self.tube(j) for j in self.order or range(n)]
        robot = fx.Robot(
            "set",
            tubes=[fx.TubeSet("set", tubes)],
            joints=[fx.Weld("world", "set.base", offset=plate)],
            loads=[fx.PointLoad("push", f"{self.last}.tip")],
        )
        inputs = {"push": (0, 0, 0, *(self.modulus * self.length**2 * plate[:3, :3] @ self.force))}
        for j in range(n):
            inserted = self.parts[j] * self.length * self.lengths[j]
            inputs |= {f"{NAMES[j]}.rotation": self.rotations[j]}
            inputs |= {f"{NAMES[j]}.insertion": inserted}
        return fx.statics(fx.build(robot, rods=self.rods), inputs).unwrap()

    @property
    def last(self):
        """The tube that reaches farthest."""
        return NAMES[int(np.argmax(np.multiply(self.lengths, self.parts)))]


def each(least, most):
    """A number for each tube."""
    return st.tuples(*[st.floats(least, most).map(lambda x: round(x, 3))] * 3)


@st.composite
def sets(draw):
    """Sets of one to three tubes, any of which may reach farthest."""
    n = draw(st.integers(1, 3))
    numbers = [draw(each(*x))[:n] for x in ((0.05, 0.1), (-8.0, 8.0), (-2.0, 2.0), (0.3, 0.95))]
    return Case(*numbers, FORCE * np.array(draw(vectors(1.0))), draw(st.sampled_from(DESCRIPTIONS)))


@robots()
@given(sets(), poses(1.0, 3.0))
def test_a_set_that_is_moved_as_a_whole(case, T):
    here, there = case.solve(), replace(case, plate=T).solve()
    wanted = T @ here.pose(f"{case.last}.tip")
    assert there.pose(f"{case.last}.tip") == pytest.approx(wanted, abs=EXACT)


@robots()
@given(sets(), st.floats(-1.0, 1.0))
def test_tubes_that_are_all_turned_by_one_angle(case, angle):
    """The set turns about the axis of its plate, with the force that acts on it."""
    turn = se3.exp(np.array([angle, 0, 0, 0, 0, 0]))
    turned = tuple(x + angle for x in case.rotations)
    there = replace(case, rotations=turned, force=turn[:3, :3] @ case.force).solve()
    wanted = turn @ case.solve().pose(f"{case.last}.tip")
    assert there.pose(f"{case.last}.tip") == pytest.approx(wanted, abs=EXACT)


@robots()
@given(sets())
def test_a_set_and_its_image(case):
    """In a mirror that is the plane in which tubes are bent: all turn the other way round."""
    mirror = np.diag([1.0, -1.0, 1.0, 1.0])
    turned = tuple(-x for x in case.rotations)
    image = replace(case, rotations=turned, force=mirror[:3, :3] @ case.force).solve()
    here = case.solve()
    wanted = mirror @ here.pose(f"{case.last}.tip") @ mirror
    assert image.pose(f"{case.last}.tip") == pytest.approx(wanted, abs=EXACT)
    torque = here.torque(f"{case.last}.rotation")
    assert image.torque(f"{case.last}.rotation") == pytest.approx(-torque, abs=1e-6 * FORCE)


@robots()
@given(sets(), st.sampled_from([0.1, 30.0]), st.sampled_from([1e-3, 1e3]))
def test_a_set_in_other_units(case, length, modulus):
    here, there = case.solve(), replace(case, length=length, modulus=modulus).solve()
    tip = f"{case.last}.tip"
    wanted = length * here.pose(tip)[:3, 3]
    assert there.pose(tip)[:3, 3] == pytest.approx(wanted, abs=EXACT * length)
    torque = modulus * length**3 * here.torque(f"{case.last}.rotation")
    size = modulus * length**3 * FORCE * LENGTH
    assert there.torque(f"{case.last}.rotation") == pytest.approx(torque, abs=1e-6 * size)


@robots()
@given(sets(), st.permutations(range(3)))
def test_tubes_in_another_order(case, order):
    """Which tube is inside of which makes no difference to what they do to each other."""
    own = tuple(j for j in order if j < len(case.lengths))
    here, there = case.solve(), replace(case, order=own).solve()
    for j in range(len(case.lengths)):
        name = f"{NAMES[j]}.tip"
        assert there.pose(name) == pytest.approx(here.pose(name), abs=EXACT)


@robots()
@given(sets())
def test_what_holds_the_plate_balances_the_force(case):
    result = case.solve()
    held = result.reaction("world-set.base")
    at = result.pose(f"{case.last}.tip")[:3, 3]
    assert held[3:] == pytest.approx(-case.force, abs=1e-6 * FORCE)
    assert held[:3] == pytest.approx(-np.cross(at, case.force), abs=1e-6 * FORCE * LENGTH)
