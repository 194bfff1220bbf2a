"""Scenarios in motion, by ``simulate``."""

import math
from collections.abc import Sequence

import numpy as np
from cosseratbench.scenario import End, Rod, Scenario
from cosseratbench.solver import Capability, Diverged
from cosseratbench.trajectory import Trajectory

import flexura as fx
from flexura_cosseratbench.robot import Described
from flexura_cosseratbench.sample import sampled

# A span of a cubic spline is as long as this many of the elements that are asked for, which are
# straight in PyElastica and MuJoCo.
LONGER = 8
# Steps of a motion whose period counts are this part of the slowest one, over 2 π; period errors
# are a twelfth of its square.
PART_OF_PERIOD = 0.008


class MotionSolver:
    """flexura in motion; a cosseratbench ``Solver``.

    Where motion itself is the result, steps are of second order. Where only its end
    counts, they are implicit and the material is viscous.
    """

    name = "flexura"
    backend_version = fx.__version__
    capabilities = frozenset({Capability.STRETCH, Capability.SHEAR})

    def __init__(self, time_step_scale: float = 1.0) -> None:
        self._scale = time_step_scale

    def settings(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> dict:
        """The numerical choices for a scenario."""
        frame = scenario.duration / (n_frames - 1)
        return {
            "rods": repr(discretization(n_elements)),
            "time_step": frame / self._steps_per_frame(scenario, frame),
            "integrator": repr(_integrator(scenario)),
            "viscosity": [_viscosity(scenario, rod) for rod in scenario.rods],
        }

    def run(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> Trajectory:
        """Simulate a scenario."""
        times = np.linspace(0.0, scenario.duration, n_frames)
        moved = [
            sampled(self._motion(scenario, rod, n_elements, n_frames), rod, n_elements)
            for rod in scenario.rods
        ]
        return Trajectory(times, *(tuple(of_all) for of_all in zip(*moved, strict=True)))

    def _motion(
        self, scenario: Scenario, rod: Rod, n_elements: int, n_frames: int
    ) -> Sequence[fx.StaticResult]:
        described = Described.of(scenario, rod, _viscosity(scenario, rod))
        rods = discretization(n_elements)
        model = fx.build(described.robot, rods=rods)
        frame = scenario.duration / (n_frames - 1)
        every = self._steps_per_frame(scenario, frame)
        motion = fx.simulate(
            model,
            scenario.duration,
            frame / every,
            inputs=described.inputs(),
            start=described.start(model, rods),
            integrator=_integrator(scenario),
            every=every,
        )
        if not motion.converged:
            raise Diverged(str(motion.status), time=float(motion.t[-1]))
        return motion

    def _steps_per_frame(self, scenario: Scenario, frame: float) -> int:
        if scenario.quasi_static:
            return max(1, math.ceil(1.0 / self._scale - 1e-9))
        step = self._scale * PART_OF_PERIOD / scenario.slowest_frequency()
        return math.ceil(frame / step - 1e-9)


def discretization(n_elements: int) -> fx.Spline:
    """How a rod is described."""
    return fx.Spline(degree=3, spans=math.ceil(n_elements / LONGER))


def _integrator(scenario: Scenario) -> fx.GeneralizedAlpha | fx.ImplicitEuler:
    return fx.ImplicitEuler() if scenario.quasi_static else fx.GeneralizedAlpha()


def _viscosity(scenario: Scenario, rod: Rod) -> float:
    """Viscosity that lets a rod settle where nothing else is asked for [Pa s].

    With 3 η = √2 E / ω the slowest bending and the creep of all faster ones decay alike. What grows
    while an end is driven is not held back.
    """
    driven = any(rod.motion(end) is not None for end in End)
    if driven or not scenario.quasi_static:
        return 0.0
    relaxation = math.sqrt(2.0) / scenario.slowest_frequency()
    return rod.material.youngs_modulus * relaxation / 3.0
