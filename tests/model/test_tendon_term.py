"""Tendons in a model: forces, tangents, lengths and their gradients."""

from dataclasses import replace

import numpy as np
import pytest
from support import OFFSET, RUBBER, check_tangent, moved, random_state

import flexura as fx
from flexura.model.assemble import Assembly

CHOICES = [
    fx.Spline(3, 4),
    fx.Spline(2, 4, assumed_strain=False),
    fx.Hermite(3),
    fx.Power(2, 2),
    fx.LinearStrain(3),
    fx.VariableStrain((2, 3, 3, 1, 2, 2), steps=6),
    fx.ConstantStrain(3),
    fx.RotationInterpolation(2),
]
EACH = pytest.mark.parametrize("choice", CHOICES, ids=lambda c: type(c).__name__)
TENSIONS = {"helix": 3.0, "wave": 2.0, "kinked": 4.0, "discs": 5.0}


def tentacle(drive="tension", stiffness=None):
    """Two rods joined with an offset, one curved at rest, and a tendon of every kind."""
    both = ["lower", "upper"]
    kinked = fx.Piecewise([(0.3, fx.Parallel(0.04, 0.0)), (0.9, fx.Convergent(0.04, 0.0))])
    wave = fx.Routing(lambda s: (0.03 * np.cos(4.0 * s), 0.02 * np.sin(3.0 * s)))
    routes = {
        "helix": (both, fx.Helical(0.05, 1.5, 0.3), {}),
        "wave": ("upper", wave, {"start": 0.1, "end": 0.5}),
        "kinked": (both, kinked, {"end": 0.9}),
        "discs": (both, fx.Discs([0.2, 0.5, 0.75, 1.1], 0.0, 0.06), {}),
    }
    return fx.Robot(
        "tentacle",
        rods=[
            fx.Rod("lower", 0.7, fx.Circle(0.03), RUBBER, rest=(0.2, 0.5, -0.3)),
            fx.Rod("upper", 0.6, fx.Taper(fx.Circle(0.03), fx.Circle(0.02)), RUBBER),
        ],
        joints=[
            fx.Weld("world", "lower.base", offset=OFFSET),
            fx.Weld("lower.tip", "upper.base", offset=OFFSET),
        ],
        tendons=[
            fx.Tendon(name, rods, routing, drive=drive, stiffness=stiffness, **ends)
            for name, (rods, routing, ends) in routes.items()
        ],
        loads=[fx.Gravity()],
    )


def evaluated(model, state, inputs):
    assembly = Assembly(model)
    assembly.evaluate(state, inputs)
    return assembly


@EACH
def test_tangent_is_the_derivative_of_the_residual(choice, rng):
    model = fx.build(tentacle(), rods=choice)
    state, direction = random_state(model, rng), rng.normal(size=model.n_dof)
    check_tangent(model, state, model.read_inputs(TENSIONS), direction, 5e-9)


@EACH
def test_forces_are_the_gradient_of_tension_times_length(choice, rng):
    """The residual with tension minus that without is τ ∂l; so is the border of a driven length."""
    free = fx.build(tentacle(), rods=choice)
    driven = fx.build(tentacle("length"), rods=choice)
    state = random_state(free, rng)
    slack = evaluated(free, state, free.read_inputs(None))
    held = replace(state, multipliers=np.array(list(TENSIONS.values())))
    border = evaluated(driven, held, driven.read_inputs(None))
    for row, (name, tension) in zip(border.rows, TENSIONS.items(), strict=True):
        taut = evaluated(free, state, free.read_inputs({name: tension}))
        scale = np.abs(row).max()
        np.testing.assert_allclose(
            (taut.residual - slack.residual) / tension, row, atol=1e-11 * scale * 1e3
        )
    step = 1e-5 * rng.normal(size=free.n_dof)
    ahead, behind = (
        lengths(evaluated(free, moved(free, state, sign * step), free.read_inputs(None)))
        for sign in (1.0, -1.0)
    )
    np.testing.assert_allclose(0.5 * (ahead - behind), border.rows @ step, rtol=1e-6)
    np.testing.assert_allclose(lengths(border), lengths(slack))


def lengths(assembly):
    """Lengths of all tendons: what is conjugate to their tensions."""
    return assembly.conjugate[assembly.model.tendons.source]
