"""Other processes that make machine code while the one that needs it goes on.

    python -m flexura._kernel_crew      # one of them: reads orders, tells what it begins and ends

An order names a kernel and the types of its arguments. The newest is done first, as the process
that orders compiles the oldest by itself when it cannot wait any longer.
"""

import atexit
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from flexura._kernel_cache import folder

MOST = 4  # processes: more of them translate the same kernels inside of others
STALE = 300.0  # that a process had a crew which was killed is forgotten after this time [s]


class Order:
    """Machine code that was ordered.

    Attributes:
        number: which of the crew's orders it is.
        begun: whether somebody makes it, or has made it.
        ended: set when it is on disk, or never will be.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.begun = False
        self.ended = threading.Event()


class Crew:
    """The processes, as the one that has them sees them."""

    def __init__(self, count: int) -> None:
        command = [sys.executable, "-P", "-m", "flexura._kernel_crew"]  # -P: no file of this folder
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        root = str(Path(__file__).parents[1])
        path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
        self._processes = [
            subprocess.Popen(
                command,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": path},
                **pipes,
            )
            for _ in range(count)
        ]
        self._orders: list[Order] = []
        self._lost: set[int] = set()  # processes that are not heard any more
        self._heard = [
            threading.Thread(target=self._hear, args=(process,), daemon=True)
            for process in self._processes
        ]
        for thread in self._heard:
            thread.start()

    def order(self, kernel: Any, types: tuple[Any, ...]) -> Order:
        """Have a kernel compiled for types of arguments."""
        order = Order(len(self._orders))
        self._orders.append(order)
        self._tell(order, (order.number, *place(kernel), types))
        return order

    def withdraw(self, order: Order) -> None:
        """Have it made no more, unless somebody has begun."""
        self._tell(order, (order.number,))

    def end(self) -> None:
        """Order nothing more; they do what they were told, and end."""
        for process in self._processes:
            assert process.stdin is not None
            with suppress(OSError):
                process.stdin.close()

    def wait(self) -> None:
        """Wait until they have ended."""
        for thread in self._heard:
            thread.join()

    def _tell(self, order: Order, message: tuple[Any, ...]) -> None:
        said, own = pickle.dumps(message), order.number % len(self._processes)
        if own in self._lost:
            order.ended.set()
        pipe = self._processes[own].stdin
        assert pipe is not None
        try:
            pipe.write(len(said).to_bytes(4, "big") + said)
            pipe.flush()
        except (OSError, ValueError):  # that process has ended, or was told to
            order.ended.set()

    def _hear(self, process: Any) -> None:
        """Take note of what a process tells, until it ends."""
        with suppress(ValueError, IndexError):  # these are not the words of such a process
            for line in process.stdout:
                word, number = line.split()
                order = self._orders[int(number)]
                order.begun = True
                if word == b"end":
                    order.ended.set()
        own = self._processes.index(process)
        self._lost.add(own)
        for order in self._orders[own :: len(self._processes)]:  # nobody waits for it any more
            order.ended.set()
        process.wait()
        process.stdout.close()


def place(kernel: Any) -> tuple[str, str]:
    """Where another process finds a kernel."""
    return kernel.py_func.__module__, kernel.py_func.__qualname__


def can_be_found(kernel: Any) -> bool:
    """Whether another process finds it there: it is one of the library's own."""
    module, name = place(kernel)
    own = module.startswith("flexura.") and module in sys.modules
    return own and vars(sys.modules[module]).get(name) is kernel


def call_together() -> Crew | None:
    """A crew, if there are cores for one, and no other process has one."""
    if os.environ.get("FLEXURA_BACKGROUND", "1") == "0" or not _is_python():
        return None
    count = min(_cores() - 1, MOST)
    if count < 1 or not _first():
        return None
    try:
        return Crew(count)
    except OSError:  # no process may be started here
        return None


def _is_python() -> bool:
    """Whether the program that runs is Python, and not one that has it inside."""
    named = Path(sys.executable or "").stem.lower().startswith(("python", "pypy"))
    return named and not getattr(sys, "frozen", False)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _first() -> bool:
    """Whether no other process has a crew for the same kernels on disk."""
    try:
        mark = folder() / "flexura-crew"
        mark.parent.mkdir(parents=True, exist_ok=True)
        if mark.exists() and time.time() - mark.stat().st_mtime > STALE:
            mark.unlink()
        mark.touch(exist_ok=False)
    except (OSError, RuntimeError):  # it has, or nothing can be kept there
        return False
    atexit.register(_forget, mark, os.getpid())
    return True


def _forget(mark: Path, owner: int) -> None:
    """Another process may have a crew; those that were forked from the owner have none."""
    if os.getpid() == owner:
        mark.unlink(missing_ok=True)


class _Orders:
    """What a process of the crew is told, the newest last."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._open: dict[int, Any] = {}
        self._changed = threading.Condition()
        self._over = False
        threading.Thread(target=self._hear, daemon=True).start()

    def _hear(self) -> None:
        while size := int.from_bytes(self._pipe.read(4), "big"):
            number, *wanted = pickle.loads(self._pipe.read(size))
            with self._changed:
                if wanted:
                    self._open[number] = wanted
                else:
                    self._open.pop(number, None)
                self._changed.notify()
        with self._changed:
            self._over = True
            self._changed.notify()

    def __iter__(self) -> Iterator[Any]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._open or self._over)
                if not self._open:
                    return
                number, wanted = self._open.popitem()
            yield number, *wanted


def work() -> None:
    """Do what is ordered, until nothing more can be."""
    told = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever else is printed goes nowhere
    for number, module, name, types in _Orders(sys.stdin.buffer):
        _tell(told, f"begin {number}\n")
        getattr(import_module(module), name).compile(types)
        _tell(told, f"end {number}\n")


def _tell(pipe: int, line: str) -> None:
    with suppress(OSError):  # the process that ordered has ended: the next one finds the kernels
        os.write(pipe, line.encode())


if __name__ == "__main__":
    work()
