"""Bodies that hang at a joint that moves freely must resist its motions, or something else must."""

from collections.abc import Iterator

import numpy as np

from flexura.errors import ModelError
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.robot import Ball, Slider
from flexura.robot.body import Body
from flexura.robot.frame import Anchor
from flexura.robot.link import FreeJoint
from flexura.typing import Array, Matrix, Pose

# Moments of inertia below this part of the largest one, or of mass times length squared, are
# rounding; so are forces below the second part of those in play.
NOTHING, ROUNDING = 1e-14, 1e-9


def check_hanging(model: Model, state: State, inputs: Inputs) -> None:
    """Raise for bodies that a joint lets move with neither inertia nor stiffness against it.

    Args:
        model: in motion.
        state: where it is.
        inputs: there.
    """
    assembly = None
    for joint, end, T, bodies in _hanging(model):
        if assembly is None:
            assembly = Assembly(model)
            assembly.evaluate(state, inputs)
        at = assembly.nodes[model.frames[end.part]] @ T
        twist = _unresisted(model, assembly.nodes, joint, at, bodies)
        if twist is not None and _is_soft(assembly, end, at, twist):
            _refuse(model, joint, bodies)


def _hanging(model: Model) -> Iterator[tuple[FreeJoint, Anchor, Pose, list[Body]]]:
    """Joints at whose one end nothing hangs but bodies, that end, and these."""
    graph = model.robot.graph
    tied = {anchor for anchors in graph.tied.values() for anchor in anchors}
    ends = [graph.group_of[end] for joint in graph.free for end in (joint.a, joint.b)]
    for joint in graph.free:
        for end, T in ((joint.b, joint.T_b), (joint.a, joint.T_a)):
            group = graph.group_of[end]
            held = group.fixed or any(x.on_rod or x in tied for x in group.frames)
            if not held and sum(other is group for other in ends) == 1:
                yield joint, end, T, [graph.bodies[x.part] for x in group.frames]


def _unresisted(
    model: Model, nodes: Pose, joint: FreeJoint, at: Pose, bodies: list[Body]
) -> Array | None:
    """The motion that the joint allows, as a twist at its pose, that has no inertia; or None."""
    inertia: Matrix = np.zeros((6, 6))
    for body in bodies:
        center = nodes[model.frames[body.name]] @ se3.pose(tuple(np.asarray(body.center)))
        dual = se3.Ad_dual(se3.inverse(at) @ center)
        own = np.array([*np.asarray(body.inertia), body.mass, body.mass, body.mass])
        inertia += dual @ (own[:, None] * dual.T)
    free = [i for i in range(6) if i not in joint.rows]
    values, ways = np.linalg.eigh(inertia[np.ix_(free, free)])
    lever = model.length if free[0] < 3 else 1.0
    if values[0] > NOTHING * max(values[-1], inertia[5, 5] * lever**2):
        return None
    twist = np.zeros(6)
    twist[free] = ways[:, 0]
    return twist


def _is_soft(assembly: Assembly, end: Anchor, at: Pose, twist: Array) -> bool:
    """Whether nothing resists a motion of what hangs there."""
    layout, model = assembly.layout, assembly.model
    coordinate = int(layout.coordinate[model.frames[end.part]])
    if coordinate < 0:
        return False
    motion = np.zeros(layout.n_dof)
    seen = se3.Ad(se3.inverse(assembly.state.poses[coordinate]) @ at) @ twist
    motion[layout.pose_dof[coordinate] + np.arange(6)] = seen
    stiffness = float(motion @ (layout.structure.sparse(assembly.values) @ motion))
    lever = float(np.linalg.norm(twist[:3]) * model.length + np.linalg.norm(twist[3:]))
    return abs(stiffness) * model.length <= ROUNDING * assembly.force_scale() * lever**2


def _refuse(model: Model, joint: FreeJoint, bodies: list[Body]) -> None:
    own = next(x for x in model.robot.joints if x.label == joint.label)
    who, kind = f"body {bodies[0].name!r}", type(own).__name__.lower()
    if isinstance(own, Slider):
        what, remedy = "being moved along it", "a mass"
    else:
        about = "its own axis or point" if isinstance(own, Ball) else "its axis"
        what, remedy = f"a rotation about {about}", "moments of inertia"
    raise ModelError(
        f"{who} hangs at {kind} {joint.label!r} and nothing resists {what}: give it {remedy}, as "
        "Body(name, mass, inertia), or weld it"
    )
