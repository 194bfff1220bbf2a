"""Strains so large that units may have slipped: questions, not errors."""

from collections.abc import Iterable

import numpy as np

from flexura.model.evaluation import Evaluation
from flexura.model.model import Model
from flexura.model.part import Part
from flexura.robot import Rod
from flexura.robot.doubt import bearable
from flexura.solve import strain_doubt_kernels as kernels
from flexura.text import counted
from flexura.typing import Array

UNITS = "is that meant? Lengths are in metres, forces in newtons, moduli in pascals"


def strain_doubts(model: Model, evaluation: Evaluation) -> list[str]:
    """A sentence on the rod with the largest strain, if that is large; costs microseconds if not.

    Curvatures count with the distance of the outermost fibre.
    """
    found: dict[str, Array] = {}
    strains = evaluation.strains or ()
    for number, (part, strain) in enumerate(zip(model.parts, strains, strict=bool(strains))):
        if kernels.beyond(strain, part.rest_strain, part.fibre, 1.0):
            fibre = (strain - part.rest_strain) * part.fibre
            names = {place.index: n for n, place in model.places.items() if place.part == number}
            found.update({names[i]: x for i, x in _largest(part, fibre)})
    return doubts_of((model.places[name].rod, x) for name, x in found.items())


def doubts_of(rods: Iterable[tuple[Rod, Array]]) -> list[str]:
    """The sentence for the worst of some rods.

    Args:
        rods: each with the largest strains of its fibres by torsion, bending, stretch and shear,
            over what these bear, (6,).
    """
    large = [(rod, x) for rod, x in rods if np.abs(x).max() > 1.0]
    if not large:
        return []
    rod, strain = max(large, key=lambda entry: float(np.abs(entry[1]).max()))
    more = f", and {counted(len(large) - 1, 'rod')} more likewise" if len(large) > 1 else ""
    return [f"{_words(rod.name, bearable(rod) * strain)}{more}: {UNITS}"]


def _largest(part: Part, fibre: Array) -> Iterable[tuple[int, Array]]:
    """Rods of a part, by number, and the largest strain of each component with its sign."""
    rods = part.group.points.rod
    for i in np.unique(rods).tolist():
        own = fibre[rods == i]
        yield i, own[np.abs(own).argmax(axis=0), np.arange(6)]


def _words(name: str, strain: Array) -> str:
    """What the largest strain of a rod is."""
    c = int(np.abs(strain).argmax())
    percent = f"{100.0 * abs(strain[c]):.3g} %"
    if c == 3 and strain[c] > 0.0:
        return f"rod {name!r} is stretched to {1.0 + strain[c]:.3g} times its length"
    if c == 3:
        return f"rod {name!r} is compressed by {percent}"
    if c > 3:
        return f"rod {name!r} is sheared by {percent}"
    return f"the outside of rod {name!r} is strained by about {percent} where it " + (
        "bends" if c else "twists"
    )
