"""A model with what resists motion: inertia of rods and bodies, viscosity."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.model.law import Law
from flexura.model.laws.inertia import Inertia, InertiaTangent
from flexura.model.laws.tube_inertia import TubeInertia
from flexura.model.laws.tube_viscous import TubeViscous
from flexura.model.laws.viscous import Viscous
from flexura.model.member import Member
from flexura.model.members.load import ParticleLoads, Share
from flexura.model.members.solid import Solid
from flexura.model.members.solid_motion import SolidMotion
from flexura.model.model import Model
from flexura.model.part import Part
from flexura.model.term import Term
from flexura.model.terms.inertia import BodyInertia, BodyInertiaTangent
from flexura.model.tube_binding import Fed
from flexura.robot import Rod
from flexura.typing import Indices, frozen
from flexura.value import Value

# Unknowns that inertia brings.
NOTHING: Indices = frozen(np.empty(0, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Moving(Value):
    """A model in motion.

    Attributes:
        model: with inertia and viscosity among its laws and terms.
        inertia: of the points of each part.
        viscous: of each part, None where nothing is viscous.
        bodies: inertia of the bodies with mass.
        volumes: what resists motions of volumes: members of the model, each inertia and damping.
    """

    model: Model
    inertia: tuple[Inertia, ...]
    viscous: tuple[Viscous | TubeViscous | None, ...]
    bodies: BodyInertia
    volumes: tuple[SolidMotion, ...] = ()

    @cached_property
    def unforced(self) -> Model:
        """The model whose inertia exerts nothing; only the tangent knows of it."""
        own = self.bodies
        bodies = BodyInertiaTangent(own.nodes, own.center, own.adjoint, own.inertia)
        laws = []
        for part, x in zip(self.model.parts, self.inertia, strict=True):
            tangent = InertiaTangent(x.part, x.point, x.inertia)
            laws.append(tuple(tangent if law is x else law for law in part.laws))
        return self._with(laws, lambda term: bodies if term is own else term)

    @cached_property
    def bare(self) -> Model:
        """Nothing but inertia and joints: their tangent tells what motions weigh."""
        own = (self.model.joints, self.bodies)
        return self._with(
            [(law,) for law in self.inertia],
            lambda term: term if any(term is x for x in own) else None,
            tuple(replace(x, damps=False) for x in self.volumes),
        )

    @cached_property
    def resisting(self) -> Model:
        """Nothing but viscosity and joints: their tangent tells how motions are damped."""
        laws = [() if law is None else (law,) for law in self.viscous]
        return self._with(
            laws,
            lambda term: term if term is self.model.joints else None,
            tuple(replace(x, weighs=False) for x in self.volumes),
        )

    @property
    def damped(self) -> bool:
        """Whether anything is viscous."""
        soft = any(x.damped for x in self.volumes)
        return soft or any(law is not None for law in self.viscous)

    @cached_property
    def skeleton(self) -> Model:
        """Nothing but what ties the robot together: joints, and the ends of rods to their nodes."""
        return self._with(
            [() for _ in self.inertia], lambda term: term if term.brings.any() else None
        )

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

    def _with(
        self,
        laws: Sequence[tuple[Law, ...]],
        instead: Callable[[Term], Term | None],
        members: tuple[Member, ...] = (),
    ) -> Model:
        """The model with these laws of its parts, and others instead of its terms, or none.

        Of its members, those that bring unknowns stay, beside the given ones.
        """
        model, layout = self.model, self.model.layout
        own = zip(model.members, layout.member_rows, strict=True)
        ties = [(member, rows) for member, rows in own if member.brings]
        beside = members if ties or members else _nothing(model)
        parts = tuple(replace(part, laws=x) for part, x in zip(model.parts, laws, strict=True))
        pairs = zip(map(instead, model.terms), layout.term_rows, strict=True)
        kept = [(term, rows) for term, rows in pairs if term is not None]
        return replace(
            model,
            parts=parts,
            terms=tuple(term for term, _ in kept),
            members=(*(member for member, _ in ties), *beside),
            layout=replace(
                layout,
                term_rows=tuple(rows for _, rows in kept),
                member_rows=(*(rows for _, rows in ties), *(NOTHING for _ in beside)),
            ),
        )

    @cached_property
    def mass(self) -> float:
        """Of everything, with insertions of tubes as described [kg]."""
        return float(
            sum(own.inertia[:, 3].sum() for own in self.inertia)
            + self.bodies.inertia[:, 3].sum()
            + sum(x.mass for x in self.volumes)
        )

    @cached_property
    def viscosity(self) -> float:
        """Largest resistance to rates of stretch and shear, over the largest stiffness [s]."""
        found = [law.viscosity[:, 3:].max(initial=0.0) for law in self.viscous if law is not None]
        of_rods = max(found, default=0.0) / self.model.largest_stiffness if found else 0.0
        return float(max([of_rods, *(x.lag for x in self.volumes)]))


def moving(model: Model) -> Moving:
    """The model with what resists motion; at rest, nothing of it acts."""
    rods = [list[Rod]() for _ in model.parts]
    for place in sorted(model.places.values(), key=lambda place: place.index):
        rods[place.part].append(place.rod)
    inertia: list[Inertia] = []
    viscous: list[Viscous | TubeViscous | None] = []
    parts: list[Part] = []
    for i, (part, own) in enumerate(zip(model.parts, rods, strict=True)):
        points = part.group.points
        if isinstance(part.binding, Fed):
            described = model.inputs.described.values
            inertia.append(TubeInertia.of_mesh(i, part.binding.mesh, described))
            viscous.append(TubeViscous.of_mesh(i, part.binding.mesh))
        else:
            inertia.append(Inertia.of(i, own, points))
            viscous.append(Viscous.of(i, own, points, part.group.assumed))
        parts.append(_resisting(part, (inertia[-1], viscous[-1])))
    heavy = [body for body in model.robot.bodies if body.mass > 0.0 or np.any(body.inertia)]
    bodies = BodyInertia.of(heavy, [model.frames[body.name] for body in heavy])
    terms = (bodies,) if heavy else ()
    volumes = tuple(SolidMotion(solid) for solid, _ in model.with_rows(Solid))
    layout = model.layout
    heavier = replace(
        model,
        parts=tuple(parts),
        terms=(*model.terms, *terms),
        members=(*model.members, *volumes),
        layout=replace(
            layout,
            term_rows=(*layout.term_rows, *(NOTHING for _ in terms)),
            member_rows=(*layout.member_rows, *(NOTHING for _ in volumes)),
        ),
    )
    return Moving(heavier, tuple(inertia), tuple(viscous), bodies, volumes)


def _nothing(model: Model) -> tuple[Member, ...]:
    """What acts on particles without doing anything, so that they are placed; none if none are."""
    empty = ParticleLoads.of([Share(0, np.empty(0, dtype=np.int64), np.empty(0))])
    return (empty,) if len(model.layout.particles) else ()


def _resisting(part: Part, laws: tuple[Law | None, ...]) -> Part:
    """A part with more laws."""
    own = (*part.laws, *(law for law in laws if law is not None))
    posed = np.unique(np.concatenate([part.posed, *(law.posed() for law in own)]))
    return replace(part, laws=own, posed=frozen(posed))
