"""What derivatives are about: an equilibrium, with unknowns."""

import numpy as np

from flexura.model.assemble import Assembly
from flexura.result.static import StaticResult
from flexura.solve.at_rest import check_at_rest, check_balanced
from flexura.solve.workspace import lasting_workspace

BOUND = "belongs to"


def evaluated(who: str, result: StaticResult, owner: object) -> Assembly:
    """The model of a result, evaluated there.

    Args:
        who: what asks.
        result: what it is asked of.
        owner: whose assembly it is, as long as it lives.

    Raises:
        ModelError: unless it is an equilibrium of a model with unknowns.
    """
    check_at_rest(who, result, BOUND)
    assembly = lasting_workspace(result.model, owner)
    with np.errstate(all="ignore"):
        assembly.evaluate(result.state, result.given)
    check_balanced(who, assembly, BOUND)
    return assembly
