"""Rods that hang on one joint and are free at their other end, from cold: pendulums."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3
from flexura.model.start import start_state
from flexura.solve.free_motion import driven
from flexura.solve.workspace import workspace

SILICONE = fx.Material(young=1e6, poisson=0.49, density=1070.0)
MATERIALS = {
    "nylon": fx.materials.nylon,
    "silicone": SILICONE,
    "steel": fx.materials.stainless_316l,
    "ptfe": fx.materials.ptfe,
}
DESCRIPTIONS = [fx.Spline(), fx.LinearStrain(24), fx.VariableStrain(), fx.Hermite(16)]
EACH = pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)
# Of the length; cords are drawn as lines of their resultants, and shapes are wrong by less than
# that where results are converged without a remark.
SAME = 0.02


def pendulum(rod, joint="hinge", force=(0.0, 0.0, 0.0), end="base", place=None):
    """A rod that hangs on one of its ends, with a load at the other."""
    place = se3.pose() if place is None else place
    hook = fx.Hinge("hook", "world", f"{rod.name}.{end}", (0, 1, 0), place)
    if joint == "ball":
        hook = fx.Ball("hook", "world", f"{rod.name}.{end}", place)
    other = {"base": "tip", "tip": "base"}[end]
    loads = [fx.Gravity(), fx.PointLoad("pull", f"{rod.name}.{other}", force=force)]
    return fx.Robot("pendulum", [rod], [hook], loads)


def resultants(rod, force, weight):
    """The tip of a cord that points along what pulls at it, T = F + w (L - s), and stretches."""
    s = (np.arange(20000) + 0.5) / 20000 * rod.length
    pull = np.asarray(force) - weight * (rod.length - s)[:, None] * np.array([0.0, 0.0, 1.0])
    size = np.linalg.norm(pull, axis=1)[:, None]
    return (pull * (1.0 / size + 1.0 / rod.stiffness(0.0)[3])).mean(axis=0) * rod.length


@EACH
@pytest.mark.parametrize("joint", ["hinge", "ball"])
@pytest.mark.parametrize("name", MATERIALS)
def test_a_cord_on_one_joint_hangs_along_what_pulls_at_it(name, joint, rods):
    """Stiffness makes next to no difference where a cord is pulled, nor where it hangs straight."""
    rod = fx.Rod("cord", 4.0, fx.Circle(diameter=2e-3), MATERIALS[name])
    weight = 9.81 * rod.material.density * np.pi * 1e-6
    part = 0.1 if name == "silicone" else 1.0
    for force in ((0.0, 0.0, 0.0), (3.5 * part, 0.0, -4.0 * part), (part, 0.0, 0.3 * part)):
        result = fx.statics(fx.build(pendulum(rod, joint, force), rods)).unwrap()
        assert result.stable
        assert result.iterations < 20
        wanted = resultants(rod, force, weight)
        assert np.linalg.norm(result.pose("cord.tip")[:3, 3] - wanted) < SAME * rod.length


@pytest.mark.parametrize("elements", [4, 16, 48])
def test_few_elements_hang_as_well(elements):
    """It was UNHELD after 601 iterations: "turns freely about (0, 1, 0)"."""
    rod = fx.Rod("cord", 4.0, fx.Circle(diameter=2e-3), fx.materials.nylon)
    robot = pendulum(rod, force=(3.5, 0.0, -4.0))
    spline = fx.statics(fx.build(robot)).unwrap()
    result = fx.statics(fx.build(robot, fx.LinearStrain(elements))).unwrap()
    assert max(result.iterations, spline.iterations) < 20
    apart = result.pose("cord.tip")[:3, 3] - spline.pose("cord.tip")[:3, 3]
    assert np.linalg.norm(apart) < 1e-3 * rod.length  # a straight line, nearly


@EACH
def test_a_rod_hangs_the_same_by_either_end_and_in_any_frame(rods):
    rod = fx.Rod("cord", 2.0, fx.Circle(diameter=2e-3), fx.materials.stainless_316l)
    force = (0.3, 0.0, -0.2)
    base = fx.statics(fx.build(pendulum(rod, force=force), rods)).unwrap()
    place = se3.pose((0.4, -1.0, 2.0), (0.0, 2.0, 0.0))
    tip = fx.statics(fx.build(pendulum(rod, force=force, end="tip", place=place), rods)).unwrap()
    assert max(base.iterations, tip.iterations) < 20
    found = tip.pose("cord.base")[:3, 3] - place[:3, 3]
    # half of what elements may be wrong by: their meshes run the other way
    assert np.linalg.norm(found - base.pose("cord.tip")[:3, 3]) < 0.5 * SAME * rod.length


@EACH
def test_a_lamp_hangs_below_its_hook(rods):
    """A body on two cords, one welded to the other, from a hook on the ceiling."""
    one = fx.Rod("one", 1.0, fx.Circle(diameter=1e-3), fx.materials.nylon)
    two = fx.Rod("two", 0.5, fx.Circle(diameter=2e-3), fx.materials.nylon)
    joints = [
        fx.Ball("hook", "world", "one.base", se3.pose((0.0, 0.0, 3.0))),
        fx.Weld("one.tip", "two.base"),
        fx.Weld("two.tip", "lamp"),
    ]
    lamp = fx.Body("lamp", mass=0.5)
    robot = fx.Robot("lamp", [one, two], joints, [fx.Gravity()], bodies=[lamp])
    result = fx.statics(fx.build(robot, rods)).unwrap()
    assert result.iterations < 20
    stretch = sum(rod.length * 0.5 * 9.81 / rod.stiffness(0.0)[3] for rod in (one, two))
    own = 0.01  # of that: the weight of the cords beside the lamp's, less than 4e-3
    wanted = [0.0, 0.0, 1.5 - stretch]
    assert result.pose("lamp")[:3, 3] == pytest.approx(wanted, abs=own * stretch + 1e-9)


def test_a_stiff_rod_hangs_with_no_moment_about_its_pin():
    """Upright at first, where it would stand: half of its weight counts beside the load."""
    rod = fx.Rod("rod", 0.5, fx.Circle(diameter=2e-2), fx.materials.stainless_316l)
    weight = 9.81 * rod.material.density * np.pi * 1e-4 * rod.length
    place = se3.pose(rotation=(0.0, -0.5 * np.pi, 0.0))
    robot = pendulum(rod, force=(weight, 0.0, 0.0), place=place)
    result = fx.statics(fx.build(robot)).unwrap()
    assert result.iterations < 10
    direction = np.array([1.0, 0.0, -0.5]) / np.hypot(1.0, 0.5)
    # it bends by less than w L³/EI < 2e-4
    assert result.pose("rod.tip")[:3, 3] / rod.length == pytest.approx(direction, abs=2e-4)


@pytest.mark.parametrize("follows", [False, True])
def test_dead_forces_hold_what_turns(follows):
    """Only a load that turns with a hinge turns it for ever: others resist at last."""
    rod = fx.Rod("rod", 0.5, fx.Circle(diameter=2e-2), fx.materials.stainless_316l)
    hook = fx.Hinge("hook", "world", "rod.base", (0, 1, 0))
    pull = fx.PointLoad("pull", "rod.tip", force=(0.0, 0.0, 1.0), follower=follows)
    model = fx.build(fx.Robot("turns", [rod], [hook], [pull]))
    unloaded = model.inputs.described.unloaded
    with workspace(model) as assembly:
        assembly.evaluate(start_state(model, unloaded).state, unloaded)
        assert driven(assembly, model.inputs.described) is follows
    assert (fx.statics(model).status is fx.Status.UNHELD) is follows
