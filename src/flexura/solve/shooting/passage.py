"""The way of a serial chain through the rods of a robot."""

from typing import NamedTuple

from flexura.errors import ModelError
from flexura.robot import Anchor, Gravity, LineLoad, PointLoad, Robot, Rod, Weld
from flexura.solve.grounded import check_held


class Passage(NamedTuple):
    """A rod of the chain, and the ends where the chain enters and leaves it."""

    rod: Rod
    enter: Anchor
    leave: Anchor

    @property
    def direction(self) -> float:
        """+1 if the chain passes the rod from its base to its tip, else -1."""
        return 1.0 if self.enter.end == "base" else -1.0


def passages(robot: Robot) -> tuple[list[Passage], bool]:
    """The rods in the order of the chain, and whether its end is held by the world.

    Raises:
        ModelError: if the robot is not a serial chain of rods.
    """
    _check_parts(robot)
    check_held(robot)
    group_of = robot.graph.group_of
    inside = [anchor for anchor in group_of if anchor.s is not None]
    if inside:
        raise ModelError(
            f"shooting takes welds at the ends of rods; robot {robot.name!r} has one at "
            f"{str(inside[0])!r}, inside a rod: use statics(build(robot, rods=...))"
        )
    fixed = [anchor for anchor in robot.graph.groups[0].frames if not anchor.is_world]
    enter = next((anchor for anchor in fixed if anchor.end == "base"), fixed[0])
    chain: list[Passage] = []
    while True:
        leave = Anchor(enter.part, "tip" if enter.end == "base" else "base")
        chain.append(Passage(robot.rod(enter.part), enter, leave))
        group = group_of[leave]
        beyond = [anchor for anchor in group.frames if anchor != leave]
        if group.fixed or len(beyond) != 1:
            break
        enter = beyond[0]
    passed = [passage.rod.name for passage in chain]
    missing = [rod.name for rod in robot.rods if rod.name not in passed]
    if missing:
        raise ModelError(
            f"shooting takes a serial chain of rods; in robot {robot.name!r} rod "
            f"{missing[0]!r} is no part of the chain {', '.join(map(repr, passed))}: "
            "use statics(build(robot, rods=...))"
        )
    return chain, group.fixed


def _check_parts(robot: Robot) -> None:
    """Raise if the robot has anything that shooting does not know."""
    for part in (*robot.bodies, *robot.volumes, *robot.tubes, *robot.joints, *robot.loads):
        if not isinstance(part, Weld | Gravity | PointLoad | LineLoad):
            raise ModelError(
                f"shooting knows welds, gravity, point loads and line loads; robot {robot.name!r} "
                f"has a {type(part).__name__}: use statics(build(robot, rods=...))"
            )
