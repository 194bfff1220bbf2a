"""What pushes tubes through their plates, at rest and in motion; the work that it does."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

SECTION = fx.Tube(outer_diameter=2e-3, inner_diameter=1.6e-3)
AROUND = fx.Tube(outer_diameter=3e-3, inner_diameter=2.2e-3)
STEEL = fx.Material(young=60e9, poisson=0.3, density=6450.0)
RIGID = fx.Material(young=6e13, poisson=0.3, density=6450.0)
LOCKED = fx.VariableStrain((3, 4, 4, 0, 0, 0), steps=12)
LINE = STEEL.density * SECTION.area
DOWN = se3.pose(rotation=(0.0, np.pi / 2.0, 0.0))


def fed(*tubes, rods=LOCKED, plate=None, **more):
    """Tubes in a plate that the world holds."""
    joints = [fx.Weld("world", "s.base", offset=np.eye(4) if plate is None else plate)]
    return fx.build(fx.Robot("fed", tubes=[fx.TubeSet("s", tubes)], joints=joints, **more), rods)


@pytest.mark.parametrize("rods", [LOCKED, fx.Spline(4, 12)], ids=repr)
@pytest.mark.parametrize("height", [0.0, 7.0])
def test_a_tube_that_hangs_pulls_with_its_weight(rods, height):
    """With that of what is outside, wherever the plate is; a force along it likewise."""
    plate = se3.pose(position=(0.0, 0.0, height)) @ DOWN
    loads = [fx.Gravity(), fx.LineLoad("wind", "a", force=(0.0, 0.0, 0.2))]
    model = fed(fx.Rod("a", 0.3, SECTION, STEEL), rods=rods, plate=plate, loads=loads)
    result = fx.statics(model, {"a.insertion": 0.1}).unwrap()
    wanted = 0.1 * (0.2 - 9.81 * LINE)
    assert result.torque("a.insertion") == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("bent", [0.0, 5.0])
@pytest.mark.parametrize(
    ("rods", "integrator"),
    [
        (LOCKED, fx.GeneralizedAlpha(rho=0.5)),
        (LOCKED, fx.ImplicitEuler()),
        (fx.Spline(4, 12), fx.ImplicitEuler()),
    ],
)
def test_all_of_the_mass_outside_is_pushed(rods, integrator, bent):
    """Along its own arc: ρA x ẍ, and less what bent it straight behind the plate."""
    rod = fx.Rod("a", 0.3, SECTION, RIGID, rest=(0.0, bent, 0.0))
    model, start = fed(rod, rods=rods), {"a.insertion": 0.1}

    def way(t):
        return 0.1 + 150.0 * t**2

    begin, more = fx.statics(model, start), {"integrator": integrator}
    end = fx.simulate(model, 8e-3, 5e-4, {"a.insertion": way}, start=begin, **more).unwrap()[-1]
    straight = 0.5 * rod.stiffness(0.0)[1] * bent**2
    wanted = LINE * way(8e-3) * 300.0
    assert end.torque("a.insertion") + straight == pytest.approx(wanted, rel=2e-3)


def test_tips_that_pass_each_other():
    """Sections end elsewhere then; each tube is pushed with its own mass all the time."""
    tubes = fx.Rod("a", 0.3, SECTION, STEEL), fx.Rod("b", 0.3, AROUND, STEEL)
    model = fed(*tubes)
    ways = {"a.insertion": lambda t: 0.1 + 0.2 * t**2, "b.insertion": lambda t: 0.095 + 15.0 * t**2}
    start = fx.statics(model, {"a.insertion": 0.1, "b.insertion": 0.095})
    motion = fx.simulate(model, 0.03, 1e-3, ways, start=start).unwrap()
    assert ways["b.insertion"](0.03) > ways["a.insertion"](0.03)
    for instant in motion:
        x, y = (way(instant.t) for way in ways.values())
        a, b = LINE * x * 0.4, STEEL.density * AROUND.area * y * 30.0
        assert instant.torque("a.insertion") == pytest.approx(a, rel=1e-3, abs=1e-3 * b)
        assert instant.torque("b.insertion") == pytest.approx(b, rel=1e-3)
        assert instant.reaction("world-s.base")[3] == pytest.approx(a + b, rel=1e-3)


@pytest.mark.parametrize("rods", [LOCKED, fx.Spline(4, 8)], ids=repr)
def test_the_work_of_what_turns_and_pushes_tubes(rods):
    """Curved ones, viscous, with weights, loads, and a body, on a plate that turns.

    With half the step a quarter is left, or less.
    """
    springy = fx.Material(young=60e9, poisson=0.3, density=6450.0, viscosity=5e6)
    tubes = [
        fx.Rod("a", 0.18, fx.Tube(1e-3, 0.8e-3), springy, rest=(0.0, 6.0, 0.0)),
        fx.Rod("b", 0.15, fx.Tube(1.4e-3, 1.1e-3), springy, rest=(0.0, 3.0, -4.0)),
    ]
    robot = fx.Robot(
        "turned",
        tubes=[fx.TubeSet("s", tubes)],
        bodies=[fx.Body("tool", mass=0.002, inertia=(1e-7,) * 3)],
        joints=[
            fx.Hinge("arm", "world", "s.base", axis=(0, 0, 1), driven=True),
            fx.Weld("a.tip", "tool"),
        ],
        loads=[fx.Gravity(), fx.LineLoad("wind", "a", force=(0.1, 0.1, -0.1))],
    )
    inputs = {
        "arm": lambda t: np.sin(12.0 * t) ** 2,
        "a.insertion": lambda t: 0.09 + 0.02 * np.sin(25.0 * t) ** 2,
        "b.insertion": lambda t: 0.06 + 0.01 * np.sin(18.0 * t) ** 2,
        "b.rotation": lambda t: 1.0 + 0.8 * np.sin(15.0 * t) ** 2,
    }
    model, off = fx.build(robot, rods), []
    for step in (1e-3, 5e-4):
        motion = fx.simulate(model, 0.03, step, inputs).unwrap()
        off.append(np.ptp(motion.balance))
    assert off[1] < 1e-3 * np.ptp(motion.work)
    assert off[0] / off[1] > 2.5
