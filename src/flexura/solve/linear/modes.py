"""Vibration modes about an equilibrium."""

import numpy as np

from flexura.model.assemble import Assembly
from flexura.result.modes import Complex, Modes
from flexura.result.static import StaticResult
from flexura.robot.check import check_count
from flexura.solve.linear.about import small_motion
from flexura.solve.linear.damped import damped
from flexura.solve.linear.small_motion import SmallMotion
from flexura.solve.linear.undamped import FEW, Undamped, looked_at, undamped
from flexura.solve.motion.start import flow_at_rest, rates_of
from flexura.text import counted
from flexura.typing import frozen

# More modes than anybody looks at.
MOST_MODES = 100_000
BUCKLING = (
    "modes grow though continuous rods would be stable: elements are so long that they buckle by "
    "themselves; take Spline(), or many more"
)


def modes(result: StaticResult, count: int = 6) -> Modes:
    """Vibration modes of a robot about an equilibrium: frequencies, damping and shapes.

        (s² M + s D + K) x = 0                                                  (theory 14.3)

    K is the exact tangent of statics there, loads, tendons and joints included: tension makes a
    string stiffer, compression a column softer. D is the viscosity of the rods' materials.

    Args:
        result: an equilibrium: what ``statics`` found, also an unstable one, or an instant of a
            motion at rest, such as that of a robot that flies.
        count: how many modes; those that grow come first and are given besides, then those of
            lowest |s|, free motions (0 Hz) among them. Of a robot with more than 300 unknowns and
            forces without a potential (followers), growing ones are sought among the 20 lowest,
            or ``count``; ``remarks`` say so.

    Returns:
        ``frequency`` [Hz], ``damping`` and ``shape(i)``, which views draw.

    Raises:
        ModelError: for a result that is no equilibrium, or a robot without any mass.
    """
    check_count("modes", "count", count, MOST_MODES)
    motion = small_motion("modes", result)
    looked = looked_at(motion, count)
    plain = undamped(motion, looked)
    if motion.damped:
        s, shapes = damped(motion, looked, plain)
        s = np.concatenate([np.zeros(int(plain.free.sum())), s])
        shapes = np.concatenate([plain.shapes[:, plain.free], shapes], axis=1)
    else:
        s, shapes = _roots(plain.values), plain.shapes
    growing = int(np.count_nonzero(s.real > 0.0))
    order = np.lexsort([np.abs(s), -np.maximum(s.real, 0.0)])[: count + growing]
    if plain.count is not None:
        order = order[: plain.count]
    remarks = _remarks(motion, plain, looked, count, len(order))
    if growing and result.stable and motion.assembly.conservative:
        remarks += (BUCKLING,)
    s, shapes = s[order], _normalised(motion, shapes[:, order])
    return Modes(
        result, frozen(s), frozen(shapes), frozen(_travel(result, motion, shapes)), remarks
    )


def _remarks(
    motion: SmallMotion, plain: Undamped, looked: int, count: int, found: int
) -> tuple[str, ...]:
    """What else to know of modes, of which ``looked`` were looked at and some found."""
    if found < count:
        return (f"{count} were asked for, and there are {counted(found, 'mode')} in all",)
    if plain.count is None and not motion.assembly.conservative:
        everything = motion.structure.n // FEW + 1
        return (
            f"forces here have no potential, so that any mode may grow, and only the {looked} "
            f"lowest were looked at: modes(result, {everything}) looks at all",
        )
    return ()


def _roots(values: Complex) -> Complex:
    """s of s² = -λ: i ω, a rate of growth, or of two with each sign the one in the upper half."""
    s = np.sqrt(-values)
    s = np.where(values.imag == 0.0, np.where(values.real < 0.0, s.real, 1j * np.abs(s)), s)
    return np.where(s.imag < 0.0, -s, s)


def _normalised(motion: SmallMotion, shapes: Complex) -> Complex:
    """Shapes x with xᴴ M x = 1, of which the largest increment is real."""
    mass = motion.structure.sparse(motion.mass)
    energy = np.einsum("ij,ij->j", shapes.conj(), mass @ shapes).real
    sized = shapes / np.where(motion.multiplier, np.inf, motion.assembly.layout.units)[:, None]
    largest = np.take_along_axis(sized, np.abs(sized).argmax(axis=0)[None], axis=0)[0]
    phase = largest.conj() / np.where(largest == 0.0, 1.0, np.abs(largest))
    return np.asarray(shapes * phase / np.sqrt(np.where(energy > 0.0, energy, 1.0)))


def _travel(result: StaticResult, motion: SmallMotion, shapes: Complex) -> Complex:
    """How all that is tracked moves in each shape."""
    tracks, inputs = motion.tracks, result.given
    assembly = Assembly(tracks.moving.bare)
    flow = flow_at_rest(tracks, result.state, inputs)
    found = np.zeros((flow.rates.shape[1], shapes.shape[1]), dtype=np.complex128)
    for i, x in enumerate(shapes.T):
        for factor, part in ((1.0, x.real), (1j, x.imag)):
            if part.any():
                still = np.where(motion.multiplier, 0.0, part)
                found[:, i] += factor * rates_of(tracks, assembly, flow, inputs, still)[0]
    return found
