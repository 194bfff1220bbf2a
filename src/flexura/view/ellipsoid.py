"""Ellipsoids of what frames do: how they give way to forces, where actuators can move them.

The ellipsoid of a matrix A is where A u is for all u of length one: A is the displacement by a
force, or by the inputs of actuators.
"""

from typing import Literal, TypeAlias, get_args

import numpy as np

from flexura.errors import ModelError, known
from flexura.result.static import StaticResult
from flexura.robot import FrameLike
from flexura.typing import Matrix, Vector
from flexura.view.body import body_surfaces
from flexura.view.primitive import Label, Surface
from flexura.view.solid import ball

Kind: TypeAlias = Literal["compliance", "manipulability"]
KINDS: tuple[str, ...] = get_args(Kind)
SIZE = 0.12  # of the largest half axis of all, over the extent of the robot
BEYOND = 1.25  # of that, at least, over the radius of the bodies that would hide it
FLAT = 0.01  # the smallest half axis that is drawn, over the largest
COLOR, OPACITY = "#e8590c", 0.4
WORDS = {"compliance": "gives up to {}/N", "manipulability": "moves up to {} per {}"}


def actuators(result: StaticResult) -> list[str]:
    """Inputs that are driven: tendons, joints, motors, tubes."""
    driven = ("tendon", "joint", "tube")
    return [name for name, x in result.model.inputs.items() if x.kind in driven]


def unit_of(result: StaticResult) -> str:
    """The unit of what actuators are given, if it is the same for all."""
    meanings = [result.model.inputs[name].meaning for name in actuators(result)]
    units = {text[text.rfind("[") + 1 : text.rfind("]")] for text in meanings if "[" in text}
    return units.pop() if len(units) == 1 else "unit"


def displacement(result: StaticResult, frame: FrameLike, kind: str) -> Matrix:
    """A in world axes [m/N], or [m] per unit of each actuator, (3, n)."""
    known("ellipsoid", kind, KINDS)
    if kind == "compliance":
        found = result.compliance(frame)[3:, 3:]
    else:
        found = result.jacobian(frame, actuators(result))[3:]
    return np.asarray(result.pose(frame)[:3, :3] @ found)


def ellipsoids(
    result: StaticResult, kind: str, extent: float, up: Vector
) -> tuple[list[Surface], list[Label]]:
    """Ellipsoids of all bodies, or of the tips of all rods where there is none, in one scale."""
    if kind == "manipulability" and not actuators(result):
        raise ModelError(f"{result.model.name!r} has no actuators whose manipulability to draw")
    robot = result.model.robot
    frames = [x.name for x in robot.bodies] or robot.tips
    axes = {frame: _half_axes(displacement(result, frame, kind)) for frame in frames}
    largest = max(float(size.max()) for _, size in axes.values())
    if largest == 0.0:
        return [], []
    drawn = max(SIZE * extent, BEYOND * _radius(result, extent))
    surfaces, labels = [], []
    for frame, (turn, size) in axes.items():
        centre = result.pose(frame)[:3, 3]
        half = np.maximum(size, FLAT * size.max()) * drawn / largest
        if not half.any():
            continue
        sphere = ball(f"{kind} of {frame}", np.zeros(3), 1.0)
        normals = (sphere.normals / half) @ turn.T
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        points = centre + (sphere.points * half) @ turn.T
        surfaces.append(
            Surface(sphere.name, points, normals, sphere.triangles, None, COLOR, OPACITY)
        )
        text = WORDS[kind].format(_way(float(size.max())), unit_of(result))
        labels.append(Label(text, centre, -np.asarray(up, dtype=float), "result", COLOR))
    return surfaces, labels


def _radius(result: StaticResult, extent: float) -> float:
    """Largest distance of a point of a body from its frame [m]."""
    surfaces, far = body_surfaces(result, extent), [0.0]
    for body in result.model.robot.bodies:
        centre = result.pose(body.name)[:3, 3]
        own = [x.points for x in surfaces if x.name == body.name]
        far += [float(np.linalg.norm(points - centre, axis=1).max()) for points in own]
    return max(far)


def _way(size: float) -> str:
    """A length in words [m]."""
    return f"{size:.3g} m" if size >= 1.0 else f"{1e3 * size:.3g} mm"


def _half_axes(matrix: Matrix) -> tuple[Matrix, Vector]:
    """Directions of the half axes, a rotation, and their sizes."""
    turn, size, _ = np.linalg.svd(matrix, full_matrices=True)
    turn[:, 2] *= np.linalg.det(turn)  # none of them is turned inside out
    return turn, np.pad(size, (0, 3 - len(size)))
