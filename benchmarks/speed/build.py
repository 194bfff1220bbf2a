"""Growth of the time to describe and build robots with the number of their parts."""

import time
from collections.abc import Callable

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Table, verdict

TARGET = 1.2  # exponent
RUBBER = fx.Material(young=1e6, poisson=0.45, density=1000.0)


def run(quick: bool = False) -> Table:
    """Time one call for each size, kernels loaded.

    Args:
        quick: a tenth of the parts.
    """
    cases: dict[str, tuple[Callable[[int], object], tuple[int, ...]]] = {
        "point loads along a rod": (_loads, (1000, 2000, 4000)),
        "discs of a tendon": (_discs, (1000, 2000, 4000)),
        "welded rods in a chain": (_chain, (1000, 3000, 10000)),
        "welded rods in a tree": (_tree, (1000, 3000, 10000)),
        "control poses of a rest shape": (_rest, (1000, 2000, 3000)),
    }
    rows, data = [], {}
    for name, (make, sizes) in track(list(cases.items()), "build"):
        sizes = tuple(n // 10 for n in sizes) if quick else sizes
        make(10)  # loads the kernels
        times = [_timed(make, n) for n in sizes]
        exponent = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
        data[name] = exponent
        told = [f"{n}: {t:.2f}" for n, t in zip(sizes, times, strict=True)]
        rows.append([name, *told, f"{exponent:.2f}", verdict(exponent, TARGET)])
    return Table(
        title="describe and build [s]",
        header=("parts", "few", "more", "many", "power", "target"),
        rows=rows,
        notes=[f"Time grows with that power of their number; target {TARGET}."],
        data=data,
    )


def _timed(make: Callable[[int], object], n: int) -> float:
    began = time.perf_counter()
    make(n)
    return time.perf_counter() - began


def _loads(n: int) -> fx.Model:
    places = [fx.At("rod", (i + 1) / (n + 1)) for i in range(n)]
    loads = [fx.PointLoad(f"p{i}", at, force=(0, 1e-4, 0)) for i, at in enumerate(places)]
    return fx.build(fx.Robot("loads", [_rod("rod")], [fx.Weld("world", "rod.base")], loads))


def _discs(n: int) -> fx.Model:
    routing = fx.Discs([(i + 1) / n for i in range(n)], 0.02, 0.0)
    tendons = [fx.Tendon("pull", "rod", routing)]
    weld = fx.Weld("world", "rod.base")
    return fx.build(fx.Robot("discs", [_rod("rod")], [weld], tendons=tendons))


def _chain(n: int) -> fx.Model:
    return _welded([i - 1 for i in range(1, n)])


def _tree(n: int) -> fx.Model:
    return _welded([(i - 1) // 2 for i in range(1, n)])


def _welded(parents: list[int]) -> fx.Model:
    """Rods that begin at the tips of others."""
    rods = [_rod(f"r{i}") for i in range(len(parents) + 1)]
    welds = [fx.Weld(f"r{parent}.tip", f"r{i}.base") for i, parent in enumerate(parents, 1)]
    return fx.build(fx.Robot("rods", rods, [fx.Weld("world", "r0.base"), *welds]))


def _rest(n: int) -> fx.SplineRest:
    poses = [fx.lie.se3.pose((0.01 * i, 0.001 * np.sin(0.1 * i), 0.0)) for i in range(n)]
    return fx.rest_from_spline(poses)


def _rod(name: str) -> fx.Rod:
    return fx.Rod(name, 1.0, fx.Circle(0.01), RUBBER)
