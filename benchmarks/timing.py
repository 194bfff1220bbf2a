"""Wall times of repeated calls."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Timing:
    """Wall time of a call [s]: median, and the times that 10 % and 90 % of the calls stay below."""

    median: float
    low: float
    high: float
    calls: int


def measure(
    call: Callable[[], object], seconds: float = 1.0, least: int = 3, most: int = 5000
) -> Timing:
    """Time a call again and again, after one call that is not counted.

    Args:
        call: what to time.
        seconds: time to spend, about.
        least: calls to make in any case.
        most: calls to make at most.
    """
    call()
    times: list[float] = []
    began = time.perf_counter()
    while len(times) < least or (len(times) < most and time.perf_counter() - began < seconds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    low, median, high = np.quantile(times, [0.1, 0.5, 0.9])
    return Timing(float(median), float(low), float(high), len(times))
