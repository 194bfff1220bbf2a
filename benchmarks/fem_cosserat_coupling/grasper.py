"""Three fingers with cables that are rods grasp a cube by friction and lift it, as in Figure 5.

Each finger is that of the other benchmarks, with 15 sections of its cable and 15 sliding rows; the
hand holds their bases and pulls the cables. Steps with one linearisation, as in the paper, are
beside those that are solved to the end.
"""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.fem_cosserat_coupling.scenes import CABLE, LENGTH, SILICONE, WAY, volume
from benchmarks.progress import track
from benchmarks.table import NONE, Claim, Table

SIDE, MASS, BESIDE = 0.04, 0.02, 2e-3  # of the cube; how far fingers are from it [m]
HIGH = LENGTH + 0.01  # of the hand, above the table [m]
PULL, LIFT = 6e-3, 0.03  # how far cables are pulled, and the hand lifts [m]
CLOSED, LIFTED, END = 0.3, 0.6, 0.8  # when fingers are closed and the cube is up [s]
STEP, RADIUS = 0.01, 0.5e-3  # of time [s], of cables [m]
PAPER = "35.97 ms, 1167 elements"
# side of the cube that each finger is at, and place across it [m]
FINGERS = {"a": (1.0, 0.0), "b": (-1.0, 0.011), "c": (-1.0, -0.011)}


def hanging(side: float, across: float) -> np.ndarray:
    """Where a finger hangs: its tip down, the side that its cable is at towards the cube."""
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack([(0.0, 0.0, -1.0), (0.0, side, 0.0), (side, 0.0, 0.0)])
    pose[:3, 3] = side * (0.5 * SIDE + BESIDE), across, HIGH
    return pose


def robot() -> fx.Robot:
    """The hand, its fingers, the cube on a table."""
    inertia = (MASS * SIDE**2 / 6.0,) * 3
    bodies = [
        fx.Body("cube", MASS, inertia, shape=fx.Box(SIDE, SIDE, SIDE)),
        fx.Body("hand", 0.2, (1e-4,) * 3),
    ]
    joints: list[Any] = [fx.Slider("lift", "world", "hand", (0, 0, 1), driven=True)]
    contacts = [fx.Contact("cube", "table", friction=0.5)]
    mesh, volumes, rods = volume().mesh, [], []
    for name, (side, across) in FINGERS.items():
        pose = hanging(side, across)
        R, p = pose[:3, :3], pose[:3, 3]
        points = np.array(mesh.points) @ R.T + p
        soft = fx.Volume(name, (points, mesh.cells), SILICONE, damping=(0.1, 0.01))
        volumes.append(soft)
        rods.append(fx.Rod(f"cable {name}", LENGTH, fx.Circle(RADIUS), CABLE))
        held = fx.Nodes(name, box=((-1, -1, HIGH), (1, 1, HIGH)))
        base = pose @ fx.lie.se3.pose(WAY[0])
        way = [tuple((R @ x + p).tolist()) for x in np.array(WAY)]
        joints += [
            fx.Clamp("hand", held),
            fx.Slider(f"pull {name}", "hand", f"cable {name}.base", (-1, 0, 0), base, driven=True),
            fx.Threaded(f"cable {name}", name, points=way),
        ]
        contacts.append(fx.Contact(name, "cube", friction=0.8))
    return fx.Robot(
        "grasper", rods=rods, bodies=bodies, volumes=volumes, joints=joints, loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("table", fx.Plane())], contacts=contacts,
    )  # fmt: skip


def inputs(t: float) -> dict[str, float]:
    """Cables are pulled, then the hand goes up."""
    part = min(t / CLOSED, 1.0)
    up = 0.5 - 0.5 * np.cos(np.pi * np.clip((t - CLOSED) / (LIFTED - CLOSED), 0.0, 1.0))
    return {f"pull {name}": PULL * part for name in FINGERS} | {"lift": float(LIFT * up)}


def grasp(model: fx.Model, linearised: bool, end: float) -> tuple[list[fx.Instant], list[float]]:
    """Instants after each step, and the time that each one took [s]."""
    place = {"cube": fx.lie.se3.pose((0.0, 0.0, 0.5 * SIDE))}
    integrator = fx.ImplicitEuler(linearised=linearised)
    simulation = fx.Simulation(model, STEP, integrator=integrator, place=place)
    instants, times = [], []
    for k in range(round(end / STEP)):
        began = time.perf_counter()
        instants.append(simulation.step(inputs((k + 1) * STEP)))
        times.append(time.perf_counter() - began)
    return instants, times


def run(quick: bool = False) -> Table:
    """Grasp and lift.

    Args:
        quick: one linearisation a step, until the cube is off the table.
    """
    model, rows, data = fx.build(robot(), rods=fx.ConstantStrain(15)), [], {}
    end = 0.5 * (CLOSED + LIFTED) if quick else END
    for linearised in (True,) if quick else track((True, False), "way of steps"):
        instants, times = grasp(model, linearised, end)
        held = [k for k, x in enumerate(instants) if len(x.contacts) and x.t > CLOSED]
        high = float(instants[-1].pose("cube")[2, 3] - 0.5 * SIDE)
        deep = max(-x.gap for one in instants for x in one.contacts)
        pressing = sum(x.pressing for x in instants[-1].contacts if "cube" in (x.a, x.b))
        spent = float(np.median([times[k] for k in held]))
        how = "one linearisation" if linearised else "to the end"
        touching = max(len(one.contacts) for one in instants)
        data[how] = {"height": high, "deep": deep, "time": spent, "instants": instants}
        rows.append(
            [
                how, str(sum(len(v.mesh) for v in model.robot.volumes)), str(model.n_dof),
                str(touching), f"{1e3 * high:.1f}", f"{1e3 * deep:.1e}", f"{pressing:.2f}",
                f"{1e3 * spent:.1f}", f"{1e3 * max(times[1:]):.1f}",
            ]
        )  # fmt: skip
    return Table(
        title="three fingers lift a cube by friction, steps of 10 ms",
        header=(
            "each step", "elements", "unknowns", "contacts at most", "cube lifted by [mm]",
            "depth at most [mm]", "pressing at the end [N]", "step while it is held, median [ms]",
            "longest step [ms]",
        ),
        rows=rows,
        notes=[f"The paper, one linearisation, on its machine: {PAPER}."],
        data=data,
    )  # fmt: skip


def claims(table: Table) -> Iterator[Claim]:
    """Figure 5, and Table I."""
    for row in table.named:
        if row["each step"] == "one linearisation":
            step, high = row["step while it is held, median [ms]"], row["cube lifted by [mm]"]
            ours = f"{step} ms, {row['elements']} elements, lifted by {high} mm"
            yield Claim("a step of three fingers with a cube", f"{PAPER}, a figure", NONE, ours)
