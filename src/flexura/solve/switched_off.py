"""Strains that a description has switched off although something acts on them.

A rod stores the energy ½ ∫ Λ²/k ds by each strain component, Λ its wrench and k its stiffness, and
what loads and shortened tendons do to rods is stored in them. So the part of it that a component
would have taken is the part by which what they move is wrong.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.model.evaluation import Evaluation
from flexura.model.model import Model
from flexura.model.part import Place
from flexura.model.state import State
from flexura.text import roughly
from flexura.typing import Array, Indices, Matrix, Wrench
from flexura.value import Value

COMPONENTS = ("torsion", "bending about y", "bending about z", "stretch", "shear y", "shear z")
# A component that is switched off would have turned the rod by this much [rad], changed its stretch
# or shear by this much, or taken this part of the energy, before it is worth a word.
NOTABLE = 0.01
# Turns [rad] and strains of this size are not worth one, be they all that there is.
SLIGHT = 1e-5
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class _Restrained(Value):
    """A rod of which components are switched off, with n nodes and m points.

    Attributes:
        name: of the rod.
        place: where it is.
        nodes: its nodes in the model.
        ends: which of them are its base, or loose, (n,).
        points: its points in its part, (m,).
        to_points: interpolates what is known at nodes, (m, n).
        to_nodes: interpolates what is known at points, (n, m).
        flexibility: 1/k at the nodes, times the length for angles, (n, 6).
        storing: half the weight over k at the points, (m, 6).
        off: the components, (c,).
    """

    name: str
    place: Place
    nodes: slice
    ends: NDArray[np.bool_]
    points: Indices
    to_points: Matrix
    to_nodes: Matrix
    flexibility: Array
    storing: Array
    off: Indices


class Missing(NamedTuple):
    """A component that is switched off.

    Attributes:
        rod: its name.
        component: which of the six.
        size: largest turn [rad] or strain that it would have.
        share: part of what is stored in rods that it would take.
    """

    rod: str
    component: int
    size: float
    share: float


def missing(model: Model, state: State, evaluation: Evaluation) -> list[Missing]:
    """All components that are switched off, and what they would do in an equilibrium."""
    rods = model.once(_restrained)
    sizes, energies = np.zeros((len(rods), 6)), np.zeros((len(rods), 6))
    for rod, size, energy in zip(rods, sizes, energies, strict=True):
        cut, tendons = _cuts(model, state, evaluation, rod), _tendons(model, evaluation, rod)
        size[:] = np.abs((cut - rod.to_nodes @ tendons) * rod.flexibility).max(axis=0)
        energy[rod.off] = (rod.storing * (rod.to_points @ cut - tendons) ** 2).sum(axis=0)[rod.off]
    shares = energies / max(evaluation.energy + energies.sum(), TINY)
    return [
        Missing(rod.name, c, size[c], share[c])
        for rod, size, share in zip(rods, sizes, shares, strict=True)
        for c in rod.off.tolist()
    ]


def missing_components(model: Model, state: State, evaluation: Evaluation) -> list[str]:
    """A sentence on each component that is switched off although loads or tendons act on it."""
    return [
        _words(off)
        for off in missing(model, state, evaluation)
        if off.size > NOTABLE or (off.share > NOTABLE and off.size > SLIGHT)
    ]


def _restrained(model: Model) -> list[_Restrained]:
    """Rods of a model of which components are switched off."""
    found = []
    for name in model.restrained:
        place = model.places[name]
        group, rod, own = model.parts[place.part].group, place.rod, model.rod_nodes(place)
        points, at = (
            np.flatnonzero(group.points.rod == place.index),
            group.node_lengths(place.index),
        )
        s, ends = group.points.s[points], model.layout.loose[own].copy()
        ends[0] = True
        flexibility = 1.0 / rod.stiffness(at)
        flexibility[:, :3] *= rod.length
        found.append(
            _Restrained(
                name=name,
                place=place,
                nodes=own,
                ends=ends,
                points=points,
                to_points=_interpolation(s, at),
                to_nodes=_interpolation(at, s),
                flexibility=flexibility,
                storing=0.5 * group.points.weight[points, None] / rod.stiffness(s),
                off=np.flatnonzero(~group.free),
            )
        )
    return found


def _interpolation(s: Array, known: Array) -> Matrix:
    """What interpolates linearly between known arc lengths, and is constant beyond them."""
    return np.stack([np.interp(s, known, unit) for unit in np.eye(len(known))], axis=1)


def _cuts(model: Model, state: State, evaluation: Evaluation, rod: _Restrained) -> Wrench:
    """What cuts before the nodes of a rod carry, tendons included, (n, 6).

    A description with components switched off ties its elements to nodes: the last six inner
    unknowns of each are the wrench there. On a loose end there is what acts on its node, and at the
    base what its node exerts.
    """
    first, stop = model.parts[rod.place.part].group.rod_nodes[rod.place.index :][:2]
    cut = model.inner(state, rod.place.part)[first:stop, -6:].copy()
    cut[rod.ends] = -evaluation.node_forces[rod.nodes][rod.ends]
    return cut


def _tendons(model: Model, evaluation: Evaluation, rod: _Restrained) -> Wrench:
    """What tendons carry of it at the points of a rod, (m, 6)."""
    part, strains = model.parts[rod.place.part], evaluation.strains
    if strains is None:
        return np.zeros((len(rod.points), 6))
    found = part.pulled(strains[rod.place.part], evaluation.values)[rod.points]
    return np.asarray(found / part.group.points.weight[rod.points, None])


def _words(off: Missing) -> str:
    """What is switched off, how large it would be, and its part of the energy."""
    unit = f"{off.size:.2g} rad" if off.component < 3 else f"{roughly(100.0 * off.size)} %"
    wrong = (
        f" and take {100.0 * off.share:.0f} % of what is stored in rods, so that what loads and "
        "shortened tendons move may be wrong by as much"
    )
    return (
        f"{COMPONENTS[off.component]} of rod {off.rod!r} is switched off; its loads would make it "
        f"up to {unit}{wrong if off.share > NOTABLE else ''}: use a description that has it"
    )
