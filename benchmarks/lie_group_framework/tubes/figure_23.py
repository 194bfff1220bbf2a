"""The three tubes of Table 7 in time: pushed out of the third one, then the first is turned.

Both curved tubes come out of the third one, which does not move, as far as the second one is long;
then the first turns by 1 rad/s until it snaps: Figures 23 and 24. What the paper's text has lost is
ours: the lengths, the times, the density and the viscosity. In the third tube, which hardly bends,
and behind the plate tubes only twist: with lengths a_j there, torsion is

    θ'' = c sin θ,    θ'(L) = 0,    angle in = θ(0) - θ'(0) (a_1/GJ_1 + a_2/GJ_2)/(1/GJ_1 + 1/GJ_2)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.lie_group_framework.tubes.table_7 import angle_in, coefficient
from benchmarks.table import Claim, Table
from flexura.typing import Array

# Degree of the paper's first tube, and its ten control poses on the part that is outside.
RODS = fx.Spline(degree=5, spans=15)
PUSHED, TURNED = 2.0, 0.4  # times to push, and to come to the rate of turning [s]
SUPPORT, LONG, SHORT = 0.05, 0.6, 0.4  # lengths [m], third, first, second
RATES = (1.0, 0.25)  # [rad/s]
BESIDE = 0.17  # distance of snapshots in the picture [m]
PLASTIC = {"poisson": 0.45, "density": 1200.0}


def robot() -> fx.Robot:
    """All three tubes."""
    soft = fx.Material(young=2e9, viscosity=2e6, **PLASTIC)
    hard = fx.Material(young=10e9, viscosity=2e6, **PLASTIC)
    tubes = [
        fx.Rod("first", LONG, fx.Circle(radius=2.5e-3), soft, rest=(0.0, 6.0, 0.0)),
        fx.Rod("second", SHORT, fx.Circle(radius=5e-3), soft, rest=(0.0, 4.0, 0.0)),
        fx.Rod("third", SUPPORT, fx.Circle(radius=50e-3), hard),
    ]
    return fx.Robot(
        "figure 23", tubes=[fx.TubeSet("set", tubes)], joints=[fx.Weld("world", "set.base")]
    )


def snap_angle(own: fx.Robot) -> tuple[float, Array, Array]:
    """Angle in where the tubes snap by the equation, and its curve: angles out and in [rad]."""
    c, length = coefficient(own), SHORT - SUPPORT
    first, second = (tube.stiffness(0.0)[0] for tube in own.slender[:2])
    inside = (LONG - SHORT + SUPPORT) / first + SUPPORT / second
    straight = inside / (1.0 / first + 1.0 / second)
    out = np.linspace(0.0, 2.0 * np.pi, 200_001)
    plate = angle_in(out, c, length)
    slope = np.sqrt(np.maximum(2.0 * c * (np.cos(out) - np.cos(plate)), 0.0))
    given = plate + np.sign(plate - out) * slope * straight
    return float(given[: len(out) // 2].max()), out, given


@dataclass(frozen=True)
class Turned:
    """A motion, and its relative angles at the end behind the plate and at the tip [rad], (n,)."""

    motion: fx.Motion
    angle_in: Array
    angle_out: Array

    @property
    def snap(self) -> float:
        """Angle in where the tip is half a turn ahead [rad]: on its way to the other branch."""
        after = int(np.argmax(self.angle_out > np.pi))
        if not after:
            return np.nan
        pair = slice(after - 1, after + 1)
        return float(np.interp(np.pi, self.angle_out[pair], self.angle_in[pair]))


def ramp(t: float) -> float:
    """From 0 to 1 on the way to 1, at rest at both ends."""
    x = min(max(t, 0.0), 1.0)
    return x**3 * (10.0 - 15.0 * x + 6.0 * x**2)


def turn(rate: float, rods: fx.Spline | fx.VariableStrain, last: float) -> Turned:
    """Push the tubes out, and turn the first one to a last angle [rad] at a rate [rad/s]."""
    model = fx.build(robot(), rods=rods)
    begin = {"first.insertion": SUPPORT, "second.insertion": SUPPORT}

    def pushed(t: float) -> float:
        return SUPPORT + (SHORT - SUPPORT) * ramp(t / PUSHED)

    def turned(t: float) -> float:
        x = max(t - PUSHED, 0.0)
        return rate * (0.5 * x**2 / TURNED if x < TURNED else x - 0.5 * TURNED)

    motion = fx.simulate(
        model,
        PUSHED + 0.5 * TURNED + last / rate,
        "adaptive",
        {"first.insertion": pushed, "second.insertion": pushed, "first.rotation": turned},
        start=fx.statics(model, begin).unwrap(),
        integrator=fx.GeneralizedAlpha(0.5),
    ).unwrap()
    out = np.array([x.angle("first", LONG) - x.angle("second", SHORT) for x in motion])
    return Turned(motion, np.array([turned(t) for t in motion.t]), out)


def run(quick: bool = False) -> Table:
    """Turn at both rates.

    Args:
        quick: at the first one only.
    """
    snap, out, given = snap_angle(robot())
    rows, found = [], {}
    for rate in RATES[: 1 if quick else None]:
        own = turn(rate, RODS, snap + 0.5)
        slow = (own.motion.t > PUSHED) & (own.angle_in < 0.9 * snap)
        until = int(np.argmax(given >= snap))
        expected = np.interp(own.angle_in[slow], given[:until], out[:until])
        off = float(np.abs(own.angle_out[slow] - expected).max())
        rows.append([f"{rate:g}", f"{off:.1e}", f"{own.snap:.4f}", f"{snap:.4f}"])
        found[rate] = own
    header = ["rate [rad/s]", "angle out off [rad]", "snaps at [rad]", "equation [rad]"]
    title = "the three tubes of Table 7, pushed and turned in time"
    return Table(title, header, rows, data={"found": found, "out": out, "given": given})


def claims(table: Table) -> Iterator[Claim]:
    """Figure 23, in time."""
    for row in table.named:
        what = f"Figure 23, turned by {row['rate [rad/s]']} rad/s: snaps at [rad]"
        yield Claim(what, "a figure", row["equation [rad]"], row["snaps at [rad]"])


def figure(table: Table) -> Any:
    """Snapshots as in Figure 23, and angles out over angles in as in Figure 24."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(12.0, 4.6), layout="constrained")
    left = drawing.add_subplot(1, 2, 1, projection="3d")
    right = drawing.add_subplot(1, 2, 2)
    own = table.data["found"][RATES[0]]
    snap = float(np.interp(own.snap, own.angle_in, own.motion.t))
    times = (0.0, 0.5 * PUSHED, PUSHED, 0.5 * (PUSHED + snap), snap - 0.1, own.motion.t[-1])
    for k, t in enumerate(times):
        _draw(left, own.motion.at(float(t)), k, f"{t:.1f} s")
    left.plot([0.0, 0.0], [0.0, 0.1], [-0.2, -0.2], "k", lw=1.5, clip_on=False)
    left.text(0.0, 0.0, -0.25, "0.1 m", fontsize=8)
    left.set_axis_off()
    left.set(xlim=(0.0, 0.35), ylim=(0.0, 5.0 * BESIDE), zlim=(-0.25, 0.1))
    left.set_box_aspect((0.35, 5.0 * BESIDE, 0.35), zoom=1.05)
    left.set_title("pushed out, then the first tube turns; lines: material at the tips", fontsize=9)
    left.view_init(elev=15.0, azim=-20.0)
    right.plot(table.data["given"], table.data["out"], "k", lw=0.8, label="equation")
    for rate, each in table.data["found"].items():
        turning = each.motion.t > PUSHED
        label = f"motion, {rate:g} rad/s"
        right.plot(each.angle_in[turning], each.angle_out[turning], lw=1.2, label=label)
    right.set(xlabel="angle in [rad]", ylabel="angle out [rad]")
    right.grid(alpha=0.3)
    right.legend(fontsize=8)
    return drawing


def _draw(axes: Any, instant: Any, k: int, text: str) -> None:
    """A snapshot beside those before it: the tubes, and where a side of each is at its tip."""
    aside = np.array([0.0, BESIDE * k, 0.0])
    for name, width, color, reach in (("second", 3.0, "C0", 0.05), ("first", 1.2, "C1", 0.08)):
        rod = instant.model.robot.rod(name)
        inside = rod.length - float(instant.inputs[f"{name}.insertion"])
        poses = instant.pose(name, np.linspace(inside, rod.length, 60))
        axes.plot(
            *(poses[:, :3, 3] + aside).T, lw=width, color=color, label=name if not k else None
        )
        tip = poses[-1]
        side = np.array([tip[:3, 3], tip[:3, 3] + reach * tip[:3, 2]]) + aside
        axes.plot(*side.T, lw=0.5 * width, color=color, clip_on=False)
    axes.text(-0.03, aside[1], 0.11, text, fontsize=8)
    axes.legend(fontsize=7, loc="upper left")
