"""A progress bar for long work, on the standard error stream."""

import sys
import threading
import time

WIDTH = 30
EVERY = 0.1  # seconds between two pictures of the bar


class Progress:
    """A bar that fills; as a context manager it leaves a clean line behind.

    Args:
        total: number of pieces of work.
        label: what is counted.
        shown: whether to show it; None does on a terminal only.
    """

    def __init__(self, total: int, label: str, shown: bool | None = None) -> None:
        on_terminal = sys.stderr is not None and sys.stderr.isatty()
        self.shown = on_terminal if shown is None else shown and sys.stderr is not None
        self.total, self.label = total, label
        self.done = 0
        self._began = time.perf_counter()
        self._next = 0.0
        self._lock = threading.Lock()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            sys.stderr.write("\r\033[K" if sys.stderr.isatty() else "\n")
            sys.stderr.flush()

    def advance(self) -> None:
        """One more piece is done; may be called by any thread."""
        with self._lock:
            self.done += 1
            now = time.perf_counter()
            if self.shown and (now >= self._next or self.done == self.total):
                self._next = now + EVERY
                self._draw(now - self._began)

    def _draw(self, elapsed: float) -> None:
        """Draw the bar over the last one."""
        full = round(WIDTH * self.done / self.total)
        left = elapsed / self.done * (self.total - self.done)
        bar = "#" * full + "." * (WIDTH - full)
        sys.stderr.write(f"\r[{bar}] {self.done}/{self.total} {self.label}, {left:.0f} s left ")
        sys.stderr.flush()
