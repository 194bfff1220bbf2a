"""Derivatives of equilibria by differences of solves, to judge exact ones by."""

import numpy as np

import flexura as fx
from flexura.lie import se3

# How far a robot moves between solves, in rad and lengths: differences of fourth order are off by
# its fourth power then, times what stiff loops make of it, and solves by 1e-12 over it.
WAY = 4e-4
# An input moves nothing if a change of it that is large for the robot makes less than this, in rad
# and lengths: what is left is rounding. By differences that is uncertain by so much.
NOTHING, UNCERTAIN = 1e-9, 1e-6


OFF = se3.pose(position=(0.0, 0.01, -0.02), rotation=(0.2, -0.1, 0.3))


def frames_of(robot):
    """A tip, all bodies, and a point inside a rod, beside its axis."""
    inside = [fx.At(rod.name, 0.37 * rod.length, OFF) for rod in robot.rods[:1]]
    return [f"{robot.rods[-1].name}.tip", *inside, *(body.name for body in robot.bodies)]


def changed(value, manifold, i, by):
    """The value of an input with number i changed; of a pose, along number i of a body twist."""
    value = np.array(value, dtype=float)
    step = np.zeros(6 if manifold == "pose" else value.size)
    step[i] = by
    return value @ se3.exp(step) if manifold == "pose" else value + step.reshape(value.shape)


def slope(values, step):
    """Derivative from values two and one steps before and after."""
    before, left, right, after = values
    return (8.0 * (right - left) - (after - before)) / (12.0 * step)


def sizes_of(jacobian, length):
    """How far a frame moves with each number, in rad and lengths."""
    return np.linalg.norm(jacobian / np.array([1.0] * 3 + [length] * 3)[:, None], axis=0)


def large(model, entry):
    """A change of an input that may move a robot a lot: 1 rad or m, or a force that bends it."""
    if not entry.loads or not model.robot.rods:
        return 1.0
    bending = min(min(rod.stiffness(0.5 * rod.length)[:3]) for rod in model.robot.rods)
    return float(bending) / model.length**2


def jacobians(result, frames, by, way=WAY):
    """Body twists of frames by inputs: exact ones, and those by differences, (n, 6, m) both.

    Where both say that an input moves nothing there are zeros.

    Args:
        result: the equilibrium.
        frames: that move.
        by: names of the inputs.
        way: how far the robot moves between solves, in rad and lengths.
    """
    model, homes = result.model, [se3.inverse(result.pose(frame)) for frame in frames]
    exact = np.array([result.jacobian(frame, by) for frame in frames])
    moved = iter(np.max([sizes_of(own, model.length) for own in exact], axis=0))
    columns = []
    for name in by:
        entry, unit = model.inputs[name], large(model, model.inputs[name])
        for i in range(6 if entry.manifold == "pose" else max(1, int(np.prod(entry.shape)))):
            size = next(moved)
            idle = size * unit <= NOTHING
            step = 0.01 * way * unit if idle else way / size  # slack tendons stay slack
            twists = []
            for k in (-2.0, -1.0, 1.0, 2.0):
                value = changed(result.inputs[name], entry.manifold, i, k * step)
                there = fx.statics(model, {**result.inputs, name: value}, start=result)
                there.unwrap(unstable=True)
                poses = [home @ there.pose(f) for home, f in zip(homes, frames, strict=True)]
                twists.append(se3.log(np.array(poses)))
            columns.append(slope(twists, step))
            if idle and sizes_of(columns[-1].T, model.length).max() * unit <= UNCERTAIN:
                exact[..., len(columns) - 1] = columns[-1][:] = 0.0
    return exact, np.stack(columns, axis=-1)


def compliance(robot, rods, inputs, frame, exact):
    """Body twist of a frame by a body wrench there, by differences of a robot with a load more."""
    load = fx.PointLoad("probe", at=frame, follower=True)
    probed = fx.Robot(
        robot.name, robot.rods, robot.joints, [*robot.loads, load], robot.tendons, robot.bodies
    )
    model = fx.build(probed, rods=rods)
    here = fx.statics(model, inputs).unwrap()
    home, columns = se3.inverse(here.pose(frame)), []
    for i, size in enumerate(sizes_of(exact, model.length)):
        twists, step = [], WAY / size
        for k in (-2.0, -1.0, 1.0, 2.0):
            probe = {"probe": k * step * np.eye(6)[i]}
            there = fx.statics(model, {**inputs, **probe}, start=here).unwrap()
            twists.append(se3.log(home @ there.pose(frame)))
        columns.append(slope(twists, step))
    return np.array(columns).T


def apart(found, expected, length):
    """Difference of twists by inputs, over the largest twist of all frames for each input."""
    unit = np.array([1.0] * 3 + [length] * 3)[:, None]
    off = np.linalg.norm((found - expected) / unit, axis=-2)
    size = np.linalg.norm(expected / unit, axis=-2).max(axis=0)
    return float((off / np.where(size > 0.0, size, 1.0)).max())
