"""What in a description looks like a slip, of units above all: questions, not errors."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from flexura.robot.body import Body
from flexura.robot.load import Gravity, Load
from flexura.robot.rod import Rod
from flexura.robot.same_place import same_places
from flexura.robot.section import Section
from flexura.robot.tendon import Tendon
from flexura.robot.volume import Volume
from flexura.typing import Array, ArrayLike

# Rods of soft robots are at least four times as long as thick; a cube is no rod.
STUBBY = 2.0
# Gels of one kilopascal are the softest that robots are made of; steel in gigapascals is 210.
SOFTEST = 1e3
# Sound runs through diamond at 18 km/s, and nowhere faster; through steel of 7.8 kg/m³ at 164.
FASTEST = 25e3
# Silicone that is half magnets has 4300 kg/m³, and a megapascal; lead, the softest metal, 16e9 Pa.
DENSE, TOO_SOFT = 5e3, 2e6
# Centrifuges aside, nothing that robots feel is a hundred times as heavy as on the ground.
HEAVIEST = 1e3
# Foams have 20 kg/m³; rubber in grams per cubic centimetre has 1.1. Heavier than metals are rods
# whose density stands for what they carry, too.
LIGHTEST = 10.0
# A fibre that is strained by more than this is rare, even in silicone; or in what is as stiff as
# metals and composites, of which nitinol bears most, 8 to 10 %.
BEARABLE, BEARABLE_IN_METALS, METALS = 1.0, 0.2, 2e10
# Soft bodies that are cast or printed are at most some metres long; a finger in millimetres is 80.
LONGEST = 5.0
# Rods of robots are no longer or thicker; a wire in millimetres is 200 long, and 1 thick.
LONGEST_ROD, THICKEST_ROD = 30.0, 0.3


def doubts(
    rods: Sequence[Rod],
    tendons: Sequence[Tendon] = (),
    volumes: Sequence[Volume] = (),
    loads: Sequence[Load] = (),
    bodies: Sequence[Body] = (),
) -> tuple[str, ...]:
    """What looks like a slip of units in rods, tendons and volumes: one sentence for each kind.

    Rods as thick as they are long, or larger than those of robots, volumes of many metres or
    without weight, rods without it where nothing has any, both softer than any gel or any metal
    that is as dense, too light for how stiff they are or lighter than foams, and tendons farther
    from their rods than these are long; gravity that would crush all. Where constants of a section
    are given by themselves, units may be any.
    Also volumes in the same place.
    """
    known = [rod for rod in rods if not isinstance(rod.section, Section)]
    solid = [rod for rod in known if rod.line_mass is None]
    return (
        *_of_rods(known),
        *_of_materials(known, solid),
        *_of_tendons(tendons, {rod.name: rod for rod in rods}),
        *_of_volumes(volumes),
        *_of_materials(volumes, volumes),
        *_of_gravity(rods, volumes, bodies, loads),
        *same_places(volumes),
    )


def _of_rods(rods: Sequence[Rod]) -> Iterator[str]:
    """Rods as thick as they are long, or too large."""
    large = [x for x in rods if x.length > LONGEST_ROD or thickness(x) > THICKEST_ROD]
    stubby = [rod for rod in rods if rod.length < STUBBY * thickness(rod)]
    if stubby:
        yield (
            f"{_named(stubby)} is {stubby[0].length:.3g} m long and about "
            f"{thickness(stubby[0]):.3g} m thick: is that meant? Lengths and sections are in "
            "metres, and a rod is longer than thick"
        )
    elif large:
        yield (
            f"{_named(large)} is {large[0].length:.3g} m long and about {thickness(large[0]):.3g} "
            "m thick: is that meant? Lengths and sections are in metres: multiply millimetres by "
            "1e-3"
        )


def _of_volumes(volumes: Sequence[Volume]) -> Iterator[str]:
    """Volumes of many metres."""
    large = [volume for volume in volumes if volume.mesh.size > LONGEST]
    if large:
        yield (
            f"{_named(large)} is {large[0].mesh.size:.3g} m long from corner to corner: is that "
            "meant? Points of meshes are in metres: multiply millimetres by 1e-3"
        )


def _of_gravity(
    rods: Sequence[Rod], volumes: Sequence[Volume], bodies: Sequence[Body], loads: Sequence[Load]
) -> Iterator[str]:
    """Volumes without a density where gravity acts, and rods where it acts on nothing; too much.

    Rods without one beside what is heavy are springs, and those of no ``line_mass`` were told so.
    """
    acting = [x for x in loads if isinstance(x, Gravity) and np.any(x.acceleration)]
    heavy = any(x.mass for x in bodies) or any(x.line_mass or _dense(x) for x in rods)
    light: list[Rod | Volume] = [volume for volume in volumes if not _dense(volume)]
    if not (volumes or heavy):
        light += [rod for rod in rods if rod.line_mass is None]
    if acting and light:
        yield (
            f"{_named(light)} has no density, and {acting[0].name!r} does nothing to it: is that "
            "meant? Give Material(..., density=...) in kilograms per cubic metre; rubber has about "
            "1100, steel 7800"
        )
    for load in acting:
        size = float(np.linalg.norm(load.acceleration))
        if size > HEAVIEST:
            yield (
                f"{load.name!r} is {size:.3g} m/s²: is that meant? Accelerations are in metres per "
                "second squared; that of the earth is 9.81"
            )
            return


def _dense(part: Rod | Volume) -> bool:
    """Whether it is made of what weighs anything."""
    return part.material.density > 0.0 and getattr(part, "line_mass", None) is None


def _of_materials(parts: Sequence[Rod | Volume], solid: Sequence[Rod | Volume]) -> Iterator[str]:
    """Rods or volumes that are too soft, or too light where densities of materials count."""
    soft = [part for part in parts if part.material.young < SOFTEST]
    limp = [x for x in solid if x.material.density > DENSE and x.material.young < TOO_SOFT]
    if soft:
        yield (
            f"{_named(soft)} has a Young's modulus of {soft[0].material.young:.3g} Pa, softer than "
            "a gel: is that meant? Moduli are in pascals; rubber has about 1e6, steel 210e9"
        )
    elif limp:
        young, density = limp[0].material.young, limp[0].material.density
        yield (
            f"{_named(limp)} has a Young's modulus of {young:.3g} Pa and {density:.4g} kg/m³, as "
            "dense as metals, and softer than any: is that meant? Moduli are in pascals; steel has "
            "210e9, nitinol 60e9"
        )
    light = [x for x in solid if 0.0 < x.material.density * FASTEST**2 < x.material.young]
    airy = [x for x in solid if 0.0 < x.material.density < LIGHTEST]
    if light:
        young, density = light[0].material.young, light[0].material.density
        yield (
            f"{_named(light)} has a density of {density:.3g} kg/m³ and a Young's modulus of "
            f"{young:.3g} Pa, too light for how stiff it is: is that meant? Densities are in "
            "kilograms per cubic metre; rubber has about 1100, steel 7800"
        )
    elif airy:
        yield (
            f"{_named(airy)} has a density of {airy[0].material.density:.3g} kg/m³, lighter than a "
            "foam: is that meant? Densities are in kilograms per cubic metre; rubber has about "
            "1100, steel 7800"
        )


def _of_tendons(tendons: Sequence[Tendon], rods: Mapping[str, Rod]) -> Iterator[str]:
    """Tendons farther from their rods than these are long."""
    for tendon in tendons:
        length = sum(rods[name].length for name in tendon.rods)
        offset = max(np.linalg.norm(hole.offset) for hole in tendon.touches(rods))
        if offset > length:
            yield (
                f"tendon {tendon.name!r} runs {offset:.3g} m beside rods that are {length:.3g} m "
                "long: is that meant? Offsets are in metres"
            )
            return


def thickness(rod: Rod) -> float:
    """Diameter of the round rod that bends as easily as this one does in its middle [m]."""
    return 2.0 * float(_half_heights(rod, 0.5 * rod.length).min())


def bearable(rod: Rod) -> float:
    """A strain that is rare in what a rod is made of; units of bare constants may be any."""
    metal = rod.material.young >= METALS and not isinstance(rod.section, Section)
    return BEARABLE_IN_METALS if metal else BEARABLE


def fibre_factors(rod: Rod, s: ArrayLike) -> Array:
    """What strains at arc lengths s [m] do to outermost fibres, over what these bear, (..., 6).

    The first is a distance [m], or 1.
    """
    bending = _half_heights(rod, s)
    twist = bending.max(axis=-1, keepdims=True)
    factors = np.concatenate([twist, bending, np.ones((*twist.shape[:-1], 3))], axis=-1)
    return np.asarray(factors / bearable(rod))


def _half_heights(rod: Rod, s: ArrayLike) -> Array:
    """Distance of the outermost fibres from the axis for bending about y and z [m]: 2 √(I / A).

    Exact for a round section, 15 % more than half of its side for a rectangle.
    """
    constants = rod.section_constants(s)
    return np.asarray(2.0 * np.sqrt(constants[..., 1:3] / constants[..., :1]))


def _named(parts: Sequence[Rod | Volume]) -> str:
    """The first rod or volume by its name, and how many more there are."""
    more = f", as {len(parts) - 1} more," if len(parts) > 1 else ""
    return f"{type(parts[0]).__name__.lower()} {parts[0].name!r}{more}"
