"""A rubber rod on a ball joint, released from the horizontal: how far its tip goes astray.

Length 1 m, radius 5 mm, E = 5 MPa, ν = 0.5, density 1100 kg/m³, 1 s.
"""

import json
import time
from pathlib import Path

import numpy as np

import flexura as fx
from benchmarks.table import Table

REFERENCE = Path(__file__).parent / "reference" / "rubber_rod.json"
YOUNG, DENSITY, RADIUS, DURATION = 5e6, 1100.0, 5e-3, 1.0
# Found by going through descriptions and steps; see the README. It bends in its plane, as the cable
# elements of the fastest peer do.
RODS, STEP = fx.VariableStrain((0, 13, 0, 2, 0, 1), steps=16), 2e-3
PEER_ELEMENTS = 50


def robot() -> fx.Robot:
    """The rod."""
    rubber = fx.Material(young=YOUNG, poisson=0.5, density=DENSITY)
    return fx.Robot(
        "rubber rod",
        rods=[fx.Rod("rod", 1.0, fx.Circle(radius=RADIUS), rubber)],
        joints=[fx.Ball("ball", "world", "rod.base")],
        loads=[fx.Gravity()],
    )


def astray(t: np.ndarray, tip: np.ndarray) -> float:
    """Root mean square distance of a tip from the reference, over the motion [m].

    Args:
        t: times (n,), among which are those of the reference or near them.
        tip: positions (n, 3).
    """
    from scipy.interpolate import CubicSpline

    reference = json.loads(REFERENCE.read_text())
    off = CubicSpline(t, tip)(reference["t"]) - np.array(reference["tip"])
    return float(np.sqrt(np.sum(off**2, axis=1).mean()))


def run(repeats: int = 5) -> Table:
    """Time flexura, and PyElastica and MuJoCo by the adapters of cosseratbench.

    Args:
        repeats: of flexura, of which the fastest one counts; others run once.
    """
    rows = []
    model = fx.build(robot(), rods=RODS)
    fx.simulate(model, 10 * STEP, STEP)  # compiles
    best = np.inf
    for _ in range(repeats):
        began = time.process_time()
        motion = fx.simulate(model, DURATION, STEP, every=5).unwrap()
        best = min(best, time.process_time() - began)
    error = astray(motion.t, motion.pose("rod.tip")[:, :3, 3])
    how = f"{model.n_dof} unknowns, steps of {1e3 * STEP:g} ms"
    rows.append(["flexura", f"{error:.1e}", f"{best:.3f}", how])
    rows += [_peer(name) for name in ("pyelastica", "mujoco")]
    return Table(
        title="swinging rubber rod",
        header=("solver", "error [m]", "CPU [s]", ""),
        rows=rows,
    )


def _peer(name: str) -> list[str]:
    """A solver of cosseratbench."""
    from cosseratbench import registry
    from cosseratbench.scenario import EndCondition, Material, Rod, Scenario

    rod = Rod(
        centerline=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        radius=RADIUS,
        material=Material(YOUNG, YOUNG / 3.0, DENSITY),
        start=EndCondition.PINNED,
    )
    scenario = Scenario((rod,), DURATION, gravity=(0.0, 0.0, -9.81), self_contact=False)
    solver = registry.load_solver(name)
    solver.run(scenario, n_elements=PEER_ELEMENTS, n_frames=2)  # compiles
    began = time.process_time()
    found = solver.run(scenario, n_elements=PEER_ELEMENTS, n_frames=101)
    spent = time.process_time() - began
    error = astray(found.times, found.positions[0][:, -1])
    return [name, f"{error:.1e}", f"{spent:.3f}", f"{PEER_ELEMENTS} elements"]
