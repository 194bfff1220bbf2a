"""The small problem of contacts with friction: residual against iterations, of both solvers.

Block Gauss-Seidel, contact by contact, and Newton's method on the projections of Alart and Curnier
with what it falls back to, both from nothing, on problems in the compliance of robots.
"""

import time

import numpy as np

import flexura as fx
from benchmarks.table import Table
from flexura.model.assemble import Assembly
from flexura.solve.coulomb import Rows, solve_coulomb
from flexura.solve.equilibrium import factorised
from flexura.solve.touching import ContactTangent, before, gaps, small_problem

SWEEPS = (10, 100, 1000, 10000)
YIELDING = 1e-6  # what contacts give, relative to the robot


def rod_on_a_table(spans: int) -> fx.Model:
    """A heavy rod, clamped a bit above a table."""
    rubber = fx.Material(young=1e6, poisson=0.4, density=1000.0)
    rod = fx.Rod("rod", length=0.5, section=fx.Circle(radius=5e-3), material=rubber)
    robot = fx.Robot(
        "rod",
        rods=[rod],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("table", fx.Plane(point=(0, 0, -7e-3)))],
        contacts=[fx.Contact("rod", "table", friction=0.3)],
    )
    return fx.build(robot, rods=fx.Spline(3, spans))


def problem(model: fx.Model) -> tuple[np.ndarray, np.ndarray, Rows]:
    """Compliance, gaps without forces, and rows, where a robot is in equilibrium."""
    result = fx.statics(model).unwrap()
    assembly = Assembly(model)
    assembly.place(result.state, result.given)
    touch = assembly.touch
    assert touch is not None
    touch.set_out()
    assembly.evaluate(result.state, result.given)
    factor = factorised(assembly)
    own = small_problem(assembly, touch)
    tangent = ContactTangent(own, factor, assembly.rows)
    W = own.rows @ tangent.moved
    step = -tangent.turned(factor.solve(assembly.residual))
    b = gaps(own, assembly, touch, None) - own.rows @ step - W @ before(own, assembly, touch)
    return W + YIELDING * np.diag(np.diag(W)), b, own.kinds


def run(quick: bool = False) -> Table:
    """Solve the problems.

    Args:
        quick: of a short rod.
    """
    rows, data = [], {}
    for spans in (6,) if quick else (10, 20, 30):
        W, b, kinds = problem(rod_on_a_table(spans))
        nothing, cells = np.zeros(len(b)), []
        for sweeps in SWEEPS[:2] if quick else SWEEPS:
            found = solve_coulomb(W, b, kinds, nothing, newton=False, sweeps=sweeps)
            cells.append(f"{found.residual:.1e}")
        begin = time.process_time()
        found = solve_coulomb(W, b, kinds, nothing)
        spent = time.process_time() - begin
        cells += [f"{found.residual:.1e}", str(found.iterations), f"{1e3 * spent:.0f}"]
        data[spans] = found.residual
        rows.append((f"rod of {spans} spans, {len(kinds.normal)} contacts", *cells))
    shown = SWEEPS[:2] if quick else SWEEPS
    header = (
        "problem", *(f"Gauss-Seidel, {n}" for n in shown), "Newton", "iterations", "time [ms]"
    )  # fmt: skip
    return Table("Residual of the cone problem", header, rows, data=data)
