"""Run flexura and its peers: ``python -m benchmarks.peers [cases]``."""

import argparse
import os
from importlib.metadata import version

from benchmarks.machine import describe

PEERS = ("cosseratbench", "pyelastica", "mujoco")
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA")


def main() -> None:
    """Run what is named, or all, and print the tables."""
    os.environ.update({f"{name}_NUM_THREADS": "1" for name in THREADS})
    from benchmarks.peers import rubber_rod, scenarios, viscous_arm

    names = [*scenarios.CASES, "rubber_rod", "viscous_arm"]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers")
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(names)}")
    chosen = parser.parse_args().names or names
    for name in chosen:
        if name not in names:
            parser.error(f"no case {name!r}; there are {', '.join(names)}")
    print(describe())
    print(", ".join(f"{name} {version(name)}" for name in PEERS))
    if cases := [name for name in chosen if name in scenarios.CASES]:
        print(f"\n{scenarios.run(cases)}", flush=True)
    if "rubber_rod" in chosen:
        print(f"\n{rubber_rod.run()}", flush=True)
    if "viscous_arm" in chosen:
        print(f"\n{viscous_arm.run()}")


if __name__ == "__main__":
    main()
