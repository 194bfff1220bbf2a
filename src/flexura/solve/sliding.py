"""Parts that loads push along straight ways that nothing resists: they slide for ever.

A free slider on the ground leads whatever it carries along a line. Where that is without resistance
and the loads do as much work far along as they do at first, there is no equilibrium to look for.
"""

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.step import linearise
from flexura.solve.equilibrium import ARRIVED, BALANCED, Equilibrium, Iterate
from flexura.solve.free_motion import neutral_motions
from flexura.solve.margin import uncertain_stiffness
from flexura.typing import Array

# How far to look, over the length of the robot.
FAR = 10.0
# Forces along the way that differ by no more than this part are the same; so are directions [rad].
SAME = 1e-9


def slides_away(assembly: Assembly, start: Iterate, begin: Inputs, end: Inputs) -> bool:
    """Whether the loads of ``end`` push a part of the unloaded robot along a line for ever."""
    joints, layout = assembly.model.joints, assembly.layout
    if not len(joints.nodes):
        return False
    grounded = (layout.coordinate[joints.nodes] < 0) & ~layout.loose[joints.nodes]
    if not (grounded.any(axis=1) & ~joints.held[:, 3:].all(axis=1)).any():
        return False
    Equilibrium(assembly, begin).evaluate(start)
    if not assembly.conservative or assembly.imbalance()[1] > ARRIVED:
        return False
    motions = neutral_motions(assembly)
    return any(_pushed_on(assembly, start, end, motion) for motion in motions.T)


def _pushed_on(assembly: Assembly, start: Iterate, end: Inputs, motion: Array) -> bool:
    """Whether a motion is a translation, and loads push along it as much far away as here."""
    problem = Equilibrium(assembly, end)
    problem.evaluate(start)
    moves = ~assembly.layout.multiplier
    here = motion[moves] @ assembly.residual[moves] / assembly.model.length
    if abs(here) <= BALANCED * assembly.force_scale() + uncertain_stiffness(assembly):
        return False
    step = linearise(assembly, FAR * motion)
    if not assembly.conservative or step.rotation > SAME:
        return False
    problem.evaluate(Iterate(*step.advance()))
    there = motion[moves] @ assembly.residual[moves] / assembly.model.length
    same = abs(there - here) <= SAME * abs(here)
    return bool(same and assembly.imbalance()[1] <= BALANCED)
