"""Stacks of vectors and matrices: checked, broadcast against each other, given to a kernel."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from flexura._kernel import kernel
from flexura.errors import ModelError
from flexura.typing import Array, ArrayLike, real_numbers

TOLERANCE = 1e-6  # how far from a rotation a matrix may be


class Kind(NamedTuple):
    """What one item of a stack is: its shape, and what a stack of them may have wrong.

    Attributes:
        shape: of an item.
        what: it is called.
        complaint: what finite numbers have wrong; nothing where they are fine.
        fine: a quick look whether a stack (n, ...) is finite and has nothing wrong; where it says
            no, a closer one decides.
    """

    shape: tuple[int, ...]
    what: str = "numbers"
    complaint: Callable[[Array], str] = lambda _: ""
    fine: Callable[[Array], bool] = lambda _: False

    @property
    def allowed(self) -> str:
        """The shape of a stack, in words."""
        return "(..., " + ", ".join(str(n) for n in self.shape) + ")"


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


@kernel
def _are_vectors(x: Array) -> bool:
    """Whether all numbers of a stack (n, m) are finite."""
    for n in range(x.shape[0]):
        for i in range(x.shape[1]):
            if x[n, i] - x[n, i] != 0.0:
                return False
    return True


@kernel
def _are_rotations(R: Array) -> bool:
    """Whether all of a stack are, n matrices whose first three rows and columns count."""
    for n in range(len(R)):
        for i in range(3):
            for j in range(i, 3):
                product = (
                    R[n, 0, i] * R[n, 0, j] + R[n, 1, i] * R[n, 1, j] + R[n, 2, i] * R[n, 2, j]
                )
                if not abs(product - (1.0 if i == j else 0.0)) <= TOLERANCE:
                    return False
        x = R[n, 1, 1] * R[n, 2, 2] - R[n, 1, 2] * R[n, 2, 1]
        y = R[n, 1, 2] * R[n, 2, 0] - R[n, 1, 0] * R[n, 2, 2]
        z = R[n, 1, 0] * R[n, 2, 1] - R[n, 1, 1] * R[n, 2, 0]
        if not R[n, 0, 0] * x + R[n, 0, 1] * y + R[n, 0, 2] * z > 0.0:
            return False
    return True


@kernel
def _are_poses(g: Array) -> bool:
    """Whether all of a stack (n, 4, 4) are, with finite positions."""
    for n in range(len(g)):
        for i in range(4):
            last = 1.0 if i == 3 else 0.0
            if not abs(g[n, 3, i] - last) <= TOLERANCE or g[n, i, 3] - g[n, i, 3] != 0.0:
                return False
    return _are_rotations(g)


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


VECTOR = Kind((3,), fine=_are_vectors)
MATRIX = Kind((3, 3))
TWIST = Kind((6,), fine=_are_vectors)
ROTATION = Kind((3, 3), "a rotation matrix R", _no_rotation, _are_rotations)
POSE = Kind((4, 4), "a pose [[R, p], [0, 1]]", _no_pose, _are_poses)
HAT_VECTOR = Kind((3, 3), "a skew matrix W", _no_hat)
HAT_TWIST = Kind((4, 4), "a matrix [[W, v], [0, 0]] with W skew", _no_hat)
QUATERNION = Kind((4,), "a unit quaternion", _no_unit)


def checked(who: str, value: ArrayLike, kind: Kind) -> Array:
    """A new C-contiguous array of ``value``, or a ModelError that begins with ``who``."""
    try:
        array: Array = np.array(real_numbers(value), order="C")
    except (TypeError, ValueError) as error:
        text = f"{kind.what}, shape {kind.allowed}"
        raise ModelError(f"{who} must be {text}, got {error}") from error
    if array.shape[-len(kind.shape) :] != kind.shape:
        raise ModelError(f"{who} must have the shape {kind.allowed}, got {array.shape}")
    if kind.fine(array.reshape(-1, *kind.shape)):
        return array
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
    if len(arrays) == 1:
        lead = arrays[0].shape[: arrays[0].ndim - len(kinds[0].shape)]
        return _out(loop, lead, result, [arrays[0].reshape(-1, *kinds[0].shape)])
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
    return _out(loop, lead, result, flat)


def _out(
    loop: Callable[..., None], lead: tuple[int, ...], result: tuple[int, ...], flat: list[Array]
) -> Array:
    """What a loop makes of flat stacks, with their leading shape."""
    out = np.empty((len(flat[0]), *result))
    loop(out, *flat)
    return out.reshape(lead + result)
