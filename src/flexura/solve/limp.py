"""Rods too limp for their tension: what bends them at clamps is shorter than they resolve.

A rod with bending stiffness EI under a tension T leaves a clamp within a length of √(EI/T), beyond
which it hangs as a cord does. A description whose unknowns are much further apart has equilibria of
its own there, which are no shapes of the rod.
"""

from math import inf, sqrt

from flexura.model.assemble import Assembly
from flexura.model.model import Model

# Unknowns that are further apart than this many lengths may be why no stable equilibrium is found.
LIMP = 4.0


def too_limp(assembly: Assembly, tension: float) -> tuple[float, ...] | None:
    """How many times too far apart the unknowns of each part may be; None if none is.

    Args:
        assembly: of the robot.
        tension: of its rods [N], about.
    """
    model = assembly.model
    found = [_apart(model, i, tension) for i in range(len(model.parts))]
    if max(found, default=0.0) <= LIMP:
        return None
    pairs = zip(found, model.parts, strict=True)
    return tuple(max(2.0, x / part.group.limpest) if x > LIMP else 0.0 for x, part in pairs)


def largest_tension(assembly: Assembly) -> float:
    """The largest tension in the strains of the last evaluation [N]; 0 if there is none."""
    found = 0.0
    for place in assembly.model.places.values():
        work = assembly.parts[place.part]
        points = work.part.group.points
        own = points.rod == place.index
        stretch = work.work.strain[own, 3] - work.part.rest_strain[own, 3]
        found = max(found, float((place.rod.stiffness(points.s[own])[:, 3] * stretch).max()))
    return found


def _apart(model: Model, part: int, tension: float) -> float:
    """Distance of the unknowns at clamps, six for each place, over the length of its bending."""
    rods = [place.rod for place in model.places.values() if place.part == part]
    stiffness = min(float(rod.stiffness(0.5 * rod.length)[1:3].min()) for rod in rods)
    nodes, layout = model.parts[part].nodes, model.layout
    unknowns = int(layout.inner_size[nodes].sum()) + 6 * int((layout.coordinate[nodes] >= 0).sum())
    apart = 6.0 * sum(rod.length for rod in rods) / max(1, unknowns)
    apart /= model.parts[part].group.denser
    return apart * sqrt(tension / stiffness) if stiffness > 0.0 else inf
