"""Compiled part of ``PressedParticles``."""

from flexura._kernel import kernel


@kernel
def add_tangents(frames, slots, tangent, values):
    """Add the tangents of forces by translations, of a (6, 6) of each frame."""
    for n in range(len(frames)):
        base, down, right = slots[n, 0], slots[n, 1], slots[n, 2]
        block = tangent[frames[n]]
        for i in range(3):
            for j in range(3):
                values[base + i * down + j * right] += block[6 * (3 + i) + 3 + j]
