"""What to discretize of sets of tubes: where their sections end, and which places are frames."""

from collections.abc import Sequence

from flexura.robot import Anchor, Robot, TubeSet
from flexura.rods.discretization import Discretization, RodGroup, RodPlan
from flexura.rods.tube_choice import TubeChoice
from flexura.rods.tubes import Break, SetPlan


def set_plan(robot: Robot, tubes: TubeSet, choice: Discretization) -> SetPlan:
    """The plan of a set: tips are frames, and points that anything acts on; kinks are not."""
    frames = [Break(j, tube.length) for j, tube in enumerate(tubes.tubes)]
    kinks: list[Break] = []
    for j, tube in enumerate(tubes.tubes):
        acting = sorted({a.s for a in robot.graph.marks if a.part == tube.name and a.s is not None})
        frames += [Break(j, s) for s in acting]
        kinks += [Break(j, s) for s in robot.jumps(tube.name) if s not in acting]
    breaks = (*frames, *kinks)
    return SetPlan(
        rod=tubes.centreline,
        choice=TubeChoice(choice, len(tubes.tubes), len(breaks)),
        members=tuple(tubes.tubes),
        breaks=breaks,
        marks=tuple(range(len(frames))),
    )


def find_marks(groups: Sequence[RodGroup], plans: Sequence[Sequence[RodPlan]]) -> dict[Anchor, int]:
    """Node of each frame of a tube, counted over all groups."""
    found: dict[Anchor, int] = {}
    begin = 0
    for group, own in zip(groups, plans, strict=True):
        sets = [plan for plan in own if isinstance(plan, SetPlan)]
        begin += int(group.rod_nodes[-1])
        node = begin - sum(len(plan.marks) for plan in sets)
        for plan in sets:
            for mark in plan.marks:
                place = plan.breaks[mark]
                tube = plan.members[place.tube]
                tip = place.s == tube.length
                anchor = Anchor(tube.name, "tip") if tip else Anchor(tube.name, s=place.s)
                found[anchor] = node
                node += 1
    return found
