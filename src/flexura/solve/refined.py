"""How far a result is from that of a finer model, which begins with the shape of the result.

For sets of tubes, whose sections hang together by angles, besides poses: ``correction`` has no
equations for these; and for how a robot vibrates, of which a shape at rest says nothing.
"""

from dataclasses import fields, replace
from math import ceil

import numpy as np

from flexura.model.build import rebuilt
from flexura.model.evaluation import Ahead
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.rods.discretization import Discretization
from flexura.rods.variable_strain import VariableStrain
from flexura.solve.carried import carried
from flexura.solve.equilibrium import Equilibrium, Iterate, solve_equilibrium
from flexura.solve.workspace import workspace

# A finer model has this many times as many elements or steps, and this many functions more.
TIMES, MORE = 2.0, 2
# Newton's method begins near its end.
ITERATIONS = 30
# Places along each rod where positions are compared.
STATIONS = 65


def refined(result: StaticResult) -> dict[str, float]:
    """Largest distance of each rod and set to a finer model [m]; inf if that is not found.

    Args:
        result: an equilibrium.
    """
    fine = finer_result(result)
    return dict.fromkeys(result.model.places, np.inf) if fine is None else apart(result, fine)


def apart(result: StaticResult, other: StaticResult) -> dict[str, float]:
    """Largest distance of positions of each rod and set between two results [m]."""
    tubes, found = result.model.tubes, dict.fromkeys(result.model.places, 0.0)
    for rod in result.model.robot.slender:
        s = np.linspace(0.0, rod.length, STATIONS)
        moved = other.pose(rod.name, s)[:, :3, 3] - result.pose(rod.name, s)[:, :3, 3]
        name = tubes[rod.name].set if rod.name in tubes else rod.name
        found[name] = max(found[name], float(np.linalg.norm(moved, axis=1).max()))
    return found


def finer_result(result: StaticResult) -> StaticResult | None:
    """The equilibrium of a finer model near that of a result; None if it is not found.

    Nor is there a finer model with volumes, or one that is looked for with contacts.
    """
    if result.model.volumes or result.model.contacts is not None:
        return None
    model = result.model.once(finer_model)
    begin = begun(result, model)
    first = Iterate(begin.state, Ahead(begin.given, begin.evaluation.strains))
    with workspace(model) as assembly, np.errstate(all="ignore"):
        found = solve_equilibrium(Equilibrium(assembly, begin.given), first, ITERATIONS)
    if not found.converged:
        return None
    return replace(begin, state=found.point.state, evaluation=found.report.evaluation)


def begun(result: StaticResult, model: Model) -> StaticResult:
    """A result of another model of the same robot, in the same shape: where a solve may begin."""
    given = model.read_inputs(result.inputs)
    state, strains = carried(result, model)
    with workspace(model) as assembly, np.errstate(all="ignore"):
        assembly.evaluate_residual(state, given, Ahead(given, strains))
        evaluation = replace(assembly.evaluation(), strains=strains)
    told = {x.name: getattr(result, x.name) for x in fields(StaticResult)}
    own = {"model": model, "given": given, "state": state, "evaluation": evaluation}
    return StaticResult(**{**told, **own})


def finer_model(model: Model) -> Model:
    """The same robot, described more finely."""
    rods = {name: _more(choice) for name, choice in model.rods.items()}
    return rebuilt(model, model.robot, rods)


def _more(choice: Discretization) -> Discretization:
    """A finer choice; steps of integration alone do not help where functions are few."""
    if not isinstance(choice, VariableStrain):
        return choice.finer(TIMES)
    orders = tuple(n + MORE if n else 0 for n in choice.orders)
    return replace(choice, orders=orders, steps=ceil(TIMES * choice.steps))
