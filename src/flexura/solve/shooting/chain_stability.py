"""Stability of a chain, between its seams.

Segments are short, so it is between seams that stability is decided: by the tangent of the forces
on the seams, from the derivatives (A, B; C, D) of (ζ, δΣ) over each segment,

    δf_begin = -δΣ_begin,  δf_end = δΣ_end,    δΣ_begin = B⁻¹ (ζ_end - A ζ_begin).

Tensions are constant there; a taut tendon that is driven by its length holds in addition. Motions
that resist by no more than rounding, such as that of the plane in which a round column has
buckled, are not pushed further.
"""

from functools import lru_cache

import numpy as np

from flexura.matrix.bordered import plain_band
from flexura.matrix.structure import Structure
from flexura.solve.shooting.kernels import Shot
from flexura.solve.shooting.seam_kernels import add_tangents
from flexura.solve.shooting.serial import LoadedChain
from flexura.solve.stability import is_stable
from flexura.typing import Array, Indices, Matrix, frozen

# A segment with both ends held buckles by itself under a force P h²/EI = 4π², or a torque
# T h/EI = 9; below that, stability is decided between the seams.
BUCKLING_FORCE, BUCKLING_MOMENT = 4.0 * np.pi**2, 6.0
# Seams closer than this part of the chain's length are not told apart then: a segment between them
# would be too stiff for the rounding.
SHORTEST = 1e-3
# Sub- and superdiagonals of the tangent of seams with six unknowns each, and their neighbours.
HALF_BANDWIDTH = 11
# Part of the stiffness 12 EI/h³ of a segment that is rounding: of motions without resistance up to
# 6e-15 is left, whatever the rod's stretch. A load that is 1e-6 above a critical one makes 1e-13.
ROUNDING = 2e-14


def chain_stability(loaded: LoadedChain, shot: Shot, held: Matrix | None) -> bool | None:
    """Whether an equilibrium is stable, None where that cannot be told.

    Args:
        loaded: the chain.
        shot: its segments, which fit together.
        held: what a unit of tension of each taut tendon that is driven by its length takes from
            the lengths of all of them, None if there is none.
    """
    law = loaded.law
    h = np.abs(law.end - law.begin)
    EI = law.series[law.panel, 0, 1:3].min(axis=1)
    begin = shot.wrench[:, 0]
    if (-begin[:, 3] * h**2 > BUCKLING_FORCE * EI).any():
        return False
    if (np.linalg.norm(begin[:, :3], axis=1) * h > BUCKLING_MOMENT * EI).any():
        return None
    first, transfer = _joined(h, shot.transfer)
    tangent = _tangents(transfer)
    direction = np.append(np.sign(law.end - law.begin)[:1], loaded.between.direction)
    tangent[:, :6] *= direction[first, None, None]
    tangent[:, 6:] *= direction[np.append(first[1:], len(h)), None, None]
    structure, slots = _structure(len(first), loaded.target is not None)
    values = np.zeros(structure.n_values)
    add_tangents(values, slots, tangent)
    values[structure.diagonal] += ROUNDING * float((12.0 * EI / h**3)[first].max())
    return is_stable(structure, values, loaded.conservative, held=held)


@lru_cache(maxsize=16)
def _structure(n: int, held: bool) -> tuple[Structure, Indices]:
    """Structure of the tangent of n segments, whose end is held or free, and slots of its blocks.

    The first seam is held.
    """
    unknown = 6 * np.arange(-1, n)
    unknown[0] = -1
    if held:
        unknown[-1] = -1
    structure = plain_band(6 * int(np.count_nonzero(unknown >= 0)), HALF_BANDWIDTH)
    pairs = np.stack([unknown[:-1], unknown[1:]], axis=1)
    return structure, frozen(structure.slots(pairs[:, :, None], pairs[:, None, :]))


def _tangents(transfer: Array) -> Array:
    """Derivatives of the forces of segments on begin and end by the motions there, (n, 12, 12)."""
    A, B, C, D = (transfer[:, i : i + 6, j : j + 6] for i in (0, 6) for j in (0, 6))
    stiff = np.linalg.inv(B)
    return np.block([[stiff @ A, -stiff], [C - D @ stiff @ A, D @ stiff]])


def _joined(h: Array, transfer: Array) -> tuple[Indices, Array]:
    """Segments of lengths h joined until none is very short.

    Returns the first segment of each, and the derivatives over all of it.
    """
    first, joined = [0], [transfer[0]]
    for i in range(1, len(h)):
        if min(h[first[-1] : i].sum(), h[i:].sum()) < SHORTEST:
            joined[-1] = transfer[i] @ joined[-1]
        else:
            first.append(i)
            joined.append(transfer[i])
    return np.array(first), np.array(joined)
