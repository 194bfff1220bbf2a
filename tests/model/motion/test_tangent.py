"""The tangent of a step in time is the derivative of its residual: inertia, viscosity, the rest."""

from dataclasses import replace

import numpy as np
import pytest
from model.test_joint_term import machine
from model.test_slope import held_arm
from model.test_tendon_term import TENSIONS, tentacle
from support import branched, check_tangent, moved, random_state

import flexura as fx
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.motion.flow import tracks_of
from flexura.model.past import Course, Past

CHOICES = [
    fx.Spline(3, 4),
    fx.Spline(2, 4, assumed_strain=False),
    fx.Hermite(3),
    fx.Power(2, 3),  # white noise at more points of an element has no twists
    fx.LinearStrain(3),
    fx.VariableStrain((2, 3, 3, 1, 2, 2), steps=6),
    fx.VariableStrain((2, 3, 3, 0, 0, 0), basis="bspline", steps=6),
    fx.ConstantStrain(3),
    fx.RotationInterpolation(2),
]
EACH = pytest.mark.parametrize("choice", CHOICES, ids=lambda c: type(c).__name__)


def resisting(robot):
    """The robot with all that resists motion: viscous rods, bodies with moments of inertia."""
    rods = [
        replace(rod, material=replace(rod.material, viscosity=2e4 * (i + 1)))
        for i, rod in enumerate(robot.rods)
    ]
    bodies = [replace(body, mass=0.3, inertia=(2e-3, 3e-3, 4e-3)) for body in robot.bodies]
    return replace(robot, rods=rods, bodies=bodies)


def flying():
    """A rod and a body that nothing holds, joined by a ball."""
    rod = branched().rods[2]
    ball = fx.Ball("ball", "right.tip", fx.At("hub", offset=se3.pose((0.1, 0.0, 0.05))))
    return fx.Robot("flying", [rod], [ball], [fx.Gravity()], bodies=[fx.Body("hub")])


ROBOTS = {
    "loads": (branched(follower=True, moment=0.5), {}),
    "tensions": (tentacle(), TENSIONS),
    "lengths": (tentacle("length", stiffness=50.0), {"helix": 0.01, "discs": 0.02}),
    "joints": (machine(), {"motor": 0.3, "elbow": -0.4, "pull": 2.0}),
    "welds": (held_arm(), {}),
    "flight": (flying(), {}),
}


def random_past(tracks, assembly, rng, turn):
    """Courses that have led near to where a model is, by turns of about that size [rad]."""
    poses, _ = tracks.read(assembly)

    def course(own):
        n = own.stop - own.start
        begin = poses[own] @ se3.exp(turn * rng.normal(size=(n, 6)) / np.sqrt(6.0))
        return Course(begin, rng.normal(size=(n, 6)), 10.0 * rng.normal(size=(n, 6)))

    strains = tuple(rng.normal(size=part.work.strain.shape) for part in assembly.parts)
    points, none = tuple(map(course, tracks.points)), np.zeros((2, 0, 3))
    return Past(20.0, 300.0, points, strains, (), course(tracks.bodies), none)


@EACH
@pytest.mark.parametrize("which", ROBOTS)
def test_tangent_is_the_derivative_of_the_residual(choice, which, rng):
    """At random states and courses, with constraints violated and tendons taut."""
    robot, given = ROBOTS[which]
    tracks = tracks_of(fx.build(resisting(robot), rods=choice))
    model = tracks.moving.model
    inputs = model.read_inputs(given)
    state = moved(model, random_state(model, rng, 0.2), 0.1 * rng.normal(size=model.n_dof))
    state = replace(state, multipliers=rng.uniform(1.0, 2.0, size=len(state.multipliers)))
    assembly = Assembly(model)
    assembly.evaluate_residual(state, inputs)
    past = random_past(tracks, assembly, rng, 1.0)
    check_tangent(model, state, inputs, rng.normal(size=model.n_dof), 1e-8, past=past)


@EACH
def test_inertia_and_viscosity_are_felt(choice, rng):
    """Each of them changes residual and tangent, by far more than the check above lets pass."""
    light = branched()
    heavy = resisting(light)
    sizes = []
    for robot in (light, heavy):
        tracks = tracks_of(fx.build(robot, rods=choice))
        assembly, model = Assembly(tracks.moving.model), tracks.moving.model
        state, inputs = random_state(model, np.random.default_rng(1), 0.2), model.read_inputs(None)
        assembly.evaluate(state, inputs)
        resting, stiff = assembly.residual.copy(), assembly.values.copy()
        assembly.move_from(random_past(tracks, assembly, np.random.default_rng(2), 1.0))
        assembly.evaluate(state, inputs)
        sizes.append((assembly.residual - resting, assembly.values - stiff))
    for inertia, both in zip(*sizes, strict=True):
        assert np.abs(inertia).max() > 0.0
        assert np.abs(both - inertia).max() > 1e-4 * np.abs(inertia).max()
