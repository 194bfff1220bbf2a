"""The scalar functions of the rotation angle t behind the exponential map, as functions of t².

    s = sin t / t        a = (1 − cos t)/t²        b = (t − sin t)/t³
    d = (1 − (t/2) cot(t/2))/t²

and, with f₁ = f′(t)/t = 2 df/d(t²) and f₂ = f₁′(t)/t, the derivatives a₁ a₂ b₁ b₂ d₁ d₂. All
are even, hence smooth in t². The closed forms cancel for small t, the more so the higher the
derivative, so below a threshold the Taylor series is summed. Its coefficients are computed
here from exact rationals, and their number follows from the threshold. d has poles at t = 2πn;
the first is split off exactly, so that the series of the rest converges up to 4π.
"""

from fractions import Fraction
from math import comb, cos, factorial, sin, sqrt

from flexura._kernel import inline

# Terms below 2⁻⁵⁸ of the first one, at the far end of a band, are left out.
_NEGLIGIBLE = Fraction(1, 2**58)
_MAX_TERMS = 48

# A rod element seldom turns by more than 1 rad: up to there the polynomials are short.
SHORT = 1.0
# Beyond t = 4 the closed forms are as accurate as the series, to within a digit. Up to there the
# alternating terms cost no more: at t = 4 their moduli sum to 16 times the value for a, 5 for b.
LONG = 16.0

_PI = Fraction("3.14159265358979323846264338327950288419716939937510582097494459230781640628621")


def _slope(series: list[Fraction]) -> list[Fraction]:
    """Series of f₁ = 2 df/d(t²), from that of f."""
    return [2 * k * c for k, c in enumerate(series)][1:]


def _truncated(series: list[Fraction], reach: float) -> tuple[float, ...]:
    """The coefficients that matter up to t² = ``reach``, as floats."""
    size = [abs(c) * Fraction(reach) ** k for k, c in enumerate(series)]
    count = max(k for k, term in enumerate(size) if term > _NEGLIGIBLE * abs(series[0])) + 1
    if count == len(series):
        raise ArithmeticError(f"the series needs more than {count} terms up to t² = {reach}")
    return tuple(float(c) for c in series[:count])


def _alternating(first: int) -> list[Fraction]:
    """Σ (−t²)ᵏ/(2k + first)!, which is s, a and b for first = 1, 2 and 3."""
    return [Fraction((-1) ** k, factorial(2 * k + first)) for k in range(_MAX_TERMS)]


def _bernoulli(count: int) -> list[Fraction]:
    """B₀, B₁ … with B₁ = −1/2."""
    numbers = [Fraction(1)]
    for m in range(1, count):
        total = sum((comb(m + 1, k) * numbers[k] for k in range(m)), Fraction(0))
        numbers.append(-total / (m + 1))
    return numbers


def _cotangent() -> list[Fraction]:
    """Series of d − 2/(4π² − t²), from d = Σ |B₂ₖ₊₂| t²ᵏ/(2k+2)! = Σₙ 2/((2πn)² − t²)."""
    numbers = _bernoulli(2 * _MAX_TERMS + 1)
    return [
        abs(numbers[m]) / factorial(m) - 2 / (2 * _PI) ** m for m in range(2, 2 * _MAX_TERMS + 1, 2)
    ]


_s, _a, _b, _d = _alternating(1), _alternating(2), _alternating(3), _cotangent()
_a1, _b1, _d1 = _slope(_a), _slope(_b), _slope(_d)
_a2, _b2, _d2 = _slope(_a1), _slope(_b1), _slope(_d1)

_S = _truncated(_s, SHORT)
_A, _A_LONG = _truncated(_a, SHORT), _truncated(_a, LONG)
_B, _B_LONG = _truncated(_b, SHORT), _truncated(_b, LONG)
_A1, _A1_LONG = _truncated(_a1, SHORT), _truncated(_a1, LONG)
_B1, _B1_LONG = _truncated(_b1, SHORT), _truncated(_b1, LONG)
_A2, _A2_LONG = _truncated(_a2, SHORT), _truncated(_a2, LONG)
_B2, _B2_LONG = _truncated(_b2, SHORT), _truncated(_b2, LONG)
_D, _D_LONG = _truncated(_d, SHORT), _truncated(_d, LONG)
_D1, _D1_LONG = _truncated(_d1, SHORT), _truncated(_d1, LONG)
_D2, _D2_LONG = _truncated(_d2, SHORT), _truncated(_d2, LONG)
_FOUR_PI2 = float(4 * _PI**2)


@inline
def _horner(coefficients: tuple[float, ...], x: float) -> float:
    """Σ cₖ xᵏ."""
    y = coefficients[-1]
    for k in range(len(coefficients) - 2, -1, -1):
        y = y * x + coefficients[k]
    return y


@inline
def exp_coefficients(t2: float) -> tuple[float, float, float]:
    """(s, a, b) of t²: exp = I + s ŵ + a ŵ² and its integral I + a ŵ + b ŵ²."""
    if t2 <= SHORT:
        return _horner(_S, t2), _horner(_A, t2), _horner(_B, t2)
    t = sqrt(t2)
    s = sin(t) / t
    h = sin(0.5 * t)
    return s, 2.0 * h * h / t2, (1.0 - s) / t2


@inline
def _closed(t2: float) -> tuple[float, float, float, float, float]:
    """(a, b, a₁, b₁, s₁) of t² by their closed forms."""
    t = sqrt(t2)
    s, c = sin(t) / t, cos(t)
    h, g = sin(0.5 * t), cos(0.5 * t)
    a, b = 2.0 * h * h / t2, (1.0 - s) / t2
    # t sin t − 2(1 − cos t), factored: a₁ vanishes at 2π.
    a1 = 2.0 * h * (t * g - 2.0 * h) / (t2 * t2)
    return a, b, a1, (a - 3.0 * b) / t2, (c - s) / t2


@inline
def dexp_coefficients(t2: float) -> tuple[float, float]:
    """(a, b) of t²: J_r = I − a ŵ + b ŵ²."""
    if t2 <= SHORT:
        return _horner(_A, t2), _horner(_B, t2)
    if t2 <= LONG:
        return _horner(_A_LONG, t2), _horner(_B_LONG, t2)
    a, b, _, _, _ = _closed(t2)
    return a, b


@inline
def dexp_coefficients_1(t2: float) -> tuple[float, float, float, float]:
    """(a, b, a₁, b₁) of t²: J_r and its first derivative."""
    if t2 <= SHORT:
        return _horner(_A, t2), _horner(_B, t2), _horner(_A1, t2), _horner(_B1, t2)
    if t2 <= LONG:
        return (
            _horner(_A_LONG, t2),
            _horner(_B_LONG, t2),
            _horner(_A1_LONG, t2),
            _horner(_B1_LONG, t2),
        )
    a, b, a1, b1, _ = _closed(t2)
    return a, b, a1, b1


@inline
def dexp_coefficients_2(t2: float) -> tuple[float, float, float, float, float, float]:
    """(a, b, a₁, b₁, a₂, b₂) of t²: J_r and its first two derivatives."""
    if t2 <= LONG:
        a, b, a1, b1 = dexp_coefficients_1(t2)
        if t2 <= SHORT:
            return a, b, a1, b1, _horner(_A2, t2), _horner(_B2, t2)
        return a, b, a1, b1, _horner(_A2_LONG, t2), _horner(_B2_LONG, t2)
    a, b, a1, b1, s1 = _closed(t2)
    return a, b, a1, b1, (s1 - 4.0 * a1) / t2, (a1 - 5.0 * b1) / t2


@inline
def dexpinv_coefficient(t2: float) -> float:
    """Coefficient d of t²: J_r⁻¹ = I + ŵ/2 + d ŵ²; infinite at t = 2π."""
    if t2 <= SHORT:
        return 2.0 / (_FOUR_PI2 - t2) + _horner(_D, t2)
    if t2 <= LONG:
        return 2.0 / (_FOUR_PI2 - t2) + _horner(_D_LONG, t2)
    half = 0.5 * sqrt(t2)
    return (1.0 - half * cos(half) / sin(half)) / t2


@inline
def dexpinv_coefficients_1(t2: float) -> tuple[float, float]:
    """(d, d₁) of t²: J_r⁻¹ and its first derivative."""
    pole = 2.0 / (_FOUR_PI2 - t2)
    if t2 <= SHORT:
        return pole + _horner(_D, t2), pole * pole + _horner(_D1, t2)
    if t2 <= LONG:
        return pole + _horner(_D_LONG, t2), pole * pole + _horner(_D1_LONG, t2)
    d = dexpinv_coefficient(t2)
    a, b, _, _, _ = _closed(t2)
    return d, (0.5 * b / a - 2.0 * d) / t2


@inline
def dexpinv_coefficients_2(t2: float) -> tuple[float, float, float]:
    """(d, d₁, d₂) of t²: J_r⁻¹ and its first two derivatives."""
    d, d1 = dexpinv_coefficients_1(t2)
    pole = 2.0 / (_FOUR_PI2 - t2)
    if t2 <= SHORT:
        return d, d1, 2.0 * pole * pole * pole + _horner(_D2, t2)
    if t2 <= LONG:
        return d, d1, 2.0 * pole * pole * pole + _horner(_D2_LONG, t2)
    a, b, a1, b1, _ = _closed(t2)
    return d, d1, (0.5 * (b1 * a - b * a1) / (a * a) - 4.0 * d1) / t2
