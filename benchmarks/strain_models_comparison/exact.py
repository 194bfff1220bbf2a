"""Whether the exact solution that models are compared with is exact: P001 and P001b."""

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.strain_models_comparison import cases
from benchmarks.table import Table

TOLERANCE = 1e-6  # of energy, curvature (over the largest) and position


def run(quick: bool = False) -> Table:
    """Follow the bending-torsion test and compare where there are references.

    Args:
        quick: changes nothing, this is quick.
    """
    data = cases.reference("P001_bending_torsion")
    model = fx.build(cases.held_rod(), rods=cases.EXACT)
    rows, found = [], {}
    for reading in track(list(cases.READINGS), "exact"):
        results = dict(
            zip(cases.ANGLES, cases.follow(model, cases.bending_torsion(reading)), strict=True)
        )
        for entry in data["readings"][reading]:
            theta = min(cases.ANGLES, key=lambda angle, entry=entry: abs(angle - entry["theta"]))
            errors = _errors(results[theta], entry, data["EI"])
            found[reading, float(theta)] = errors
            rows.append([reading, f"{theta / np.pi:g} pi", *(f"{x:.1e}" for x in errors.values())])
    [half_circle] = cases.follow(model, [cases.bending()[-1]])
    strain = half_circle.strain("rod", np.linspace(0.0, cases.LENGTH, 21))[:, :3]
    uniform = {
        "energy": abs(half_circle.energy / (0.5 * np.pi**2 * data["EI"]) - 1.0),
        "curvature": float(np.abs(strain - [0.0, np.pi, 0.0]).max() / np.pi),
    }
    found["half circle", 0.0] = uniform
    rows.append(["half circle", "", *(f"{x:.1e}" for x in uniform.values()), ""])
    return Table(
        title="the exact solution against the references",
        header=("reading", "theta", "energy", "curvature", "position / L"),
        rows=rows,
        notes=["Relative; curvature over the largest one."],
        data=found,
    )


def _errors(result: fx.StaticResult, entry: dict, bending_stiffness: float) -> dict[str, float]:
    """Relative errors of an equilibrium; at pi, its mirror image is the same."""
    curvature, position = (np.array(entry[key]) for key in ("curvature", "position"))
    s = np.linspace(0.0, cases.LENGTH, len(position))
    own = result.strain("rod", s)[:, :3]
    place = result.pose("rod", s)[:, :3, 3]
    mirrored = place[:, 1] @ position[:, 1] < 0.0
    flip = np.array([-1.0, 1.0, -1.0]) if mirrored else np.ones(3)
    return {
        "energy": abs(result.energy / bending_stiffness / entry["energies"][0] - 1.0),
        "curvature": float(np.abs(flip * own - curvature).max() / np.abs(curvature).max()),
        "position": float(
            np.linalg.norm(place * (1.0, flip[0], 1.0) - position, axis=1).max() / cases.LENGTH
        ),
    }
