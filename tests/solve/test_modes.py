"""Modes: closed forms, simulations that stay in a mode, dense and sparse, what is refused."""

import pickle
from functools import cache

import numpy as np
import pytest
from scipy.optimize import brentq
from support import mixed, refused
from vibrating import ARM, EVERY, LOOP, arm, loop

import flexura as fx
from flexura.lie import se3
from flexura.solve.linear import undamped as undamped_module

# A rod that hardly stretches or shears and whose sections turn without inertia: Euler and
# Bernoulli's beam with EI = 1 N·m², m = 1 kg/m, L = 1 m, but for EI/EA and EI/GA.
THIN = 1e-7


def beam(viscosity=0.0, length=1.0):
    section = fx.Section(area=1.0 / THIN, iy=1.0, iz=1.0, torsion=1.0)
    unit = fx.Material(young=1.0, shear=1.0, viscosity=viscosity)
    turning = (1e-9, 0.5e-9, 0.5e-9)
    return fx.Rod("rod", length, section, unit, line_mass=1.0, line_inertia=turning)


def clamped(rod, *loads):
    return fx.Robot("beam", [rod], joints=[fx.Weld("world", "rod.base")], loads=loads)


def hinged():
    """A beam on two hinges about z, one of them on a slider that a load pulls along x."""
    axis = (0.0, 0.0, 1.0)
    return fx.Robot(
        "hinged",
        rods=[beam()],
        bodies=[fx.Body("foot", mass=0.0)],
        joints=[
            fx.Hinge("near", "world", "rod.base", axis=axis),
            fx.Slider("way", "world", "foot", axis=(1.0, 0.0, 0.0), offset=se3.pose((1.0, 0, 0))),
            fx.Hinge("far", "foot", "rod.tip", axis=axis),
        ],
        loads=[fx.PointLoad("pull", "foot")],
    )


def across(modes, axis):
    """Numbers of the modes whose tip or middle moves along an axis most."""
    twists = np.abs([modes.twist(i, "rod", [0.3, 0.55, 0.9]) for i in range(len(modes))])
    return np.flatnonzero(twists[:, :, 3:].sum(axis=1).argmax(axis=1) == axis)


@pytest.mark.parametrize("force", [0.0, 15.0, -5.0])
@pytest.mark.parametrize("choice", [fx.Spline(5, 8), fx.LinearStrain(24)], ids=["spline", "linear"])
def test_tension_makes_a_string_and_compression_softens(choice, force):
    """ω = (n π/L)² √(EI/m) √(1 + P L²/(n² π² EI)): a beam on two hinges under an axial force."""
    result = fx.statics(fx.build(hinged(), rods=choice), {"pull": (0, 0, 0, force, 0, 0)}).unwrap()
    modes = fx.modes(result, 12)
    own = across(modes, 1)[:3]  # along y, about the hinges
    n = np.arange(1, 4)
    expected = (n * np.pi) ** 2 * np.sqrt(1.0 + force / (n * np.pi) ** 2)
    # EI/GA and P/EA are 1e-7 and 2e-6; elements: 1e-5 of the third mode
    np.testing.assert_allclose(2.0 * np.pi * modes.frequency[own], expected, rtol=2e-5)


def test_a_column_beyond_its_load_grows():
    """At twice Euler's load the first mode has ω² = (π/L)⁴ EI/m (1 - 2)."""
    model = fx.build(hinged(), rods=fx.Spline(5, 8))
    load = {"pull": (0, 0, 0, -2.0 * np.pi**2, 0, 0)}
    result = fx.statics(model, load, seek_stable=False).unwrap(unstable=True)
    modes = fx.modes(result, 3)
    assert not modes.stable
    assert modes.frequency[0] == 0.0
    assert modes.damping[0] == -1.0
    assert modes.growth[0] == pytest.approx(np.pi**2, rel=1e-5)
    assert "grows" in str(modes)
    assert np.isfinite(modes.frequency).all()


def test_what_follows_flutters():
    """A force along the tip of a cantilever lets it flutter beyond 20.051 EI/L² [Beck 1952]."""
    push = fx.PointLoad("push", "rod.tip", follower=True)
    model = fx.build(clamped(beam(), push), rods=fx.Spline(5, 10))

    def growth(force):
        result = fx.statics(model, {"push": (0, 0, 0, -force, 0, 0)}, seek_stable=False)
        modes = fx.modes(result.unwrap(unstable=True), 6)
        return modes.growth.max()

    assert growth(20.04) == pytest.approx(0.0, abs=1e-6)
    assert growth(20.06) > 0.1  # grows like the root of what is beyond


def beside_a_whip(load, bending, viscosity):
    """A column under a load, and a limp rod by itself, whose modes are lower, with a follower."""
    limp = fx.Section(area=1.0 / THIN, iy=bending, iz=bending, torsion=bending)
    unit = fx.Material(young=1.0, shear=1.0, viscosity=viscosity)
    whip = fx.Rod("whip", 1.0, limp, unit, line_mass=1.0, line_inertia=(1e-9, 5e-10, 5e-10))
    held = [fx.Weld("world", "rod.base"), fx.Weld("world", "whip.base")]
    hangs = fx.PointLoad("hangs", "whip.tip", force=(1e-6, 0.0, 0.0), follower=True)
    robot = fx.Robot("both", rods=[beam(viscosity), whip], joints=held, loads=[load, hangs])
    return fx.build(robot, rods=fx.Spline(3, 30))


@pytest.mark.parametrize("viscosity", [0.0, 1e-4])
@pytest.mark.parametrize(
    ("follower", "force"), [(True, -26.0), (False, -15.0)], ids=["flutters", "falls"]
)
def test_growing_modes_of_large_robots_without_a_potential(follower, force, viscosity):
    """As many and as fast as those of the column alone: 12 modes of the limp rod are lower.

    Beck's column oscillates and grows; a dead load beyond Euler's makes it fall.
    """
    push = fx.PointLoad("push", "rod.tip", force=(force, 0.0, 0.0), follower=follower)
    model = beside_a_whip(push, 1e-3, viscosity)
    assert model.n_dof > 320
    found = fx.modes(fx.statics(model, seek_stable=False).unwrap(unstable=True), 4)
    alone = fx.build(clamped(beam(viscosity), push), rods=fx.Spline(3, 30))
    expected = fx.modes(fx.statics(alone, seek_stable=False).unwrap(unstable=True), 60)
    wanted = expected.eigenvalue[expected.growth > 0.0]
    assert len(wanted) > 1
    growing = found.eigenvalue[found.growth > 0.0]
    np.testing.assert_allclose(np.sort(growing), np.sort(wanted), rtol=1e-6)


def test_modes_that_were_not_looked_at_are_told():
    """38 modes of the limp rod are lower than those of the column, which grow."""
    push = fx.PointLoad("push", "rod.tip", force=(-26.0, 0.0, 0.0), follower=True)
    model = beside_a_whip(push, 1e-5, 0.0)
    result = fx.statics(model, seek_stable=False).unwrap(unstable=True)
    few = fx.modes(result, 4)
    assert few.stable
    (remark,) = few.remarks
    everything = model.n_dof // 8 + 1
    assert f"only the 20 lowest were looked at: modes(result, {everything})" in remark
    found = fx.modes(result, everything)
    assert not found.remarks
    assert not found.stable


def root(function, near):
    return brentq(function, near - 0.2, near + 0.2, xtol=1e-14)


CLAMPED_FREE = [root(lambda x: np.cos(x) * np.cosh(x) + 1.0, x) for x in (1.875, 4.694, 7.855)]
FREE_FREE = [root(lambda x: np.cos(x) - 1.0 / np.cosh(x), x) for x in (4.73, 7.853, 10.996)]


def test_a_rod_that_flies():
    """Six motions meet no force; the others are those of a beam with free ends."""
    model = fx.build(fx.Robot("stick", [beam()]), rods=fx.Spline(5, 12))
    instant = fx.simulate(model, 1e-3, 1e-3)[0]
    modes = fx.modes(instant, 14)
    assert modes.free[:6].all()
    assert not modes.free[6:].any()
    assert "free motion" in str(modes)
    found = 2.0 * np.pi * modes.frequency
    for x in FREE_FREE:
        assert np.count_nonzero(np.abs(found / x**2 - 1.0) < 1e-5) == 2  # along y and along z


def test_shapes_are_those_of_a_beam():
    modes = fx.modes(fx.statics(fx.build(clamped(beam()), rods=fx.LinearStrain(40))), 6)
    s = np.linspace(0.0, 1.0, 7)
    for mode, x in zip((0, 2, 4), CLAMPED_FREE, strict=True):
        ratio = (np.cos(x) + np.cosh(x)) / (np.sin(x) + np.sinh(x))
        shape = np.cosh(x * s) - np.cos(x * s) - ratio * (np.sinh(x * s) - np.sin(x * s))
        found = modes.twist(mode, "rod", s)[:, 4:].real
        along = found[-1] / np.linalg.norm(found[-1])
        found = found @ along / (found[-1] @ along)
        np.testing.assert_allclose(found, shape / shape[-1], atol=1e-5)  # EI/GA (β L)²
        displaced = modes.shape(mode, amplitude=1e-3)
        far = np.linalg.norm(displaced.pose("rod.tip")[:3, 3] - (1.0, 0.0, 0.0))
        assert far == pytest.approx(1e-3, rel=1e-3)


def test_a_pendulum():
    """ω² = m g c / (J + m c²) of a body on a hinge, whatever its axes are."""
    body = fx.Body("bob", mass=0.3, inertia=(1e-3, 2e-3, 3e-3), center=(0.0, 0.0, -0.2))
    robot = fx.Robot(
        "pendulum",
        bodies=[body],
        joints=[fx.Hinge("pin", "world", "bob", axis=(0, 1, 0))],
        loads=[fx.Gravity((0.0, 0.0, -9.81))],
    )
    result = fx.statics(fx.build(robot)).unwrap()
    modes = fx.modes(result)
    assert len(modes) == 1
    assert "1 mode in all" in modes.remarks[0]
    expected = np.sqrt(0.3 * 9.81 * 0.2 / (2e-3 + 0.3 * 0.2**2))
    assert 2.0 * np.pi * modes.frequency[0] == pytest.approx(expected, rel=1e-12)


VISCOUS = fx.Material(young=1e6, poisson=0.5, density=1000.0, viscosity=2e3)


@pytest.mark.parametrize("choice", EVERY, ids=str)
def test_damping_ratios_of_a_viscous_beam(choice):
    """Incompressible, all stresses are K (ε + τ ε̇), τ = 3 η/E: s² + τ ω² s + ω² = 0."""
    rod = fx.Rod("rod", 0.4, fx.Circle(0.015), VISCOUS)
    firm = fx.Rod("rod", 0.4, fx.Circle(0.015), fx.Material(1e6, 0.5, density=1000.0))
    found = fx.modes(fx.statics(fx.build(clamped(rod), rods=choice)), 8)
    plain = fx.modes(fx.statics(fx.build(clamped(firm), rods=choice)), 8)
    omega, lag = 2.0 * np.pi * plain.frequency, 3.0 * 2e3 / 1e6
    s = -0.5 * lag * omega**2 + np.sqrt((0.5 * lag * omega**2) ** 2 - omega**2 + 0j)
    for pole in s[:4]:
        assert np.abs(found.eigenvalue - pole).min() < 1e-8 * abs(pole)
    oscillates = found.eigenvalue.imag != 0.0
    assert oscillates.any()
    size = np.abs(found.eigenvalue[oscillates])
    np.testing.assert_allclose(found.damping[oscillates], 0.5 * lag * size, rtol=1e-7)
    assert found.stable


def test_what_is_too_viscous_creeps():
    thick = fx.Material(young=1e6, poisson=0.5, density=1000.0, viscosity=1e6)
    rod = fx.Rod("rod", 0.4, fx.Circle(0.015), thick)
    modes = fx.modes(fx.statics(fx.build(clamped(rod), rods=fx.Spline(3, 6))), 4)
    assert (modes.frequency == 0.0).all()
    np.testing.assert_allclose(modes.damping, 1.0)
    # slow motions are quasistatic: s = -1/τ = -E/3η for all of them, inertia aside
    np.testing.assert_allclose(modes.growth, -1.0 / 3.0, rtol=1e-2)
    assert "creeps" in str(modes)


def firm(robot, young):
    """The robot of the same name without viscosity."""
    return robot(fx.Material(young=young, poisson=0.45, density=1000.0))


ROBOTS = {
    "arm": (lambda: firm(arm, 1e6), ARM),
    "viscous arm": (arm, ARM),
    "loop": (lambda: firm(loop, 2e7), LOOP),
    "viscous loop": (loop, LOOP),
}


@cache
def solved(name, choice):
    robot, values = ROBOTS[name]
    return fx.statics(fx.build(robot(), rods=choice), values).unwrap()


@mixed(choice=[fx.Spline(3, 4), fx.LinearStrain(4)], name=ROBOTS)
def test_a_motion_that_begins_in_a_mode_stays_in_it(name, choice):
    """Loaded, with tendons by tension and by length, in a closed loop: simulated for a period."""
    result = solved(name, choice)
    modes, frame = fx.modes(result, 3), "plate" if "loop" in name else "rod.tip"
    for mode in (0, 2):
        errors = []
        for steps in (40, 80):
            start = modes.shape(mode, amplitude=1e-5)
            s, period = modes.eigenvalue[mode], 1.0 / modes.frequency[mode]
            factor = se3.log(se3.inverse(result.pose(frame)) @ start.pose(frame))
            motion = fx.simulate(
                result.model, period, period / steps, inputs=result.inputs, start=start,
                integrator=fx.GeneralizedAlpha(rho=1.0),
            ).unwrap()  # fmt: skip
            found = se3.log(se3.inverse(result.pose(frame)) @ motion.pose(frame))
            twist = modes.twist(mode, frame)
            scale = (factor @ twist.real) / (twist.real @ twist.real)
            expected = (scale * twist * np.exp(s * motion.t[:, None])).real
            errors.append(np.abs(found - expected).max() / np.abs(expected).max())
        # the trapezoidal rule makes a period (ω h)²/12 longer: 2e-3 of it with 40 steps
        assert errors[1] < 4e-3
        assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.25)


@pytest.mark.parametrize("name", ["arm", "viscous loop"])
def test_descriptions_agree(name):
    """Refined descriptions have the same modes."""
    choices = [
        fx.Spline(5, 10), fx.Hermite(12), fx.LinearStrain(24), fx.VariableStrain((8,) * 6),
    ]  # fmt: skip
    found = [fx.modes(solved(name, choice), 4) for choice in choices]
    for other in found[1:]:
        # fourth order, and of tendons to their anchors, with 24 elements 1e-5
        difference = np.abs(other.eigenvalue - found[0].eigenvalue)
        assert (difference < 1e-4 * np.abs(found[0].eigenvalue)).all()


def follower():
    push = fx.PointLoad("push", "rod.tip", force=(-0.1, 0.02, 0.0), follower=True)
    return fx.statics(fx.build(clamped(fx.Rod("rod", 0.4, fx.Circle(0.01), VISCOUS), push)))


def column():
    """A column that has not buckled: two motions grow, far from the lowest others."""
    push = fx.PointLoad("push", "rod.tip", force=(-40.0, 0.0, 0.0))
    model = fx.build(clamped(beam(), push), rods=fx.Spline(3, 10))
    return fx.statics(model, seek_stable=False)


def flying():
    return fx.simulate(fx.build(fx.Robot("stick", [beam(1e-3)])), 1e-3, 1e-3)[0]


RESULTS = {
    "arm": lambda: solved("arm", fx.Spline(3, 4)),
    "viscous arm": lambda: solved("viscous arm", fx.Spline(3, 4)),
    "viscous loop": lambda: solved("viscous loop", fx.LinearStrain(4)),
    "follower": follower,
    "column": column,
    "flying": flying,
}


@pytest.mark.parametrize("name", RESULTS)
def test_few_modes_of_large_robots_are_found_alike(name, monkeypatch):
    """Arnoldi's method with the factorised matrix, and all modes of the dense one."""
    result = RESULTS[name]()
    dense = fx.modes(result, 4)
    monkeypatch.setattr(undamped_module, "DENSE", 0)
    few = fx.modes(result, 4)
    np.testing.assert_allclose(np.abs(few.eigenvalue - dense.eigenvalue), 0.0,
                               atol=1e-7 * np.abs(dense.eigenvalue).max())  # fmt: skip
    np.testing.assert_array_equal(few.free, dense.free)


@pytest.mark.slow
def test_many_elements_cost_little():
    """6000 unknowns: the frequency of the beam, in a time that grows with their number."""
    rod = fx.Rod("rod", 1.0, fx.Circle(0.01), fx.Material(1e9, 0.5, density=1000.0))
    modes = fx.modes(fx.statics(fx.build(clamped(rod), rods=fx.Spline(3, 600))), 4)
    omega = CLAMPED_FREE[0] ** 2 * np.sqrt(1e9 * 0.01**2 / 4.0 / 1000.0)
    # Timoshenko's terms: (r/L)² times a few
    assert 2.0 * np.pi * modes.frequency[0] == pytest.approx(omega, rel=5e-4)


def test_what_a_result_of_modes_is(tmp_path):
    result = solved("viscous arm", fx.Spline(3, 4))
    modes = fx.modes(result, 4)
    assert len(modes) == 4
    again = pickle.loads(pickle.dumps(modes))
    assert again == modes
    np.testing.assert_array_equal(again.shape(1).pose("rod.tip"), modes.shape(1).pose("rod.tip"))
    assert str(modes).count("Hz") == 4
    assert "<table" in modes._repr_html_()
    assert set(modes.table()) == {"frequency", "damping", "growth"}
    shape = modes.shape(0, 0.01, phase=0.5 * np.pi)
    assert isinstance(shape, fx.Instant)
    before, after = (x.pose("rod.tip")[:3, 3] for x in (result, modes.shape(0, 0.01)))
    moved = np.linalg.norm(after - before)
    assert moved == pytest.approx(0.01, rel=0.05)  # the tip moves most
    speed = np.linalg.norm(shape.velocity("rod.tip")[3:])
    assert speed == pytest.approx(0.01 * abs(modes.eigenvalue[0]), rel=0.05)


def test_torsion_is_shown_as_a_turn():
    rod = fx.Rod("rod", 0.2, fx.Circle(0.02), fx.Material(1e6, 0.45, density=1000.0))
    modes = fx.modes(fx.statics(fx.build(clamped(rod))), 12)
    twists = np.abs([modes.twist(i, "rod.tip") for i in range(12)])
    turns = twists[:, 0] / twists.max(axis=1)
    shape = modes.shape(int(np.argmax(turns)))
    angle = np.linalg.norm(fx.lie.so3.log(shape.pose("rod.tip")[:3, :3]))
    assert angle == pytest.approx(1.0, rel=0.01)


def test_what_is_refused():
    steel = fx.Material(young=210e9, poisson=0.3)
    light = fx.Rod("rod", 1.0, fx.Circle(0.01), steel)
    with refused(["no mass", "'rod'", "density"]):
        fx.modes(fx.statics(fx.build(clamped(light))))
    model = fx.build(clamped(beam(), fx.PointLoad("push", "rod.tip")))
    with refused(["statics", "Model"]):
        fx.modes(model)
    result = fx.statics(model)
    for count in (0, -1, 2.5, True, "six"):
        with refused(["count", "whole number"]):
            fx.modes(result, count)
    with refused(["0 to 1", "got 2"]):
        fx.modes(result, 2).shape(2)
    with refused(["amplitude", "nan"]):
        fx.modes(result, 2).shape(0, amplitude=np.nan)
    failed = fx.statics(model, {"push": (0, 0, 0, 0, 30.0, 0)}, iterations=1)
    assert not failed.converged
    with refused(["equilibrium", "not converged"]):
        fx.modes(failed)
    motion = fx.simulate(model, 0.2, 0.05, inputs={"push": (0, 0, 0, 0, 1.0, 0)}, start=result)
    with refused(["moves", "statics"]):
        fx.modes(motion[-1])
    with refused(["out of balance"]):
        fx.modes(motion[0])  # at rest, but loaded all at once
    rests = fx.simulate(model, 0.1, 0.05, start=result)[-1]
    np.testing.assert_allclose(fx.modes(rests).frequency, fx.modes(result).frequency, rtol=1e-9)
    with refused(["shooting", "statics"]):
        fx.modes(fx.shooting(clamped(beam())))


@pytest.mark.parametrize("body", [(0.01, 1e-6), (100.0, 10.0)], ids=str)
def test_a_thin_wire_twists_beside_any_body(body):
    """It is clamped by itself: light or heavy bodies elsewhere are none of its business."""
    L, r, young, density = 0.1, 1e-4, 6e10, 6450.0
    metal = fx.Material(young, 0.3, density=density)
    robot = fx.Robot(
        "two",
        rods=[fx.Rod("wire", L, fx.Circle(r), metal), fx.Rod("post", 0.3, fx.Circle(0.02), metal)],
        bodies=[fx.Body("load", body[0], (body[1],) * 3)],
        joints=[
            fx.Weld("world", "wire.base"),
            fx.Weld("world", "post.base"),
            fx.Weld("post.tip", "load"),
        ],
    )
    model = fx.build(robot, rods=fx.LinearStrain(8))
    frequency = fx.modes(fx.statics(model), model.n_dof).frequency
    torsion = np.sqrt(young / 2.6 / density) / (4.0 * L)
    assert np.abs(frequency / torsion - 1.0).min() <= 1e-4  # eight elements, of fourth order
    assert frequency[0] > 0.0


TENSION = 1e4  # rods bend within 1/100 of their length beside clamps


def taut():
    """A beam between clamps, pulled along x."""
    joints = [
        fx.Weld("world", "rod.base"),
        fx.Slider("way", "world", "rod.tip", axis=(1, 0, 0), offset=se3.pose((1.0, 0, 0))),
    ]
    pull = fx.PointLoad("pull", "rod.tip", force=(TENSION, 0.0, 0.0))
    return fx.Robot("taut", [beam()], joints=joints, loads=[pull])


def taut_frequencies(count):
    """ω of EI y⁗ - P y″ = m ω² y between clamps, by its characteristic equation [rad/s]."""

    def miss(omega):
        middle = np.hypot(0.5 * TENSION, omega)
        a, b = np.sqrt(middle + 0.5 * TENSION), np.sqrt(middle - 0.5 * TENSION)
        return 2.0 * a * b * (1.0 / np.cosh(a) - np.cos(b)) + (a**2 - b**2) * np.sin(b)

    string = np.pi * np.sqrt(TENSION)
    return np.array([brentq(miss, n * string, (n + 0.5) * string) for n in range(1, count + 1)])


@pytest.mark.parametrize(
    "rods", [fx.Spline(), fx.Spline(3, 48), fx.Hermite(4), fx.VariableStrain()], ids=str
)
def test_how_well_frequencies_are_known(rods):
    """The estimate is the error up to a factor of two; a coarse description says that it is."""
    modes = fx.modes(fx.statics(fx.build(taut(), rods=rods)).unwrap(), 6)
    error = np.abs(2.0 * np.pi * modes.frequency / np.repeat(taut_frequencies(3), 2) - 1.0)
    # THIN stretches by P/EA = 1e-3, which counts by as much
    np.testing.assert_array_less(0.5 * (error - 1e-3), modes.accuracy)
    np.testing.assert_array_less(modes.accuracy, 2.0 * (error + 1e-3))
    assert bool(modes.doubts) is bool(modes.accuracy.max() > 0.01)
    assert ("more finely" in str(modes)) is bool(modes.doubts)


def test_elements_that_buckle_by_themselves_are_told():
    modes = fx.modes(fx.statics(fx.build(taut(), rods=fx.LinearStrain(8))).unwrap())
    assert not modes.stable
    assert "buckle by themselves" in str(modes)


def test_how_well_modes_of_robots_that_fly_are_known():
    model = fx.build(fx.Robot("free", [beam()]))
    modes = fx.modes(fx.simulate(model, 1e-3, 1e-3)[1], 8)
    assert modes.free.tolist() == [True] * 6 + [False] * 2
    assert not modes.accuracy[:6].any()
    # ω = 22.3733 √(EI/m) / L² of a free beam
    error = np.abs(2.0 * np.pi * modes.frequency[6:] / 22.373285448 - 1.0)
    np.testing.assert_array_less(error, modes.accuracy[6:] + 1e-6)
    assert modes.accuracy.max() <= 1e-5


@pytest.mark.parametrize("rods", [fx.Spline(), fx.LinearStrain(4)], ids=str)
def test_masses_beyond_floats_are_named(rods):
    """A column under 1e12 N: a raw LinAlgError before."""
    material = fx.Material(young=1e9, poisson=0.3, density=1000.0)
    rod = fx.Rod("rod", 1.0, fx.Circle(1e-3), material)
    load = fx.PointLoad("press", at="rod.tip", force=(-1e12, 0.0, 0.0))
    robot = fx.Robot("column", [rod], [fx.Weld("world", "rod.base")], [load])
    squeezed = fx.statics(fx.build(robot, rods=rods), seek_stable=False)
    with pytest.raises(fx.NotConverged, match="modes of 'column' were not found: in this shape"):
        fx.modes(squeezed)
