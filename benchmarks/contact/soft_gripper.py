"""Three soft fingers close around a cube, lift it by friction and hold it while it is shaken."""

import time
from itertools import product

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.table import Table
from flexura.lie import se3

SIDE, THICK, WIDE, LONG = 0.04, 0.01, 0.014, 0.06
OPEN = 0.004  # between fingers and cube at first [m]
CLOSED, HIGH = 0.008, 0.05  # how far fingers close and the hand lifts [m]
STEPS = (0.025, 0.02, 0.016, 0.0125, 0.01)  # [s]
CORNERS = np.array(list(product((0, 1), repeat=3)))
SIX = [(0, 4, 6, 7), (0, 5, 4, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 1, 5, 7), (0, 3, 1, 7)]
# side of the cube, and place across it
FINGERS = {"a": (1.0, 0.0), "b": (-1.0, 0.011), "c": (-1.0, -0.011)}


def finger(side: float, across: float) -> tuple[np.ndarray, np.ndarray]:
    """A bar of tetrahedra beside the cube, which ends 1 cm above the table."""
    counts, size = (2, 2, 6), (THICK, WIDE, LONG)
    grid = [np.linspace(0.0, a, n + 1) for a, n in zip(size, counts, strict=True)]
    points = np.stack(np.meshgrid(*grid, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange(len(points)).reshape(*(n + 1 for n in counts))
    cubes = product(*map(range, counts))
    cells = np.array([[number[tuple(c + CORNERS[i])] for i in t] for c in cubes for t in SIX])
    inner = 0.5 * SIDE + OPEN
    begin = (inner if side > 0 else -inner - THICK, across - 0.5 * WIDE, 0.01)
    return points + begin, cells


def robot() -> fx.Robot:
    silicone = fx.Material(young=8e5, poisson=0.4, density=1100.0)
    top = 0.01 + LONG
    volumes, bodies, joints, contacts = [], [fx.Body("hand", 0.2, (1e-4,) * 3)], [], []
    joints.append(fx.Slider("lift", "world", "hand", (0, 0, 1), driven=True))
    for name, (side, across) in FINGERS.items():
        jaw = f"jaw {name}"
        volumes.append(fx.Volume(name, finger(side, across), silicone, damping=(0.0, 2e-3)))
        bodies.append(fx.Body(jaw, 0.05, (1e-5,) * 3))
        joints.append(fx.Slider(f"close {name}", "hand", jaw, (-side, 0, 0), driven=True))
        held = fx.Nodes(name, box=((-1, -1, top - 1e-9), (1, 1, top + 1e-9)))
        joints.append(fx.Clamp(jaw, held))
        contacts.append(fx.Contact(name, "cube", friction=0.7))
    mass = 0.05
    cube = fx.Body("cube", mass, (mass * SIDE**2 / 6.0,) * 3, shape=fx.Box(SIDE, SIDE, SIDE))
    return fx.Robot(
        "gripper",
        volumes=volumes,
        bodies=[*bodies, cube],
        joints=joints,
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("table", fx.Plane())],
        contacts=[*contacts, fx.Contact("cube", "table", friction=0.5)],
    )


def closing(t: float) -> float:
    """Fingers close in 0.2 s."""
    return CLOSED * min(t / 0.2, 1.0)


def lifting(t: float) -> float:
    """The hand goes up from 0.25 s on, and shakes from 0.6 s on, by 4 mm and 5 Hz."""
    up = 0.5 - 0.5 * np.cos(np.pi * np.clip((t - 0.25) / 0.3, 0.0, 1.0))
    return float(HIGH * up + (4e-3 * np.sin(10.0 * np.pi * (t - 0.6)) if t > 0.6 else 0.0))


def grip(step: float) -> fx.Motion:
    """Close, lift and shake."""
    inputs = {f"close {name}": closing for name in FINGERS} | {"lift": lifting}
    place = {"cube": se3.pose((0.0, 0.0, 0.5 * SIDE))}
    return fx.simulate(fx.build(robot()), 1.0, step, inputs=inputs, place=place)


def run(quick: bool = False) -> Table:
    """Lift the cube with several lengths of steps.

    Args:
        quick: only the longest.
    """
    rows, data = [], {}
    for step in track(STEPS[:1] if quick else STEPS, "gripper"):
        began = time.process_time()
        motion = grip(step)
        spent = time.process_time() - began
        height = float(motion[-1].pose("cube")[2, 3] - 0.5 * SIDE)
        data[step] = {"status": motion.status, "height": height}
        rows.append(
            [
                f"{1e3 * step:g}",
                motion.status.name,
                f"{motion.t[-1]:.3f}",
                str(len(motion.cuts)),
                f"{1e3 * height:.1f}",
                f"{spent:.1f}",
            ]
        )
    return Table(
        title="three soft fingers lift a cube by 50 mm, and shake it",
        header=("step [ms]", "status", "until [s]", "cuts", "height [mm]", "CPU [s]"),
        rows=rows,
        data=data,
    )
