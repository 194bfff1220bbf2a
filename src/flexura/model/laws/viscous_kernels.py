"""Compiled part of ``Viscous``."""

from flexura._kernel import kernel


@kernel
def add(
    weight, viscosity, strain, strain_ahead, rate, pace, known, stress, stress_ahead, tangent
):  # fmt: skip
    """D ξ̇ of the first ``known`` components."""
    for p in range(len(strain)):
        for i in range(known):
            c = weight[p] * viscosity[p, i]
            stress[p, i] += c * (pace * strain[p, i] + rate[p, i])
            stress_ahead[p, i] += c * (pace * strain_ahead[p, i] + rate[p, i])
            tangent[p, 7 * i] += pace * c


@kernel
def add_complementary(
    weight, viscosity, stiffness, rest, force, rate, pace, excess, flexibility
):  # fmt: skip
    """How much less the strain of an unknown force is than by elasticity alone."""
    for p in range(len(force)):
        for i in range(3):
            k, c = stiffness[p, 3 + i], viscosity[p, 3 + i]
            stiff = k + pace * c
            less = weight[p] * (1.0 / stiff - 1.0 / k)
            lag = c * (pace * rest[p, 3 + i] + rate[p, 3 + i]) / stiff
            excess[p, i] += weight[p] * lag - less * force[p, i]
            flexibility[p, i] += less


@kernel
def energy(weight, stiffness, rest, strain, force, told):
    """Σ w (½ K (t - ν*)² - n (ν - ν*) + ½ n²/K), t the strains that forces n tell."""
    total = 0.0
    for p in range(len(force)):
        for i in range(3, 6):
            n, k, x = force[p, i - 3], stiffness[p, i], told[p, i] - rest[p, i]
            taken = n * (strain[p, i] - rest[p, i]) - 0.5 * n * n / k
            total += weight[p] * (0.5 * k * x * x - taken)
    return total
