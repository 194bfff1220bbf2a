"""A set of tubes is no rod: where one is meant, it is refused, and its tubes are named."""

from dataclasses import replace

import numpy as np
import pytest
from support import refused

import flexura as fx

STEEL = fx.Material(young=60e9, shear=23e9, density=6450.0)
INNER = fx.Rod("inner", 0.2, fx.Tube(0.6e-3, 0.48e-3), STEEL, rest=(0.0, 8.0, 0.0))
OUTER = fx.Rod("outer", 0.15, fx.Tube(0.8e-3, 0.65e-3), STEEL)
NEEDLE = fx.Robot(
    "needle",
    tubes=[fx.TubeSet("set", [INNER, OUTER])],
    joints=[fx.Weld("world", "set.base")],
    loads=[fx.Gravity(), fx.PointLoad("push", "inner.tip")],
)
NAMED = ["'set' is a set of tubes", "'inner', 'outer'"]


@pytest.fixture(scope="module")
def result():
    return fx.statics(fx.build(NEEDLE, rods=fx.VariableStrain((2, 4, 4, 0, 0, 0)))).unwrap()


ASKED = {
    "pose": lambda r: r.pose("set", 0.1),
    "frame": lambda r: r.pose("set"),
    "at": lambda r: r.pose(fx.At("set", 0.1)),
    "strain": lambda r: r.strain("set", 0.1),
    "wrench": lambda r: r.internal_wrench("set", 0.1),
    "energy": lambda r: r.energy_density("set", 0.1),
    "angle": lambda r: r.angle("set", 0.1),
    "jacobian": lambda r: r.jacobian(fx.At("set", 0.1)),
    "compliance": lambda r: r.compliance("set"),
    "sensitivity": lambda r: fx.sensitivity(r, fx.At("set", 0.1), "inner.length"),
    "quantity": lambda r: fx.sensitivity(r, "set", "inner.length"),
    "error": lambda r: fx.shape_error(r, r, "set"),
    "rod": lambda r: r.model.robot.rod("set"),
    "place": lambda r: r.model.place("set"),
    "velocity": lambda r: fx.simulate(
        r.model, duration=1e-3, step=1e-4, velocity={"set": [0, 0, 0, 0, 0, 1]}
    ),
}


@pytest.mark.parametrize("asked", ASKED)
def test_results_refuse_sets_as_rods(asked, result):
    with refused(NAMED):
        ASKED[asked](result)


@pytest.mark.parametrize(
    "more",
    [
        {"loads": [fx.LineLoad("wind", "set", force=(0, 0, 1))]},
        {"loads": [fx.PointLoad("push", fx.At("set", 0.1))]},
        {"loads": [fx.Pulley("pull", fx.At("set", 0.1), (1, 1, 1), 1.0)]},
        {"joints": [fx.Weld("world", fx.At("set", 0.0))]},
        {"tendons": [fx.Tendon("cable", "set", fx.Parallel(1e-3, 0.0))]},
        {
            "obstacles": [fx.Obstacle("ground", fx.Plane())],
            "contacts": [fx.Contact("set", "ground")],
        },
    ],
    ids=lambda more: type(next(iter(more.values()))[-1]).__name__,
)
def test_robots_refuse_sets_as_rods(more):
    with refused(NAMED):
        replace(NEEDLE, **more)


def test_misspelt_tubes_list_the_tubes(result):
    for ask in (
        lambda: result.pose("iner", 0.1),
        lambda: result.strain("iner", 0.1),
        lambda: result.energy_density("iner", 0.1),
        lambda: result.model.robot.rod("iner"),
    ):
        with refused(["'inner', 'outer'", "Did you mean 'inner'"]) as caught:
            ask()
        assert "'set'" not in str(caught.value)


def test_what_is_no_name_is_refused(result):
    for name in (np.zeros(2), None, 3):
        with refused(["no frame"]):
            result.pose(name)
        with refused(["no rod"]):
            result.strain(name, 0.1)


def test_shapes_of_tubes_are_compared(result):
    assert fx.shape_error(result, result, "inner").mean_position == 0.0


def test_derivatives_say_which_frames_of_tubes_they_know(result):
    inside = fx.At("inner", 0.1)
    for ask in (
        lambda: result.jacobian(inside),
        lambda: result.compliance(inside),
        lambda: fx.sensitivity(result, inside, "inner.length"),
        lambda: fx.inverse(result.model, {inside: (0.1, 0.0, 0.0)}, ["inner.rotation"]),
        lambda: fx.linearize(result, outputs=[inside]),
    ):
        with refused(["inner@0.1", "'inner.tip'", "PointLoad('mark', at=At('inner', 0.1))"]):
            ask()
    group = result.model.parts[0].group
    with refused(["tip of a tube", "PointLoad('mark', at=At(tube, s))"]):
        group.carry_from(result.evaluation.nodes, None, 0, 0.1, None)
