"""All that a reader wants to know first of a motion."""

import numpy as np

from flexura.cli.text import facts, table
from flexura.result.motion import Motion
from flexura.text import counted, numbers
from flexura.typing import Array, Indices

ROWS = 11  # times of the table


def report_motion(motion: Motion, spent: float | None = None) -> str:
    """All that a reader wants to know first of a motion.

    Args:
        motion: with an instant at least.
        spent: the time that it took [s], if that is known.
    """
    model, t = motion.model, motion.t
    lengths = np.diff(t)
    even = np.ptp(lengths[:-1]) <= 1e-9 * t[-1] if len(lengths) > 2 else True
    steps = max(1, round(float(t[-1] - t[0]) / motion.step) if even else len(lengths))
    each = f"{motion.step:.4g} s" if even else f"{lengths.min():.2g} to {lengths.max():.2g} s"
    summary = [
        ("robot", f"{model.name}, {model.n_dof} degrees of freedom"),
        ("status", str(motion.status)),
        ("time", f"{t[0]:.6g} to {t[-1]:.6g} s, {counted(len(motion), 'instant')}"),
        ("steps", f"{each}, {motion.iterations.sum() / steps:.1f} iterations each"),
        ("cut steps", _cuts(motion)),
        ("momentum", f"({', '.join(numbers(motion.results[-1].momentum[3:]))}) kg·m/s at the end"),
    ]
    summary += [("note", remark) for remark in motion.remarks]
    if spent is not None:
        summary.append(("spent", f"{spent:.2f} s, {1e3 * spent / steps:.2f} ms for each step"))
    chosen = np.unique(np.linspace(0, len(motion) - 1, ROWS).astype(int))
    return "\n\n".join([facts(summary), _over_time(motion[chosen]), *_contacts(motion, chosen)])


def _cuts(motion: Motion) -> str:
    """How many steps were cut."""
    if not motion.cuts:
        return "none"
    return f"{len(motion.cuts)}, the first at t = {motion.cuts[0]:.6g} s"


def _over_time(motion: Motion) -> str:
    """Times, energies (the first three add up to the fourth), and where the robot is.

    The balance is the fourth with what was dissipated, less work.
    """
    names = ["kinetic", "elastic", "gravity", "energy", "dissipated", "work", "balance"]
    heading = ["t [s]", *(f"{name} [J]" for name in names)]
    columns = [motion.t, *(getattr(motion, name) for name in names)]
    labels, places = _places(motion)
    scale = np.abs(places).max(initial=0.0)
    rows = [
        [*(f"{x:.6g}" for x in row), *numbers(place, scale)]
        for row, place in zip(np.transpose(columns), places, strict=True)
    ]
    return table([*heading, *labels], rows)


def _contacts(motion: Motion, chosen: Indices) -> list[str]:
    """How hard what may touch presses over time, and the most of it, if anything may touch."""
    names = dict.fromkeys((x.a, x.b) for x in motion.model.robot.contacts)
    if not names:
        return []
    forces = np.transpose([motion.pressing(a, b) for a, b in names])
    most = forces.argmax(axis=0)
    rows = [[f"{motion.t[i]:.6g}", *numbers(forces[i], forces.max())] for i in chosen.tolist()]
    rows.append(["most", *numbers(forces.max(axis=0), forces.max())])
    rows.append(["at t [s]", *(f"{motion.t[i]:.6g}" for i in most.tolist())])
    return [table(["t [s]", *(f"{a} on {b} [N]" for a, b in names)], rows)]


def _places(motion: Motion) -> tuple[list[str], Array]:
    """Of the first tip or body; of what is soft all over, the largest way of a node of each volume.

    Returns:
        Headings, and numbers at each time [m], (n, k).
    """
    robot = motion.model.robot
    if robot.ends:
        frame = robot.ends[0]
        return [f"{frame} {axis} [m]" for axis in "xyz"], motion.pose(frame)[:, :3, 3]
    names = [volume.name for volume in robot.volumes]
    moved = [
        [np.linalg.norm(own.displacements, axis=1).max() for own in motion.volume(name)]
        for name in names
    ]
    return [f"{name} moved by [m]" for name in names], np.transpose(moved)
