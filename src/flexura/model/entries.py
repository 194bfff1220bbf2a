"""The inputs that a robot has, and what they move."""

from collections import Counter
from dataclasses import replace

import numpy as np

from flexura.model.inputs import Input
from flexura.model.model import Mover
from flexura.robot import Gravity, Hinge, LineLoad, Motor, Pulley, Robot, Slider, Weld
from flexura.typing import frozen

ZERO = frozen(np.array(0.0))
TENDON = {
    "tension": Input("tendon", ZERO, "a tension [N]; a tendon cannot push", least=0.0),
    "length": Input("tendon", ZERO, "a shortening against the length on the unloaded robot [m]"),
}


def inputs_of(robot: Robot) -> dict[str, Input]:
    """Loads, named welds, driven joints, motors and tendons."""
    inputs: dict[str, Input] = {}
    for load in robot.loads:
        if isinstance(load, Gravity):
            default = np.concatenate([np.zeros(3), np.asarray(load.acceleration)])
            inputs[load.name] = Input(
                "wrench", frozen(default), "an acceleration [m/s²]", size=3,
                vectors=("acceleration {} [m/s²]",),
            )  # fmt: skip
        elif isinstance(load, Pulley):
            default = np.array(float(load.force))
            inputs[load.name] = Input("pull", frozen(default), "a force [N]", least=0.0)
        else:
            moment, force = ("N·m/m", "N/m") if isinstance(load, LineLoad) else ("N·m", "N")
            inputs[load.name] = Input(
                "wrench", frozen(np.array(load.wrench)),
                f"a wrench (moment, force) [{moment}, {force}]",
                vectors=(f"moment {{}} [{moment}]", f"force {{}} [{force}]"),
            )  # fmt: skip
    for joint in robot.joints:
        if isinstance(joint, Weld) and joint.name is not None:
            meaning = f"the pose of {joint.b} in {joint.a}"
            inputs[joint.name] = Input("pose", frozen(joint.transform), meaning)
        elif isinstance(joint, Motor) or (isinstance(joint, Hinge | Slider) and joint.driven):
            meaning = "a displacement [m]" if isinstance(joint, Slider) else "an angle [rad]"
            inputs[joint.name] = Input("drive", ZERO, meaning)
    for tendon in robot.tendons:
        inputs[tendon.name] = TENDON[tendon.drive]
    before: Counter[str] = Counter()
    for name, entry in inputs.items():
        inputs[name] = replace(entry, row=before[entry.kind])
        before[entry.kind] += 1
    return inputs


def movers_of(robot: Robot) -> tuple[Mover, ...]:
    """What inputs move, in the order of the joints."""
    movers: list[Mover] = []
    poses = drives = 0
    for joint in robot.joints:
        if isinstance(joint, Weld) and joint.name is not None:
            movers.append(Mover(joint, poses))
            poses += 1
        elif isinstance(joint, Motor) or (isinstance(joint, Hinge | Slider) and joint.driven):
            movers.append(Mover(joint, drives))
            drives += 1
    return tuple(movers)
