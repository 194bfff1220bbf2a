"""A model with what resists motion: inertia of rods and bodies, viscosity."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.model.law import Law
from flexura.model.laws.inertia import Inertia
from flexura.model.laws.viscous import Viscous
from flexura.model.model import Model, Part
from flexura.model.term import Term
from flexura.model.terms.inertia import BodyInertia
from flexura.robot import Rod
from flexura.typing import frozen
from flexura.value import Value


@dataclass(frozen=True, eq=False)
class Moving(Value):
    """A model in motion.

    Attributes:
        model: with inertia and viscosity among its laws and terms.
        inertia: of the points of each part.
        viscous: of each part, None where nothing is viscous.
        bodies: inertia of the bodies with mass.
    """

    model: Model
    inertia: tuple[Inertia, ...]
    viscous: tuple[Viscous | None, ...]
    bodies: BodyInertia

    @cached_property
    def still(self) -> Model:
        """All but inertia: what the discrete potential and dissipation of a step come from."""
        pairs = zip(self.model.parts, self.inertia, strict=True)
        laws = [tuple(law for law in part.laws if law is not own) for part, own in pairs]
        return self._with(laws, lambda term: term is not self.bodies)

    @cached_property
    def bare(self) -> Model:
        """Nothing but inertia and joints: their tangent tells what motions weigh."""
        own = (self.model.joints, self.bodies)
        return self._with(
            [(law,) for law in self.inertia], lambda term: any(term is x for x in own)
        )

    @cached_property
    def resisting(self) -> Model:
        """Nothing but viscosity and joints: their tangent tells how motions are damped."""
        laws = [(law,) for law in self.viscous]
        return self._with(laws, lambda term: term is self.model.joints)

    @cached_property
    def skeleton(self) -> Model:
        """Nothing but what ties the robot together: joints, and the ends of rods to their nodes."""
        return self._with([() for _ in self.inertia], lambda term: bool(term.brings.any()))

    @cached_property
    def forces(self) -> NDArray[np.bool_]:
        """Which unknowns are forces of stretch and shear, (n_dof,): strains determine them."""
        layout = self.model.layout
        found = np.zeros(layout.n_dof, dtype=np.bool_)
        for part in self.model.parts:
            if part.group.complementary:
                columns = np.arange(part.group.n_inner)
                used = columns < layout.inner_size[part.nodes, None]
                own = layout.inner_dof[part.nodes, None] + columns
                found[own[used & part.group.multiplier]] = True
        return frozen(found)

    def _with(self, laws: Sequence[tuple[Law | None, ...]], keep: Callable[[Term], bool]) -> Model:
        """The model with these laws of its parts, and with some of its terms."""
        model = self.model
        parts = tuple(
            replace(part, laws=tuple(law for law in own if law is not None))
            for part, own in zip(model.parts, laws, strict=True)
        )
        kept = [i for i, term in enumerate(model.terms) if keep(term)]
        rows = tuple(model.layout.term_rows[i] for i in kept)
        return replace(
            model,
            parts=parts,
            terms=tuple(model.terms[i] for i in kept),
            layout=replace(model.layout, term_rows=rows),
        )

    @cached_property
    def mass(self) -> float:
        """Of everything [kg]."""
        return float(
            sum(own.inertia[:, 3].sum() for own in self.inertia) + self.bodies.inertia[:, 3].sum()
        )


def moving(model: Model) -> Moving:
    """The model with what resists motion; at rest, nothing of it acts."""
    rods = [list[Rod]() for _ in model.parts]
    for place in sorted(model.places.values(), key=lambda place: place.index):
        rods[place.part].append(place.rod)
    inertia, viscous, parts = [], [], []
    for i, (part, own) in enumerate(zip(model.parts, rods, strict=True)):
        points = part.group.points
        inertia.append(Inertia.of(i, own, points))
        viscous.append(Viscous.of(i, own, points, part.group.complementary))
        parts.append(_resisting(part, (inertia[-1], viscous[-1])))
    heavy = [body for body in model.robot.bodies if body.mass > 0.0 or np.any(body.inertia)]
    bodies = BodyInertia.of(heavy, [model.frames[body.name] for body in heavy])
    nothing = frozen(np.empty(0, dtype=np.int64))
    layout = replace(model.layout, term_rows=(*model.layout.term_rows, nothing))
    heavier = replace(model, parts=tuple(parts), terms=(*model.terms, bodies), layout=layout)
    return Moving(heavier, tuple(inertia), tuple(viscous), bodies)


def _resisting(part: Part, laws: tuple[Law | None, ...]) -> Part:
    """A part with more laws."""
    own = (*part.laws, *(law for law in laws if law is not None))
    posed = np.unique(np.concatenate([part.posed, *(law.posed() for law in own)]))
    return replace(part, laws=own, posed=frozen(posed))
