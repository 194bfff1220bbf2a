"""How much memory models and solves may take."""

import os


def _memory() -> float:
    """Memory of the machine [bytes]; 8 GB where it does not tell."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * float(os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return 8e9


# What contacts, or instants of a motion, may take [bytes]: half of what there is.
ROOM = 0.5 * _memory()
