"""Scenarios in motion, by ``simulate``."""

import math

import numpy as np
from cosseratbench.scenario import End, Rod, Scenario
from cosseratbench.solver import Capability, Diverged
from cosseratbench.trajectory import Trajectory

import flexura as fx
from flexura_cosseratbench.robot import Described
from flexura_cosseratbench.sample import at_times, sampled

# A span of a cubic spline is as long as this many of the elements that are asked for, which are
# straight in PyElastica and MuJoCo: where the shape counts, and where a period does, which longer
# ones tell as well.
LONGER, SWINGING = 8, 16
# Steps of a motion whose period counts are this part of the slowest one, over 2 π; period errors
# are a twelfth of its square.
PART_OF_PERIOD = 0.009
# Steps of a rod that settles, where nothing but the end counts, are this part of the same; frames
# between them are interpolated.
PART_SETTLING = 0.5


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
            "rods": repr(discretization(scenario, n_elements)),
            "time_step": self._step(scenario, frame),
            "integrator": repr(_integrator(scenario)),
            "viscosity": [_viscosity(scenario, rod) for rod in scenario.rods],
        }

    def run(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> Trajectory:
        """Simulate a scenario."""
        times, moved = np.linspace(0.0, scenario.duration, n_frames), []
        for rod in scenario.rods:
            motion = self._motion(scenario, rod, n_elements, n_frames)
            moved.append(at_times(times, motion.t, *sampled(motion, rod, n_elements)))
        return Trajectory(times, *(tuple(of_all) for of_all in zip(*moved, strict=True)))

    def _motion(self, scenario: Scenario, rod: Rod, n_elements: int, n_frames: int) -> fx.Motion:
        described = Described.of(scenario, rod, _viscosity(scenario, rod))
        rods = discretization(scenario, n_elements)
        model = fx.build(described.robot, rods=rods)
        frame = scenario.duration / (n_frames - 1)
        step = self._step(scenario, frame)
        motion = fx.simulate(
            model,
            scenario.duration,
            step,
            inputs=described.inputs(),
            start=described.start(model, rods),
            integrator=_integrator(scenario),
            every=max(1, round(frame / step)),
        )
        if not motion.converged:
            raise Diverged(str(motion.status), time=float(motion.t[-1]))
        return motion

    def _step(self, scenario: Scenario, frame: float) -> float:
        """Length of steps [s]: a whole part of a frame, or of the motion."""
        slowest = self._scale / scenario.slowest_frequency()
        if any(_driven(rod) for rod in scenario.rods):
            return frame / max(1, math.ceil(1.0 / self._scale - 1e-9))
        if scenario.quasi_static:
            return scenario.duration / math.ceil(scenario.duration / (PART_SETTLING * slowest))
        return frame / math.ceil(frame / (PART_OF_PERIOD * slowest) - 1e-9)


def discretization(scenario: Scenario, n_elements: int) -> fx.Spline:
    """How a rod is described."""
    longer = LONGER if scenario.quasi_static else SWINGING
    return fx.Spline(degree=3, spans=math.ceil(n_elements / longer))


def _integrator(scenario: Scenario) -> fx.GeneralizedAlpha | fx.ImplicitEuler:
    return fx.ImplicitEuler() if scenario.quasi_static else fx.GeneralizedAlpha()


def _viscosity(scenario: Scenario, rod: Rod) -> float:
    """Viscosity that lets a rod settle where nothing else is asked for [Pa s].

    With 3 η = √2 E / ω the slowest bending and the creep of all faster ones decay alike. What grows
    while an end is driven is not held back.
    """
    if _driven(rod) or not scenario.quasi_static:
        return 0.0
    relaxation = math.sqrt(2.0) / scenario.slowest_frequency()
    return rod.material.youngs_modulus * relaxation / 3.0


def _driven(rod: Rod) -> bool:
    return any(rod.motion(end) is not None for end in End)
