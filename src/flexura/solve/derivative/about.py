"""What derivatives are about: an equilibrium, with unknowns."""

import numpy as np

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.result.instant import Instant
from flexura.result.integrated import IntegratedResult
from flexura.result.static import StaticResult
from flexura.solve.equilibrium import BALANCED, ForceBalance
from flexura.solve.newton import History
from flexura.solve.workspace import lasting_workspace

# A robot that moves by less than this, in rad or lengths of the robot in a second, is at rest.
REST = 1e-6


def evaluated(who: str, result: StaticResult, owner: object) -> Assembly:
    """The model of a result, evaluated there.

    Args:
        who: what asks.
        result: what it is asked of.
        owner: whose assembly it is, as long as it lives.

    Raises:
        ModelError: unless it is an equilibrium of a model with unknowns.
    """
    if not isinstance(result, StaticResult):
        raise ModelError(f"{who} takes the result of statics, got {type(result).__name__}")
    name = result.model.name
    if isinstance(result, IntegratedResult):
        raise ModelError(
            f"{who} needs unknowns, and shooting has none: build {name!r} with a discretization "
            "and solve it with statics"
        )
    if not result.status.equilibrium:
        raise ModelError(
            f"{who} belongs to an equilibrium, and this result of {name!r} is none: "
            f"{result.status}; ask result.unwrap() first"
        )
    if isinstance(result, Instant) and result.tracks.fastest(result.flow) > REST:
        raise ModelError(
            f"{who} belongs to an equilibrium, and {name!r} moves at t = {result.t:.6g} s; take "
            "statics(model, inputs, start=instant)"
        )
    assembly = lasting_workspace(result.model, owner)
    with np.errstate(all="ignore"):
        assembly.evaluate(result.state, result.given)
    force, gap = assembly.imbalance()
    left = ForceBalance(assembly).residuals(History([force], [gap]))[0]
    if left > BALANCED:
        raise ModelError(
            f"{who} belongs to an equilibrium, and the forces of {name!r} are out of balance by "
            f"{left:.1g} of their size; take statics(model, inputs, start=result)"
        )
    return assembly
