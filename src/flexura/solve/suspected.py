"""Which results may be too coarse: what tells it takes longer than most solves.

So it is asked where strains change by much within what a description resolves, which a glance at
its points tells, and sooner where equilibria were hard to find.
"""

from dataclasses import replace

import numpy as np

from flexura.model.balance import balance
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.solve import suspected_kernels as kernels
from flexura.solve.accuracy.accuracy import PER_BEND, errors, judged
from flexura.solve.finish import coarse
from flexura.solve.free_motion import neutral_motions
from flexura.solve.limp import unknowns_apart
from flexura.solve.remarks import wrong_rods
from flexura.solve.rough import FINER, ROUGH, rough_rods
from flexura.solve.workspace import workspace
from flexura.typing import Array

# After so many iterations half of that is suspicious: small errors may have large effects.
HARD, SOONER = 16, 0.5
# Steps of limp rods for each length within which they bend, from look to look, and the part of an
# error that so few tell at least: with none for it they tell more, with one half or more.
LOOKS = ((0, 1.0), (1, 0.5), (PER_BEND, 1.0))
# Where sections turn by more than this from one unknown to the next [rad] no wave is left at all.
WAVE = 2.0 * np.pi


def told_if_coarse(found: StaticResult, wound: bool = False) -> StaticResult:
    """The same, and whether its rods are too coarse: for its shape, or for what is stable.

    Args:
        found: the result.
        wound: whether rods were wound up.
    """
    if not found.converged or found.model.tubes or found.model.volumes:
        return found
    waves = _waves(found)
    if waves or _is_suspicious(found):
        found = _told_if_rough(found, wound or max(waves.values(), default=0.0) > WAVE)
    if waves and found.converged and found.stable:
        return _told_if_stiff(found, waves)
    return found


def _told_if_rough(found: StaticResult, wound: bool) -> StaticResult:
    """The same, and by how much its rods may be wrong if that is too much.

    Args:
        found: the result.
        wound: whether rods were wound up, or are twisted at rest. Where they are too coarse they
            may have lost turns on the way, or hold them where they would let go: then no result is
            worth its name.
    """
    model = found.model
    with workspace(model) as assembly, np.errstate(all="ignore"):
        assembly.evaluate(found.state, found.given)
        carried = balance(assembly)
        for per_bend, told in LOOKS:
            wrong = errors(found, assembly, carried, among_like=True, per_bend=per_bend)
            rough = rough_rods(model, {name: error / told for name, error in wrong.items()})
            if not rough:
                return found
        if wound:
            return coarse(found, finer=rough)
        whole = all(part.group.free.all() for part in model.parts)
        exact = wrong if whole else errors(found, assembly, carried)
    remarks = wrong_rods(model, {name: exact[name] for name in rough})
    return replace(found, remarks=(*found.remarks, *remarks))


def _told_if_stiff(found: StaticResult, waves: dict[str, float]) -> StaticResult:
    """The same; too coarse if it is stable only because its elements cannot bend.

    Args:
        found: a stable result.
        waves: how far sections turn from one unknown to the next, where that is far, by rod [rad].
    """
    model = found.model
    with workspace(model) as assembly, np.errstate(all="ignore"):
        assembly.evaluate(found.state, found.given)
        wrong, stable = judged(found, assembly, balance(assembly), neutral_motions(assembly))
    if stable is not False or rough_rods(model, wrong):  # no shape of continuous rods
        return found
    return coarse(found, finer={name: max(FINER, 0.5 * turn) for name, turn in waves.items()})


def _waves(found: StaticResult) -> dict[str, float]:
    """How far sections turn about rods from one unknown to the next, where that is far [rad].

    Strains are in the frame of the section. Where that turns, a bend in space is a wave there, and
    functions that are longer than it have none: they do not bend.
    """
    model, strains = found.model, found.evaluation.strains
    if strains is None:
        return {}
    turned, far = [], False
    for part, strain, apart in zip(model.parts, strains, model.once(_parts_apart), strict=True):
        points, own = part.group.points, np.empty(len(apart))
        far |= kernels.section_turns(strain, points.weight, points.rod, apart, own) > 1.0
        turned.append(own)
    if not far:  # most often
        return {}
    each = {name: float(turned[x.part][x.index]) for name, x in model.places.items()}
    return {name: turn for name, turn in each.items() if turn > 1.0}


def _parts_apart(model: Model) -> tuple[Array, ...]:
    """Distances between the unknowns of rods over their lengths, for each part."""
    found = tuple(np.zeros(len(part.group.rod_nodes) - 1) for part in model.parts)
    for place, apart in zip(model.places.values(), unknowns_apart(model), strict=True):
        found[place.part][place.index] = apart / place.rod.length
    return found


def _is_suspicious(found: StaticResult) -> bool:
    """Whether strains change by so much that positions may be wrong by too much.

    Those of any rod count for all that hang on it; several add up as if by chance.
    """
    model, squares = found.model, 0.0
    strains = found.evaluation.strains or ()
    for part, strain in zip(model.parts, strains, strict=bool(strains)):
        group = part.group
        squares += kernels.varied(strain, part.rest_strain, group.points.rod, group.grain)
    most = ROUGH * model.once(_shortest)
    most *= SOONER if found.iterations > HARD else 1.0
    return squares > most * most


def _shortest(model: Model) -> float:
    """The length of the shortest rod [m]."""
    return min((place.rod.length for place in model.places.values()), default=np.inf)
