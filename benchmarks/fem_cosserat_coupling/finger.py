"""The cable's own stiffness changes the finger's motion; sections converge; work is stored."""

import numpy as np

import flexura as fx
from benchmarks.fem_cosserat_coupling.scenes import finger
from benchmarks.progress import track
from benchmarks.table import Table

WAY = 4e-3  # the cable is pulled by [m]
RADII = (0.5e-3, 1.0e-3, 1.5e-3, 2.0e-3, 2.5e-3)


def run(quick: bool = False) -> Table:
    """Pull the cable, as a tendon without stiffness and as rods.

    Args:
        quick: fewer sections and radii.
    """
    cases = [("tendon, by length", None, None)]
    cases += [(f"{n} sections, 0.5 mm", 0.5e-3, n) for n in ((6, 15) if quick else (6, 15, 80))]
    radii = RADII[1:3] if quick else RADII[1:]
    cases += [(f"15 sections, {1e3 * radius:g} mm", radius, 15) for radius in radii]
    rows, found = [], {}
    for name, radius, sections in track(cases, "finger"):
        if radius is None:
            model = fx.build(finger(cable=False))
        else:
            model = fx.build(finger(radius), rods=fx.ConstantStrain(sections))
        lift, force, missing = _pulled(model, radius is None)
        rows.append([name, f"{1e3 * lift:.3f}", f"{force:.4f}", f"{missing:.1e}"])
        found[name] = (lift, force, missing)
    bent = fx.build(finger(1.5e-3, rest=(0.0, 20.0, 0.0)), rods=fx.ConstantStrain(15))
    result = fx.statics(bent).unwrap()
    lift = float(result.volume("finger").displacements[-1, 2])
    rows.append(["pre-bent, 1.5 mm, not pulled", f"{1e3 * lift:.3f}", "-", "-"])
    found["pre-bent"] = (lift, 0.0, 0.0)
    return Table(
        title=f"a finger whose cable is pulled by {1e3 * WAY:g} mm",
        header=("cable", "motion of the tip across [mm]", "pull [N]", "work not stored"),
        rows=rows,
        notes=["Work of the pull between 3.9 and 4.1 mm against the change of energy, relative."],
        data=found,
    )


def _pulled(model: fx.Model, tendon: bool) -> tuple[float, float, float]:
    """Motion of the tip, pull, and by how much work and energy differ."""
    ways = WAY + np.array([-1e-4, 0.0, 1e-4])
    results = [fx.statics(model, {"pull": float(x)}).unwrap() for x in ways]
    middle = results[1]
    force = middle.tension("pull") if tendon else middle.torque("pull")
    work = force * (ways[2] - ways[0])
    missing = abs((results[2].energy - results[0].energy) / work - 1.0)
    return float(middle.volume("finger").displacements[-1, 2]), float(force), float(missing)
