"""How far a result is from that of a finer model, which begins with the shape of the result.

For sets of tubes, whose sections hang together by angles, besides poses: ``correction`` has no
equations for these; and for how a robot vibrates, of which a shape at rest says nothing.
"""

from dataclasses import fields, replace
from math import ceil

import numpy as np

from flexura.model.build import build
from flexura.model.evaluation import Ahead
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.rods.discretization import Discretization
from flexura.rods.hermite import Hermite
from flexura.rods.variable_strain import VariableStrain
from flexura.solve.carried import carried
from flexura.solve.equilibrium import Equilibrium, Iterate, solve_equilibrium
from flexura.solve.statics import solve_inputs
from flexura.solve.switched_off import missing_components
from flexura.solve.workspace import workspace

# A finer model has this many times as many elements or steps, and this many functions more.
FINER, MORE = 2.0, 2
# Newton's method begins near its end.
ITERATIONS = 30
# Rods with all strains.
WHOLE = Hermite(24)
# Places along each rod where positions are compared.
STATIONS = 65


def refined(result: StaticResult) -> float:
    """Largest distance of all rods and tubes to those of a finer model [m]; inf if it is not found.

    Args:
        result: an equilibrium.
    """
    fine = finer_result(result)
    return np.inf if fine is None else _apart(result, fine)


def unrestrained(result: StaticResult) -> float:
    """Largest distance of held rods to those with all strains [m]; 0 if there is none, or unknown.

    A soft cord that would be taut without stretch hangs far lower with it: that is no matter of
    first order. It is asked for where a remark tells what is switched off.

    Args:
        result: an equilibrium.
    """
    model = result.model
    loops = len(model.layout.closing) or len(model.joints.nodes)
    if not (model.restrained and loops) or model.contacts is not None:
        return 0.0
    if not missing_components(model, result.state, result.evaluation):
        return 0.0
    whole = model.once(_whole)
    found = solve_inputs(whole, whole.read_inputs(result.inputs), None)
    return _apart(result, found) if found.status.equilibrium else 0.0


def _apart(result: StaticResult, other: StaticResult) -> float:
    """Largest distance of positions of all rods and tubes [m]."""
    apart = 0.0
    for rod in result.model.robot.slender:
        s = np.linspace(0.0, rod.length, STATIONS)
        moved = other.pose(rod.name, s)[:, :3, 3] - result.pose(rod.name, s)[:, :3, 3]
        apart = max(apart, float(np.linalg.norm(moved, axis=1).max()))
    return apart


def finer_result(result: StaticResult) -> StaticResult | None:
    """The equilibrium of a finer model near that of a result; None if it is not found.

    Nor is there a finer model with volumes, or one that is looked for with contacts.
    """
    if result.model.volumes or result.model.contacts is not None:
        return None
    model = result.model.once(_finer)
    given = model.read_inputs(result.inputs)
    state, strains = carried(result, model)
    with workspace(model) as assembly, np.errstate(all="ignore"):
        begin = Iterate(state, Ahead(given, strains))
        found = solve_equilibrium(Equilibrium(assembly, given), begin, ITERATIONS)
    if not found.converged:
        return None
    told = {x.name: getattr(result, x.name) for x in fields(StaticResult)}
    own = {"model": model, "given": given, "state": found.point.state}
    return StaticResult(**{**told, **own, "evaluation": found.report.evaluation})


def _whole(model: Model) -> Model:
    """The same robot, with all strains of its rods."""
    rods = {name: WHOLE if name in model.restrained else own for name, own in model.rods.items()}
    return build(model.robot, rods=rods, also=model.also)


def _finer(model: Model) -> Model:
    """The same robot, described more finely."""
    rods = {name: _more(choice) for name, choice in model.rods.items()}
    return build(model.robot, rods=rods, also=model.also)


def _more(choice: Discretization) -> Discretization:
    """A finer choice; steps of integration alone do not help where functions are few."""
    if not isinstance(choice, VariableStrain):
        return choice.finer(FINER)
    orders = tuple(n + MORE if n else 0 for n in choice.orders)
    return replace(choice, orders=orders, steps=ceil(FINER * choice.steps))
