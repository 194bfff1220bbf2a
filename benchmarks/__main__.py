"""Run benchmarks: ``python -m benchmarks [names] [--quick] [--figures ...] [--save ...]``.

A name is a folder or a module of it: ``rods``, ``speed.growth``; ``published`` is all that the
report tells of. Without names all are run but those that take very long.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.machine import describe
from benchmarks.record import keep
from benchmarks.report import CHAPTERS

BENCHMARKS = (
    "rods.reproduction",
    "rods.locking",
    "rods.buckling",
    "rods.limit_points",
    "rods.cords",
    "lie_group_framework.accuracy",
    "lie_group_framework.iterations",
    "lie_group_framework.rate",
    "lie_group_framework.chiral.curves",
    "lie_group_framework.chiral.paths",
    "lie_group_framework.chiral.kkt",
    "lie_group_framework.finger",
    "lie_group_framework.tubes.table_7",
    "lie_group_framework.tubes.figure_23",
    "lie_group_framework.energy",
    "strain_models_comparison.exact",
    "strain_models_comparison.simulations",
    "strain_models_comparison.cold_start",
    "strain_models_comparison.locking",
    "strain_models_comparison.work_precision",
    "tendon_newton_lagrange.table_iii",
    "tendon_newton_lagrange.discs",
    "parallel_robot_constraint_free.six_rods",
    "parallel_robot_constraint_free.stewart_gough",
    "parallel_robot_constraint_free.times",
    "concentric_tubes.poses",
    "concentric_tubes.random_poses",
    "concentric_tubes.snapping",
    "concentric_tubes.fed_legs",
    "dynamics.frequencies",
    "dynamics.right_angle_cantilever",
    "dynamics.flying_spaghetti",
    "dynamics.spin_up",
    "dynamics.free_rod",
    "dynamics.pendulum_chain",
    "dynamics.closed_loops",
    "dynamics.viscous_decay",
    "dynamics.orders",
    "dynamics.viscous_arm",
    "dynamics.rubber_pendulum",
    "inverse.targets",
    "contact.hertz",
    "contact.ball",
    "contact.solver",
    "contact.rods",
    "contact.tube",
    "contact.helix",
    "contact.crowd",
    "contact.energy",
    "contact.soft_gripper",
    "fem_cosserat_coupling.finger",
    "fem_cosserat_coupling.times",
    "fem_cosserat_coupling.linearised",
    "fem_cosserat_coupling.inverse",
    "fem_cosserat_coupling.grasper",
    "speed.assembly",
    "speed.solve",
    "speed.tendons",
    "speed.derivatives",
    "speed.inverse",
    "speed.motion",
    "speed.tubes",
    "speed.growth",
    "speed.build",
    "speed.startup",
    "speed.studio",
)
# These take very long, or a browser, and are run only when they are named in full.
ON_REQUEST = (
    "dynamics.energy_drift",
    "speed.compiling",
    "speed.studio_drawn",
    "speed.studio_hour",
)
EVERYTHING = (*BENCHMARKS, *ON_REQUEST)
PUBLISHED = "published"
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named benchmarks and print their tables."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Reproduce published results and measure speed.",
        epilog="example: python -m benchmarks lie_group_framework speed.growth --quick",
    )
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"of {PUBLISHED}, {', '.join(EVERYTHING)}"
    )
    parser.add_argument("--quick", action="store_true", help="fewer cases and repetitions")
    parser.add_argument(
        "--figures",
        type=Path,
        default=Path("out/benchmarks"),
        metavar="DIRECTORY",
        help="where figures go (default: out/benchmarks; those of the docs: docs/benchmarks)",
    )
    parser.add_argument(
        "--save",
        type=Path,
        metavar="DIRECTORY",
        help="tables are kept in DIRECTORY with versions and machine, for benchmarks.report",
    )
    options = parser.parse_args(arguments)
    told = [name for chapter in CHAPTERS for name in chapter.benchmarks]
    names = [x for name in options.names for x in (told if name == PUBLISHED else [name])]
    chosen = _chosen(parser, names)
    # One core: the libraries read this when they are first imported, which is below.
    os.environ.update({f"{name}_NUM_THREADS": "1" for name in THREADS})
    print(describe())
    for number, name in enumerate(chosen, 1):
        print(f"[{number}/{len(chosen)}] {name} ...", file=sys.stderr, flush=True)
        began = time.perf_counter()
        module = import_module(f"benchmarks.{name}")
        table = module.run(quick=options.quick)
        print(f"\n## {name}: {table}\n", flush=True)
        _draw(module, name, table, options.figures)
        elapsed = time.perf_counter() - began
        if options.save is not None:
            keep(options.save, name, table, options.quick, elapsed)
        print(f"[{number}/{len(chosen)}] {name}: {elapsed:.1f} s", file=sys.stderr)
    return 0


def _chosen(parser: argparse.ArgumentParser, names: Sequence[str]) -> list[str]:
    """The benchmarks that the names stand for, in their own order."""
    for name in names:
        if not any(full == name or full.startswith(f"{name}.") for full in EVERYTHING):
            parser.error(f"no benchmark {name!r}; there are {', '.join(EVERYTHING)}")
    return [
        full
        for full in EVERYTHING
        if full in names
        or (
            full in BENCHMARKS and (not names or any(full.startswith(f"{name}.") for name in names))
        )
    ]


def _draw(module: Any, name: str, table: Any, directory: Path) -> None:
    """Write the figure of a benchmark that has one, if matplotlib is there."""
    if not hasattr(module, "figure") or find_spec("matplotlib") is None:
        return
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = name  # the same file from the same numbers
    matplotlib.rcParams["svg.fonttype"] = "none"  # text as text, half the size
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{name.replace('.', '_')}.svg"
    module.figure(table).savefig(path, metadata={"Date": None}, bbox_inches="tight")
    print(f"figure: {path}")


if __name__ == "__main__":
    sys.exit(main())
