"""Equilibria of scenarios that ask for nothing else, by ``statics``: no motion is followed."""

import numpy as np
from cosseratbench.scenario import Rod, Scenario
from cosseratbench.solver import Capability, Diverged
from cosseratbench.trajectory import Trajectory

import flexura as fx
from flexura_cosseratbench.motion import discretization
from flexura_cosseratbench.robot import Described


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
        return {
            "rods": repr(discretization(scenario, n_elements)),
            "integrator": "none: equilibrium",
        }

    def run(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> Trajectory:
        """Find the equilibrium of a scenario."""
        if not scenario.quasi_static:
            raise NotImplementedError("motion: this is its equilibrium only")
        found = []
        for rod in scenario.rods:
            described = Described.of(scenario, rod, viscosity=0.0)
            if described.drives:
                raise NotImplementedError("driven ends: this is one equilibrium only")
            rods = discretization(scenario, n_elements)
            model = fx.build(described.robot, rods=rods)
            result = fx.statics(model, start=described.start(model, rods))
            if not result.converged:
                raise Diverged(str(result.status))
            found.append(_from_beginning(rod, result, n_elements, n_frames))
        times = np.linspace(0.0, scenario.duration, n_frames)
        return Trajectory(times, *(tuple(of_all) for of_all in zip(*found, strict=True)))


def _from_beginning(
    rod: Rod, result: fx.StaticResult, n_elements: int, n_frames: int
) -> tuple[np.ndarray, np.ndarray]:
    """Positions and directors of the beginning, then of a result."""
    poses = result.pose("rod", np.linspace(0.0, rod.length, 2 * n_elements + 1))
    last = poses[::2, :3, 3], poses[1::2, :3, 1]
    first = rod.nodes(n_elements), rod.directors(n_elements)
    both = (np.stack([a] + [b] * (n_frames - 1)) for a, b in zip(first, last, strict=True))
    positions, directors = both
    return positions, directors
