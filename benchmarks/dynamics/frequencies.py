"""Natural frequencies of cantilevers: uniform and tapered, Timoshenko's and Euler and Bernoulli's.

References solve the characteristic equations of the beams; ``reference/natural_frequencies.json``
names the publications that they agree with.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Claim, Table, largest
from flexura.typing import Array

FILE = Path(__file__).parent / "reference" / "natural_frequencies.json"
# Euler and Bernoulli's beam does not shear, and its sections turn without inertia: GA L² is so many
# EI. The fifth frequency is lower by 110 of its inverse: 1e-8.
STIFF = 1e10
# Inertia of sections against turning, relative to that of the whole rod.
FLAT = 1e-12
CHOICES: Mapping[str, fx.Spline | fx.Hermite | fx.LinearStrain | fx.VariableStrain] = {
    "Spline(5, 32)": fx.Spline(5, 32),
    "Hermite(40)": fx.Hermite(40),
    "LinearStrain(128)": fx.LinearStrain(128),
    "VariableStrain(20)": fx.VariableStrain((20,) * 6, steps=200),
}
QUICK = ("Spline(5, 32)",)
# Between poses that are unknowns, a stiffness of STIFF leaves few digits to bending; the mixed
# splines and strains as unknowns do not mind.
NO_STIFF = ("LinearStrain(128)",)
TORSION, STRETCH, BENDING = 0, 3, 5  # numbers of a twist
# Relative, of all frequencies and all descriptions.
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Case:
    """A cantilever.

    Attributes:
        name: of the case.
        rod: what vibrates.
        along: what moves, TORSION, STRETCH or BENDING along z.
        omega: reference [rad/s].
        stiff: whether it does not shear.
    """

    name: str
    rod: fx.Rod
    along: int
    omega: Array
    stiff: bool = False


def run(quick: bool = False) -> Table:
    """Compare all frequencies.

    Args:
        quick: only one description.
    """
    chosen = {name: CHOICES[name] for name in (QUICK if quick else CHOICES)}
    rows, found = [], {}
    for case in track(list(cases()), "frequencies"):
        cells = []
        for name, choice in chosen.items():
            if case.stiff and name in NO_STIFF:
                cells.append("-")
                continue
            found[case.name, name] = error(case, choice)
            cells.append(f"{found[case.name, name]:.1e}")
        rows.append([case.name, str(len(case.omega)), *cells])
    return Table(
        title="natural frequencies of cantilevers, largest relative error",
        header=("case", "frequencies", *chosen),
        rows=rows,
        notes=[f"Tolerance {TOLERANCE:g}."],
        data=found,
    )


def claims(table: Table) -> Iterator[Claim]:
    """The worst of all cases and descriptions."""
    worst = largest([cell for row in table.rows for cell in row[2:]])
    what = "natural frequencies of cantilevers"
    yield Claim(what, "closed forms", "closed forms", f"{worst} off, relative")


def error(case: Case, choice: Any) -> float:
    """Largest relative error of the frequencies of a case."""
    ours = frequencies(case, choice)
    return float(np.abs(ours / case.omega - 1.0).max())


def frequencies(case: Case, choice: Any) -> Array:
    """Ours [rad/s]."""
    robot = fx.Robot("beam", [case.rod], joints=[fx.Weld("world", "rod.base")])
    result = fx.statics(fx.build(robot, rods=choice)).unwrap()
    found, count = np.empty(0), 4 * len(case.omega)
    while len(found) < len(case.omega):
        modes = fx.modes(result, count)
        own = [i for i in range(len(modes)) if _moves(modes, i) == case.along]
        if case.along == BENDING and _round(case.rod):  # along y and along z alike
            own = own[::2]
        found, count = modes.frequency[own], 2 * count
    return np.asarray(2.0 * np.pi * found[: len(case.omega)])


def _twists(modes: fx.Modes, mode: int) -> Array:
    """Sizes of the numbers of twists along the rod, rotations times a tenth of the length."""
    length = modes.result.model.length
    s = length * np.array([0.37, 0.71, 1.0])
    sizes = np.abs(modes.twist(mode, "rod", s)).max(axis=0)
    return np.asarray(sizes * np.repeat([0.1 * length, 1.0], 3))


def _moves(modes: fx.Modes, mode: int) -> int:
    """What a mode moves: torsion, stretch or bending, of a round rod along any direction."""
    sizes = _twists(modes, mode)
    if _round(modes.result.model.robot.rods[0]):
        sizes[BENDING] = np.linalg.norm(sizes[4:])
        sizes[4] = 0.0
    kinds = (TORSION, STRETCH, 4, BENDING)
    return kinds[int(np.argmax(sizes[list(kinds)]))]


def _round(rod: fx.Rod) -> bool:
    """Whether it bends alike about y and z."""
    stiffness = rod.stiffness([0.0, rod.length])
    return bool(np.allclose(stiffness[:, 1], stiffness[:, 2], rtol=1e-12))


def cases() -> Iterator[Case]:
    """All of them."""
    data = json.loads(FILE.read_text())["reference"]
    yield from _uniform(data)
    for name, ratio in (("EB_cone_c=0.5", 0.5), ("EB_cone_c=0.25", 0.25)):
        section = fx.Taper(fx.Circle(0.01), fx.Circle(0.01 * ratio))
        rod = _flat(fx.Rod("rod", 1.0, section, _stiff(1e9, 0.01**2 / 4.0)))
        scale = np.sqrt(1e9 * 0.01**2 / 4.0 / 1000.0)
        yield Case(f"cone to {ratio:g}", rod, BENDING, np.array(data[name]["omega"]) * scale, True)
    section = fx.Taper(fx.Rectangle(0.05, 0.02), fx.Rectangle(0.05, 0.01))
    rod = _flat(fx.Rod("rod", 1.0, section, _stiff(1e9, 0.02**2 / 12.0)))
    scale = np.sqrt(1e9 * 0.02**2 / 12.0 / 1000.0)
    yield Case(
        "wedge to 0.5", rod, BENDING, np.array(data["EB_wedge_c=0.5"]["omega"]) * scale, True
    )
    for name in ("seed000_3_to_1.5cm", "seed000_5_to_3cm"):
        yield from _arm(name, data[name])


def _uniform(data: Mapping[str, Any]) -> Iterator[Case]:
    """Uniform rods of steel."""
    for factor in (1.0, 0.9):
        entry = data[f"timoshenko_steel_rod_ks={factor:g}"]
        steel = fx.Material(young=entry["E"], poisson=entry["nu"], density=entry["rho"])
        rod = fx.Rod("rod", entry["L"], fx.Circle(entry["r"]), steel, shear_factor=factor)
        name = f"Timoshenko, shear factor {factor:g}"
        yield Case(name, rod, BENDING, np.array(entry["omega_rad_s"]))
    n = np.arange(1, 6)
    for name, along, modulus in (
        ("stretch", STRETCH, steel.young),
        ("torsion", TORSION, steel.shear_modulus),
    ):
        yield Case(name, rod, along, (2 * n - 1) * np.pi / 2.0 * np.sqrt(modulus / steel.density))
    thin = _flat(fx.Rod("rod", 1.0, fx.Circle(0.01), _stiff(1e9, 0.01**2 / 4.0)))
    factors = np.array(data["euler_bernoulli_cantilever"]["omega_factor"])
    scale = np.sqrt(1e9 * 0.01**2 / 4.0 / 1000.0)
    yield Case("Euler and Bernoulli", thin, BENDING, factors * scale, stiff=True)


def _arm(name: str, entry: Mapping[str, Any]) -> Iterator[Case]:
    """A soft arm that tapers, with shear and without."""
    section = fx.Taper(fx.Circle(entry["r0"]), fx.Circle(entry["r1"]))
    soft = fx.Material(young=entry["E"], poisson=entry["nu"], density=entry["rho"])
    rod = fx.Rod("rod", entry["L"], section, soft, shear_factor=entry["ks"])
    words = name.removeprefix("seed000_").replace("_", " ")
    yield Case(f"soft arm {words}", rod, BENDING, np.array(entry["timoshenko_omega"]))
    stiff = _flat(replace(rod, material=_stiff(entry["E"], entry["r0"] ** 2 / 4.0)))
    name = f"soft arm {words}, Euler and Bernoulli"
    yield Case(name, stiff, BENDING, np.array(entry["euler_bernoulli_omega"]), stiff=True)


def _stiff(young: float, square: float) -> fx.Material:
    """A material that hardly shears in a section with this second moment over its area."""
    return fx.Material(young=young, shear=STIFF * young * square, density=1000.0)


def _flat(rod: fx.Rod) -> fx.Rod:
    """The rod with sections that turn with hardly any inertia."""
    turning = FLAT * 1000.0 * rod.section_constants(0.0)[0]
    return replace(rod, line_inertia=(turning, 0.5 * turning, 0.5 * turning))
