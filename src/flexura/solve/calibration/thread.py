"""Work on all observations in parallel threads, some of them at a time."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

# Observations that a thread takes at a time.
CHUNK = 32


def in_threads(count: int, work: Callable[[range], list[T]]) -> list[T]:
    """What work makes of all numbers below a count, in their order."""
    chunks = [range(i, min(i + CHUNK, count)) for i in range(0, count, CHUNK)]
    if len(chunks) == 1:
        return work(chunks[0])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [one for some in pool.map(work, chunks) for one in some]
