"""What flies must resist being moved and turned, whichever way: nothing else does."""

import numpy as np

from flexura.errors import ModelError
from flexura.lie import se3
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.motion.flow import Flow, Tracks, tracks_of
from flexura.robot import Robot
from flexura.typing import Array

# Moments of inertia below this part of the largest one are rounding.
NOTHING = 1e-14


def check_flight(tracks: Tracks, flow: Flow, inputs: Inputs) -> None:
    """Raise for what flies and has no mass, or can turn without resistance.

    Args:
        tracks: of the model.
        flow: where it begins.
        inputs: there.
    """
    model = tracks.moving.model
    layout = model.layout
    for _, own in layout.floats:
        rods = [
            name for name in model.places if layout.coordinate[model.frames[f"{name}.base"]] in own
        ]
        bodies = [
            body.name
            for body in model.robot.bodies
            if layout.coordinate[model.frames[body.name]] in own
        ]
        mass, moments = _weight(tracks, flow, inputs, rods, bodies)
        who = f"rod {rods[0]!r}" if rods else f"body {bodies[0]!r}"
        if mass == 0.0:
            what = "a density" if rods else "a mass"
            raise ModelError(f"{who} flies and has no mass: give it {what}, or hold it by a joint")
        if moments[0] <= NOTHING * moments[-1]:
            what = "line_inertia" if rods else "inertia"
            raise ModelError(
                f"{who} flies and resists no rotation about an axis through its centre of mass: "
                f"give it {what}, or hold it by a joint"
            )


def _weight(
    tracks: Tracks, flow: Flow, inputs: Inputs, rods: list[str], bodies: list[str]
) -> tuple[float, Array]:
    """Mass and principal moments of inertia of rods and bodies as they are, ascending."""
    moving = tracks.moving
    model, poses, inertias = moving.model, [], []
    for number, (own, law) in enumerate(zip(tracks.points, moving.inertia, strict=True)):
        places = [model.places[name] for name in rods]
        mine = np.isin(
            model.parts[number].group.points.rod[law.point],
            [place.index for place in places if place.part == number],
        )
        poses.append(flow.poses[own][mine])
        inertias.append(law.at(inputs.values)[mine])
    mine = np.isin(moving.bodies.nodes[:, 0], [model.frames[name] for name in bodies])
    pose = np.concatenate([*poses, flow.poses[tracks.bodies][mine]])
    inertia = np.concatenate([*inertias, moving.bodies.inertia[mine]])
    mass = float(inertia[:, 3].sum())
    if mass == 0.0:
        return 0.0, np.zeros(3)
    pose[:, :3, 3] -= inertia[:, 3] @ pose[:, :3, 3] / mass
    dual = se3.Ad_dual(pose)[:, :3]
    return mass, np.linalg.eigvalsh(np.einsum("nij,nj,nkj->ik", dual, inertia, dual))


def weighs(model: Model) -> bool:
    """Whether anything of a model has mass."""
    return tracks_of(model).moving.mass > 0.0


def who_may_weigh(robot: Robot) -> str:
    """What to give mass of a robot that has none."""
    if robot.slender:
        return (
            f"rod {robot.slender[0].name!r} a density, such as Material(..., density=1100.0), in a "
            "robot file density = 1100.0 of its material [kg/m³]"
        )
    if robot.bodies:
        return f"body {robot.bodies[0].name!r} a mass"
    return f"volume {robot.volumes[0].name!r} a density"
