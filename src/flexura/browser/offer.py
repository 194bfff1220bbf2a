"""What can be done with a robot: choices that cannot work are not offered."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from flexura.model.model import Model
from flexura.robot import Robot
from flexura.rods.discretization import Discretization
from flexura.rods.hermite import Hermite
from flexura.rods.linear_strain import LinearStrain
from flexura.rods.power import Power
from flexura.rods.rotation_interpolation import RotationInterpolation
from flexura.rods.spline import Spline
from flexura.rods.tube_choice import CARRIERS
from flexura.rods.variable_strain import ConstantStrain, VariableStrain
from flexura.solve.motion.flight import weighs
from flexura.solve.motion.integrators import (
    AnyIntegrator,
    GeneralizedAlpha,
    ImplicitEuler,
    SymplecticEuler,
    Variational,
    refusal,
)


def _strains(n: int) -> VariableStrain:
    """Variable strain with n functions of bending, and fewer for the rest."""
    few = max(1, n // 2)
    return VariableStrain((max(1, n - 2), n, n, few, few, few))


# Descriptions, with what a whole number makes of them and which they begin with.
DESCRIPTIONS: Mapping[str, tuple[Callable[[int], Discretization], int]] = MappingProxyType(
    {
        "spline": (lambda n: Spline(degree=3, spans=n), 12),
        "Hermite": (lambda n: Hermite(elements=n), 4),
        "linear strain": (lambda n: LinearStrain(elements=n), 8),
        "variable strain": (_strains, 7),
        "constant strain": (lambda n: ConstantStrain(sections=n), 16),
        "rotation interpolation": (lambda n: RotationInterpolation(elements=n), 4),
        "power": (lambda n: Power(degree=5, elements=n), 2),
    }
)
INTEGRATORS: Mapping[str, AnyIntegrator] = MappingProxyType(
    {
        "generalized alpha": GeneralizedAlpha(),
        "variational": Variational(),
        "implicit Euler": ImplicitEuler(),
        "symplectic Euler": SymplecticEuler(),
    }
)


def descriptions(robot: Robot) -> tuple[str, ...]:
    """Names of descriptions that all of its rods can have: sets of tubes take a few."""
    found = {name: make(count) for name, (make, count) in DESCRIPTIONS.items()}
    return tuple(x for x, own in found.items() if not robot.tubes or isinstance(own, CARRIERS))


def integrators(model: Model) -> tuple[str, ...]:
    """Names of integrators that go with a model."""
    return tuple(name for name, own in INTEGRATORS.items() if not refusal(own, model))


def followers(model: Model) -> list[str]:
    """Inputs that can bring a frame somewhere within limits: tendons, motors and joints."""
    own = model.inputs.items()
    return [name for name, x in own if x.manifold == "number" and x.kind != "load"]


def vibrates(model: Model) -> bool:
    """Whether it has modes: what touches something has none."""
    return model.contacts is None and bool(model.n_dof) and weighs(model)
