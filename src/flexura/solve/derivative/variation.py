"""What parameters of the description do: models that are built anew, a little beside the model.

Derivatives of residual and gaps by a parameter are differences of fourth order at fixed unknowns
and inputs (theory 15.3); a load's described value, which is an input, changes with its parameter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.model.build import rebuilt
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.robot import Robot
from flexura.solve.derivative.arrangement import Rearranged, check_alike, stretched
from flexura.solve.derivative.response import Response
from flexura.solve.derivative.stencil import EVERY, Stencil
from flexura.solve.derivative.tangent import Directions
from flexura.typing import Array

# Steps, relative to the size of a number; of zeros, so that forces change by this part of those in
# play, or poses by as many rad or lengths. Differences of fourth order are off by 1e-12 then, and
# rounding by 1e-13.
STEP = 1e-3
# First steps to try of zeros, each smaller than the one before.
TRIES = (1e-3, 1e-5, 1e-7)
# By how much a step may change the distance of two nodes, relative to it: strains go with its
# inverse, whose differences are off by four times the fourth power.
STRETCH = 3e-3
# Parts of a step to try where none of it is possible.
CLOSER = (1.0, 0.1, 1e-2, 1e-3)
# Steps of zeros, as they may be made longer or shorter after the first.
LONGEST, SHORTEST = 1e6, 1e-6


class Changeable(Protocol):
    """What a parameter has: a path of the description, or anything that describes robots."""

    @property
    def path(self) -> str:
        """How it is called."""

    @property
    def value(self) -> Array:
        """What it is: a number (), several (n,) or a pose (4, 4)."""

    @property
    def is_pose(self) -> bool:
        """Whether it is a pose."""

    @property
    def size(self) -> int:
        """By how many numbers it can change."""

    def moved(self, change: Array) -> Robot:
        """The robot after a change of it, (size,)."""


@dataclass(frozen=True, eq=False)
class Variation:
    """Models beside a model, for one number of a parameter.

    Attributes:
        step: from one to the next, in the unit of the number.
        stencil: which of them there are.
        models: they.
    """

    step: float
    stencil: Stencil
    models: tuple[Model, ...]

    def evaluated(self, state: State, given: Inputs, home: Model) -> list[Assembly]:
        """All of them, evaluated at a state and inputs of the model itself."""
        return [evaluated(model, state, given, home) for model in self.models]


def evaluated(model: Model, state: State, given: Inputs, home: Model) -> Assembly:
    """The residual of a model beside another one, at its state and inputs."""
    if model is not home:
        given = inputs_beside(model, given, home)
    assembly = Assembly(model)
    assembly.evaluate_residual(state, given)
    return assembly


def inputs_beside(model: Model, given: Inputs, home: Model) -> Inputs:
    """Inputs for a model beside another: they change as the described ones do."""
    change = home.inputs.described.change(model.inputs.described)
    return given.moved(change, model.inputs)


def variations(model: Model, own: Changeable, state: State, given: Inputs) -> list[Variation]:
    """Models beside a model for each number of a parameter.

    Args:
        model: the model.
        own: the parameter of its robot.
        state: where forces are compared, to know what a small change is.
        given: inputs there.

    Raises:
        ModelError: for a parameter that cannot be changed at all.
    """
    found = []
    for i, size in enumerate(_sizes(own, model)):
        step = STEP * size if size else _step_from_zero(model, own, i, state, given)
        found.append(_beside(model, own, i, step))
    return found


def by_parameter(response: Response, variations: Sequence[Variation]) -> Directions:
    """Where an equilibrium goes with numbers of parameters.

    Args:
        response: of the equilibrium.
        variations: of its model, or of one with the same unknowns, for each number.
    """
    result = response.result
    slopes = [residual_slope(one, result.state, result.given, result.model) for one in variations]
    residual, gap = (np.stack(column, axis=-1) for column in zip(*slopes, strict=True))
    nothing = np.zeros((result.model.inputs.n_values, len(slopes)))
    return response.answer(nothing, -np.asfortranarray(residual), gap, (None,) * len(slopes))


def _sizes(own: Changeable, model: Model) -> list[float]:
    """How large the numbers of a parameter are; zero where that cannot be told."""
    if own.is_pose:
        return [1.0] * 3 + [model.length] * 3
    sizes = np.abs(own.value.ravel())
    return [float(size or sizes.max()) for size in sizes]


def _step_from_zero(model: Model, own: Changeable, i: int, state: State, given: Inputs) -> float:
    """A step from zero that changes forces and poses a little."""
    here = evaluated(model, state, given, model)
    for step in TRIES:
        try:
            beside = _changed(model, own, i, step)
        except ModelError:
            continue
        change = _apart(here, evaluated(beside, state, given, model))
        return step * float(np.clip(STEP / change, SHORTEST, LONGEST)) if change else step
    return TRIES[-1]


def _apart(here: Assembly, there: Assembly) -> float:
    """By how much forces, over those in play, and poses, in rad and lengths, are different."""
    scale, moved = here.force_scale(), np.abs(there.nodes - here.nodes)
    moved[:, :3, 3] /= here.model.length
    force = np.abs((there.residual - here.residual) * here.layout.units).max(initial=0.0)
    return float(max(moved.max(initial=0.0), force / scale if scale > 0.0 else 0.0))


def _beside(model: Model, own: Changeable, i: int, step: float) -> Variation:
    """Models beside the model for one number, closer where distances of nodes change much."""
    found = _possible(model, own, i, step)
    pairs = zip(found.stencil.places, found.models, strict=True)
    stretch = max(stretched(model, other) / abs(place) for place, other in pairs if place)
    if stretch <= STRETCH:
        return found
    return _possible(model, own, i, found.step * STEP / stretch)


def _possible(model: Model, own: Changeable, i: int, step: float) -> Variation:
    """Models beside the model for one number.

    They are on one side of it if there are none on the other, and closer where places would pass
    each other.
    """
    failed = list[ModelError]()
    for part in CLOSER:
        for stencil in EVERY:
            try:
                models = _models(model, own, i, part * step, stencil.places)
            except ModelError as error:
                failed.append(error)
            else:
                return Variation(part * step, stencil, models)
    why = next((error for error in failed if isinstance(error, Rearranged)), failed[0])
    raise ModelError(f"parameter {own.path!r} cannot be varied: {why}")


def _models(
    model: Model, own: Changeable, i: int, step: float, places: Sequence[int]
) -> tuple[Model, ...]:
    """The models at some steps."""
    return tuple(_changed(model, own, i, place * step) if place else model for place in places)


def _changed(model: Model, own: Changeable, i: int, by: float) -> Model:
    """The model with one number of a parameter changed."""
    change = np.zeros(own.size)
    change[i] = by
    found = rebuilt(model, own.moved(change), model.rods)
    check_alike(model, found, f"{own.path!r} changed by {by:.3g}")
    return found


def residual_slope(
    variation: Variation, state: State, given: Inputs, home: Model
) -> tuple[Array, Array]:
    """∂r/∂p, (n_dof,), and ∂(gap)/∂p, (n_rows,), at fixed unknowns."""
    around = variation.evaluated(state, given, home)
    stencil, step = variation.stencil, variation.step
    residual = stencil.slope([x.residual for x in around], step)
    return residual, stencil.slope([x.gap for x in around], step)
