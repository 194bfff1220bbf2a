"""A helix in a tube: wound up, compared with published laws, and unwound again.

The rod of ``tube``, whose ends are held on the wall now but may go around it: arms on hinges about
the axis hold them by balls. What waves have of windings both ways can go then. With x in lengths of
(EI r/w)^¼ and F = f √(EI w/r), its angle θ(x) around the tube has the energy

    ∫ ½ θ''² + ½ θ'⁴ - ½ f θ'² + 1 - cos θ dx,     so that θ'''' - 6 θ'² θ'' + f θ'' + sin θ = 0,

and it presses on the wall by 4 θ' θ''' + 3 θ''² - θ'⁴ + f θ'² + cos θ of its weight. Published laws
are those of a helix without weight, θ' = √(f/2): its pitch √(8 π² EI/F) [Lubinski1962] and what it
presses by, F² r/(4 EI) [Mitchell1986]. `long_helix` solves the equation by collocation for the
pitch with the least energy, and `between` from one place of a rod to another.

Moments on both arms wind waves up at f = 4, and are taken off; then the force is lowered.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_bvp
from scipy.optimize import brentq, minimize_scalar

import flexura as fx
from benchmarks.contact.rods import CLEARANCE, PIPE, STEEL, TUBE, stiffness
from benchmarks.contact.tube import ASIDE, FORCE, WEIGHT
from benchmarks.contact.tube import HELIX as EQUAL
from benchmarks.progress import track
from benchmarks.table import Table
from flexura.typing import Array

UNIT = float((stiffness(PIPE, STEEL.young) * CLEARANCE / WEIGHT) ** 0.25)  # of lengths [m]
MOMENT = 1.5 * WEIGHT * CLEARANCE * UNIT  # winds all of it up; 1.0 may leave a part waves [N·m]
RAISED, WOUND = (1.9, 2.4, 3.0, 3.6, 4.0), 4.0
LOWERED = np.round(np.arange(3.8, 2.19, -0.1), 1)
MIDDLE = (0.2, 0.8)  # ends are another matter, of the length
PLACES = 2001
NODES, PRECISE = 5000, 1e-8  # of collocation


class Helix(NamedTuple):
    """Turns of a helix: pitch and force on the wall, relative to laws without weight; energy."""

    pitch: float
    pressing: float
    energy: float = np.nan


class Found(NamedTuple):
    """A helix that was found: its load, its turns, how far off its equation it is [rad]."""

    load: float
    helix: Helix
    off: float
    result: fx.StaticResult


def in_tube(spans: int) -> fx.Model:
    """The rod, with ends that go around the wall."""
    pose = fx.lie.se3.pose
    low = pose((0.0, 0.0, -CLEARANCE))
    along = [(-0.5, 0.0, 0.0), (0.5 * TUBE, 0.0, 0.0), (TUBE + 0.5, 0.0, 0.0)]
    robot = fx.Robot(
        "helix",
        rods=[fx.Rod("rod", TUBE, fx.Circle(PIPE), STEEL)],
        bodies=[fx.Body(name, 0.0, (0.0,) * 3) for name in ("arm", "shoe", "head")],
        joints=[
            fx.Hinge("around", "world", "arm", (1, 0, 0)),
            fx.Ball("base", "arm", "rod.base", offset=low),
            fx.Slider("push", "world", "shoe", (1, 0, 0), offset=pose((TUBE, 0.0, 0.0))),
            fx.Hinge("about", "shoe", "head", (1, 0, 0)),
            fx.Ball("tip", "head", "rod.tip", offset=low),
        ],
        loads=[
            fx.Gravity(),
            fx.PointLoad("load", "shoe", force=(0.0, 0.0, 0.0)),
            fx.PointLoad("back", "arm", force=(0.0, 0.0, 0.0)),
            fx.PointLoad("wind", "head", force=(0.0, 0.0, 0.0)),
            fx.PointLoad("aside", fx.At("rod", 0.5 * TUBE), force=(0.0, 0.0, 0.0)),
        ],
        obstacles=[fx.Obstacle("tube", fx.Vessel(along, CLEARANCE + PIPE))],
        contacts=[fx.Contact("rod", "tube")],
    )
    return fx.build(robot, rods=fx.Spline(3, spans))


def pushed(start: fx.StaticResult, f: float, moment: float = 0.0) -> fx.StaticResult:
    """The rod under a force f, and moments that wind it up."""
    loads = {
        "load": (0, 0, 0, -f * FORCE, 0, 0),
        "wind": (moment, 0, 0, 0, 0, 0),
        "back": (-moment, 0, 0, 0, 0, 0),
        "aside": (0, 0, 0, 0, ASIDE * WEIGHT * TUBE, 0),
    }
    return fx.statics(start.model, loads, start=start).unwrap()


def wound(spans: int) -> fx.StaticResult:
    """The helix at f = ``WOUND``."""
    result = fx.statics(in_tube(spans)).unwrap()
    for f in RAISED:
        result = pushed(result, f)
    return pushed(pushed(result, WOUND, MOMENT), WOUND)


def around(result: fx.StaticResult) -> tuple[Array, Array]:
    """Arc lengths in units, and how far around the wall the rod is there [rad]."""
    s = np.linspace(0.0, TUBE, PLACES)
    _, y, z = result.pose("rod", s)[:, :3, 3].T
    return s / UNIT, np.unwrap(np.arctan2(y, -z))


def turns(result: fx.StaticResult) -> float:
    """How often it winds around the tube, whichever way."""
    angle = around(result)[1]
    return float(abs(angle[-1] - angle[0]) / (2.0 * np.pi))


def helix(result: fx.StaticResult, f: float) -> Helix:
    """Of all whole turns in the middle of a rod."""
    x, angle = around(result)
    inside = (x > MIDDLE[0] * x[-1]) & (x < MIDDLE[1] * x[-1])
    x, angle = x[inside], np.abs(angle[inside] - angle[inside][0])
    last = int(angle[-1] / (2.0 * np.pi))
    ends = np.array([x[0], np.interp(2.0 * np.pi * last, angle, x)])
    length = float(ends[1] - ends[0])
    places = np.array(sorted((c.s / UNIT, c.pressing) for c in result.contacts))
    total = np.interp(ends, places[:, 0], np.cumsum(places[:, 1]) - 0.5 * places[:, 1])
    pressing = float(total[1] - total[0]) / (WEIGHT * UNIT * length)
    return Helix(
        length / last / pitch(f), pressing / (0.25 * f**2), _energy(result, f, *(UNIT * ends))
    )


def _energy(result: fx.StaticResult, f: float, begin: float, end: float) -> float:
    """Energy between two arc lengths above that of the straight rod, over w r and the length."""
    s, force, length = np.linspace(begin, end, PLACES), f * FORCE, end - begin
    x, _, z = result.pose("rod", s)[:, :3, 3].T
    density = result.energy_density("rod", s) + WEIGHT * (z + CLEARANCE)
    shorter = force**2 / (2.0 * np.pi * PIPE**2 * STEEL.young)  # what the straight rod gives
    total = np.trapezoid(density, s) + force * (x[-1] - x[0] - length) + shorter * length
    return float(total / (WEIGHT * CLEARANCE * length))


def pitch(f: float) -> float:
    """√(8 π² EI/F), in units."""
    return float(2.0 * np.pi * np.sqrt(2.0 / f))


def bend(f: float, y: Array) -> Array:
    """Derivatives of θ, θ', θ'', θ''', of the energy and of the force on the wall."""
    t, a, b, c = y[:4]
    energy = 0.5 * b**2 + 0.5 * a**4 - 0.5 * f * a**2 + 1.0 - np.cos(t)
    presses = 4.0 * a * c + 3.0 * b**2 - a**4 + f * a**2 + np.cos(t)
    return np.array([a, b, c, 6.0 * a**2 * b - f * b - np.sin(t), energy, presses])


def turned(f: float, length: float) -> Helix:
    """The helix of a long rod, for its pitch in units: half a turn from the bottom to the top."""
    half = 0.5 * length
    x = np.linspace(0.0, half, 41)
    guess = np.zeros((6, len(x)))
    guess[0], guess[1] = np.pi * x / half, np.pi / half

    def ends(a: Array, b: Array) -> Array:
        return np.array([a[0], a[2], b[0] - np.pi, b[2], a[4], a[5]])

    found = solve_bvp(lambda _, y: bend(f, y), ends, x, guess, tol=PRECISE, max_nodes=NODES)
    assert found.success
    energy, pressing = found.y[4:, -1] / half
    return Helix(length / pitch(f), float(pressing) / (0.25 * f**2), float(energy))


def long_helix(f: float) -> Helix:
    """The helix with the least energy."""
    most = minimize_scalar(
        lambda x: turned(f, x * pitch(f)).energy, bounds=(0.8, 1.4), method="bounded"
    )
    return turned(f, float(most.x) * pitch(f))


def equal_energy() -> float:
    """The f at which a long helix has the energy of the straight rod."""
    return float(brentq(lambda f: long_helix(f).energy, 2.6, 2.9, xtol=1e-4))


def off(result: fx.StaticResult, f: float) -> float:
    """How far the middle of a rod is off its equation [rad]."""
    x, angle = _equation(result, f)
    own = around(result)
    return float(np.abs(np.interp(x, *own) - angle).max())


def _equation(result: fx.StaticResult, f: float) -> tuple[Array, Array]:
    """Places in the middle of a rod, and θ there by its equation, for its θ and θ' at the ends."""
    x, angle = around(result)
    slope = np.gradient(angle, x)
    inside = (x > MIDDLE[0] * x[-1]) & (x < MIDDLE[1] * x[-1])
    x, angle, slope = x[inside], angle[inside], slope[inside]
    guess = np.zeros((6, len(x)))
    guess[0], guess[1], guess[2] = angle, slope, np.gradient(slope, x)

    def ends(a: Array, b: Array) -> Array:
        fixed = [a[0] - angle[0], a[1] - slope[0], b[0] - angle[-1], b[1] - slope[-1]]
        return np.array([*fixed, a[4], a[5]])

    found = solve_bvp(lambda _, y: bend(f, y), ends, x, guess, tol=PRECISE, max_nodes=8 * NODES)
    assert found.success
    return x, found.sol(x)[0]


def run(quick: bool = False) -> Table:
    """Wind the rod up and lower the force.

    Args:
        quick: a coarser rod, and few forces, all of which leave it a helix.
    """
    result, rows, found = wound(32 if quick else 48), [], []
    for f in track((WOUND, 3.4, 2.8) if quick else (WOUND, *LOWERED), "load"):
        result = pushed(result, f)
        if turns(result) < 0.8 * TUBE / UNIT / pitch(f):
            break
        ours, long = helix(result, f), long_helix(f)
        found.append(Found(f, ours, off(result, f), result))
        pairs = [f"{x:.3f} ({y:.3f})" for x, y in zip(ours, long, strict=True)]
        rows.append([f"{f:.1f}", f"{turns(result):.2f}", *pairs, f"{found[-1].off:.3f}"])
    loads, energies = np.array([(x.load, x.helix.energy) for x in found]).T
    equal, unwound = float(np.interp(0.0, energies, loads)), 0.5 * (f + loads[-1])
    notes = ["All of these remain helices."]
    if not quick:
        notes = [
            f"It has the energy of the straight rod at f = {equal:.2f}; a long one by its equation "
            f"at {equal_energy():.2f}, a uniform one at {EQUAL:.2f} [Chen1990].",
            f"It unwinds at f = {unwound:.2f}.",
        ]
    return Table(
        title="a helix in a tube, in brackets that of a long rod by its equation",
        header=("f", "turns", "pitch", "presses", "energy", "off its equation [rad]"),
        rows=rows,
        notes=notes,
        data={"found": found, "equal": equal, "unwound": unwound, "last": (f, result)},
    )


def figure(table: Table) -> Any:
    """How far around the rod is, along it, for several loads, and by its equation."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(6.5, 3.6))
    axes = drawing.add_subplot()
    found = table.data["found"]
    for at in np.linspace(0, len(found) - 1, 3).astype(int).tolist():
        axes.plot(*_in_turns(*around(found[at].result)), label=f"f = {found[at].load:.1f}")
        axes.plot(*_in_turns(*_equation(found[at].result, found[at].load)), "k:", lw=1.5)
    f, result = table.data["last"]
    axes.plot(*_in_turns(*around(result)), label=f"f = {f:.1f}")
    axes.plot([], [], "k:", label="equation of a long rod")
    axes.set(xlabel="along the rod [(EI r/w)^¼]", ylabel="around the tube [turns]")
    axes.grid(alpha=0.3)
    axes.legend(ncols=2, fontsize="small")
    drawing.tight_layout()
    return drawing


def _in_turns(x: Array, angle: Array) -> tuple[Array, Array]:
    """The same, turns from the bottom at the middle of the tube, winding to the right."""
    sign = 1.0 if angle[-1] >= angle[0] else -1.0
    return x, sign * angle / (2.0 * np.pi)
