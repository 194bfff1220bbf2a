"""How far what touches something is from a finer model, which begins with its shape.

Rods touch at points along them, and a finer model does at others, too: of that the equations of
``correction``, in which forces of contacts stay as they are, know nothing.
"""

import numpy as np

from flexura.result.static import StaticResult
from flexura.solve.refined import apart, begun, finer_model
from flexura.solve.statics import solve_inputs

# Errors of where rods touch are of first order: a model twice as fine has half of them.
LEFT = 2.0


def touched(result: StaticResult) -> float:
    """Estimate of the largest error of positions [m]; inf if the finer model is not found.

    Args:
        result: an equilibrium of a robot with contacts.
    """
    model = result.model.once(finer_model)
    begin = begun(result, model)
    found = solve_inputs(model, begin.given, begin, seek_stable=result.stable is not False)
    if not found.status.equilibrium:
        return np.inf
    return LEFT * max(apart(result, found).values(), default=0.0)
