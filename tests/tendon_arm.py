"""A steel wire with three tendons, for searches of their inputs."""

import numpy as np

import flexura as fx
from flexura.lie import se3

STEEL = fx.Material(young=210e9, poisson=0.3, density=7800.0)
WIRE = fx.Rod("arm", 0.2, fx.Circle(4e-4), STEEL)
UP = fx.Weld("world", "arm.base", offset=se3.pose((0, 0, 0), (0, -np.pi / 2, 0)))
COARSE = fx.VariableStrain((2, 3, 3, 0, 0, 0))
CURVED = fx.VariableStrain((3, 4, 4, 2, 2, 2))


WEIGHT = (fx.Gravity(),)


def three_tendons(loads=WEIGHT, **drive):
    """A wire that stands up, with three tendons of 8 mm offset."""
    routes = [(8e-3 * np.cos(a), 8e-3 * np.sin(a)) for a in 2.0 * np.pi / 3.0 * np.arange(3)]
    pulled = [
        fx.Tendon(f"t{i}", "arm", fx.Parallel(*at), **drive) for i, at in enumerate(routes, 1)
    ]
    return fx.Robot("arm", rods=[WIRE], joints=[UP], tendons=pulled, loads=loads)
