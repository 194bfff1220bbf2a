"""Turns that rods have lost: what inputs have wound them up by, against what they still hold.

A rod that may bend lets go of torsion: it forms a loop, and where that is pulled over one of its
ends, or through the rod itself, two turns are gone. Energy falls on that way, so that it is open to
all that goes downhill, and what is left is an equilibrium like any other.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexura.model.model import Model
from flexura.model.winding import Block, Drive, Winding, windings
from flexura.result.static import StaticResult
from flexura.rods.rest import rest_steps
from flexura.solve.writhe import writhe
from flexura.text import counted, few
from flexura.typing import Matrix, Strain

UNWOUND = (
    "rods have lost at least {} of those that they were wound up by: it seems that loops were "
    "pulled over their ends, or through rods, on the way here"
)
UNTOLD = (
    "rods hold fewer or more turns than they were wound up by: whether any were lost cannot be "
    "told, as {} may have turned them, too"
)
# How ends are held leaves so many turns open, a loop that is not pulled over yet up to one: two are
# gone where more than the sum of both is missing.
OPEN = 0.5


class _Missing(NamedTuple):
    """Pairs of turns that a loop does not hold, and what may have turned it, too."""

    pairs: int
    sure: int
    names: tuple[str, ...]


def told_if_unwound(found: StaticResult) -> StaticResult:
    """The same, and how many turns its rods have lost, if any."""
    wound = found.model.once(windings)
    if not wound or not found.status.equilibrium or found.evaluation.strains is None:
        return found
    strain = np.concatenate([strain[:, :6] for strain in found.evaluation.strains])
    missing = [_missing(found, i, winding, strain) for i, winding in enumerate(wound)]
    sure = max(own.sure for own in missing)
    if sure:  # they go by two
        remark = UNWOUND.format(counted(2 * sure, "turn"))
    elif names := {name for own in missing if own.pairs for name in own.names}:
        remark = UNTOLD.format(few(sorted(names)))
    else:
        return found
    return replace(found, remarks=(*found.remarks, remark))


def _missing(found: StaticResult, number: int, winding: Winding, strain: Strain) -> _Missing:
    """What neither the torsion of a loop nor its shape holds of what it was wound up by.

    The lesser of two counts: torsion alone, and with the writhe, whose sum

        Tw + Wr,    Wr = 1/4π ∬ (t(s) × t(s')) · (x(s) - x(s')) / |x(s) - x(s')|³ ds ds'

    changes with what the ends do only, until a curve passes through itself [Fuller1971].
    """
    none, values = _Missing(0, 0, ()), found.given.values
    torsion = float(winding.weight @ strain[winding.points, 0]) - winding.rest
    most = sum(abs(float(values[drive.place])) for drive in winding.drives) / (2.0 * np.pi)
    posed, doubt, unknown = _posed(found, winding)
    if not _pairs(abs(torsion) + most + abs(posed)):
        return none
    asked, across = _asked(found, winding.drives)
    across |= doubt
    missing = asked + posed - torsion
    if not _pairs(abs(missing)) or (unknown and missing * asked <= 0.0):
        return none  # poses of welds may have wound up what drives did not
    shape, unloaded = _shape(found, winding, strain), found.model.once(_unloaded)[number]
    if shape is None or unloaded is None:
        return none
    of_both = missing - shape + unloaded
    least = min(abs(missing), abs(of_both)) if missing * of_both > 0.0 else 0.0
    sure = 0 if unknown else _pairs(least - sum(across.values()))
    return _Missing(_pairs(least), sure, (*unknown, *across))


def _pairs(turns: float) -> int:
    """Pairs of turns that are gone where so many are missing."""
    return max(0, int((turns + OPEN) // 2.0))


def _asked(found: StaticResult, drives: tuple[Drive, ...]) -> tuple[float, dict[str, float]]:
    """Turns that drives ask for along rods, and by name how far others have turned."""
    nodes, motions = found.evaluation.nodes, found.model.motions(found.given)
    asked, across = 0.0, dict[str, float]()
    for drive in drives:
        turn = float(found.given.values[drive.place]) / (2.0 * np.pi)
        along = drive.along(nodes, motions, found.model.length)
        asked -= drive.sign * along * turn
        if turn and not along:
            across[drive.joint.name] = abs(turn)
    return asked, across


def _posed(
    found: StaticResult, winding: Winding
) -> tuple[float, dict[str, float], tuple[str, ...]]:
    """Turns that poses of welds have made, those in doubt by name, and who may have made any."""
    turns, first = found.evaluation.pose_turns, winding.first
    if turns is None:
        return 0.0, {}, tuple(name for grip in winding.grips for name in grip.names)
    made, doubt = 0.0, dict[str, float]()
    for grip, (own, open) in zip(winding.grips, turns[first:].tolist(), strict=False):
        made += own
        if open:
            doubt[", ".join(grip.names)] = open
    return made, doubt, ()


def _shape(found: StaticResult, winding: Winding, strain: Strain) -> float | None:
    """Writhe of the rods of a loop; what is between them does not count, wherever it is cut."""
    pieces = [piece for block in winding.blocks for _, piece in block]
    poses = [found.pose(piece.rod.name, piece.places(strain)) for piece in pieces]
    return writhe(*(own[:, :3, 3] for own in poses))


def _unloaded(model: Model) -> tuple[float | None, ...]:
    """Writhe of the unloaded rods of each loop, block by block."""
    strain, found = np.concatenate([part.rest_strain[:, :6] for part in model.parts]), []
    for winding in model.once(windings):
        each = [writhe(_chain(block, strain)) for block in winding.blocks]
        found.append(None if None in each else sum(own for own in each if own is not None))
    return tuple(found)


def _chain(block: Block, strain: Strain) -> Matrix:
    """Places along unloaded rods one after the other, (n, 3)."""
    poses = [np.eye(4)]
    for turn, piece in block:
        poses[-1] = poses[-1].copy()
        poses[-1][:3, :3] = poses[-1][:3, :3] @ turn
        for step in rest_steps([piece.rod], [piece.places(strain)]):
            poses.append(poses[-1] @ step)
    return np.array(poses)[:, :3, 3]
