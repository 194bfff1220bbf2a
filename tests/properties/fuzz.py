"""Random robots until the time is up: ``python tests/properties/fuzz.py 10`` takes ten minutes."""

import os
import secrets
import subprocess
import sys
import time
from pathlib import Path

ROUND = 25  # robots for each property, before looking at the clock


def main(minutes):
    """Rounds of new robots; returns how many rounds had a failure."""
    end, failed, rounds = time.monotonic() + 60.0 * minutes, 0, 0
    while time.monotonic() < end:
        seed = secrets.randbelow(2**32)
        command = ["pytest", str(Path(__file__).parent), "-n", "auto", f"--hypothesis-seed={seed}"]
        found = subprocess.run(
            [sys.executable, "-m", *command], env={**os.environ, "ROBOTS": str(ROUND)}, check=False
        )
        failed, rounds = failed + (found.returncode != 0), rounds + 1
        print(f"round {rounds}, seed {seed}: {'failed' if found.returncode else 'passed'}")
    print(f"{rounds} rounds of {ROUND} robots for each property, {failed} with failures")
    return failed


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])) > 0)
