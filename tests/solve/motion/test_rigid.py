"""Bodies that fly, swing and slide, against the motion of rigid bodies."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk
from support import slope

import flexura as fx
from flexura.lie import se3, so3

# Integrators and their order.
ALL = [
    (fx.GeneralizedAlpha(0.9), 2),
    (fx.GeneralizedAlpha(0.6), 2),
    (fx.ImplicitEuler(), 1),
    pytest.param(fx.Variational(), 2, marks=pytest.mark.slow),
    pytest.param(fx.SymplecticEuler(), 1, marks=pytest.mark.slow),
]
EACH = pytest.mark.parametrize(("integrator", "order"), ALL, ids=str)
STEPS = np.array([0.02, 0.01, 0.005])
MOMENTS = (1.0, 2.0, 2.8)
CENTER = (0.3, -0.2, 0.5)
SPIN = (0.5, 1.5, 0.2)


def errors(model, steps, duration, expected, integrator, frame, **start):
    """Largest entries of pose errors at the end, for each step."""
    found = []
    for h in steps:
        motion = fx.simulate(
            model, duration, h, integrator=integrator, every=10**6, **start
        ).unwrap()
        found.append(np.abs(motion[-1].pose(frame) - expected).max())
    return found


@pytest.mark.parametrize("h", [1e-3, 1e-2])
def test_implicit_steps_keep_momenta_in_space(h):
    """Of a body that tumbles while it flies; its energy does not grow."""
    body = fx.Body("body", 0.3, (1e-3, 2e-3, 2.5e-3), (0.02, -0.01, 0.03))
    model = fx.build(fx.Robot("flying", bodies=[body]))
    spin = {"body": (20.0, -30.0, 25.0, 1.0, 0.5, -2.0)}
    motion = fx.simulate(model, 40 * h, h, velocity=spin, integrator=fx.ImplicitEuler()).unwrap()
    kept = np.array([instant.momentum for instant in motion])
    np.testing.assert_allclose(kept, np.tile(kept[0], (41, 1)), atol=1e-7 * np.abs(kept).max())
    assert (np.diff(motion.energy) <= 1e-12 * motion.energy[0]).all()


def check_order(steps, error, order, largest):
    """The slope of errors, and that they are small to begin with."""
    assert error[0] <= largest
    assert slope(steps, error) == pytest.approx(order, abs=0.15)


def turned(moments, spin, duration, torque=lambda R: np.zeros(3)):
    """Rotation of a body about a fixed point, by Euler's equations: J ω̇ + ω × Jω = τ(R)."""
    J = np.array(moments)

    def rate(t, x):
        R, w = x[:9].reshape(3, 3), x[9:]
        return np.concatenate([(R @ so3.hat(w)).ravel(), (torque(R) - np.cross(w, J * w)) / J])

    begin = np.concatenate([np.eye(3).ravel(), spin])
    end = solve_ivp(rate, (0.0, duration), begin, rtol=1e-12, atol=1e-13, method="DOP853")
    return end.y[:9, -1].reshape(3, 3)


def flying_body(center=(0.0, 0.0, 0.0), gravity=None):
    body = fx.Body("body", 1.5, MOMENTS, center)
    loads = [] if gravity is None else [fx.Gravity(gravity)]
    return fx.build(fx.Robot("flying", bodies=[body], loads=loads))


@EACH
def test_an_asymmetric_body_that_tumbles(integrator, order):
    """Free of torque, with its centre elsewhere than its frame, while it falls."""
    velocity, g = np.array([0.3, 0.1, -0.2]), np.array([0.0, 0.5, -1.0])
    twist = np.concatenate([SPIN, velocity - np.cross(SPIN, CENTER)])  # of its frame
    expected = np.eye(4)
    R = turned(MOMENTS, SPIN, 1.0)
    place = np.array(CENTER) + velocity + 0.5 * g
    expected[:3, :3], expected[:3, 3] = R, place - R @ CENTER
    model = flying_body(CENTER, g)
    found = errors(model, STEPS, 1.0, expected, integrator, "body", velocity={"body": twist})
    check_order(STEPS, found, order, 0.03 if order == 1 else 1e-3)


@EACH
def test_a_symmetric_top_precesses(integrator, order):
    """R = exp(t L/J₁) exp(t ω₁ (1 - J₁'/J) e₁): about its momentum, and about its own axis."""
    axial, across = 2.0, 1.2
    spin = np.array([1.0, 0.7, 0.0])
    momentum = np.array([axial, across, across]) * spin
    R = so3.exp(momentum / across) @ so3.exp([spin[0] * (1.0 - axial / across), 0.0, 0.0])
    body = fx.Body("top", 0.7, (axial, across, across))
    model = fx.build(fx.Robot("top", bodies=[body]))
    expected = np.eye(4)
    expected[:3, :3] = R
    twist = [*spin, 0.0, 0.0, 0.0]
    found = errors(model, STEPS, 1.0, expected, integrator, "top", velocity={"top": twist})
    if isinstance(integrator, fx.SymplecticEuler):
        order = 2  # without forces it is Variational
    check_order(STEPS, found, order, 0.03 if order == 1 else 1e-3)


PENDULUM = {"mass": 0.8, "arm": 0.4, "moment": 0.05, "g": 9.81}


def pendulum(angle):
    """A body on a hinge about y, hanging along -z where the angle is zero."""
    p = PENDULUM
    body = fx.Body("bob", p["mass"], (0.04, p["moment"], 0.03), center=(0.0, 0.0, -p["arm"]))
    # The angle with which it begins is in the joint's offset: free joints begin at zero.
    hinge = fx.Hinge("hinge", "world", "bob", (0, 1, 0), offset=se3.pose(rotation=(0, angle, 0)))
    return fx.build(fx.Robot("pendulum", bodies=[body], joints=[hinge], loads=[fx.Gravity()]))


@EACH
def test_a_physical_pendulum(integrator, order):
    """Released at 120°: sin(θ/2) = k cd(ω₀ t | k²), k = sin(θ₀/2), for most of a swing."""
    p, begin, duration = PENDULUM, np.radians(120.0), 1.0
    about = p["moment"] + p["mass"] * p["arm"] ** 2
    rate, k = np.sqrt(p["mass"] * p["g"] * p["arm"] / about), np.sin(begin / 2)
    sn = ellipj(rate * duration + ellipk(k**2), k**2)[0]
    angle = 2.0 * np.arcsin(k * sn)
    model = pendulum(begin)
    expected = se3.pose(rotation=(0.0, angle, 0.0))
    # implicit Euler takes as much of a velocity that turns as of one that falls
    steps = STEPS / 8.0 if integrator == fx.ImplicitEuler() else STEPS
    found = errors(model, steps, duration, expected, integrator, "bob")
    check_order(steps, found, order, 0.3 if order == 1 else 0.01)


@EACH
def test_a_heavy_top_on_a_ball(integrator, order):
    """With its centre off the axis of symmetry, so that nothing is integrable."""
    mass, center, about = 0.8, np.array([0.1, 0.05, 0.4]), np.array([0.02, 0.03, 0.01])
    ball = fx.Ball("ball", "world", "top")
    body = fx.Body("top", mass, about, center)
    model = fx.build(fx.Robot("top", bodies=[body], joints=[ball], loads=[fx.Gravity()]))
    spin = np.array([0.3, 0.2, 10.0])
    inertia = np.diag(about) + mass * (center @ center * np.eye(3) - np.outer(center, center))

    def rate(t, x):
        R, w = x[:9].reshape(3, 3), x[9:]
        torque = np.cross(center, R.T @ [0.0, 0.0, -9.81 * mass])
        w_rate = np.linalg.solve(inertia, torque - np.cross(w, inertia @ w))
        return np.concatenate([(R @ so3.hat(w)).ravel(), w_rate])

    x = np.concatenate([np.eye(3).ravel(), spin])
    end = solve_ivp(rate, (0.0, 0.25), x, rtol=1e-12, atol=1e-13, method="DOP853")
    expected = np.eye(4)
    expected[:3, :3] = end.y[:9, -1].reshape(3, 3)
    steps = STEPS / 4.0
    velocity = {"top": [*spin, 0.0, 0.0, 0.0]}
    found = errors(model, steps, 0.25, expected, integrator, "top", velocity=velocity)
    check_order(steps, found, order, 0.3 if order == 1 else 0.01)


@EACH
def test_a_body_that_slides_down(integrator, order):
    """With g sin 30°; implicit and symplectic Euler are behind by half a step."""
    slope_of = se3.pose(rotation=(0.0, np.radians(30.0), 0.0))
    slider = fx.Slider("slider", "world", "sled", (1, 0, 0), offset=slope_of)
    body = fx.Body("sled", 2.0, (0.1, 0.1, 0.1), center=(0.1, 0.2, 0.3))
    model = fx.build(fx.Robot("sled", bodies=[body], joints=[slider], loads=[fx.Gravity()]))
    h = 0.01
    motion = fx.simulate(model, 0.5, h, integrator=integrator).unwrap()
    t = motion.t
    a = 9.81 * np.sin(np.radians(30.0))
    late = 0.5 * a * h * t if order == 1 else 0.0
    np.testing.assert_allclose(motion.coordinate("slider"), 0.5 * a * t**2 + late, atol=1e-10)
    np.testing.assert_allclose(motion.velocity("sled")[:, 3], a * t, atol=1e-8)
    normal = [0.0, 0.0, 2.0 * 9.81 * np.cos(np.radians(30.0))]
    np.testing.assert_allclose(motion[-1].reaction("slider")[3:], normal, atol=1e-8)


def test_variational_steps_with_joints_are_not_cut():
    motion = fx.simulate(pendulum(2.0), 0.4, 0.02, integrator=fx.Variational())
    assert not motion.cuts


def test_variational_reactions():
    motion = fx.simulate(pendulum(1e-3), 0.02, 0.01, integrator=fx.Variational()).unwrap()
    weight = PENDULUM["mass"] * PENDULUM["g"]
    assert motion[-1].reaction("hinge")[5] == pytest.approx(weight, rel=1e-3)


@pytest.mark.parametrize("integrator", [fx.Variational(), fx.SymplecticEuler()], ids=str)
def test_variational_velocities_of_what_is_driven(integrator):
    slider = fx.Slider("drive", "world", "sled", (1, 0, 0), driven=True)
    model = fx.build(fx.Robot("sled", bodies=[fx.Body("sled", 2.0)], joints=[slider]))
    motion = fx.simulate(model, 0.05, 0.01, {"drive": lambda t: 3.0 * t}, integrator=integrator)
    np.testing.assert_allclose(motion.velocity("sled")[1:, 3], 3.0, rtol=1e-6)


@pytest.mark.parametrize("integrator", [fx.Variational(), fx.SymplecticEuler()], ids=str)
@pytest.mark.parametrize("begin", [0.3, -2.0])
def test_joints_turn_on_beyond_half_a_turn(integrator, begin):
    """A body that spins on its hinge, often round: no step is cut, what holds it is ω² m r."""
    body = fx.Body("bob", 0.8, (0.04, 0.05, 0.03), center=(0.0, 0.0, -0.4))
    hinge = fx.Hinge("hinge", "world", "bob", (0, 1, 0), offset=se3.pose(rotation=(0, begin, 0)))
    model = fx.build(fx.Robot("spin", bodies=[body], joints=[hinge]))
    spin = 7.0
    velocity = {"bob": (0.0, spin, 0.0, 0.0, 0.0, 0.0)}
    motion = fx.simulate(model, 3.0, 0.02, integrator=integrator, velocity=velocity).unwrap()
    assert not motion.cuts
    np.testing.assert_allclose(motion.kinetic, motion.kinetic[0], rtol=1e-6)
    # Towards the hinge in the frame of the body; steps see it ω h / 2 = 0.07 rad behind. The first
    # one has half of what holds it.
    held = np.array([instant.reaction("hinge")[3:] for instant in motion.results[2:]])
    centripetal = 0.8 * 0.4 * spin**2
    np.testing.assert_allclose(held, [[0.0, 0.0, centripetal]] * len(held), atol=0.1 * centripetal)
