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
from flexura.solve.accuracy.accuracy import PER_BEND, errors
from flexura.solve.finish import coarse
from flexura.solve.remarks import wrong_rods
from flexura.solve.rough import ROUGH, rough_rods
from flexura.solve.workspace import workspace

# After so many iterations half of that is suspicious: small errors may have large effects.
HARD, SOONER = 16, 0.5
# Steps of limp rods for each length within which they bend, from look to look, and the part of an
# error that so few tell at least: with none for it they tell more, with one half or more.
LOOKS = ((0, 1.0), (1, 0.5), (PER_BEND, 1.0))


def told_if_coarse(found: StaticResult, wound: bool = False) -> StaticResult:
    """The same, and by how much its rods may be wrong if that is too much.

    Args:
        found: the result.
        wound: whether rods were wound up. Where they are too coarse they may have lost turns on
            the way, or hold them where they would let go: then no result is worth its name.
    """
    model = found.model
    if not found.converged or model.tubes or model.volumes or not _is_suspicious(found):
        return found
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
