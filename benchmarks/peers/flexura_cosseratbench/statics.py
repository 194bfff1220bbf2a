"""Equilibria of scenarios that ask for nothing else, by ``statics``: no motion is followed."""

import numpy as np
from cosseratbench.scenario import Scenario
from cosseratbench.solver import Capability, Diverged
from cosseratbench.trajectory import Trajectory
from flexura_cosseratbench.motion import elements
from flexura_cosseratbench.robot import Described
from flexura_cosseratbench.sample import sampled

import flexura as fx


class StaticSolver:
    """flexura at rest; a cosseratbench ``Solver``.

    Every frame but the first is the equilibrium, so that it answers only quasi-static scenarios
    where nothing is driven.
    """

    name = "flexura-statics"
    backend_version = fx.__version__
    capabilities = frozenset({Capability.STRETCH, Capability.SHEAR})

    def settings(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> dict:
        """The numerical choices for a scenario."""
        return {"elements": elements(n_elements), "integrator": "none: equilibrium"}

    def run(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> Trajectory:
        """Find the equilibrium of a scenario."""
        if not scenario.quasi_static:
            raise NotImplementedError("motion: this is its equilibrium only")
        found = []
        for rod in scenario.rods:
            described = Described.of(scenario, rod, viscosity=0.0)
            if described.drives:
                raise NotImplementedError("driven ends: this is one equilibrium only")
            rods = fx.LinearStrain(elements(n_elements))
            model = fx.build(described.robot, rods=rods)
            start = described.start(model, rods)
            result = fx.statics(model, start=start)
            if not result.converged:
                raise Diverged(str(result.status))
            begin = result if start is None else start
            positions, directors = sampled([begin, result], rod, n_elements)
            frames = [0] + [1] * (n_frames - 1)
            found.append((positions[frames], directors[frames]))
        times = np.linspace(0.0, scenario.duration, n_frames)
        return Trajectory(times, *(tuple(of_all) for of_all in zip(*found, strict=True)))
