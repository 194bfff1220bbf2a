"""What the numbers were measured with."""

import os
import platform
import subprocess
import time
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("flexura", "numpy", "scipy", "numba")
# Additions of plain Python that a yardstick takes, and how often it is laid on.
ADDITIONS, TIMES = 1_000_000, 3


def describe() -> str:
    """Versions and processor, one line each."""
    machine = f"{processor()}, {os.cpu_count()} cores, one of them used; {load()}; {pace()}"
    return f"{versions()}\n{machine}"


def versions() -> str:
    """Versions of Python and of the packages."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return f"python {platform.python_version()}, {packages}"


def processor() -> str:
    """Model of the processor, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def commit() -> str:
    """Of the code that runs, with a plus if sources were changed since; empty where git is not."""
    here = Path(__file__).parent

    def git(*arguments: str) -> str:
        found = subprocess.run(["git", *arguments], cwd=here, capture_output=True, check=True)
        return found.stdout.decode().strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", "../src", "*.py")
        return git("rev-parse", "--short=9", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def load() -> str:
    """How busy the machine is with other work, which makes times longer."""
    if not hasattr(os, "getloadavg"):
        return "load unknown"
    return f"load average {os.getloadavg()[0]:.1f}"


def yardstick() -> float:
    """Time of a million additions of plain Python [s]: how fast the machine is at the moment."""
    times = []
    for _ in range(TIMES):
        began, total = time.perf_counter(), 0
        for i in range(ADDITIONS):
            total += i
        times.append(time.perf_counter() - began)
    return sorted(times)[TIMES // 2]


def pace() -> str:
    """The yardstick in words; times on a machine that is shared mean little without it."""
    return f"a million additions of plain Python take {1e3 * yardstick():.0f} ms"
