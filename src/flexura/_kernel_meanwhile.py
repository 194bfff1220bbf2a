"""What a kernel is until there is machine code: the Python that it is written in.

To compile what a first solve needs takes half a minute, to run it once as plain Python a second.
So a process that finds nothing on disk has other processes compile (`_kernel_crew.py`) and goes on
in plain Python, kernel by kernel, until the machine code is there. It waits for kernels with many
numbers, and for those that have run as plain Python for as long as it takes to compile them.
"""

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from flexura._kernel_crew import Crew, Order, call_together, can_be_found

PATIENCE = 2.0  # how long a kernel runs as plain Python [s]; to compile it takes 0.1 to 8
LARGE = 100_000  # numbers that a kernel is given; plain Python takes some microseconds for each
# NumPy reckons with single ones of these as machine code does; smaller integers would overflow.
WIDE = ("float64", "int64", "int32", "bool")


class Meanwhile:
    """What this process does about machine code that is not there.

    Attributes:
        spent: how long it has run plain Python, or waited [s].
        announce: says that others compile, when they begin to.
    """

    def __init__(self, call: Callable[[], Crew | None] = call_together) -> None:
        self.spent = 0.0
        self.announce: Callable[[], None] = lambda: None
        self._call: Callable[[], Crew | None] | None = call
        self._crew: Crew | None = None
        self._orders: dict[Any, Order] = {}
        self._lock = threading.Lock()
        self._thread = threading.local()

    def compile_here(self) -> None:
        """Compile every kernel before it is run, in this process, from now on."""
        crew, self._call, self._crew = self._crew, None, None
        if crew is not None:
            crew.end()

    def instead(self, kernel: Any, arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
        """What to call instead of machine code, or None: then read it from disk, or compile it."""
        if getattr(self._thread, "plain", False):  # a kernel that runs as Python calls another one
            return _unfolded(kernel, kernel.py_func)
        if self._call is None or not can_be_found(kernel):
            return None
        types = kernel.types_of(arguments)
        with self._lock:
            order = self._order(kernel, types)
        if order is None or order.ended.is_set():
            return None
        arrays = list(_arrays(arguments))
        if order.missed > PATIENCE or not _quick(arrays):
            self._wait(order)
            return None
        return lambda *given: self._plain(kernel, order, given, arrays)

    def _order(self, kernel: Any, types: tuple[Any, ...]) -> Order | None:
        """The order of machine code, or None where it is on disk, or nobody makes it."""
        if (kernel, types) in self._orders:
            return self._orders[kernel, types]
        if kernel.is_on_disk(types):
            return None
        if self._crew is None and self._call is not None:
            self._crew = self._call()
            if self._crew is None:
                self._call = None
            else:
                self.announce()
        if self._crew is None:
            return None
        return self._orders.setdefault((kernel, types), self._crew.order(kernel, types))

    def _wait(self, order: Order) -> None:
        """Wait for machine code; nothing is missed more."""
        begin = time.perf_counter()
        order.missed = math.inf
        order.ended.wait()
        self.spent += time.perf_counter() - begin

    def _plain(self, kernel: Any, order: Order, given: tuple[Any, ...], arrays: list[Any]) -> Any:
        """Run a kernel as Python; where that raises what machine code does not, as machine code."""
        before = [array.copy() for array in arrays]
        begin = time.thread_time()
        self._thread.plain = True
        try:
            with np.errstate(all="ignore"):
                return _unboxed(_unfolded(kernel, kernel.py_func)(*given))
        except Exception:
            for array, was in zip(arrays, before, strict=True):
                if array.flags.writeable:
                    array[...] = was
        finally:
            self._thread.plain = False
            seconds = time.thread_time() - begin
            order.missed += seconds
            self.spent += seconds
        self._wait(order)
        return kernel(*_spread(kernel, given))


def _quick(arrays: list[Any]) -> bool:
    """Whether plain Python takes little time, and has the same numbers but for rounding."""
    wide = all(array.dtype.name in WIDE for array in arrays)
    return wide and sum(int(array.size) for array in arrays) < LARGE


def _arrays(values: Any) -> Iterator[Any]:
    """Arrays among values, also in tuples of these."""
    for value in values:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, tuple):
            yield from _arrays(value)


def _unboxed(value: Any) -> Any:
    """What a kernel returns: machine code makes numbers of Python's own, NumPy does not."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple):
        inside = map(_unboxed, value)
        return type(value)(*inside) if hasattr(value, "_fields") else tuple(inside)
    return value


def _unfolded(kernel: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function as Numba calls it, which hands what a star takes as one tuple."""
    if not kernel.has_star:
        return function
    return lambda *given: function(*_spread(kernel, given))


def _spread(kernel: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*given[:-1], *given[-1]) if kernel.has_star else given


meanwhile = Meanwhile()
if hasattr(os, "register_at_fork"):  # the crew hears one process
    os.register_at_fork(after_in_child=meanwhile.compile_here)
