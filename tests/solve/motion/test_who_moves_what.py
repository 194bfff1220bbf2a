"""The table of robots and integrators in docs/motion.md: what it grants works, else is refused."""

import re
from pathlib import Path

import numpy as np
import pytest
from meshes import block

import flexura as fx
from flexura.lie import se3

PAGE = (Path(__file__).parents[3] / "docs" / "motion.md").read_text()
SOFT = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=100.0)
WAX = fx.Material(young=1e6, poisson=0.45, density=1000.0)
LIGHT = fx.Material(young=1e6, poisson=0.45)
HELD = fx.Weld("world", "rod.base")
STEP, STEPS = 2e-5, 3  # short enough for explicit steps


def rod(material=WAX, **more):
    return fx.Rod("rod", 0.2, fx.Circle(0.01), material, **more)


def arm(**parts):
    return fx.Robot("arm", **{"rods": [rod()], "joints": [HELD], "loads": [fx.Gravity()], **parts})


def pulled(**how):
    return arm(tendons=[fx.Tendon("pull", "rod", fx.Parallel(5e-3, 0.0), **how)])


def soft_block():
    clamp = fx.Clamp("world", fx.Nodes("block", box=((0, 0, 0), (1e-6, 1, 1))))
    volume = fx.Volume("block", block(cells=(4, 1, 1)), WAX)
    return fx.Robot("soft", volumes=[volume], joints=[clamp], loads=[fx.Gravity()])


def tubes():
    nested = fx.TubeSet("set", [fx.Rod("rod", 0.2, fx.Tube(1e-3, 0.8e-3), WAX)])
    return fx.Robot("tubes", tubes=[nested], joints=[fx.Weld("world", "set.base")])


def touching():
    ground = fx.Obstacle("ground", fx.Plane((0, 0, 1), (0, 0, -0.02)))
    return arm(obstacles=[ground], contacts=[fx.Contact("rod", "ground")])


def loop():
    """A rod between two pins."""
    far = fx.Hinge("far", "world", "rod.tip", (0, 1, 0), offset=se3.pose((0.2, 0, 0)))
    return arm(joints=[fx.Hinge("near", "world", "rod.base", (0, 1, 0)), far])


def without_mass():
    """A rod that carries a body."""
    body = fx.Body("bob", mass=0.1, inertia=(1e-5,) * 3)
    return arm(rods=[rod(LIGHT)], bodies=[body], joints=[HELD, fx.Weld("rod.tip", "bob")])


ROBOTS = {
    "rods, bodies, joints, loads of any kind": (arm, {}),
    "viscous rods": (lambda: arm(rods=[rod(SOFT)]), {}),
    "closed loops": (loop, {}),
    "parts that fly": (lambda: fx.Robot("stick", rods=[rod()]), {}),
    "driven joints, motors, shaken bases": (
        lambda: arm(joints=[fx.Weld("world", "rod.base", name="base")]),
        {"base": lambda t: se3.pose((0.0, 0.0, t**2))},
    ),
    "rods without mass": (without_mass, {}),
    "tendons by tension, pulleys": (pulled, {"pull": 1.0}),
    "tendons by length, rigid or elastic": (lambda: pulled(drive="length", stiffness=50.0), {}),
    "volumes": (soft_block, {}),
    "sets of tubes, fed rods": (tubes, {"rod.insertion": 0.1}),
    "contacts": (touching, {}),
}
HEADS = re.search(r"^\| robot \|(.+)\|$", PAGE, re.MULTILINE)
NAMES = re.findall(r"`(\w+)`", HEADS[1])
ROWS = {
    name: dict(zip(NAMES, (x.strip() for x in told.split("|")), strict=True))
    for name, told in re.findall(r"^\| ([^|`]+) \|((?: (?:yes|no) \|){4})$", PAGE, re.MULTILINE)
    for told in [told.rstrip("|")]
}


def test_the_table_has_all_robots_and_integrators():
    assert list(ROWS) == list(ROBOTS)
    assert NAMES == ["GeneralizedAlpha", "Variational", "SymplecticEuler", "ImplicitEuler"]


@pytest.mark.parametrize("integrator", NAMES)
@pytest.mark.parametrize("family", ROBOTS)
def test_what_the_table_says(family, integrator):
    robot, inputs = ROBOTS[family]
    strains = fx.VariableStrain((2, 3, 3, 2, 2, 2), steps=8)
    model = fx.build(robot(), rods=strains if "tubes" in family else fx.Spline(3, 3))
    chosen = getattr(fx, integrator)()

    def moved():
        return fx.simulate(model, STEPS * STEP, STEP, inputs, integrator=chosen).unwrap()

    if ROWS[family][integrator] == "no":
        with pytest.raises(fx.ModelError, match=r"use |Variational\(\)"):
            moved()
    else:
        motion = moved()
        assert len(motion) == STEPS + 1
        assert np.isfinite(motion.energy).all()


@pytest.mark.parametrize("integrator", [fx.GeneralizedAlpha(), fx.Variational()], ids=repr)
@pytest.mark.parametrize("family", ["viscous rods", "closed loops", "rods without mass"])
def test_long_steps_of_the_implicit_ones(family, integrator):
    """A thousand times as long as the explicit steps that are stable."""
    robot, inputs = ROBOTS[family]
    model = fx.build(robot(), rods=fx.Spline(3, 3))
    motion = fx.simulate(model, 0.1, 0.005, inputs, integrator=integrator).unwrap()
    assert not motion.cuts
