"""Compiled part of ``remarks``: most results have nothing to tell."""

from flexura._kernel import kernel


@kernel
def fit(motion, held, gap):
    """Whether joints are open by no more than a gap in all directions that they hold, (n, 6)."""
    for j in range(len(held)):
        for c in range(6):
            if held[j, c] and not abs(motion[j, c]) <= gap:
                return False
    return True
