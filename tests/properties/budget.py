"""How many random robots a property has: a few that are always the same, or many new ones.

The environment variable ``ROBOTS`` says how many new ones; ``make fuzz`` sets it.
"""

import os

from hypothesis import HealthCheck, settings

QUICK = 6
COMMON = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}


def robots(times=1):
    """The settings of a property, with so many times as many robots as others have."""
    many = os.environ.get("ROBOTS")
    if many is None:
        return settings(max_examples=_part(times, QUICK), derandomize=True, **COMMON)
    return settings(max_examples=_part(times, int(many)), print_blob=True, **COMMON)


def _part(times, count):
    return max(1, round(times * count))
