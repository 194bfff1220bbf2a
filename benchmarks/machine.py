"""What the numbers were measured with."""

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("flexura", "numpy", "scipy", "numba")


def describe() -> str:
    """Versions and processor, one line each."""
    machine = f"{processor()}, {os.cpu_count()} cores, one of them used; {load()}"
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
