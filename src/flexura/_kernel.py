"""The only place where Numba is configured.

``kernel`` compiles a function of arrays at its first call, or has other processes do so, and caches
it on disk. The very first compilation is announced on the standard error stream, and that of a
process that takes long; on a terminal, there is progress for all.
"""

import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar

from numba.core import config, event

from flexura._kernel_cache import keep, never_used
from flexura._kernel_compiler import Compiler, Kernel
from flexura._kernel_meanwhile import meanwhile

F = TypeVar("F", bound=Callable[..., Any])
LONG = 10.0  # a process that has compiled for this time says so [s]


def kernel(function: F) -> F:
    """Compile ``function`` to machine code, cached on disk.

    It must not make arrays: its caller owns them all, so that references to them need not be
    counted, which takes a quarter of the time of small kernels. Fused multiply-adds are allowed;
    sums keep their order, because the series in ``flexura.lie`` rely on it. Division by zero
    follows IEEE, as in NumPy.
    """
    return _compiled(function)


def allocating(function: F) -> F:
    """A kernel that makes arrays of its own."""
    return _compiled(function, count_references=True)


def heavy(function: F) -> F:
    """A kernel that lets other threads run meanwhile.

    For those that take a hundred microseconds: to hand over and back takes some, too.
    """
    return _compiled(function, nogil=True)


def inline(function: F) -> F:
    """A kernel that is copied into the kernels that call it, for small ones in hot loops."""
    return _compiled(function, forceinline=True)


def summing(function: F) -> F:
    """An ``inline`` kernel whose sums may be taken in any order, several parts at once."""
    return _compiled(function, any_order=True, forceinline=True)


def _compiled(
    function: F, count_references: bool = False, any_order: bool = False, **options: bool
) -> F:
    if config.DISABLE_JIT:
        return function
    always = {"nopython": True, "boundscheck": None, "no_cfunc_wrapper": True}
    always["forceinline"] = False  # else it has that of the first kernel that calls it
    allowed = {"contract", "reassoc"} if any_order else {"contract"}
    numbers = {"error_model": "numpy", "fastmath": allowed, "_nrt": count_references}
    compiled: F = Kernel(function, {}, {**always, **numbers, **options}, Compiler)
    keep(compiled, _announcer.listen)
    return compiled


class _Announcer(event.Listener):  # type: ignore[misc]
    """Says that kernels are being compiled, once for all processes; on a terminal also which one.

    A process that compiles for long says it again, once, where it is not on a terminal.

    Attributes:
        quiet: whether it says nothing at all.
        spent: how long this process has compiled [s].
    """

    def __init__(self) -> None:
        self.count = 0
        self.depth = 0
        self.spent = 0.0
        self.began = 0.0
        self.listening = False
        self.quiet = False
        self.said = False

    def listen(self) -> None:
        """Hear of compilations from now on."""
        if not self.listening:
            self.listening = True
            event.register("numba:compile", self)

    def announce_once(self) -> None:
        """Say it, if no process has said it before."""
        if never_used():
            self.announce()

    def announce(self) -> None:
        """Say it, unless this process has said it."""
        if not self.said and not self.quiet:
            self.said = True
            _say(
                "flexura: compiling kernels at their first use, then they are kept on disk; "
                "flexura warm-up compiles all at once\n"
            )

    def on_start(self, event: Any) -> None:
        """A function begins to compile, perhaps for another one that is under way."""
        function = event.data["dispatcher"].py_func
        if self.depth == 0:
            self.began = time.perf_counter()
        self.depth += 1
        if self.quiet or not function.__module__.startswith("flexura."):
            return
        elapsed = self.spent + time.perf_counter() - self.began
        first = self.count == 0 and never_used()
        if first or (elapsed > LONG and not _on_terminal()):
            self.announce()
        self.count += 1
        name = f"{function.__module__.removeprefix('flexura.')}.{function.__name__}"
        _show_progress(f"  {self.count} kernels, {elapsed:.0f} s: {name}")

    def on_end(self, event: Any) -> None:
        """A function is ready."""
        self.depth -= 1
        if self.depth == 0:
            self.spent += time.perf_counter() - self.began
            if not self.quiet:
                _show_progress("")


def _say(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()


def _show_progress(text: str) -> None:
    """Show a line that the next one overwrites; nothing where the stream is not a terminal."""
    if _on_terminal():
        _say(f"\r\033[K{text}")


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


_announcer = _Announcer()
meanwhile.announce = _announcer.announce_once


def be_quiet() -> None:
    """Say nothing of compilations in this process: another one does."""
    _announcer.quiet = True


def compile_here() -> None:
    """Compile kernels in this process, before they are run: no others, nothing in plain Python."""
    meanwhile.compile_here()


def seconds_spent_compiling() -> float:
    """How long this process has compiled kernels, or done without [s]; 0 if all were on disk."""
    return _announcer.spent + meanwhile.spent
