"""Section V-A3 in one call from the straight rod: which equilibrium is found."""

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.strain_models_comparison import cases
from benchmarks.table import Table

MODELS = {
    "Spline(3, 9)": fx.Spline(3, 9),
    "LinearStrain(8)": fx.LinearStrain(8),
    "VariableStrain()": fx.VariableStrain(),
    "ConstantStrain(16)": fx.ConstantStrain(16),
    "RotationInterpolation(1)": fx.RotationInterpolation(1),
    "RotationInterpolation(4)": fx.RotationInterpolation(4),
}
# Other minima differ from the lowest by more than 20 % of the length somewhere, models by less than
# 6 %.
SAME = 0.1


def run(quick: bool = False) -> Table:
    """Solve for every twist angle with every model, without a start.

    Args:
        quick: only the twist angles 0 and pi/2.
    """
    robot = cases.held_rod()
    exact = fx.build(robot, rods=cases.EXACT)
    models = {name: fx.build(robot, rods=rods) for name, rods in MODELS.items()}
    rows, data = [], {}
    for reading in cases.READINGS:
        truths = cases.follow(exact, cases.bending_torsion(reading))
        pairs = list(zip(cases.ANGLES, truths, strict=True))
        for theta, truth in track(pairs[:3:2] if quick else pairs, reading):
            row = [reading, f"{theta / np.pi:g} pi", f"{truth.energy / _bending():.4f}"]
            for name, model in models.items():
                pose = cases.bent_and_twisted(reading, theta)
                result = fx.statics(model, {"grip": pose})
                error = result.energy / truth.energy - 1.0
                lowest = result.converged and distance(result, truth, theta) < SAME
                data[reading, float(theta), name] = {
                    "error": error, "lowest": lowest, "result": result,
                }  # fmt: skip
                row.append(_cell(result, error, lowest))
            rows.append(row)
    return Table(
        title="energy error in one call from straight [%], (iterations)",
        header=("reading", "theta", "U / EI [1/m]", *MODELS),
        rows=rows,
        notes=[
            "U / EI: the lowest minimum. 'other': another equilibrium was found; 'none': no "
            "convergence."
        ],
        data=data,
    )


def distance(result: fx.StaticResult, truth: fx.StaticResult, theta: float) -> float:
    """Largest distance from the exact shape, over the length.

    At 0 and pi the mirror image is an equilibrium of the same energy.
    """
    s = np.linspace(0.0, cases.LENGTH, 41)
    own, other = (x.pose("rod", s)[:, :3, 3] for x in (result, truth))
    far = float(np.linalg.norm(own - other, axis=1).max())
    if abs(np.sin(theta)) < 1e-9:
        mirrored = other * (1.0, -1.0, 1.0)
        far = min(far, float(np.linalg.norm(own - mirrored, axis=1).max()))
    return far / cases.LENGTH


def _bending() -> float:
    return float(cases.reference("P001_bending_torsion")["EI"])


def _cell(result: fx.StaticResult, error: float, lowest: bool) -> str:
    if not result.converged:
        return f"none ({result.iterations})"
    found = f"{100.0 * error:+.3f} ({result.iterations})"
    return found if lowest else f"other, {found}"
