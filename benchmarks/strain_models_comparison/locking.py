"""Splines on the thin rod of P001b: with and without forces as unknowns of their own."""

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.strain_models_comparison import cases
from benchmarks.table import Table, verdict

CONTROL_POSES = (12, 20, 40)
DEGREE = 3
TARGET = 1e-3  # relative error of the energy, of 12 control poses


def run(quick: bool = False) -> Table:
    """Energy errors against the inextensible rod.

    Args:
        quick: leave out 40 control poses.
    """
    data = cases.reference("P001_bending_torsion")
    robot = cases.held_rod()
    rows, errors = [], {}
    for poses in track(CONTROL_POSES[:2] if quick else CONTROL_POSES, "locking"):
        found = {
            assumed: cases.follow(
                fx.build(robot, rods=fx.Spline(DEGREE, poses - DEGREE, assumed_strain=assumed)),
                cases.bending_torsion("P001b"),
            )
            for assumed in (False, True)
        }
        for entry in data["readings"]["P001b"]:
            index = int(np.argmin(np.abs(cases.ANGLES - entry["theta"])))
            theta = float(cases.ANGLES[index])
            exact = data["EI"] * entry["energies"][0]
            cells = []
            for assumed, results in found.items():
                error = results[index].unwrap().energy / exact - 1.0
                errors[poses, theta, assumed] = error
                cells.append(f"{100.0 * error:+.3f}")
            target = verdict(abs(errors[poses, theta, True]), TARGET)
            rows.append([str(poses), f"{theta / np.pi:g} pi", *cells, target])
    return Table(
        title="energy error of cubic splines on P001b [%]",
        header=("control poses", "theta", "assumed_strain=False", "default", "within 0.1 %"),
        rows=rows,
        notes=["Against the inextensible rod; stretch and shear of the real one lower the energy."],
        data=errors,
    )
