"""What results know of the tubes of a set."""

from collections.abc import Callable

import numpy as np

from flexura.errors import known
from flexura.model.assemble import Assembly
from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.part import TubePlace
from flexura.model.state import State
from flexura.model.tube_shape import TubeShape, torque_at_plate, tube_shape
from flexura.robot.tubes import check_no_set
from flexura.typing import Array, ArrayLike, Wrench


class TubeAnswers:
    """Answers of a ``StaticResult`` about tubes."""

    model: Model
    state: State
    given: Inputs
    evaluation: Evaluation
    _assembly: Callable[[], Assembly]

    def angle(self, tube: str, s: ArrayLike) -> Array:
        """Angle of a tube of a set about its tangent at arc lengths s [m], in [rad], shape of s.

        It is counted from a frame that begins with that of the plate and does not twist. Behind the
        plate the tube is straight; at s = 0 the angle is the input "<tube>.rotation".
        """
        check_no_set("angle", tube, self.model.robot.tubes)
        known("tube", tube, self.model.tubes)
        return self._tube(tube, s).angle.reshape(np.shape(s))

    def _is_tube(self, name: object) -> bool:
        """Whether that is the name of a tube."""
        return isinstance(name, str) and name in self.model.tubes

    def _tube(self, name: str, s: ArrayLike) -> TubeShape:
        """A tube at arc lengths, flat."""
        lengths = self.model.tubes[name].rod.lengths(s).ravel()
        return tube_shape(self.model, self.state, self.given, self.evaluation.nodes, name, lengths)

    @property
    def _turned(self) -> dict[str, TubePlace]:
        """The tubes by the names of their rotations."""
        return {f"{tube}.rotation": place for tube, place in self.model.tubes.items()}

    def _turning_torque(self, rotation: str) -> float:
        """What holds a tube at its end [N·m]."""
        return -torque_at_plate(self.model, self.state, self._turned[rotation])

    @property
    def _pushed(self) -> dict[str, TubePlace]:
        """The tubes by the names of their insertions."""
        return {f"{tube}.insertion": place for tube, place in self.model.tubes.items()}

    def _pushing_force(self, insertion: str) -> float:
        """What holds a tube at its end, along x [N]: work of a small insertion by its length."""
        place, assembly = self._pushed[insertion], self._assembly()
        part = assembly.parts[place.part]
        force = sum(law.push(part.work, assembly.given) for law in part.part.laws)
        return float(np.asarray(force)[place.index, place.tube])

    def _tube_wrench(self, name: str, s: ArrayLike) -> Wrench:
        """What a tube carries by its own strain."""
        rod = self.model.tubes[name].rod
        lengths, strain = rod.lengths(s), self._tube(name, s).strain.reshape(*np.shape(s), 6)
        return np.asarray(rod.stiffness(lengths) * (strain - rod.rest_strain(lengths)))
