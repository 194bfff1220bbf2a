"""Vibration of rods, against the closed forms of waves along bars and of Euler-Bernoulli beams."""

import numpy as np
import pytest
from motions import EACH, EACH_STRETCHING, SOME

import flexura as fx
from flexura.lie import se3

LENGTH, RADIUS, YOUNG, SHEAR, DENSITY = 0.5, 0.01, 1e7, 4e6, 1100.0
AREA, BENDING = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4.0
SMALL = 1e-4  # of the length: amplitudes, so that all is linear to their square


def bar(radius=RADIUS, viscosity=0.0, **line):
    material = fx.Material(YOUNG, shear=SHEAR, density=DENSITY, viscosity=viscosity)
    return fx.Rod("bar", LENGTH, fx.Circle(radius), material, **line)


def clamped(rod):
    return fx.Robot("bar", [rod], [fx.Weld("world", "bar.base", name="wall")])


def first_mode(kind):
    """Angular frequency of a clamped bar in stretch or torsion: quarter of a wave."""
    wave = np.sqrt((YOUNG if kind == "stretch" else SHEAR) / DENSITY)
    return 0.5 * np.pi * wave / LENGTH


def pushed(component, speed):
    """Velocities of the first mode of stretch or torsion."""

    def velocity(s):
        twist = np.zeros(6)
        twist[component] = speed * np.sin(0.5 * np.pi * s / LENGTH)
        return twist

    return velocity


def moves(motion, component):
    """How far the tip has moved along a component of its twist."""
    begin = se3.inverse(motion[0].pose("bar.tip"))
    return np.array([se3.log(begin @ T)[component] for T in motion.pose("bar.tip")])


CASES = {"stretch": 3, "torsion": 0}
# What a mesh leaves of a quarter of a sine, and fifty steps of a period: (2π/50)²/12 · 2π.
MESH, TIME = 2e-3, 0.02


def check_mode(kind, rods, integrator, tolerance, steps=50, viscosity=0.0):
    """A period of the first mode; the tip moves as a damped oscillator does."""
    component, omega = CASES[kind], first_mode(kind)
    modulus, factor = (YOUNG, 3.0) if kind == "stretch" else (SHEAR, 1.0)
    damping = 0.5 * omega * factor * viscosity / modulus
    amplitude = SMALL * (LENGTH if kind == "stretch" else 1.0)
    model = fx.build(clamped(bar(viscosity=viscosity)), rods=rods)
    period = 2.0 * np.pi / omega
    velocity = {"bar": pushed(component, omega * amplitude)}
    motion = fx.simulate(
        model, period, period / steps, velocity=velocity, integrator=integrator
    ).unwrap()
    fast = omega * np.sqrt(1.0 - damping**2)
    decay = np.exp(-damping * omega * motion.t)
    expected = decay * np.sin(fast * motion.t) * omega / fast
    found = moves(motion, component) / amplitude
    np.testing.assert_allclose(found, expected, atol=tolerance)
    return motion


@pytest.mark.parametrize("kind", CASES)
@EACH
def test_first_mode(rods, kind):
    if kind == "stretch" and isinstance(rods, fx.RotationInterpolation):
        pytest.skip("it cannot stretch")
    constant = isinstance(rods, fx.ConstantStrain)  # 16 sections: (π/2/16)²/24 in frequency
    motion = check_mode(kind, rods, fx.GeneralizedAlpha(1.0), TIME + (0.01 if constant else MESH))
    # The trapezoidal rule keeps it; the first acceleration is that of a hundredth of a step later.
    assert np.ptp(motion.energy) <= 0.011 * (2.0 * np.pi / 50) ** 2 * motion.energy[0]


@pytest.mark.parametrize("kind", CASES)
@EACH
def test_viscous_rods_lose_energy(rods, kind):
    """D = η (J, 3 Iy, 3 Iz, 3 A, A, A): a fifth of critical damping."""
    if kind == "stretch" and isinstance(rods, fx.RotationInterpolation):
        pytest.skip("it cannot stretch")
    modulus, factor = (YOUNG, 3.0) if kind == "stretch" else (SHEAR, 1.0)
    viscosity = 2.0 * 0.2 * modulus / (factor * first_mode(kind))
    motion = check_mode(kind, rods, fx.GeneralizedAlpha(1.0), 0.03, 100, viscosity)
    lost = motion.energy[0] - motion.energy
    assert lost[-1] >= 0.9 * motion.energy[0]
    # Mean rates of strain over steps of a hundredth of a period.
    np.testing.assert_allclose(motion.dissipated, lost, atol=2e-3 * motion.energy[0])


BETA = 1.8751040687119611  # cos β cosh β = -1


def beam_mode(s, beta=BETA):
    """First mode of a clamped beam and its slope, one at the tip."""
    x, k = beta * s / LENGTH, (np.cosh(beta) + np.cos(beta)) / (np.sinh(beta) + np.sin(beta))
    shape = np.cosh(x) - np.cos(x) - k * (np.sinh(x) - np.sin(x))
    slope = beta / LENGTH * (np.sinh(x) + np.sin(x) - k * (np.cosh(x) - np.cos(x)))
    return 0.5 * shape, 0.5 * slope


def thin(viscosity=0.0):
    """A beam whose shear and rotary inertia change the frequency by 1e-5 at most."""
    radius = 0.002
    return bar(radius, viscosity), BETA**2 / LENGTH**2 * np.sqrt(YOUNG / DENSITY) * radius / 2.0


@pytest.mark.parametrize("plane", ["y", "z"])
@EACH
def test_first_mode_of_bending(rods, plane):
    rod, omega = thin()
    speed = SMALL * LENGTH * omega

    def velocity(s):
        shape, turn = speed * np.array(beam_mode(s))
        return (0, 0, turn, 0, shape, 0) if plane == "y" else (0, -turn, 0, 0, 0, shape)

    model = fx.build(clamped(rod), rods=rods)
    period = 2.0 * np.pi / omega
    motion = fx.simulate(
        model, period, period / 100, velocity={"bar": velocity}, integrator=fx.GeneralizedAlpha(1.0)
    ).unwrap()
    found = moves(motion, "xyz".index(plane) + 3) / (SMALL * LENGTH)
    # 16 constant strains have a frequency that is 2e-3 too low; the others' is better.
    np.testing.assert_allclose(found, np.sin(omega * motion.t), atol=0.02)


@pytest.mark.slow
@SOME
def test_frequencies_in_a_spectrum(rods):
    """A beam that is plucked: the first two peaks are at ω₁ and at 6.2669 ω₁."""
    rod, omega = thin()
    robot = clamped(rod)
    robot = fx.Robot("bar", robot.rods, robot.joints, [fx.PointLoad("pluck", "bar.tip")])
    model = fx.build(robot, rods=rods)
    force = 3.0 * rod.stiffness(0.0)[1] / LENGTH**2 * SMALL
    start = fx.statics(model, {"pluck": (0, 0, 0, 0, 0, force)}).unwrap()
    period = 2.0 * np.pi / omega
    motion = fx.simulate(
        model, 6.0 * period, period / 120, inputs={"pluck": np.zeros(6)}, start=start,
        integrator=fx.GeneralizedAlpha(1.0),
    ).unwrap()  # fmt: skip
    z = motion.pose("bar.tip")[:-1, 2, 3] * np.hanning(len(motion) - 1)
    spectrum = np.abs(np.fft.rfft(z, 16 * len(z)))
    frequency = np.fft.rfftfreq(16 * len(z), motion.step) * period
    first = frequency[np.argmax(spectrum)]
    high = frequency > 4.0
    second = frequency[high][np.argmax(spectrum[high])]
    assert first == pytest.approx(1.0, abs=0.01)
    # (ω₂ h)²/12 late, and what the meshes are off there.
    assert second == pytest.approx(6.2669, rel=0.02)


@pytest.mark.slow
@SOME
def test_a_shaken_wall(rods):
    """Base excitation of a viscous beam: EI β⁴ = ρA Ω², EI complex, after the transient.

    w(0) = Y, w'(0) = 0, w''(L) = w'''(L) = 0.
    """
    zeta = 0.15
    rod, omega = thin()
    rod, _ = thin(viscosity=2.0 * zeta * YOUNG / (3.0 * omega))
    drive = 0.8 * omega
    bend = rod.stiffness(0.0)[1] + 1j * drive * rod.viscosity(0.0)[1]
    beta = LENGTH * (rod.mass_per_length(0.0) * drive**2 / bend) ** 0.25
    # w = a cosh + b sinh + c cos + d sin of βs/L
    ch, sh, c, s = np.cosh(beta), np.sinh(beta), np.cos(beta), np.sin(beta)
    conditions = [[1, 0, 1, 0], [0, 1, 0, 1], [ch, sh, -c, -s], [sh, ch, s, -c]]
    shape = np.linalg.solve(np.array(conditions, dtype=complex), [1, 0, 0, 0])
    answer = shape @ [ch, sh, c, s]
    assert abs(answer) > 2.0  # not far from resonance
    amplitude = SMALL * LENGTH
    model = fx.build(clamped(rod), rods=rods)

    def wall(t):
        # From rest, smoothly, over two periods.
        grown = min(1.0, t * drive / (4.0 * np.pi))
        return se3.pose((0.0, 0.0, amplitude * grown**3 * (10 - 15 * grown + 6 * grown**2)
                         * np.sin(drive * t)))  # fmt: skip

    period = 2.0 * np.pi / drive
    motion = fx.simulate(model, 8.0 * period, period / 40, inputs={"wall": wall}).unwrap()
    last = motion.t > 7.0 * period - 1e-9
    t, z = motion.t[last], motion.pose("bar.tip")[last, 2, 3]
    expected = amplitude * (np.imag(answer * np.exp(1j * drive * t)))
    # e^(-2π 0.15 · 6/0.8) = 1e-3 of the transient is left; steps are 1e-3 late; meshes.
    np.testing.assert_allclose(z, expected, atol=0.02 * amplitude * abs(answer))
    # The wall pushes with what accelerates the beam.
    v = motion.velocity("bar.tip")[last, 5]
    rate = amplitude * drive * np.real(answer * np.exp(1j * drive * t))
    np.testing.assert_allclose(v, rate, atol=0.02 * amplitude * drive * abs(answer))


@EACH_STRETCHING
def test_an_arm_that_spins(rods):
    """At rest in its own frame: E A u'' + ρ A ω² (s + u) = 0, s + u = sin(k s)/(k cos(k L)).

    It begins without stretch, on a hinge, and loses what it oscillates to viscosity.
    """
    speed = 40.0
    hinge = fx.Hinge("hinge", "world", "bar.base", (0, 0, 1))
    wave = first_mode("stretch")
    rod = bar(0.05, viscosity=2.0 * 0.4 * YOUNG / (3.0 * wave))
    model = fx.build(fx.Robot("arm", [rod], [hinge]), rods=rods)

    def velocity(s):
        return 0, 0, speed, 0, speed * s, 0

    duration = 4.0 * 2.0 * np.pi / wave  # e^(-0.4 · 8π) = 4e-5 is left
    motion = fx.simulate(model, duration, duration / 120, velocity={"bar": velocity}).unwrap()
    last = motion[-1]
    omega = last.velocity("bar.tip")[2]
    assert 0.9 * speed < omega < speed  # it has become longer
    k = omega * np.sqrt(DENSITY / YOUNG)
    s = np.linspace(0.0, LENGTH, 6)
    far = np.linalg.norm(last.pose("bar", s)[:, :3, 3], axis=1)
    expected = np.sin(k * s) / (k * np.cos(k * LENGTH))
    stretch = expected[-1] - LENGTH
    assert stretch > 0.01 * LENGTH
    # Of the stretch: by meshes, by what is left of oscillations, by steps of 0.03 rad.
    np.testing.assert_allclose(far, expected, atol=0.02 * stretch)
    area = np.pi * 0.05**2
    tension = YOUNG * area * (np.cos(k * s) / np.cos(k * LENGTH) - 1.0)
    pull = last.internal_wrench("bar", s)[:, 3]
    np.testing.assert_allclose(pull, tension, atol=0.02 * tension[0])
    np.testing.assert_allclose(
        last.reaction("hinge")[3:], [-tension[0], 0, 0], atol=0.02 * tension[0]
    )
    # Nothing turns it: its angular momentum is what it was.
    begin, end = motion.momentum[[0, -1], 2]
    assert end == pytest.approx(begin, rel=1e-4)
