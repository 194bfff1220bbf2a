"""What acts along the segments of a chain, and what a step of the integration writes, as arrays.

Tendons have tuples of their own: a kernel that calls others counts references to every array of its
arguments, so those that know no tendons are not given any.
"""

from typing import NamedTuple

import numpy as np
from scipy.integrate import DOP853

from flexura.typing import Array, Indices, Pose, Strain, Wrench

# The variations that are integrated: three rotations of the begin, and its stress. Those of unknown
# tensions come after them.
VARIATIONS = 9
STAGES = len(DOP853.B)


class SegmentLaw(NamedTuple):
    """What acts along the segments; a segment lies in one panel, where all is smooth.

    Attributes:
        begin: arc length of the rod where each segment begins, (n,).
        end: where it ends, smaller than ``begin`` if the rod is passed backwards, (n,).
        panel: panel of each segment, (n,).
        panel_ends: arc lengths between which a panel lies, (m, 2).
        terms: number of Chebyshev terms in a panel, (m,).
        series: their coefficients for the diagonal of K and for ξ*, (m, k, 12).
        heavy: whether ``dead`` or ``weight`` is not zero, (n,).
        dead: load per arc length in world axes, (n, 6).
        weight: gravity as a force per arc length and stretch stiffness EA, world axes, (n, 3).
        follower: load per arc length in the body frame, (n, 6).
    """

    begin: Array
    end: Array
    panel: Indices
    panel_ends: Array
    terms: Indices
    series: Array
    heavy: Indices
    dead: Wrench
    weight: Array
    follower: Wrench


class Strands(NamedTuple):
    """Tendons along the panels; a strand is the part of one tendon in one panel.

    Attributes:
        first: panel p has the strands ``first[p] … first[p + 1] - 1``, (m + 1,).
        tendon: tendon of each strand, (q,).
        unknown: its number among the tendons whose tension is unknown, -1 for others, (q,).
        series: Chebyshev coefficients of offset and slope (y, z, y', z') of a strand, (q, k, 4).
        tension: τ of all tendons, (t,).
    """

    first: Indices
    tendon: Indices
    unknown: Indices
    series: Array
    tension: Array


class Stages(NamedTuple):
    """The stages of one Runge-Kutta step, and what else a step writes.

    Attributes:
        matrix: coefficients of the method, (12, 12).
        state: (u, Σ) at the stages, (12, 12).
        slope: (u', Σ'), (12, 12).
        strain: ξ, (12, 6).
        elastic: Λ, (12, 6).
        flexibility: diagonal of K⁻¹, (12, 6).
        dead: dead load per arc length in the body frame, (12, 6).
        section: diagonal of K and ξ* at a stage, (12,).
        density: elastic energy, and potential of dead forces, per arc length, (12, 2).
        turn: exp(u), (4, 4).
        new: (u, Σ) at the end of the step, (12,).
        slopes: of the n variations at the stages, (12, 12 n).
        variations: at a stage, (n, 12).
    """

    matrix: Array
    state: Array
    slope: Array
    strain: Strain
    elastic: Wrench
    flexibility: Array
    dead: Wrench
    section: Array
    density: Array
    turn: Pose
    new: Array
    slopes: Array
    variations: Array


class Pull(NamedTuple):
    """What tendons do at the stages of one step.

    Attributes:
        compliance: H⁻¹, (12, 6, 6).
        rate: |Γ| of all tendons, zero where they are not, (12, t).
        strain_loss: H⁻¹ b, by which an unknown tension lessens the strain, (12, u, 6).
        length_loss: b_iᵀ H⁻¹ b_j, by which it shortens the tendons, (12, u, u).
        wrench: Σ - Λ where it was last found: the next search begins there, (6,).
        offset: (y, z, y', z') of the strands at a stage, (t, 4).
        gamma: their Γ, (t, 3).
        unit: their b, (t, 6).
        factor: H, then its Cholesky factor, (6, 6).
        trial: Σ, ξ and a step in the search for the strain, (3, 6).
    """

    compliance: Array
    rate: Array
    strain_loss: Array
    length_loss: Array
    wrench: Wrench
    offset: Array
    gamma: Array
    unit: Array
    factor: Array
    trial: Array


def new_stages(unknown: int = 0) -> Stages:
    """Arrays for the steps of one sweep, with that many unknown tensions."""
    n, variations = STAGES, VARIATIONS + unknown
    return Stages(
        matrix=DOP853.A,
        state=np.zeros((n, 12)),
        slope=np.zeros((n, 12)),
        strain=np.zeros((n, 6)),
        elastic=np.zeros((n, 6)),
        flexibility=np.zeros((n, 6)),
        dead=np.zeros((n, 6)),
        section=np.zeros(12),
        density=np.zeros((n, 2)),
        turn=np.eye(4),
        new=np.zeros(12),
        slopes=np.zeros((n, 12 * variations)),
        variations=np.zeros((variations, 12)),
    )


def new_pull(tendons: int, unknown: int = 0) -> Pull:
    """Arrays for that many tendons and unknown tensions."""
    return Pull(
        compliance=np.zeros((STAGES, 6, 6)),
        rate=np.zeros((STAGES, tendons)),
        strain_loss=np.zeros((STAGES, unknown, 6)),
        length_loss=np.zeros((STAGES, unknown, unknown)),
        wrench=np.zeros(6),
        offset=np.zeros((tendons, 4)),
        gamma=np.zeros((tendons, 3)),
        unit=np.zeros((tendons, 6)),
        factor=np.zeros((6, 6)),
        trial=np.zeros((3, 6)),
    )
