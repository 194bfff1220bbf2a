"""How far held rods with strains switched off are from those that have them, in the same shape."""

import numpy as np

from flexura.model.build import rebuilt
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.rods.hermite import Hermite
from flexura.solve.refined import apart, begun
from flexura.solve.statics import solve_inputs
from flexura.solve.switched_off import missing

# Rods with all strains.
WHOLE = Hermite(24)
# They are solved for where those switched off would store this part of the energy.
STORED = 0.01


def unrestrained(result: StaticResult) -> float:
    """Largest distance of rods to those with all strains [m]; inf if these are not found.

    A soft cord that would be taut without stretch hangs far lower with it: that is no matter of
    first order.

    Args:
        result: an equilibrium of which ``lacks_strains`` is true.
    """
    whole = result.model.once(_whole)
    begin = begun(result, whole)
    found = solve_inputs(whole, begin.given, begin, seek_stable=result.stable is not False)
    return max(apart(result, found).values()) if found.status.equilibrium else np.inf


def lacks_strains(result: StaticResult) -> bool:
    """Whether held rods would store a part of their energy in strains that are switched off.

    Then shapes may change by far more than to first order.
    """
    model = result.model
    loops = len(model.layout.closing) or len(model.joints.nodes)
    if not (model.restrained and loops) or model.contacts is not None:
        return False
    off = missing(model, result.state, result.evaluation)
    return any(x.share > STORED for x in off)


def _whole(model: Model) -> Model:
    """The same robot, with all strains of its rods."""
    rods = {name: WHOLE if name in model.restrained else own for name, own in model.rods.items()}
    return rebuilt(model, model.robot, rods)
