"""How what is measured changes along directions in which an equilibrium can go."""

import numpy as np

from flexura.lie import so3
from flexura.model.covector import length_covector
from flexura.result.comparison import beside
from flexura.robot import FrameLike
from flexura.robot.observation import Observation
from flexura.solve.derivative.response import Response
from flexura.solve.derivative.tangent import Directions
from flexura.typing import Matrix, Pose

TURNED = ("position", "rotation")  # kinds of measurement that belong to frames


class Observed:
    """The measured numbers of one observation, and their slopes.

    Residuals of positions are in the measuring system, T p - measured; those of rotations in the
    frame's own axes, e = log(measuredᵀ T R), with de = J_r(e)⁻¹ ω for a body twist (ω, v).
    """

    def __init__(self, observation: Observation, response: Response, registration: Pose) -> None:
        """Find the rows of all that was measured."""
        self._response, self._registration = response, registration
        self._entries = list(beside(observation, response.result, registration))
        frames = dict.fromkeys(x.of for x in self._entries if x.kind in TURNED)
        self._rows = {frame: response.twist(frame) for frame in frames}

    def along(self, directions: Directions) -> Matrix:
        """What the numbers do along directions, (p, m)."""
        moved = {frame: directions.moved(rows) for frame, rows in self._rows.items()}
        found = [np.zeros((0, directions.motion.shape[1]))]
        for x in self._entries:
            if x.kind == "position":
                found.append(self._turn(x.of) @ moved[x.of][3:])
            elif x.kind == "rotation":
                found.append(so3.dexpinv(x.residual) @ moved[x.of][:3])
            else:
                found.append(self._of_tendon(x.kind, str(x.of), directions))
        return np.vstack(found)

    def by_registration(self, translation: bool) -> Matrix:
        """What they do with the place of the measuring system, (p, 3) or (p, 6)."""
        n = 3 if translation else 6
        found = [np.zeros((0, n))]
        R = self._registration[:3, :3]
        for x in self._entries:
            rows = np.zeros((len(x.residual), n))
            if x.kind == "position" and translation:
                rows[:] = np.eye(3)
            elif x.kind == "position":
                place = self._response.result.pose(x.of)[:3, 3]
                rows[:] = np.hstack([-R @ so3.hat(place), R])
            elif x.kind == "rotation" and not translation:
                turn = self._response.result.pose(x.of)[:3, :3]
                rows[:, :3] = so3.dexpinv(x.residual) @ turn.T
            found.append(rows)
        return np.vstack(found)

    def _turn(self, frame: FrameLike) -> Matrix:
        """Axes of a frame in the measuring system."""
        return np.asarray(self._registration[:3, :3] @ self._response.result.pose(frame)[:3, :3])

    def _of_tendon(self, kind: str, name: str, directions: Directions) -> Matrix:
        """What the length or the tension of a tendon does, (1, m)."""
        model = self._response.result.model
        i = model.tendons.names.index(name)
        if kind == "length":
            return directions.moved(length_covector(self._response.assembly, i))
        return directions.tension(model, i)[None]
