"""Kernels that add blocks to the values of a matrix, through slots."""

from flexura._kernel import inline


@inline
def add_block(values, slot, block):
    """Add a block, rows by columns; a slot whose base is negative is nowhere."""
    base, down, right = slot[0], slot[1], slot[2]
    if base >= 0:
        for j in range(block.shape[1]):
            for i in range(block.shape[0]):
                values[base + i * down + j * right] += block[i, j]


@inline
def add_part(values, base, down, right, block, top, left, height, width):
    """Add the part of a block that begins at (top, left)."""
    for j in range(width):
        for i in range(height):
            values[base + i * down + j * right] += block[top + i, left + j]
