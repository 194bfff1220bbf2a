"""Stacks of vectors and matrices: checked, broadcast against each other, given to a kernel."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from flexura.errors import ModelError
from flexura.typing import Array, ArrayLike, real_numbers

TOLERANCE = 1e-6  # how far from a rotation a matrix may be


class Kind(NamedTuple):
    """What one item of a stack is: its shape, and what a stack of them may have wrong."""

    shape: tuple[int, ...]
    what: str = "numbers"
    complaint: Callable[[Array], str] = lambda _: ""


def _excess(quantity: str, error: Array) -> str:
    """The complaint that ``error``, which should vanish, exceeds the tolerance."""
    worst = float(np.max(np.abs(error), initial=0.0))
    return "" if worst <= TOLERANCE else f"|{quantity}| is {worst:.3g}, at most {TOLERANCE:g}"


def _no_rotation(R: Array) -> str:
    with np.errstate(over="ignore", invalid="ignore"):
        skewed = _excess("RᵀR - I", np.swapaxes(R, -1, -2) @ R - np.eye(3))
    if skewed:
        return skewed
    return "det R is -1, a reflection" if np.any(np.linalg.det(R) < 0.0) else ""


def _no_pose(g: Array) -> str:
    last = _excess("last row - (0, 0, 0, 1)", g[..., 3, :] - np.array([0.0, 0.0, 0.0, 1.0]))
    return last or _no_rotation(g[..., :3, :3])


def _no_hat(X: Array) -> str:
    relative = X / np.max(np.abs(X), initial=1.0)
    w = relative[..., :3, :3]
    symmetric = _excess("W + Wᵀ", w + np.swapaxes(w, -1, -2))
    return symmetric or _excess("last row", relative[..., 3:, :])


def _no_unit(q: Array) -> str:
    with np.errstate(over="ignore"):
        return _excess("norm - 1", np.linalg.norm(q, axis=-1) - 1.0)


VECTOR = Kind((3,))
MATRIX = Kind((3, 3))
TWIST = Kind((6,))
ROTATION = Kind((3, 3), "a rotation matrix R", _no_rotation)
POSE = Kind((4, 4), "a pose [[R, p], [0, 1]]", _no_pose)
HAT_VECTOR = Kind((3, 3), "a skew matrix W", _no_hat)
HAT_TWIST = Kind((4, 4), "a matrix [[W, v], [0, 0]] with W skew", _no_hat)
QUATERNION = Kind((4,), "a unit quaternion", _no_unit)


def checked(who: str, value: ArrayLike, kind: Kind) -> Array:
    """A new C-contiguous array of ``value``, or a ModelError that begins with ``who``."""
    allowed = "(..., " + ", ".join(str(n) for n in kind.shape) + ")"
    try:
        array: Array = np.array(real_numbers(value), order="C")
    except (TypeError, ValueError) as error:
        raise ModelError(f"{who} must be {kind.what}, shape {allowed}, got {error}") from error
    if array.shape[-len(kind.shape) :] != kind.shape:
        raise ModelError(f"{who} must have the shape {allowed}, got {array.shape}")
    if not np.all(np.isfinite(array)):
        raise ModelError(f"{who} must be finite, got {array[~np.isfinite(array)][0]}")
    if complaint := kind.complaint(array):
        raise ModelError(f"{who} must be {kind.what}, but {complaint}")
    return array


def mapped(
    who: str,
    loop: Callable[..., None],
    result: tuple[int, ...],
    **inputs: tuple[ArrayLike, Kind],
) -> Array:
    """Call ``loop(out, *inputs)`` on stacks (n, ...) and give ``out`` its leading shape back."""
    arrays = [checked(f"{who}: {name}", *given) for name, given in inputs.items()]
    kinds = [kind for _, kind in inputs.values()]
    leading = [a.shape[: a.ndim - len(k.shape)] for a, k in zip(arrays, kinds, strict=True)]
    try:
        lead = np.broadcast_shapes(*leading)
    except ValueError as error:
        names = " and ".join(inputs)
        raise ModelError(f"{who}: the stacks of {names} must match, got {leading}") from error
    flat = [
        np.ascontiguousarray(np.broadcast_to(a, lead + k.shape)).reshape(-1, *k.shape)
        for a, k in zip(arrays, kinds, strict=True)
    ]
    out = np.empty((flat[0].shape[0], *result))
    loop(out, *flat)
    return out.reshape(lead + result)
