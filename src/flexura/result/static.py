"""The result of a static solve."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from flexura.errors import ModelError, NotConverged, known
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.balance import Balance, balance
from flexura.model.evaluation import Evaluation
from flexura.model.frame import find_frame
from flexura.model.inputs import Inputs
from flexura.model.linked import Cut
from flexura.model.model import Model
from flexura.model.state import State
from flexura.result import words
from flexura.result.contact import ContactAnswers
from flexura.result.soft import SoftAnswers
from flexura.result.status import Status
from flexura.result.table import Column, columns
from flexura.result.tendons import TendonAnswers
from flexura.result.tubes import TubeAnswers
from flexura.robot import AnyFrame, At, Motor, Rod, Slider, Weld
from flexura.robot.check import flag
from flexura.robot.joint import Joint
from flexura.shown import Facts, Shown
from flexura.text import answer, counted
from flexura.typing import Array, ArrayLike, Matrix, Pose, Strain, Twist, Vector, Wrench
from flexura.value import Value

if TYPE_CHECKING:
    from flexura.solve.derivative.response import Response


@dataclass(frozen=True, eq=False, repr=False)
class StaticResult(ContactAnswers, SoftAnswers, TendonAnswers, TubeAnswers, Shown, Value):
    """An equilibrium, or the best that was found; ask it for poses, strains and wrenches.

    Attributes:
        model: the model that was solved.
        state: its coordinates.
        given: the values of all inputs.
        status: how the solve ended; print it.
        residuals: largest force out of balance after each iteration, relative to the forces in
            play, moments divided by the length; of the last load step.
        steps: size of each Newton step of the last load step, relative to 1 rad and the length.
        iterations: Newton iterations over all load steps.
        load_steps: number of load steps, 1 if the full load was applied at once.
        load_factor: the part of the load that this state carries, 1 if converged.
        stable: whether small motions are pushed back, all that meet any force: a motion that goes
            on without resistance, which ``remarks`` name, changes nothing about the others. None
            where it was not asked or cannot be told, for example exactly at a bifurcation.
        evaluation: poses of nodes, forces and energies at the state.
        remarks: what else to know, for example that loads act on components switched off.
    """

    model: Model
    state: State
    given: Inputs
    status: Status
    residuals: tuple[float, ...]
    steps: tuple[float, ...]
    iterations: int
    load_steps: int
    load_factor: float
    stable: bool | None
    evaluation: Evaluation
    remarks: tuple[str, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        """Its arrays are read-only already."""

    @property
    def converged(self) -> bool:
        """Whether this is an equilibrium, and a stable one if that was asked for."""
        return self.status.converged

    @property
    def residual(self) -> float:
        """Largest force out of balance, relative to the forces in play."""
        return self.residuals[-1]

    @property
    def energy(self) -> float:
        """Elastic energy [J]."""
        return self.evaluation.energy

    @property
    def potential(self) -> float | None:
        """Elastic energy plus potential of the loads [J], None where loads have none."""
        return self.evaluation.potential

    @property
    def inputs(self) -> Mapping[str, Array]:
        """The value of every input, as the user gives it."""
        return self.given.by_name()

    def unwrap(self, unstable: bool = False) -> "StaticResult":
        """This result, if it converged.

        Args:
            unstable: whether an equilibrium will do that is unstable.

        Raises:
            NotConverged: with the status, if it did not.
        """
        if not (
            self.status.equilibrium if flag("unwrap", "unstable", unstable) else self.converged
        ):
            raise NotConverged(
                f"statics of {self.model.name!r}: {self.status} (load factor "
                f"{self.load_factor:.4g}, {self.iterations} iterations, residual "
                f"{self.residual:.2g})"
            )
        return self

    def pose(self, frame: AnyFrame, s: ArrayLike | None = None) -> Pose:
        """Pose of a frame, or of a rod at arc lengths.

        Args:
            frame: name of a frame ("world", "backbone.tip"), ``At(...)``, a point ``On(...)`` of
                a volume, the mean of its ``Nodes(...)``, or a rod's name with s.
            s: arc length [m], a number or any array of them.

        Returns:
            Pose in the world, shape (4, 4), or s.shape + (4, 4).
        """
        if s is not None and isinstance(frame, str):
            return self._placed(frame, s)
        if isinstance(frame, At) and self._is_tube(frame.rod):
            return np.asarray(self._placed(frame.rod, frame.s) @ frame.transform)
        rods = [rod.name for rod in self.model.robot.slender]
        if s is None and isinstance(frame, str) and frame in rods:
            raise ModelError(f"{frame!r} is a rod: give s=, or ask for '{frame}.tip'")
        found = find_frame(self.model, frame)
        if found.place is None:
            return found.pose(self.model, self.evaluation.nodes, self.state)
        pose = self._placed(found.place.rod.name, found.s)
        return pose if found.offset is None else np.asarray(pose @ found.offset)

    def strain(self, rod: str, s: ArrayLike) -> Strain:
        """Strain (κ, ν) of a rod at arc lengths s [m], shape s.shape + (6,).

        Where forces of stretch and shear are unknowns of their own, ν is the one of the force. Of
        a tube in a set it is its own, in its material frame.
        """
        if self._is_tube(rod):
            return self._tube(rod, s).strain.reshape(*np.shape(s), 6)
        place, lengths = self.model.place(rod), self._lengths(rod, s)
        strain = self._shape(rod, lengths)[1]
        if self.model.parts[place.part].group.complementary:
            change = self.internal_wrench(rod, lengths) / place.rod.stiffness(lengths)
            strain[..., 3:] = (place.rod.rest_strain(lengths) + change)[..., 3:]
        return strain

    def curvature(self, rod: str, s: ArrayLike) -> Vector:
        """Torsion and bending κ of a rod at arc lengths s [m], shape s.shape + (3,) [1/m].

        The first half of ``strain``, found without the forces that the other half may need.
        """
        return self._shape(rod, s)[1][..., :3]

    def internal_wrench(self, rod: str, s: ArrayLike) -> Wrench:
        """Wrench that a rod carries, in balance with all that acts on it, body frame.

        It is what the rod beyond s exerts on the rod before it: all that acts beyond the cut, less
        the pull of tendons that run through it; where it jumps, the one beyond s. Refined, it is
        Λ = K (ξ - ξ*); of a tube in a set, which holds the others and is held, it is that.

        Returns:
            (moment, force) [N·m, N], shape s.shape + (6,).
        """
        if self._is_tube(rod):
            return self._tube_wrench(rod, s)
        lengths = self._lengths(rod, s)
        pose = self._shape(rod, lengths)[0].reshape(-1, 4, 4)
        return self._balance[rod].wrench(lengths.ravel(), pose).reshape(*lengths.shape, 6)

    @cached_property
    def _balance(self) -> Mapping[str, Balance]:
        """What each rod carries."""
        return balance(self._assembly())

    @cached_property
    def accuracy(self) -> float:
        """Estimate of the largest position error of the rods, by their discretization [m].

        Found when it is asked for, from the result alone (theory 4.5): to first order, what is
        missing between this equilibrium and that of the continuous rods, with all strains, also
        those that a description has switched off. Where it is not small beside the rods, it says no
        more than that they are too coarse. Of rods between two ends that would store a hundredth
        of their energy in strains which are switched off, as of taut cords without stretch, it is
        no less than how far they are from those with all strains, which are solved for from this
        result on; inf if these are not found. Of robots with sets of tubes or contacts, a finer
        model is solved from this result on, which takes longer: contacts press at points of rods,
        between which these may be in what they touch. Not known (inf) with volumes: compare with a
        finer mesh, or quadratic elements. NaN where there is no equilibrium, and of motions.
        """
        from flexura.solve.told import told

        return told(self)

    def table(self) -> dict[str, Column]:
        """What there is to know in columns of one entry, as of many results, and ``accuracy``."""
        return {**columns([self]), "accuracy": np.array([self.accuracy])}

    def jacobian(self, frame: AnyFrame, by: Sequence[str] | None = None) -> Matrix:
        """How a frame moves with inputs, from equilibrium to equilibrium: ∂(twist)/∂u.

        Exact (theory 15.1). The first question factorises the tangent; further ones are cheap.
        Slack tendons stay so.

        Args:
            frame: as for ``pose``: a name, ``At(...)``, also inside rods, or ``On(...)`` a volume.
            by: names of inputs, each with all of its numbers, in their order; None for all. A
                pose counts with the six numbers of its body twist.

        Returns:
            Body twist (rotation [rad], displacement [m], in the frame's own axes) by each number of
            each input, (6, m).

        Raises:
            ModelError: for a result that is no equilibrium, or where a motion meets no force.
            UnknownName: for frames and inputs that the robot has not.
        """
        return self._response.jacobian(frame, by)

    def compliance(self, frame: AnyFrame) -> Matrix:
        """How a frame gives way to a small wrench there: ∂(body twist)/∂(body wrench).

        Inputs stay as they are: tendons keep their tension, or their length. Symmetric where
        everything has a potential. Its inverse is the stiffness of the frame.

        Args:
            frame: as for ``jacobian``, which also says what is raised.

        Returns:
            (rotation [rad], displacement [m]) by (moment [N·m], force [N]), in the frame's own
            axes, (6, 6).
        """
        return self._response.compliance(frame)

    @cached_property
    def _response(self) -> "Response":
        """How this equilibrium answers to small changes: the tangent, factorised once."""
        from flexura.solve.derivative.response import Response

        return Response("a derivative", self)

    def _assembly(self) -> Assembly:
        """The model, evaluated at this state."""
        assembly = Assembly(self.model)
        assembly.evaluate(self.state, self.given)
        return assembly

    def energy_density(self, rod: str, s: ArrayLike) -> Array:
        """Elastic energy per arc length at s [m], in [J/m], shape of s."""
        description, lengths = self._rod(rod), self._lengths(rod, s)
        change = self.strain(rod, lengths) - description.rest_strain(lengths)
        return np.asarray(0.5 * np.sum(change**2 * description.stiffness(lengths), axis=-1))

    def reaction(self, joint: str | Joint) -> Wrench:
        """Wrench that a joint's first frame exerts on its second, in the second frame.

        Args:
            joint: the joint or its name; one without a name is called "a-b" after its frames.

        Returns:
            (moment, force) [N·m, N], shape (6,); of a motor with several frames it is not defined.
        """
        model = self.model
        labels = [*model.cuts, *model.joints.labels, *self._clamps]
        label = known("joint", getattr(joint, "label", joint), labels)
        if label in self._clamps:
            return self._clamp_reaction(label)
        if label in model.joints.labels:
            i = model.joints.labels.index(label)
            return model.joints.wrench(i, self._held, self._joint_motions[i])
        if len(model.cuts[label]) > 1:
            raise ModelError(f"motor {label!r} drives several frames: ask for torque({label!r})")
        return self._through(model.cuts[label][0])

    def _through(self, cut: Cut) -> Wrench:
        """Wrench that a cut carries, in the joint's second frame."""
        nodes, forces = self.evaluation.nodes, self.evaluation.node_forces
        T_frame = se3.inverse(nodes[cut.node] @ cut.offset)
        transfer = cut.sign * se3.Ad_dual(T_frame @ nodes[cut.nodes])
        return np.asarray(np.einsum("nij,nj->i", transfer, forces[cut.nodes]))

    def torque(self, joint: str) -> float:
        """What holds a motor or a driven joint where its input has it.

        The torque about the axis of a motor or a driven hinge [N·m], the force along that of a
        driven slider [N], the torque that turns a tube at its end, "<tube>.rotation" [N·m], or the
        force that pushes it there, "<tube>.insertion" [N].
        """
        names = [*self.model.driven, *self._turned, *self._pushed]
        known("motor or driven joint", joint, names)
        if joint in self._turned:
            return self._turning_torque(joint)
        if joint in self._pushed:
            return self._pushing_force(joint)
        movers = {mover.joint.label: mover.joint for mover in self.model.movers}
        mover, total = movers[joint], 0.0
        for cut in self.model.cuts[joint]:
            wrench = self._through(cut)
            if isinstance(mover, Motor):
                T = self.model.layout.in_world(self.evaluation.nodes[cut.node] @ cut.offset)
                moment, force = T[:3, :3] @ wrench[:3], T[:3, :3] @ wrench[3:]
                moment += np.cross(T[:3, 3] - np.asarray(mover.point), force)
                total += float(np.asarray(mover.axis) @ moment)
            elif not isinstance(mover, Weld):
                part = wrench[3:] if isinstance(mover, Slider) else wrench[:3]
                total += float(np.asarray(mover.axis) @ part)
        return total

    def coordinate(self, joint: str) -> float:
        """Where a hinge or motor [rad], or a slider [m], is, free or driven.

        Whole turns of a hinge that nothing drives are counted from start to start, and on paths. In
        a motion it is between -π and π, as in a solve without a start that is not followed.
        """
        movers = [mover for mover in self.model.movers if not isinstance(mover.joint, Weld)]
        given = {mover.joint.label: mover.place for mover in movers}
        if isinstance(joint, str) and joint in given:
            return float(self.given.values[given[joint]])
        labels = self.model.joints.labels
        i = labels.index(known("joint that moves freely", joint, labels))
        free = np.flatnonzero(~self.model.joints.held[i])
        if len(free) > 1:
            raise ModelError(
                f"joint {joint!r} has no single coordinate: compare poses of its frames"
            )
        turns, (hinges, _) = self.evaluation.hinge_turns, self.model.joints.hinges
        whole = 0.0 if turns is None else 2.0 * np.pi * float(turns[hinges == i].sum())
        return float(self._joint_motions[i, free[0]]) + whole

    @cached_property
    def _joint_motions(self) -> Twist:
        """Log of the motion of each joint that moves freely, x along its axis, (n, 6)."""
        return self.model.joints.motion(self.evaluation.nodes)

    @property
    def _held(self) -> Array:
        """What joints that move freely exert in the directions that they hold."""
        terms = zip(self.model.terms, self.model.layout.term_rows, strict=True)
        rows = next(rows for term, rows in terms if term is self.model.joints)
        return self.state.numbers[rows]

    def _rod(self, name: str) -> Rod:
        """The description of a rod or a tube."""
        tube = self._is_tube(name)
        return self.model.tubes[name].rod if tube else self.model.place(name).rod

    def _lengths(self, rod: str, s: ArrayLike) -> Array:
        """Arc lengths as an array, checked to lie on the rod."""
        return self._rod(rod).lengths(s)

    def _placed(self, rod: str, s: ArrayLike) -> Pose:
        """Poses of a rod at arc lengths in the world."""
        return self.model.layout.in_world(self._shape(rod, s)[0])

    def _shape(self, rod: str, s: ArrayLike) -> tuple[Pose, Strain]:
        """Poses, from the origin of the layout, and strains of a rod at arc lengths."""
        if self._is_tube(rod):
            found = self._tube(rod, s)
            return found.pose.reshape(*np.shape(s), 4, 4), found.strain.reshape(*np.shape(s), 6)
        place = self.model.place(rod)
        lengths = self._lengths(rod, s)
        part = self.model.parts[place.part]
        nodes, inner = self.evaluation.nodes[part.nodes], self.model.inner(self.state, place.part)
        pose, strain = part.group.shape(nodes, inner, place.index, lengths.ravel())
        return pose.reshape(*lengths.shape, 4, 4), strain.reshape(*lengths.shape, 6)

    def _facts(self) -> Facts:
        work = [counted(self.iterations, "iteration"), counted(self.load_steps, "load step")]
        rows = [
            ("solve", f"{', '.join(work)}, residual {self.residual:.1e}"),
            ("accuracy", self._accuracy_in_words()),
            ("energy", f"{self.energy:.6g} J"),
            ("stable", answer(self.stable)),
            ("inputs", words.inputs_in_words(self.inputs)),
            ("tips", words.tips_in_words(self.model, self.evaluation.nodes)),
            ("contacts", words.contacts_in_words(self.model, self.contacts)),
            *(("note", remark) for remark in self.remarks),
        ]
        title = f"{type(self).__name__} of {self.model.name!r}: {self.status}"
        return Facts(title, [row for row in rows if row[1]])

    def _accuracy_in_words(self) -> str:
        """``accuracy``, where it is known or takes no other solve; else nothing."""
        from flexura.solve.told import is_at_hand

        known = "accuracy" in vars(self) or is_at_hand(self)
        return words.accuracy_in_words(self.accuracy, self.model) if known else ""

    def _picture(self) -> "StaticResult":
        return self


def evaluated(result: StaticResult) -> Assembly:
    """The model of a result, evaluated at its state."""
    return result._assembly()
