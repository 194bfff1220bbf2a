"""Other processes that make machine code while the one that needs it goes on.

    python -m flexura._kernel_crew      # one of them: reads orders, tells what it has ended

An order names a kernel and the types of its arguments. Each process has one at a time; the next is
the one that is missed most.
"""

import atexit
import os
import pickle
import platform
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from flexura._kernel_cache import folder

MOST = 4  # processes: more of them translate the same kernels inside of others
DONE = b"done\n"
NICE = 5  # whoever waits for nothing goes first
# That a process has a crew is forgotten after this time where it cannot be asked for, and after the
# other in any case: numbers of processes come again [s].
STALE, LATEST = 300.0, 86400.0


class Order:
    """Machine code that was ordered.

    Attributes:
        words: the order, for another process.
        missed: for how long plain Python has run in its place [s].
        ended: set when it is on disk, or never will be.
    """

    def __init__(self, words: bytes = b"") -> None:
        self.words = words
        self.missed = 0.0
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
        self._waiting: list[Order] = []
        self._at_work: dict[Any, list[Order]] = {process: [] for process in self._processes}
        self._lock = threading.Lock()
        self._heard = [
            threading.Thread(target=self._hear, args=(process,), daemon=True)
            for process in self._processes
        ]
        for thread in self._heard:
            thread.start()
        atexit.register(self.end)

    def order(self, kernel: Any, types: tuple[Any, ...]) -> Order:
        """Have a kernel compiled for types of arguments."""
        order = Order(pickle.dumps((*place(kernel), types)))
        with self._lock:
            self._waiting.append(order)
            self._assign()
        return order

    def end(self) -> None:
        """Order nothing more; they do what was ordered, and end."""
        atexit.unregister(self.end)
        with self._lock:
            while self._waiting and self._at_work:
                self._tell(min(self._at_work, key=lambda process: len(self._at_work[process])))
            for process in self._processes:
                with suppress(OSError):
                    process.stdin.close()  # type: ignore[union-attr]

    def wait(self) -> None:
        """Wait until they have ended."""
        for thread in self._heard:
            thread.join()

    def _assign(self) -> None:
        """Give orders to those who have none."""
        for process, orders in list(self._at_work.items()):
            if self._waiting and not orders:
                self._tell(process)
        if not self._at_work:
            for order in self._waiting:
                order.ended.set()
            self._waiting.clear()

    def _tell(self, process: Any) -> None:
        """Give a process the order that is missed most, of these the oldest."""
        order = max(self._waiting, key=lambda one: one.missed)
        self._waiting.remove(order)
        self._at_work[process].append(order)
        with suppress(OSError, ValueError):  # it has ended, and will be found to have
            process.stdin.write(len(order.words).to_bytes(4, "big") + order.words)
            process.stdin.flush()

    def _hear(self, process: Any) -> None:
        """Take note of what a process has ended, until it ends itself."""
        for line in process.stdout:
            with self._lock:
                if line != DONE or not self._at_work[process]:  # not the words of such a process
                    break
                self._at_work[process].pop(0).ended.set()
                self._assign()
        with self._lock:
            for order in self._at_work.pop(process):  # nobody waits for it any more
                order.ended.set()
            self._assign()
        process.stdout.close()
        process.wait()


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
    count = min(_cores(), MOST)
    if count < 2 or not _first():
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
        if mark.exists() and not _lives(mark):
            mark.unlink()
        with mark.open("x") as file:
            file.write(_name())
    except (OSError, RuntimeError):  # it has, or nothing can be kept there
        return False
    atexit.register(_forget, mark, _name())
    return True


def _name() -> str:
    """What a mark says of this process."""
    return f"{platform.node()} {os.getpid()}"


def _lives(mark: Path) -> bool:
    """Whether the process that has left a mark may have its crew still."""
    age = time.time() - mark.stat().st_mtime
    node, _, number = mark.read_text().rpartition(" ")
    if node != platform.node() or os.name == "nt":  # there, to ask for a process may end it
        return age <= STALE
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is somebody else's
        pass
    return age <= LATEST


def _forget(mark: Path, owner: str) -> None:
    """Another process may have a crew; those that were forked from the owner have none."""
    with suppress(OSError):
        if _name() == owner == mark.read_text():
            mark.unlink()


def work() -> None:
    """Do what is ordered, in turn, until nothing more can be."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    told = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever else is printed goes nowhere
    orders: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, orders), daemon=True).start()
    while words := orders.get():
        module, name, types = pickle.loads(words)
        getattr(import_module(module), name).compile(types)
        with suppress(OSError):  # the process that ordered has ended: the next finds the kernels
            os.write(told, DONE)


def _read(pipe: IO[bytes], orders: "SimpleQueue[bytes]") -> None:
    """Read orders as they come, so that nobody waits who gives them; at the end, nothing."""
    while size := int.from_bytes(pipe.read(4), "big"):
        orders.put(pipe.read(size))
    orders.put(b"")


if __name__ == "__main__":
    work()
