"""Where a motion begins: places, velocities, and the accelerations that belong to them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from flexura.errors import ModelError, UnknownName, show
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.motion.momentum import carried_back
from flexura.model.start import nodes_of, start_state
from flexura.model.state import State
from flexura.result.sequence import ResultSequence
from flexura.result.static import StaticResult
from flexura.robot.check import LARGEST
from flexura.robot.check import pose as checked_pose
from flexura.robot.tubes import check_no_set
from flexura.solve.motion.workspace import Workspace
from flexura.solve.unloaded import unloaded
from flexura.typing import Array, ArrayLike, Twist, frozen, real_numbers

Velocity: TypeAlias = Callable[[float], ArrayLike] | ArrayLike
# How far everything moves to tell velocities by differences, relative to 1 rad and the length.
APART = 1e-3


def state_at_rest(model: Model, inputs: Inputs, place: Mapping[str, ArrayLike] | None) -> State:
    """The robot without load; what flies, where ``place`` has it.

    Raises:
        ModelError: if its loops cannot be closed, or for places of what does not fly.
    """
    if place is not None and not isinstance(place, Mapping):
        raise ModelError(
            f"place must be a dict of rods and bodies that fly and their poses, got {show(place)}"
        )
    if model.layout.floats:
        state = start_state(model, inputs.unloaded).state
        return _placed(model, inputs, state, place or {})
    if place:
        raise ModelError(f"place= is for parts that fly; all of {model.name!r} is held")
    return unloaded(model, inputs).unwrap(unstable=True).state


def _placed(model: Model, inputs: Inputs, state: State, place: Mapping[str, ArrayLike]) -> State:
    """The state with parts that fly moved so that the named ones are where they should be."""
    layout = model.layout_at(inputs)
    nodes, poses = nodes_of(layout, state.poses), state.poses.copy()
    floating = model.robot.graph.floating
    moved = set[int]()
    for name, pose in place.items():
        if name not in floating:
            raise UnknownName("part that flies", name, floating)
        node = model.frames[f"{name}.base" if name in model.places else name]
        i = next(i for i, (_, own) in enumerate(layout.floats) if layout.coordinate[node] in own)
        if i in moved:
            raise ModelError(f"place= names several parts that hang together; leave {name!r} out")
        moved.add(i)
        wanted = np.array(checked_pose("simulate", f"place[{name!r}]", pose))
        shift = wanted @ se3.inverse(nodes[node])
        poses[layout.floats[i][1]] = shift @ state.poses[layout.floats[i][1]]
    return replace(state, poses=frozen(poses))


def flow_at_rest(tracks: Tracks, state: State, inputs: Inputs) -> Flow:
    """A flow without any motion."""
    assembly = Assembly(tracks.moving.skeleton)
    assembly.place(state, inputs)
    rates = np.zeros((3, 6 * tracks.n_frames + tracks.n_numbers))
    return Flow(state, *tracks.read(assembly), frozen(rates))


def with_velocities(
    tracks: Tracks, flow: Flow, inputs: Inputs, velocity: Mapping[str, Velocity]
) -> Flow:
    """The flow with the velocities nearest to the given ones, in kinetic energy, that it can have.

    M q̇ = Σ Jᵀ M v, and joints move as they can.

    Args:
        tracks: of the model.
        flow: at rest.
        inputs: there.
        velocity: of rods, a function of the arc length or a constant, and of bodies: body twists.
            What is not named rests.
    """
    space, wanted = Workspace(tracks, inputs), wanted_velocities(tracks, velocity)
    space.begin.place(flow.state, inputs)
    momentum = carried_back(tracks, space.begin, space.inertia * wanted)
    rates, _ = space.velocity(replace(flow, momentum=momentum), inputs)
    if not np.isfinite(rates).all():
        raise ModelError(
            "velocities cannot be told: a part of the robot has no mass; give its rod a density or "
            "its body a mass"
        )
    return replace(flow, rates=frozen(rates_of(tracks, space.bare, flow, inputs, rates)))


def rates_of(
    tracks: Tracks, assembly: Assembly, flow: Flow, inputs: Inputs, q_rate: Array
) -> Array:
    """Rates of all tracks for those of the unknowns, (3, n): by differences, of fourth order.

    What inputs move goes on as the flow says.
    """
    layout, length = assembly.layout, tracks.moving.model.length
    twists = q_rate[layout.pose_dof[:, None] + np.arange(6)]
    sizes = [
        np.abs(twists[:, :3]).max(initial=0.0),
        np.abs(twists[:, 3:]).max(initial=0.0) / length,
    ]
    driven = np.abs(tracks.velocities(flow, tracks.movers))
    sizes += [driven[:, :3].max(initial=0.0), driven[:, 3:].max(initial=0.0) / length]
    fastest = max(*sizes, np.abs(q_rate[tracks.unknowns]).max(initial=0.0))
    rates = np.zeros_like(flow.rates)
    if fastest == 0.0:
        return rates
    h = APART / fastest

    def apart(steps: float) -> Array:
        ends = []
        for time in (-steps * h, steps * h):
            moved = tracks.inputs_after(inputs, flow, time)
            state = layout.retract(flow.state, time * q_rate)
            assembly.place(state, moved)
            ends.append(tracks.read(assembly))
        return np.asarray(tracks.displacement(*ends) / (2.0 * steps * h))

    rates[0] = (4.0 * apart(1.0) - apart(2.0)) / 3.0
    return rates


def wanted_velocities(tracks: Tracks, velocity: Mapping[str, Velocity]) -> Twist:
    """The velocities of points with mass, part by part, and of centres of bodies, (n, 6)."""
    if not isinstance(velocity, Mapping):
        raise ModelError(
            "velocity must be a dict of names of rods and bodies and their body twists, got "
            f"{show(velocity)}"
        )
    moving = tracks.moving
    model, names = (
        moving.model,
        [*moving.model.places, *(b.name for b in moving.model.robot.bodies)],
    )
    for name in velocity:
        check_no_set("velocity", name, model.robot.tubes)
        if name not in names:
            raise UnknownName("rod or body", name, names)
    found: list[Twist] = []
    for number, inertia in enumerate(moving.inertia):
        own = np.zeros((len(inertia.point), 6))
        points = model.parts[number].group.points
        for name, place in model.places.items():
            if place.part == number and name in velocity:
                mine = points.rod[inertia.point] == place.index
                lengths = points.s[inertia.point][mine]
                own[mine] = [_twist(name, velocity[name], s) for s in lengths.tolist()]
        found.append(own)
    bodies = moving.bodies
    nodes = {int(n): i for i, n in enumerate(bodies.nodes[:, 0])}
    own = np.zeros((len(bodies.nodes), 6))
    for body in model.robot.bodies:
        i = nodes.get(model.frames[body.name])
        if body.name in velocity and i is not None:
            twist = _twist(body.name, velocity[body.name], None)
            own[i] = se3.Ad(se3.inverse(bodies.center[i])) @ twist
    return np.concatenate([*found, own])


def _twist(name: str, value: Any, s: float | None) -> Twist:
    """A velocity of the user, checked."""
    where = "" if s is None else f" at s = {s:g} m"
    try:
        given = value(s) if callable(value) and s is not None else value
        twist = real_numbers(given)
    except Exception as error:
        raise ModelError(
            f"the velocity of {name!r} fails{where}: {type(error).__name__}: {error}"
        ) from error
    if twist.shape != (6,) or not np.isfinite(twist).all():
        raise ModelError(
            f"the velocity of {name!r} must be a body twist, six finite numbers (angular [rad/s], "
            f"linear [m/s]){where}, or for a rod a function of the arc length; got {show(given)}"
        )
    if np.abs(twist).max() > LARGEST:
        raise ModelError(
            f"the velocity of {name!r} takes numbers of at most {LARGEST:g} in size{where}, got "
            f"{show(given)}; check its unit"
        )
    return twist


def check_start(model: Model, start: StaticResult | None) -> None:
    """Raise unless a motion of the model can begin there."""
    if start is not None and (not isinstance(start, StaticResult) or start.model != model):
        hint = "; a motion goes on from its last instant, motion[-1]"
        raise ModelError(
            "start must be a result or an instant of the same model; build once and use it again"
            f"{hint if isinstance(start, ResultSequence) else ''}"
        )
