"""Equilibria are those of robots that the world holds, or of volumes that stand on something."""

from flexura.errors import ModelError
from flexura.robot import Robot


def check_held(robot: Robot) -> None:
    """Raise if a part of the robot has no way to the world: it would fall.

    Volumes may also stand on something solid; whether that holds them shows in a solve.
    """
    standing = _standing(robot)
    for volume in robot.volumes:
        if not robot.graph.holds(volume.name) and volume.name not in standing:
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


def _standing(robot: Robot) -> set[str]:
    """Names of volumes that may stand on obstacles, or on bodies that the world holds."""
    loose = set(robot.graph.floating)
    solid = {x.name for x in robot.obstacles} | {x.name for x in robot.bodies} - loose
    ways = [(a, b) for x in robot.contacts for a, b in ((x.a, x.b), (x.b, x.a))]
    return {a for a, b in ways if b in solid}
