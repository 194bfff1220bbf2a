"""Memory that threads share."""

import ctypes
import sys

_ARENAS = -8  # what glibc calls the most heaps that there are (M_ARENA_MAX)


def share_heap() -> None:
    """Let threads that begin from now on take memory from where all others do.

    The C library of Linux gives threads heaps of their own, of which it gives back only the end:
    descriptions of many sizes, one after the other, leave them in ever more pieces. Elsewhere
    nothing happens.
    """
    if sys.platform == "linux":
        choose = getattr(ctypes.CDLL(None), "mallopt", None)
        if choose is not None:
            choose(_ARENAS, 1)
