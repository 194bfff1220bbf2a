"""A slender elastic rod."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from flexura.errors import ModelError
from flexura.robot.check import (
    LARGEST,
    SMALLEST,
    BadField,
    assign,
    bad,
    finite,
    in_range,
    instance,
    moments,
    nonnegative,
    part_name,
    positive,
    vector,
)
from flexura.robot.function import HoldsFunctions, check_importable
from flexura.robot.material import Material
from flexura.robot.materials import check_material
from flexura.robot.piecewise_rest import PiecewiseRest
from flexura.robot.rest import SplineRest
from flexura.robot.section import AnySection, Numbers, UniformSection
from flexura.typing import Array, ArrayLike, Strain, StrainFunction, real_numbers

# Arc lengths that miss the end of a rod by rounding (0.1 + 0.2 > 0.3) are taken as the end.
ROUNDING = 1e-12
# A length typed with seven digits is that of a drawn rest shape.
DRAWN_LENGTH = 1e-6


@dataclass(frozen=True)
class Rod(HoldsFunctions):
    """A rod along its local x axis, from ``base`` (s = 0) to ``tip`` (s = length).

    Attributes:
        name: Name of the rod; its ends are the frames "<name>.base" and "<name>.tip".
        length: Arc length of the unloaded rod [m].
        section: Cross-section, uniform or a ``Taper``.
        material: Material.
        rest: Shape without load: None is straight, three numbers are a constant curvature
            (torsion, bending about y, bending about z) [1/m], six a constant strain (curvature,
            stretch, shear y, shear z) [1/m, -]; a function of s [m] returns three or six. A
            ``SplineRest`` is drawn by control poses, a ``PiecewiseRest`` constant on pieces; both
            have the length of the rod.
        shear_factor: Shear correction factor of the section [-].
        line_mass: Mass per arc length [kg/m], of a rod whose mass is not that of its section; None
            is density times area.
        line_inertia: Moments of inertia per arc length about local x, y and z through the axis of
            the rod [kg·m]; None is those of the mass, spread evenly over the section.
    """

    name: str
    length: float
    section: AnySection
    material: Material
    rest: ArrayLike | SplineRest | PiecewiseRest | StrainFunction | None = None
    shear_factor: float = 1.0
    line_mass: float | None = None
    line_inertia: ArrayLike | None = None

    def __post_init__(self) -> None:
        assign(self, name=part_name("Rod", self.name))
        assign(
            self,
            length=positive(self._who, "length", self.length),
            shear_factor=positive(self._who, "shear_factor", self.shear_factor),
        )
        instance(self._who, "section", self.section, AnySection)
        check_material(self._who, self.material)
        if self.rest is not None and not callable(self.rest):
            rest = vector(self._who, "rest", self.rest, (3, 6))
            assign(self, rest=rest)
        self._check_drawn_length()
        self._check_line()
        ends_and_middle = self.length * np.array([0.0, 0.5, 1.0])
        self.rest_strain(ends_and_middle)
        self._check_constants(ends_and_middle)

    def __getstate__(self) -> dict[str, Any]:
        if callable(self.rest):
            remedy = "or give numbers or rest_from_spline(...)"
            check_importable(self._who, "rest", self.rest, remedy)
        return vars(self)

    @property
    def _who(self) -> str:
        return f"Rod {self.name!r}"

    def clamp(self, s: float, who: str | None = None, field: str = "s") -> float:
        """The arc length s [m], checked to lie on the rod and freed from rounding at its tip.

        An error names ``field`` of ``who``, which is the rod itself if nobody else.
        """
        s = finite(who or self._who, field, s)
        if not 0.0 <= s <= self.length * (1.0 + ROUNDING):
            allowed = f"in [0, {self.length}] m, on rod {self.name!r}"
            raise bad(who or self._who, field, allowed, s, "arc length runs from base to tip")
        return min(s, self.length)

    def lengths(self, s: ArrayLike) -> Array:
        """Arc lengths s [m] as an array, each as ``clamp`` has it."""
        if not isinstance(s, list | tuple) and np.ndim(s) == 0:
            return np.array(self.clamp(cast(float, s)))
        try:
            lengths = real_numbers(s)
        except (TypeError, ValueError) as error:
            raise bad(self._who, "s", "arc lengths [m]", s, "write plain numbers") from error
        for x in lengths[~((lengths >= 0.0) & (lengths <= self.length))].tolist():
            self.clamp(x)
        return np.minimum(lengths, self.length)

    def section_at(self, s: float) -> UniformSection:
        """The cross-section at arc length s [m]."""
        return self.section.at(self.clamp(s) / self.length)

    def section_constants(self, s: ArrayLike) -> Array:
        """Area [m²], iy, iz and torsion [m⁴] of the section at arc lengths s [m], (..., 4)."""
        lengths = self.lengths(s)
        return _side_by_side(self.section.constants(lengths / self.length), lengths.shape)

    def stiffness(self, s: ArrayLike) -> Array:
        """Diagonal of the section stiffness at arc lengths s [m].

            K = diag(G J, E Iy, E Iz, E A, k G A, k G A)

        Returns:
            Torsion, bending about y and z [N·m²], stretch, shear along y and z [N], (..., 6).
        """
        lengths = self.lengths(s)
        area, iy, iz, torsion = self.section.constants(lengths / self.length)
        E, G = self.material.young, self.material.shear_modulus
        shear = self.shear_factor * G * area
        diagonal = [G * torsion, E * iy, E * iz, E * area, shear, shear]
        return _side_by_side(diagonal, lengths.shape)

    def viscosity(self, s: ArrayLike) -> Array:
        """Diagonal of the section's resistance to rates of strain at arc lengths s [m].

            D = η diag(J, 3 Iy, 3 Iz, 3 A, A, A)

        of an incompressible material of viscosity η, whose fibres resist being stretched three
        times as much as being sheared.

        Returns:
            Torsion, bending about y and z [N·m²·s], stretch, shear along y and z [N·s], (..., 6).
        """
        lengths = self.lengths(s)
        area, iy, iz, torsion = self.section.constants(lengths / self.length)
        diagonal = [torsion, 3.0 * iy, 3.0 * iz, 3.0 * area, area, area]
        return self.material.viscosity * _side_by_side(diagonal, lengths.shape)

    def inertia(self, s: ArrayLike) -> Array:
        """Diagonal of the section's inertia per arc length at arc lengths s [m].

            M = diag(ρ (Iy + Iz), ρ Iy, ρ Iz, ρ A, ρ A, ρ A)

        with ``line_mass`` for ρ A, and ρ = line_mass / A then, and ``line_inertia`` for the
        moments, where they are given.

        Returns:
            About x, y and z [kg·m], along x, y and z [kg/m], (..., 6).
        """
        lengths = self.lengths(s)
        area, iy, iz, _ = self.section.constants(lengths / self.length)
        mass = self.mass_per_length(lengths)
        about = [mass / area * moment for moment in (iy + iz, iy, iz)]
        diagonal = np.stack([*about, mass, mass, mass], axis=-1)
        if self.line_inertia is not None:
            diagonal[..., :3] = self.line_inertia
        return diagonal

    def rest_strain(self, s: ArrayLike) -> Strain:
        """Strain of the unloaded rod at arc lengths s [m]: straight is (0, 0, 0, 1, 0, 0).

        Returns:
            Curvature (torsion, bending y, z) [1/m], stretch and shear y, z [-], (..., 6).
        """
        lengths = self.lengths(s)
        if isinstance(self.rest, PiecewiseRest):
            return self.rest.strains(lengths)
        if callable(self.rest):
            found = [self._strain(self._call_rest(x), x) for x in lengths.ravel().tolist()]
            return np.array(found).reshape(*lengths.shape, 6)
        values = (0.0, 0.0, 0.0) if self.rest is None else cast(tuple[float, ...], self.rest)
        return _side_by_side(self._strain(values, 0.0), lengths.shape)

    def piece(self, begin: float, end: float) -> "Rod":
        """The rod between two arc lengths [m], as a rod of its own."""
        begin, end = self.clamp(begin, field="begin"), self.clamp(end, field="end")
        if (begin, end) == (0.0, self.length):
            return self
        rest = self.rest
        if callable(rest):
            whole = cast(StrainFunction, rest)
            rest = lambda s: whole(min(begin + s, end))  # noqa: E731
        section = self.section.between(begin / self.length, end / self.length)
        return replace(self, length=end - begin, section=section, rest=rest)

    @property
    def kinks(self) -> tuple[float, ...]:
        """Arc lengths inside the rod where its rest strain is not smooth, as far as known [m]."""
        return self.rest.knots if isinstance(self.rest, SplineRest | PiecewiseRest) else ()

    def mass_per_length(self, s: ArrayLike) -> Array:
        """Mass per arc length at s [m], in [kg/m]."""
        if self.line_mass is not None:
            return np.full(self.lengths(s).shape, self.line_mass)
        return self.material.density * self.section_constants(s)[..., 0]

    def _strain(self, given: tuple[float, ...], s: float) -> Strain:
        """The strain of three or six numbers that ``rest`` has at s [m], (6,)."""
        strain = np.array(given if len(given) == 6 else (*given, 1.0, 0.0, 0.0))
        if strain[3] <= 0.0:
            allowed = f"a strain whose stretch, the fourth number, is > 0 (s = {s} m)"
            raise bad(self._who, "rest", allowed, given, "the stretch of an unloaded rod is 1")
        return strain

    def _call_rest(self, s: float) -> tuple[float, ...]:
        """The numbers that the user's function returns at s."""
        try:
            found = cast(StrainFunction, self.rest)(s)
        except Exception as error:
            raise BadField(
                f"{self._who}: rest(s) failed at s = {s} m with {type(error).__name__}: "
                f"{error}; it must return 3 curvatures or 6 strains for all s in "
                f"[0, {self.length}] m",
                "rest",
            ) from error
        return vector(f"{self._who} at s = {s} m", "rest", found, (3, 6))

    def _check_drawn_length(self) -> None:
        """Refuse a drawn rest shape, or one in pieces, of another length."""
        if isinstance(self.rest, SplineRest | PiecewiseRest):
            drawn = self.rest.length
            if abs(self.length - drawn) > DRAWN_LENGTH * drawn:
                kind = "drawn" if isinstance(self.rest, SplineRest) else "given in pieces"
                allowed = f"{drawn!r} m, as long as the rest shape is {kind}"
                raise bad(self._who, "length", allowed, self.length, "write length=rest.length")
        if isinstance(self.rest, PiecewiseRest):
            for end, strain in self.rest.pieces:
                self._strain(cast(tuple[float, ...], strain), end)

    def _check_line(self) -> None:
        """Refuse a mass or moments of inertia per arc length that no rod has."""
        if self.line_mass is not None:
            assign(self, line_mass=nonnegative(self._who, "line_mass", self.line_mass))
        if self.line_inertia is not None:
            heavy = self.material.density if self.line_mass is None else self.line_mass
            found = moments(self._who, "line_inertia", self.line_inertia, heavy > 0.0)
            assign(self, line_inertia=found)

    def _check_constants(self, s: Array) -> None:
        """Refuse a stiffness, also of the whole rod, or a mass beyond the range of numbers."""
        stiffness, mass = self.stiffness(s), self.mass_per_length(s)
        whole = stiffness[:, :3] / self.length / self.length
        if in_range(stiffness) and in_range(whole) and mass.max() <= LARGEST:
            return
        fine = [in_range(row) for row in np.column_stack([stiffness, whole])]
        i = int(np.argmin(fine & (mass <= LARGEST)))
        raise ModelError(
            f"{self._who}: its stiffness at s = {s[i]} m comes out as {stiffness[i].tolist()}, "
            f"its bending and torsion over the length squared as {whole[i].tolist()} N and its "
            f"mass as {mass[i]} kg/m, but must be from {SMALLEST:g} to {LARGEST:g}; check the "
            "units of length, section and material"
        )


def _side_by_side(values: Sequence[Numbers] | Array, shape: tuple[int, ...]) -> Array:
    """The k values, each one number or an array of that shape, as one array (*shape, k)."""
    found = np.array(values)
    if found.ndim > 1:
        return np.moveaxis(found, 0, -1)
    return np.tile(found, (*shape, 1)) if shape else found
