"""The small problem of contacts with friction: residual against iterations, of both solvers.

Block Gauss-Seidel, contact by contact, and Newton's method on the projections of Alart and Curnier
with what it falls back to, both from nothing, on problems in the compliance of robots.
"""

import time

import numpy as np

import flexura as fx
from benchmarks.contact.soft_gripper import grip
from benchmarks.table import Table
from flexura.model.assemble import Assembly
from flexura.solve.coulomb import Rows, solve_coulomb
from flexura.solve.equilibrium import factorised
from flexura.solve.motion.scheme import Scheme
from flexura.solve.touching import ContactTangent, before, gaps, small_problem

SWEEPS = (10, 100, 1000, 10000)
Problem = tuple[np.ndarray, np.ndarray, Rows]
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


def pile(layers: int = 5) -> fx.Motion:
    """Stiff rods, two across two, dropped onto a table and onto each other."""
    hard = fx.Material(young=3e9, poisson=0.3, density=1200.0)
    radius, length = 5e-3, 0.12
    rods, place = [], {}
    for i in range(layers):
        for j, beside in enumerate((-0.03, 0.03)):
            name, height = f"rod {i}{j}", radius + i * (2.0 * radius + 2e-4) + 1e-4
            rods.append(fx.Rod(name, length, fx.Circle(radius), hard))
            where = (-0.5 * length, beside, height) if i % 2 else (beside, -0.5 * length, height)
            place[name] = fx.lie.se3.pose(where, (0.0, 0.0, 0.0 if i % 2 else 0.5 * np.pi))
    names = [rod.name for rod in rods]
    contacts = [fx.Contact(name, "table", friction=0.3) for name in names[:2]]
    contacts += [
        fx.Contact(names[2 * i + j], names[2 * i + 2 + k], friction=0.3)
        for i in range(layers - 1)
        for j in (0, 1)
        for k in (0, 1)
    ]
    robot = fx.Robot(
        "pile", rods=rods, loads=[fx.Gravity()], contacts=contacts,
        obstacles=[fx.Obstacle("table", fx.Plane())],
    )  # fmt: skip
    model = fx.build(robot, rods=fx.Spline(3, 4))
    return fx.simulate(model, 0.04, 1e-3, place=place, every=40)


def of_statics(model: fx.Model) -> Problem:
    """The problem of a robot in equilibrium."""
    result = fx.statics(model).unwrap()
    assembly = Assembly(model)
    assembly.place(result.state, result.given)
    assert assembly.touch is not None
    assembly.touch.set_out()
    return problem(assembly, result)


def of_step(instant: fx.Instant, h: float) -> Problem:
    """The problem of a step of implicit Euler from an instant."""
    flow, tracks, scheme = instant.flow, instant.tracks, Scheme.implicit_euler(h)
    assembly, (pace, push, _) = Assembly(tracks.moving.model), scheme.gain.tolist()
    assembly.place(flow.state, instant.given)
    assert assembly.touch is not None
    assembly.touch.set_out()
    carried = scheme.carry @ flow.rates
    assembly.move_from(tracks.past(flow, pace, push, carried[:2]))
    return problem(assembly, instant)


def problem(assembly: Assembly, result: fx.StaticResult) -> Problem:
    """Compliance, gaps without forces, and rows, where a robot is."""
    touch = assembly.touch
    assert touch is not None
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
    spans = (6,) if quick else (10, 20, 30)
    cases = {f"rod of {n} spans": of_statics(rod_on_a_table(n)) for n in spans}
    if not quick:
        cases["pile of ten stiff rods"] = of_step(pile()[-1], 1e-3)
        cases["soft gripper, shaken"] = of_step(grip(0.025)[-1], 0.025)
    for name, (W, b, kinds) in cases.items():
        nothing, cells = np.zeros(len(b)), []
        for sweeps in SWEEPS[:2] if quick else SWEEPS:
            found = solve_coulomb(W, b, kinds, nothing, newton=False, sweeps=sweeps)
            cells.append(f"{found.residual:.1e}")
        begin = time.process_time()
        found = solve_coulomb(W, b, kinds, nothing)
        spent = time.process_time() - begin
        cells += [f"{found.residual:.1e}", str(found.iterations), f"{1e3 * spent:.0f}"]
        data[name] = found.residual
        rows.append((f"{name}, {len(kinds.normal)} contacts", *cells))
    shown = SWEEPS[:2] if quick else SWEEPS
    header = (
        "problem", *(f"Gauss-Seidel, {n}" for n in shown), "Newton", "iterations", "time [ms]"
    )  # fmt: skip
    return Table("Residual of the cone problem", header, rows, data=data)
