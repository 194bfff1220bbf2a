"""Matrices of blocks of unknowns: order, storage, factorisation. Nothing else knows storage.

A structure says which entries there may be; their values are one flat array. Who adds a block to
the matrix asks the structure once for its **slot**: three numbers (base, down, right), so that
entry (i, j) of the block is ``values[base + i * down + j * right]``.
"""
