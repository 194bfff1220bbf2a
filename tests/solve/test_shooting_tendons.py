"""Tendons in the continuous equations: references, closed forms, energy, derivatives, lengths."""

import csv
from pathlib import Path

import numpy as np
import pytest
from arrivals import Arrivals
from scipy.optimize import approx_fprime
from support import GRIP, OFFSET, TURNED, rod_of, slope, stem_and_arm

import flexura as fx
from flexura.continuous.segment_law import Strands, new_pull
from flexura.continuous.tendon_law import add_tendons, separate
from flexura.lie import quaternion, se3, so3
from flexura.solve.shooting import shooting
from flexura.solve.shooting.serial import Chain

RADIUS = 8e-3  # of the tendons around the backbone [m]
# The robots of the references stand upright, with z along the tangent: their x, y are our y, z.
UPRIGHT = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
BASE = np.block([[UPRIGHT, np.zeros((3, 1))], [np.zeros((1, 3)), np.ones((1, 1))]])
FINE = fx.Spline(5, 40)
ROUNDED = 1e-12


# ---- the robots of the paper -------------------------------------------------------------------


def around(angle, side=1.0):
    """Offsets (y, z) at an angle around the backbone."""
    return side * RADIUS * np.cos(angle), side * RADIUS * np.sin(angle)


def backbone(lengths, tendons, physical=False, gravity=9.81):
    """Steel rods of 0.4 mm radius end to end, upright; the paper's shear modulus, or the true."""
    E, nu = 210e9, 0.3125
    shear = E / (2.0 * (1.0 + nu)) if physical else E * (1.0 + nu) / 2.0
    steel = fx.Material(young=E, shear=shear, density=95000.0)
    rods = [fx.Rod(f"r{i}", length, fx.Circle(0.4e-3), steel) for i, length in enumerate(lengths)]
    welds = [fx.Weld(f"r{i}.tip", f"r{i + 1}.base") for i in range(len(rods) - 1)]
    joints = [fx.Weld("world", "r0.base", offset=BASE), *welds]
    return fx.Robot("tendons", rods, joints, [fx.Gravity((0.0, 0.0, -gravity))], tendons)


def scenario(name, one_rod=False, gravity=9.81, **drive):
    """The robots A to E; D and E of three rods, or of one in which tendons end."""
    routings = {
        "A": [fx.Parallel(*around(i * 2.0 * np.pi / 3.0)) for i in range(3)],
        "B": [fx.Convergent(RADIUS, 0.0), fx.Convergent(-RADIUS, 0.0)],
        "C": [fx.Helical(RADIUS, 1.0, i * np.pi) for i in range(2)],
    }
    kind, physical = name[0], name.endswith("physical")
    if kind in routings:
        tendons = [
            fx.Tendon(f"t{i}", "r0", routing, **drive) for i, routing in enumerate(routings[kind])
        ]
        return backbone([0.242], tendons, physical, gravity)
    tendons = []
    for i in range(9 if kind == "D" else 6):
        part, place = divmod(i, 3 if kind == "D" else 2)
        end = round(0.1 * (part + 1), 10)
        rods = "r0" if one_rod else [f"r{j}" for j in range(part + 1)]
        routing = fx.Parallel(*around(place * 2.0 * np.pi / 3.0))
        if kind == "E":
            at = around(part * 2.0 * np.pi / 3.0, 1.0 - 2.0 * place)
            pieces = [(0.1 * part, fx.Parallel(*at)), (end, fx.Convergent(*at))]
            routing = fx.Piecewise(pieces[0 if part else 1 :])
        tendons.append(fx.Tendon(f"t{i}", rods, routing, end=end, **drive))
    return backbone([0.3] if one_rod else [0.1] * 3, tendons, physical, gravity)


def by_name(values):
    return {f"t{i}": float(value) for i, value in enumerate(values)}


def references():
    """Rows (scenario, tensions, position, rotation) of the data file."""
    path = Path(__file__).with_name("tendon_references.csv")
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    for row in csv.DictReader(lines):
        tensions = [float(x) for x in row["tensions"].split()]
        position = np.array([float(row[x]) for x in ("x", "y", "z")])
        rotation = quaternion.to_matrix([float(row[q]) for q in ("qw", "qx", "qy", "qz")])
        yield pytest.param(
            row["scenario"], tensions, position, rotation, id=f"{row['scenario']}-{tensions}"
        )


@pytest.mark.parametrize(("name", "tensions", "position", "rotation"), list(references()))
def test_references(name, tensions, position, rotation):
    """The references are good to 1e-12 m; we agree to 4e-13 m. All at once, from straight."""
    for one_rod in {False, name[0] in "DE"}:
        robot = scenario(name, one_rod)
        result = shooting(robot, by_name(tensions)).unwrap()
        tip = result.pose(f"{robot.rods[-1].name}.tip")
        np.testing.assert_allclose(tip[:3, 3], position, atol=2e-12)
        np.testing.assert_allclose(tip[:3, :3] @ UPRIGHT.T, rotation, atol=1e-11)
        assert result.status is fx.Status.CONVERGED
        assert result.stable
        assert result.iterations <= 5


# ---- closed forms ------------------------------------------------------------------------------


@pytest.mark.parametrize("tension", [0.5, 40.0, 400.0])
def test_a_parallel_tendon_bends_to_a_circle(tension):
    """ν = 1 - τ/EA and κ = τ r/EI, exactly: the tendon stays parallel to the rod."""
    EI, EA, r = 2.0, 5e4, 0.05
    tendon = fx.Tendon("t", "rod", fx.Parallel(r, 0.0))
    weld = fx.Weld("world", "rod.base")
    robot = fx.Robot("arc", [rod_of(EI=EI, EA=EA)], [weld], tendons=[tendon])
    result = shooting(robot, {"t": tension}).unwrap()
    k, nu = tension * r / EI, 1.0 - tension / EA
    tip = nu * np.array([np.sin(k), 1.0 - np.cos(k), 0.0]) / k
    np.testing.assert_allclose(result.pose("rod.tip")[:3, 3], tip, atol=ROUNDED)
    np.testing.assert_allclose(result.strain("rod", 0.4), (0, 0, k, nu, 0, 0), atol=ROUNDED)
    elastic = (0, 0, tension * r, -tension, 0, 0)
    np.testing.assert_allclose(result.internal_wrench("rod", 0.4), elastic, atol=1e-10)
    assert result.tendon_length("t") == pytest.approx(nu - k * r, abs=ROUNDED)
    assert result.tension("t") == tension
    energy = 0.5 * EI * k**2 + 0.5 * tension**2 / EA
    assert result.energy == pytest.approx(energy, rel=ROUNDED)
    np.testing.assert_allclose(result.reaction(weld), 0.0, atol=1e-10)  # tendons pull on the rod


def test_a_tendon_along_the_axis_compresses_only():
    """And buckles nothing, far beyond Euler's load π² EI/4L²: it is no dead force."""
    tendon = fx.Tendon("t", "rod", fx.Parallel(0.0, 0.0))
    rod = rod_of(EI=1.0, EA=1e4)
    robot = fx.Robot("column", [rod], [fx.Weld("world", "rod.base")], tendons=[tendon])
    result = shooting(robot, {"t": 100.0}).unwrap()
    np.testing.assert_allclose(result.pose("rod.tip"), se3.pose((0.99, 0.0, 0.0)), atol=ROUNDED)
    assert result.tendon_length("t") == pytest.approx(0.99, abs=ROUNDED)
    assert result.stable


def test_a_tendon_does_not_change_the_load_that_buckles():
    """On the axis it carries its compression itself: the dead load alone decides."""
    tendon = fx.Tendon("t", "rod", fx.Parallel(0.0, 0.0))
    load = fx.PointLoad("p", "rod.tip", (-1.0, 0.0, 0.0))
    weld = fx.Weld("world", "rod.base")
    robot = fx.Robot("column", [rod_of(EI=1.0, EA=1e9)], [weld], [load], [tendon])
    for factor in (0.9999, 1.0001):
        inputs = {"t": 50.0, "p": (0, 0, 0, -factor * np.pi**2 / 4.0, 0, 0)}
        result = shooting(robot, inputs, seek_stable=False)
        assert result.unwrap().stable is (factor < 1.0)


# ---- energy ------------------------------------------------------------------------------------

TENSIONS = {"A": (4, 1, 2), "B": (5, 1), "C": (6, 2), "E": (4, 1, 3, 0.5, 1, 2)}


@pytest.mark.parametrize("name", TENSIONS)
def test_tensions_do_the_work(name):
    """dU = -Σ τ dl along a path of tensions, and dΠ/dτ = l where Π = U + Σ τ l + weight."""
    light, heavy, h = scenario(name, gravity=0.0), scenario(name), 1e-3
    tension = np.array(TENSIONS[name], dtype=float)

    def states(robot):
        sizes = (1.0 - h, 1.0, 1.0 + h)
        return [shooting(robot, by_name(size * tension)).unwrap() for size in sizes]

    before, here, after = states(light)
    work = -tension @ (after.tendon_lengths - before.tendon_lengths)
    assert after.energy - before.energy == pytest.approx(work, rel=1e-6)
    before, here, after = states(heavy)
    rise = (after.potential - before.potential) / (2.0 * h)
    assert rise == pytest.approx(tension @ here.tendon_lengths, rel=1e-8)


def test_the_internal_wrench_is_the_elastic_one():
    """Λ = K (ξ - ξ*), whose energy density is that of the result; tendons are not in it."""
    robot = scenario("D")
    result = shooting(robot, by_name([2.5, 0, 5, 3.75, 0, 0, 0, 2.5, 2.5])).unwrap()
    x, w = np.polynomial.legendre.leggauss(20)
    total = 0.0
    for rod in robot.rods:
        s = 0.5 * rod.length * (x + 1.0)
        strain = result.strain(rod.name, s)
        wrench = rod.stiffness(0.0) * (strain - rod.rest_strain(0.0))
        found = result.internal_wrench(rod.name, s)
        np.testing.assert_allclose(found, wrench, atol=1e-9)  # EA is 1e5 N
        total += 0.5 * rod.length * w @ result.energy_density(rod.name, s)
    assert total == pytest.approx(result.energy, rel=1e-10)


# ---- where tendons end and kink ----------------------------------------------------------------


def test_strain_jumps_where_a_tendon_kinks():
    """The paper's jump relation (63), linear in the jump of slope, misses its square.

    [Γ, K] = -(H⁻¹ Σ τ (A, hat(D) A) [D']) with all else before the kink: the first step of the
    Newton iteration that we take to its end.
    """
    middle, sizes, errors = 0.1, np.array([0.1, 0.05, 0.025]), []
    for size in sizes:
        bent = fx.Routing(lambda s, size=size: (RADIUS, size * (s - middle)))
        pieces = [(middle, fx.Parallel(RADIUS, 0.0)), (2.0 * middle, bent)]
        tendon = fx.Tendon("t", "r0", fx.Piecewise(pieces))
        robot = backbone([2.0 * middle], [tendon])
        result = shooting(robot, {"t": 5.0}).unwrap()
        before, after = result.strain("r0", [middle - 1e-13, middle])
        jump = linear_jump(robot.rods[0], before, 5.0, (0.0, RADIUS, 0.0), (0.0, 0.0, size))
        errors.append(np.abs((after - before - jump)[:3]).max())
        assert errors[-1] < 0.2 * np.abs((after - before)[:3]).max()
    assert slope(sizes, errors) == pytest.approx(2.0, abs=0.05)


def linear_jump(rod, strain, tension, D, jump):
    """Jump of (κ, ν) by equation (63) with appendix A of the paper."""
    k, e, D = strain[:3], strain[3:], np.array(D)
    gamma = e + np.cross(k, D)
    size = np.linalg.norm(gamma)
    A = -tension * so3.hat(gamma) @ so3.hat(gamma) / size**3
    B = so3.hat(D) @ A
    stiffness = np.diag(rod.stiffness(0.0))
    stiffness += np.block([[-B @ so3.hat(D), B], [B.T, A]])
    return -np.linalg.solve(stiffness, np.concatenate([B @ jump, A @ jump]))


# ---- the local equation ------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1.0, 1e3, 1e6])
def test_every_stress_has_its_strain(size, rng):
    """Slender and stout rods, any stress, tendons that leave themselves some length: to rounding.

    Beyond τ r² = EI a parallel tendon would have none.
    """
    for _ in range(200):
        t = int(rng.integers(1, 6))
        stiffness = np.array([1.0, 1.0, 1.0, *[10.0 ** rng.uniform(1.0, 7.0)] * 3])
        series = rng.normal(size=(t, 1, 4)) * (0.05, 0.05, 0.3, 0.3)
        most = min(0.2 * stiffness[3], 0.3 / np.abs(series[:, 0, :2]).max() ** 2)
        tension = most * 10.0 ** rng.uniform(-3.0, 0.0, size=t) / t
        everywhere = np.arange(t)
        strands = Strands(np.array([0, t]), everywhere, everywhere - t, series, tension)
        rest = np.array([*rng.normal(size=3), 1.0, 0.0, 0.0])
        stress = size * rng.normal(size=6) * (1.0, 1.0, 1.0, *[0.2 * min(1.0, stiffness[3])] * 3)
        elastic, pull = stress.copy(), new_pull(t)
        separate(strands, 0, 1, 0.0, 1.0 / stiffness, rest, elastic, pull, 0)
        again = elastic.copy()
        add_tendons(strands, 0, 1, 0.0, rest + elastic / stiffness, again, new_pull(t))
        scale = max(np.abs(stress).max(), tension.sum())
        # ξ is rounded next to 1, so that a tendon's direction is off by as much
        np.testing.assert_allclose(again, stress, atol=1e-13 * scale)


def test_compliance_is_the_derivative_of_the_strain(rng):
    series = rng.normal(size=(3, 1, 4)) * (0.1, 0.1, 0.3, 0.3)
    stiffness, rest = np.array([1.0, 1.5, 2.0, 90.0, 40.0, 40.0]), np.array([0.3, 1, 2, 1, 0, 0])
    strands = Strands(np.array([0, 3]), np.arange(3), np.arange(3), series, np.array([3.0, 9.0, 1]))

    def strain(stress):
        elastic = stress.copy()
        separate(strands, 0, 1, 0.0, 1.0 / stiffness, rest, elastic, new_pull(3, 3), 0)
        return rest + elastic / stiffness

    stress, pull = rng.normal(size=6), new_pull(3, 3)
    separate(strands, 0, 1, 0.0, 1.0 / stiffness, rest, stress.copy(), pull, 0)
    np.testing.assert_allclose(pull.compliance[0], approx_fprime(stress, strain, 1e-7), atol=1e-6)


# ---- other descriptions of the same robot ------------------------------------------------------


def chain(backward=False, grip=None, follower=False, **drive):
    """Two rods and three tendons with everything; ``backward``: held where the tendons end."""
    near, far = ("arm.tip", "stem.base") if backward else ("stem.base", "arm.tip")
    joints = [
        fx.Weld("world", near, offset=OFFSET),
        fx.Weld("stem.tip", "arm.base", offset=TURNED),
    ]
    if grip is not None:
        joints.append(fx.Weld("world", far, offset=grip, name="grip"))
    pieces = [(0.7, fx.Parallel(0.03, 0.01)), (1.3, fx.Convergent(0.03, 0.01))]
    free = fx.Routing(lambda s: (0.02 * np.cos(4.0 * s), 0.03 * np.sin(3.0 * s) ** 2))
    return fx.Robot(
        "chain",
        rods=stem_and_arm(),
        joints=joints,
        loads=[
            fx.Gravity((1.0, 2.0, -9.81)),
            fx.PointLoad("end", far, (0.3, 0.2, -0.1), follower=follower),
        ],
        tendons=[
            fx.Tendon("through", ["stem", "arm"], fx.Piecewise(pieces), 0.1, 1.3, **drive),
            fx.Tendon("helix", "stem", fx.Helical(0.03, 1.3, 0.4), **drive),
            fx.Tendon("free", "arm", free, 0.05, 0.5),
        ],
    )


PULLED = {"through": 4.0, "helix": 2.0, "free": 3.0}
SHORTENED = {"through": 0.05, "helix": 0.02, "free": 3.0}


def agree(exact, spline):
    """Compare two results; the spline's energy and nodes are good to some 1e-10."""
    assert exact.energy == pytest.approx(spline.energy, rel=5e-9)
    np.testing.assert_allclose(exact.tendon_lengths, spline.tendon_lengths, atol=1e-9)
    np.testing.assert_allclose(exact.tensions, spline.tensions, atol=1e-7)
    for frame in exact.model.frames:
        np.testing.assert_allclose(exact.pose(frame), spline.pose(frame), atol=1e-8)
    for joint in exact.model.reacting:
        np.testing.assert_allclose(exact.reaction(joint), spline.reaction(joint), atol=5e-8)


@pytest.mark.parametrize("follower", [False, True])
@pytest.mark.parametrize("grip", [None, GRIP], ids=["free", "held"])
def test_agrees_with_a_fine_spline(grip, follower):
    robot = chain(grip=grip, follower=follower)
    exact = shooting(robot, PULLED).unwrap()
    spline = fx.statics(fx.build(robot, rods=FINE), PULLED).unwrap()
    agree(exact, spline)
    if not follower:
        assert exact.potential == pytest.approx(spline.potential, rel=1e-9)
    for rod in robot.rods:
        s = np.linspace(0.0, rod.length, 13)
        np.testing.assert_allclose(exact.pose(rod.name, s), spline.pose(rod.name, s), atol=5e-6)


@pytest.mark.parametrize("inputs", [PULLED, SHORTENED], ids=["tension", "length"])
def test_tendons_may_be_passed_from_their_ends(inputs):
    """And a result of another kind is a start: its wrenches become total stresses."""
    drive = {"drive": "length", "stiffness": 50.0} if inputs is SHORTENED else {}
    robot = chain(backward=True, **drive)
    spline = fx.statics(fx.build(robot, rods=FINE), inputs).unwrap()
    exact = shooting(robot, inputs, start=spline).unwrap()
    assert exact.iterations <= 5
    agree(exact, spline)


@pytest.mark.parametrize("stiffness", [None, 50.0], ids=["rigid", "elastic"])
def test_lengths_agree_with_a_fine_spline(stiffness):
    robot = chain(drive="length", stiffness=stiffness)
    exact = shooting(robot, SHORTENED).unwrap()
    agree(exact, fx.statics(fx.build(robot, rods=FINE), SHORTENED).unwrap())


def test_statics_begins_from_tensions_of_shooting():
    """The tensions of tendons that are driven by their length are a part of the state."""
    robot = chain(drive="length", stiffness=50.0)
    exact = shooting(robot, SHORTENED).unwrap()
    coarse = fx.statics(exact.model, SHORTENED, start=exact).unwrap()
    assert coarse.iterations <= 5
    np.testing.assert_allclose(coarse.tensions, exact.tensions, rtol=2e-2)


# ---- derivatives -------------------------------------------------------------------------------


@pytest.mark.parametrize("backward", [False, True])
def test_variations_are_derivatives(backward, rng):
    """Of poses, stresses and lengths by those at the begin and by unknown tensions."""
    model = fx.build(chain(backward, drive="length"))
    tabulated = Chain(model)
    loaded = tabulated.at(model.read_inputs({"free": 3.0}))
    n = len(tabulated.owner)
    pose = se3.exp(rng.normal(size=(n + 1, 6)))
    arrivals = Arrivals(loaded, pose, 3.0 * rng.normal(size=(n + 1, 6)), (5.0, 8.0))
    middle = arrivals.after(np.zeros(14))
    for k in range(14):
        found, length = arrivals.difference(k)
        column = middle.transfer[:, :, k] if k < 12 else middle.by_tension[:, :, k - 12]
        np.testing.assert_allclose(column, found, atol=1e-7, rtol=1e-7)
        np.testing.assert_allclose(middle.lengthening[:, :, k], length[:, :2], atol=1e-8)


# ---- tendons driven by their length ------------------------------------------------------------


def shortened(robot, result, slack=1e-4):
    """What tendons are shortened by in a result; a bit less where they do not pull."""
    rest = shooting(fx.Robot("rest", robot.rods, robot.joints, (), robot.tendons)).unwrap()
    inputs = {}
    for tendon in robot.tendons:
        tension = result.tension(tendon.name)
        own = result.tendon_length(tendon.name) / (1.0 + tension / (tendon.stiffness or np.inf))
        inputs[tendon.name] = rest.tendon_length(tendon.name) - own - (0.0 if tension else slack)
    return inputs


@pytest.mark.parametrize("stiffness", [None, 1e3], ids=["rigid", "elastic"])
@pytest.mark.parametrize(
    ("name", "tensions"),
    [
        ("A", (4, 1, 0)),
        ("A", (2, 3, 1)),
        ("B", (3, 1)),
        ("C", (9, 1)),
        ("D", (2.5, 2.5, 5, 0, 3.75, 0, 0, 0, 2.5)),
        ("E", (4, 2, 3, 0, 1, 0)),
    ],
)
def test_lengths_are_the_inverse_of_tensions(name, tensions, stiffness):
    pulled = shooting(scenario(name), by_name(tensions)).unwrap()
    robot = scenario(name, drive="length", stiffness=stiffness)
    result = shooting(robot, shortened(robot, pulled)).unwrap()
    assert result.status is fx.Status.CONVERGED
    assert result.stable
    np.testing.assert_allclose(result.tensions, tensions, atol=1e-9)
    np.testing.assert_allclose(result.tendon_lengths, pulled.tendon_lengths, atol=ROUNDED)
    tip = f"{robot.rods[-1].name}.tip"
    np.testing.assert_allclose(result.pose(tip), pulled.pose(tip), atol=ROUNDED)
    for tendon, tension in zip(robot.tendons, tensions, strict=True):
        assert result.slack(tendon.name) is (tension == 0)


def test_a_tendon_cannot_push():
    """Paid out, all tendons hang and the robot stands as without them."""
    robot = scenario("A", drive="length")
    result = shooting(robot, dict.fromkeys(("t0", "t1", "t2"), -1e-3)).unwrap()
    bare = shooting(backbone([0.242], [])).unwrap()
    np.testing.assert_allclose(result.pose("r0.tip"), bare.pose("r0.tip"), atol=ROUNDED)
    assert all(result.slack(name) for name in ("t0", "t1", "t2"))
    np.testing.assert_array_equal(result.tensions, 0.0)


def test_shortening_does_the_work():
    """dΠ = Σ τ d(shortening), Π with the weight and the energy in elastic tendons."""
    inputs = {"t0": 0.011, "t1": 0.003}
    for stiffness in (None, 500.0):
        robot, h = scenario("B", drive="length", stiffness=stiffness), 1e-6
        here = shooting(robot, inputs).unwrap()
        for name, value in inputs.items():
            energies = [
                shooting(robot, inputs | {name: value + step}).unwrap().potential
                for step in (-h, h)
            ]
            rise = (energies[1] - energies[0]) / (2.0 * h)
            assert here.tension(name) > 0.1
            # an elastic tendon that is l long stores its energy in what is left of it
            strain = here.tension(name) / (stiffness or np.inf)
            assert rise == pytest.approx(here.tension(name) * (1.0 + 0.5 * strain), rel=1e-5)


def test_lengths_hold_a_rod_that_would_buckle():
    """Tendons all around keep the tip from turning: it buckles at π² EI/L², four times Euler's."""
    angles = 2.0 * np.pi * np.arange(3) / 3.0
    tendons = [
        fx.Tendon(f"t{i}", "rod", fx.Parallel(0.1 * np.cos(a), 0.1 * np.sin(a)), drive="length")
        for i, a in enumerate(angles)
    ]
    load = fx.PointLoad("p", "rod.tip", (-1.0, 0.0, 0.0))
    rod, weld = rod_of(EI=1.0, EA=1e6), fx.Weld("world", "rod.base")
    robot = fx.Robot("column", [rod], [weld], [load], tendons)
    for factor in (0.999, 1.001):
        inputs = by_name([1e-4] * 3) | {"p": (0, 0, 0, -factor * np.pi**2, 0, 0)}
        result = shooting(robot, inputs, seek_stable=False)
        straight = np.abs(result.pose("rod.tip")[1:3, 3]).max() < 1e-6
        assert result.converged
        assert (result.tensions > 1.0).all()
        assert (straight and result.stable) is (factor < 1.0)


# ---- questions ---------------------------------------------------------------------------------


def test_discs_are_refused():
    tendon = fx.Tendon("t", "r0", fx.Discs([0.05, 0.1], RADIUS, 0.0))
    with pytest.raises(fx.ModelError, match=r"'t' is straight between discs.*statics\(build"):
        shooting(backbone([0.1], [tendon]))


@pytest.mark.parametrize("name", ["A", *(pytest.param(x, marks=pytest.mark.long) for x in "BCDE")])
@pytest.mark.parametrize(
    ("drive", "value"),
    [("tension", 1e2), ("tension", 1e3), ("tension", 1e12), ("length", 0.05), ("length", 0.5)],
)
def test_any_input_ends_in_a_status_without_nan(name, drive, value):
    """Up to tendons that would turn a rod inside out; half a metre is longer than they are."""
    robot = scenario(name, drive=drive)
    inputs = by_name([value * (i % 2 == 0) for i in range(len(robot.tendons))])
    result = shooting(robot, inputs)
    assert np.isfinite(result.pose("r0", np.linspace(0.0, 0.1, 9))).all()
    assert np.isfinite([*result.tensions, *result.tendon_lengths, result.energy]).all()
    assert isinstance(result.status, fx.Status)
    if value in (1e12, 0.5):
        assert not result.converged
