"""The small problem of contacts with friction: residual against iterations, of both solvers.

Block Gauss-Seidel, contact by contact, and Newton's method on the projections of Alart and Curnier
with what it falls back to, on the hardest of the problems that a solve or a motion meets, from the
forces that it has there.
"""

import time
from collections.abc import Callable
from typing import NamedTuple
from unittest import mock

import numpy as np

import flexura as fx
from benchmarks.contact.soft_gripper import grip
from benchmarks.fem_cosserat_coupling import grasper
from benchmarks.table import Table
from flexura.solve.cone.coulomb import ROUNDS, Solved, solve_coulomb, split
from flexura.solve.cone.rows import Rows
from flexura.solve.contact import small

SWEEPS = (10, 100, 1000, 10000)


class Problem(NamedTuple):
    """A small problem that a solve met, and what it made of it.

    Attributes:
        W: compliance, with what contacts give in the end [m/N], (n, n).
        b: gaps and ways without forces [m], (n,).
        rows: what each row is.
        start: forces that the solve had, (n,).
        found: forces that it went on with, (n,).
        iterations: of Newton's method, with all that it falls back to.
        seconds: that it took.
    """

    W: np.ndarray
    b: np.ndarray
    rows: Rows
    start: np.ndarray
    found: np.ndarray
    iterations: int
    seconds: float


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


def hardest(solve: Callable[[], object]) -> Problem:
    """Of all problems that a solve meets, the one that takes most iterations."""
    met: list[Problem] = []

    def note(
        own: small.Small, b: np.ndarray, old: np.ndarray, start: np.ndarray, rounds: int = ROUNDS
    ) -> Solved:
        begin, problem = time.process_time(), own.problem
        found = settle(own, b, old, start, rounds)
        spent = time.process_time() - begin
        if not rounds:  # an attempt, which another follows
            return found
        give, new = small.YIELDING * own.yields, found.multipliers
        W, free = own.compliance + give, ~problem.equal
        reduced, c, _, _ = split(W, b - give @ old, problem.equal)
        taken = found.iterations
        met.append(Problem(reduced, c, problem.kinds, start[free], new[free], taken, spent))
        met.sort(key=lambda one: one.iterations)
        del met[:-1]
        return found

    settle = small.Small.settle
    with mock.patch.object(small.Small, "settle", note):
        solve()
    return met[0]


def missed(problem: Problem, forces: np.ndarray) -> float:
    """By how much forces are not those of their cones, relative to the largest.

    What presses by itself, λ - W⁻¹ w with the diagonal of W, its mean along surfaces, is projected:
    onto numbers that are not negative, and along surfaces onto a disc of radius μ λ_n.
    """
    W, b, rows = problem[:3]
    gives = np.diag(W).copy()
    for normal in rows.normal:
        gives[normal + 1 : normal + 3] = gives[normal + 1 : normal + 3].mean()
    tried = forces - (b + W @ forces) / gives
    right = np.maximum(tried, 0.0)
    for normal, friction in zip(rows.normal, rows.friction, strict=True):
        along = slice(normal + 1, normal + 3)
        size, most = np.linalg.norm(tried[along]), friction * max(forces[normal], 0.0)
        right[along] = tried[along] * (min(1.0, most / size) if size > 0.0 else 1.0)
    return float(np.abs(right - forces).max() / np.abs(forces).max())


def sweep(problem: Problem, count: int) -> np.ndarray:
    """Forces after sweeps of block Gauss-Seidel, from those that the solve had."""
    return solve_coulomb(*problem[:4], newton=False, sweeps=count).multipliers


def run(quick: bool = False) -> Table:
    """Solve the problems.

    Args:
        quick: of a short rod.
    """
    rows, data = [], {}
    spans = (6,) if quick else (10, 20, 30)
    cases = {
        f"rod of {n} spans": hardest(lambda n=n: fx.statics(rod_on_a_table(n)).unwrap())
        for n in spans
    }
    if not quick:
        cases["pile of ten stiff rods"] = hardest(pile)
        cases["soft gripper"] = hardest(lambda: grip(0.025))
        hand = fx.build(grasper.robot())
        cases["grasper"] = hardest(lambda: grasper.grasp(hand, False, grasper.LIFTED))
    for name, problem in cases.items():
        swept = [missed(problem, sweep(problem, n)) for n in (SWEEPS[:2] if quick else SWEEPS)]
        data[name] = swept, missed(problem, problem.found)
        cells = [f"{residual:.1e}" for residual in (*swept, data[name][1])]
        cells += [str(problem.iterations), f"{1e3 * problem.seconds:.0f}"]
        rows.append((f"{name}, {len(problem.rows.normal)} contacts", *cells))
    shown = SWEEPS[:2] if quick else SWEEPS
    header = (
        "problem", *(f"Gauss-Seidel, {n}" for n in shown), "Newton", "iterations", "time [ms]"
    )  # fmt: skip
    return Table("Residual of the cone problem", header, rows, data=data)
