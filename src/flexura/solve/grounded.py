"""Equilibria are those of robots that the world holds."""

from flexura.errors import ModelError
from flexura.robot import Robot


def check_held(robot: Robot) -> None:
    """Raise if a part of the robot has no way to the world: it would fall."""
    for volume in robot.volumes:
        if not robot.graph.holds(volume.name):
            raise ModelError(
                f"volume {volume.name!r} has no way to the world and can be in no equilibrium: add "
                f"Clamp('world', Nodes({volume.name!r}, box=...)), or let it fly with simulate"
            )
    floating = robot.graph.floating
    if not floating:
        return
    name = floating[0]
    kind, frame = ("rod", f"{name}.base") if name in robot.graph.rods else ("body", name)
    raise ModelError(
        f"{kind} {name!r} has no way to the world and can be in no equilibrium: add "
        f"Weld('world', {frame!r}), join it to what is held, or let it fly with simulate"
    )
