"""The Cayley map, a rational retraction in place of the exponential map.

    cay(x) = (I − x̂/2)⁻¹ (I + x̂/2)

Neither angles nor series: its tangent is rational, that of its inverse a polynomial. It agrees
with exp up to second order and reaches every rotation but half turns, |w| = 2 tan(angle/2).
"""

from flexura.lie.cayley import se3, so3

__all__ = ["se3", "so3"]
