"""Robots while they are drawn, how large things are, and what a drawn robot is."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st
from properties.parts import (
    DESCRIPTIONS,
    constant_rests,
    directions,
    materials,
    parts_of,
    poses,
    rests,
    sections,
    signed,
    vectors,
)

import flexura as fx
from flexura.lie import se3

LENGTH = 0.2  # of a rod, at most about that [m]
OFFSET = 0.01  # of tendons, at most [m]
FALL = 9.81  # [m/s²]
# Radius of the thinnest rods [m]. What rounding of positions far from the origin does to stretch
# grows with the square of the slenderness: thinner rods need wider tolerances there.
THINNEST = 0.001
SHEARED = fx.LinearStrain(6)  # for rods with shear, where a description has none


@dataclass(frozen=True)
class Case:
    """A robot, its inputs and the descriptions of its rods."""

    robot: fx.Robot
    inputs: Mapping[str, object]
    rods: Mapping[str, object]

    def model(self):
        """The model."""
        return fx.build(self.robot, rods=self.rods)

    def solve(self):
        """The equilibrium."""
        return fx.statics(self.model(), self.inputs)

    @property
    def length(self):
        """Length of all rods together [m]."""
        return sum(rod.length for rod in self.robot.rods)


@dataclass(frozen=True)
class Size:
    """How large things are: modulus [Pa], radius of the rods [m], how many of them there are."""

    young: float
    radius: float
    rods: int

    @property
    def bending(self):
        """EI [N·m²]."""
        return self.young * np.pi * self.radius**4 / 4.0

    @property
    def force(self):
        """The force that bends all rods, end to end, a lot [N]."""
        return float(f"{self.bending / (self.rods * LENGTH) ** 2:.3g}")

    @property
    def moment(self):
        """The moment that bends all rods, end to end, a lot [N·m]."""
        return float(f"{self.bending / (self.rods * LENGTH):.3g}")

    @property
    def density(self):
        """The density that makes all rods together weigh half of the force [kg/m³]."""
        volume = np.pi * self.radius**2 * LENGTH * self.rods
        return float(f"{0.5 * self.force / (FALL * volume):.3g}")

    @property
    def line_mass(self):
        """The mass per arc length that makes all rods weigh a quarter of the force [kg/m]."""
        return float(f"{0.25 * self.force / (FALL * LENGTH * self.rods):.3g}")


sizes = st.builds(
    Size,
    st.sampled_from([1e6, 1e9, 200e9]),
    st.sampled_from([4.0 * THINNEST, 2.0 * THINNEST, THINNEST]),
    st.integers(1, 3),
)


@dataclass
class Draft:
    """A robot while it is drawn."""

    draw: object
    size: Size
    functions: bool
    rods: dict = field(default_factory=dict)
    joints: list = field(default_factory=list)
    loads: list = field(default_factory=list)
    tendons: list = field(default_factory=list)
    bodies: list = field(default_factory=list)
    inputs: dict = field(default_factory=dict)
    before: dict = field(default_factory=dict)  # the rod whose tip holds the base of a rod

    def add_rod(self, name, constant=False):
        """A rod that nothing holds yet."""
        length = self.draw(parts_of(LENGTH, 0.5))
        shapes = constant_rests(length) if constant else rests(length, self.functions)
        rest = self.draw(shapes)
        if isinstance(rest, fx.SplineRest):
            length = rest.length
        density = self.draw(st.sampled_from([0.0, self.size.density]))
        material = self.draw(materials(self.size.young, density))
        section = self.draw(sections(self.size.radius))
        line = self.draw(st.sampled_from([{}, {"line_mass": self.size.line_mass}]))
        self.rods[name] = fx.Rod(name, length, section, material, rest, **line)
        return self.rods[name]

    def hold(self, a, b, offset, motion=1.0):
        """A joint that is rigid, with an input or not; the motion scales what inputs do."""
        draw, name = self.draw, f"hold {len(self.joints)}"
        kind = draw(st.sampled_from(["weld", "named weld", "hinge", "slider", "motor"]))
        if kind == "weld" or (kind == "motor" and a != "world"):
            both = [fx.Weld(a, b, offset), fx.Weld(b, a, se3.inverse(offset))]
            self.joints.append(draw(st.sampled_from(both)))
        elif kind == "named weld":
            self.joints.append(fx.Weld(a, b, offset, name=name))
            change = draw(st.one_of(st.none(), poses(0.2 * motion * LENGTH, 0.3 * motion)))
            if change is not None:
                self.inputs[name] = offset @ change
        elif kind == "motor":
            axis, point = draw(directions), draw(vectors(LENGTH))
            self.joints.append(fx.Motor(name, axis, point, {b: offset}))
            self.inputs[name] = draw(signed(0.6 * motion))
        else:
            cls, most = {"hinge": (fx.Hinge, 0.6), "slider": (fx.Slider, 0.2 * LENGTH)}[kind]
            self.joints.append(cls(name, a, b, draw(directions), offset, driven=True))
            self.inputs[name] = draw(signed(most * motion))

    def frames(self):
        """All frames that loads may act on."""
        ends = [f"{rod}.{end}" for rod in self.rods for end in ("tip", "base")]
        inside = [fx.At(rod.name, 0.4 * rod.length) for rod in self.rods.values()]
        return [*ends, *inside, *(body.name for body in self.bodies)]

    def case(self):
        """The robot that was drawn, and descriptions for it."""
        robot = fx.Robot(
            "random", list(self.rods.values()), self.joints, self.loads, self.tendons, self.bodies
        )
        choices = [self.draw(st.sampled_from(DESCRIPTIONS))] * len(self.rods)
        if self.draw(st.booleans()):
            choices = [self.draw(st.sampled_from(DESCRIPTIONS)) for _ in self.rods]
        chosen = zip(self.rods.values(), choices, strict=True)
        return Case(robot, self.inputs, {rod.name: suited(rod, choice) for rod, choice in chosen})


def suited(rod, choice):
    """The description, or another one for a rod that rests as it cannot."""
    sheared = np.ptp([rod.rest_strain(u * rod.length)[3:] for u in (0.0, 0.3, 1.0)], axis=0).any()
    sheared = sheared or (rod.rest_strain(0.0)[3:] != [1.0, 0.0, 0.0]).any()
    return SHEARED if sheared and isinstance(choice, fx.RotationInterpolation) else choice
