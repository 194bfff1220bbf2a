"""How many random robots a property has: a few that are always the same, or many new ones.

The environment variable ``ROBOTS`` says how many new ones; ``make fuzz`` sets it.
"""

import os

from hypothesis import HealthCheck, settings

QUICK = 6
COMMON = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}


def robots():
    """The settings of a property."""
    many = os.environ.get("ROBOTS")
    if many is None:
        return settings(max_examples=QUICK, derandomize=True, **COMMON)
    return settings(max_examples=int(many), print_blob=True, **COMMON)
