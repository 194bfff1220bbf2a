"""Rods on and in round things: bent onto a circle, and buckling inside a tube.

**Circle.** A straight rod, clamped at the top of a drum, is pressed onto it by a weight at its tip.
Where it touches it has the curvature of the drum, 1/a, and from the last place that touches on it
is an elastica whose moment begins with EI/a: with the angle θ of its tangent and θ_L at the tip,

    ½ EI/a² = P (sin θ_L - sin φ),    L - a φ = ∫ dθ / √(2 P/EI (sin θ_L - sin θ))

from φ to θ_L tell how far it touches, a φ, and where the tip is.

**Tube.** A heavy rod lies in a horizontal tube and is pushed. It begins to snake at

    F = EI (n π/L)² + q r⁻¹ (L/(n π))²,    for the whole n with the least,

about 2 √(EI q/r) where it is long [Dawson1984], q its weight per length and r the clearance.
"""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Table

DRUM, RADIUS, LENGTH = 0.1, 1e-3, 0.25  # to the middle of the rod, of the rod, its length [m]
WIRE = fx.Material(young=2e9, poisson=0.3, density=0.0)
WEIGHTS = (0.15, 0.3, 0.6)  # [N]
TUBE, CLEARANCE = 4.0, 0.01  # length and clearance of the tube [m]
STEEL = fx.Material(young=2e9, poisson=0.3, density=2000.0)
PIPE = 2e-3  # radius of the rod in the tube [m]


def stiffness(radius: float, young: float) -> float:
    """EI of a round rod [N·m²]."""
    return 0.25 * np.pi * radius**4 * young


def exact_on_drum(weight: float) -> tuple[float, float]:
    """How far the rod touches [rad], and how low its tip is below the top [m]."""
    bending = stiffness(RADIUS, WIRE.young)

    def end(phi: float) -> float:
        return float(np.arcsin(np.sin(phi) + 0.5 * bending / (weight * DRUM**2)))

    def along(phi: float, what) -> float:
        # θ = θ_L - t²: the root at the end goes
        last = end(phi)

        def part(t: float) -> float:
            theta = last - t * t
            over = np.sin(last) - np.sin(theta)
            slow = np.sqrt(over) / t if t > 1e-7 else np.sqrt(np.cos(last))
            return float(2.0 * what(theta) / (np.sqrt(2.0 * weight / bending) * slow))

        return float(quad(part, 0.0, np.sqrt(last - phi), epsabs=1e-13)[0])

    most = np.arcsin(1.0 - 0.5 * bending / (weight * DRUM**2))
    phi = brentq(
        lambda x: along(x, lambda _: 1.0) - (LENGTH - DRUM * x), 0.0, most - 1e-6, xtol=1e-12
    )
    low = DRUM * (1.0 - np.cos(phi)) + along(phi, np.sin)
    return float(phi), low


def on_drum(spans: int) -> fx.Model:
    """The rod on the drum, whose axis is y."""
    lying = fx.lie.se3.pose(rotation=(0.0, 0.0, 0.5 * np.pi))
    robot = fx.Robot(
        "drum",
        rods=[fx.Rod("rod", LENGTH, fx.Circle(RADIUS), WIRE)],
        joints=[fx.Weld("world", "rod.base", fx.lie.se3.pose((0.0, 0.0, DRUM)))],
        loads=[fx.PointLoad("weight", "rod.tip", force=(0.0, 0.0, 0.0))],
        obstacles=[fx.Obstacle("drum", fx.Cylinder(DRUM - RADIUS, 0.1), pose=lying)],
        contacts=[fx.Contact("rod", "drum")],
    )
    return fx.build(robot, rods=fx.Spline(3, spans))


def in_tube(spans: int, aside: float = 0.0) -> fx.Model:
    """A heavy rod at the bottom of a tube, its ends held at its height, pushed at its tip.

    Args:
        spans: of the rod.
        aside: a force on its middle along y [N].
    """
    ends = [(-0.5, 0.0, 0.0), (0.5 * TUBE, 0.0, 0.0), (TUBE + 0.5, 0.0, 0.0)]
    low = fx.lie.se3.pose((0.0, 0.0, -CLEARANCE))
    far = fx.lie.se3.pose((TUBE, 0.0, -CLEARANCE))
    robot = fx.Robot(
        "tube",
        rods=[fx.Rod("rod", TUBE, fx.Circle(PIPE), STEEL)],
        bodies=[fx.Body("shoe", 0.0, (0.0,) * 3)],
        joints=[
            fx.Ball("foot", "world", "rod.base", offset=low),
            fx.Slider("push", "world", "shoe", (1, 0, 0), offset=far),
            fx.Ball("head", "shoe", "rod.tip"),
        ],
        loads=[
            fx.Gravity(),
            fx.PointLoad("load", "shoe", force=(0.0, 0.0, 0.0)),
            fx.PointLoad("aside", fx.At("rod", 0.5 * TUBE), force=(0.0, aside, 0.0)),
        ],
        obstacles=[fx.Obstacle("tube", fx.Vessel(ends, CLEARANCE + PIPE))],
        contacts=[fx.Contact("rod", "tube")],
    )
    return fx.build(robot, rods=fx.Spline(3, spans))


def exact_in_tube() -> float:
    """The force that the rod begins to snake at [N]."""
    bending = stiffness(PIPE, STEEL.young)
    weight = np.pi * PIPE**2 * STEEL.density * 9.81
    k = np.pi * np.arange(1, 200) / TUBE
    return float((bending * k**2 + weight / (CLEARANCE * k**2)).min())


def snaking_force(model: fx.Model, parts: int) -> float:
    """The force beyond which the straight rod is not stable, by bisection [N]."""
    stable, unstable = 0.5 * exact_in_tube(), 1.5 * exact_in_tube()
    start = fx.statics(model).unwrap()
    for _ in range(parts):
        middle = 0.5 * (stable + unstable)
        push = {"load": (0, 0, 0, -middle, 0, 0)}
        found = fx.statics(model, push, start=start, seek_stable=False)
        if found.stable:
            stable, start = middle, found
        else:
            unstable = middle
    return 0.5 * (stable + unstable)


def run(quick: bool = False) -> Table:
    """Press the rod onto the drum, push the other into the tube.

    Args:
        quick: fewer spans and weights.
    """
    rows, data, results = [], {}, []
    for spans in (16,) if quick else track((16, 32, 64), "drum"):
        model, result = on_drum(spans), None
        for weight in WEIGHTS[1:2] if quick else WEIGHTS:
            load = {"weight": (0, 0, 0, 0, 0, -weight)}
            result = fx.statics(model, load, start=result).unwrap()
            touches = max(x.s for x in result.contacts) / DRUM
            low = DRUM - float(result.pose("rod.tip")[2, 3])
            phi, deep = exact_on_drum(weight)
            data["drum", spans, weight] = (touches - phi, low - deep)
            results.append(result)
            rows.append(
                [
                    f"drum, {spans} spans, {weight:g} N", f"touches {touches:.3f} rad",
                    f"{phi:.3f}", f"tip {1e3 * low:.3f} mm low", f"{1e3 * deep:.3f}",
                ]
            )  # fmt: skip
    model = in_tube(24)
    force, exact = snaking_force(model, 6 if quick else 10), exact_in_tube()
    data["tube"] = force / exact - 1.0
    rows.append(["tube", f"snakes at {force:.3f} N", f"{exact:.3f}", "", ""])
    return Table(
        title="rods on a drum and in a tube, beside closed forms",
        header=("rod", "found", "exact", "found", "exact"),
        rows=rows,
        data=data | {"all": results},
    )
