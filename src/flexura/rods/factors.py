"""What kernels of products of exponentials pass on; names as in ``cumulative_kernels``."""

from typing import NamedTuple

from flexura.typing import Array


class Factors(NamedTuple):
    """The factors of all pieces.

    Attributes:
        b, db: b and b' = db/ds at the points, (n_points, k).
        omega: Ω, a row for each.
        transport, tangent: duals at the points, (n_points, k, 18).
        eta: η at the points, (n_points, k, 6).
    """

    b: Array
    db: Array
    omega: Array
    transport: Array
    tangent: Array
    eta: Array


class Point(NamedTuple):
    """The factors of a piece at one of its points: see ``cumulative_kernels.at``."""

    first: int
    b: Array
    db: Array
    omega: Array
    transport: Array
    tangent: Array
    eta: Array


class Slopes(NamedTuple):
    """What becomes of the laws at the points.

    Attributes:
        gamma, gamma_ahead: ∂U/∂Ω with the stress and with the stress ahead, added to.
        jacobian: ∂ξ/∂Ω_j of every point, duals, kept for others.
    """

    gamma: Array
    gamma_ahead: Array
    jacobian: Array


class Scratch(NamedTuple):
    """Work space for the tangent of a piece.

    Attributes:
        vectors: (k + 4, 6).
        duals: (k + 3, 18).
        forms: (k + 1, k + 1, 18).
        material: (k + 1, k + 1, 36).
        local: the tangent, (k + 1, k + 1, 36).
        product: (36,).
    """

    vectors: Array
    duals: Array
    forms: Array
    material: Array
    local: Array
    product: Array
