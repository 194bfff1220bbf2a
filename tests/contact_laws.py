"""What every contact must obey, looked at from outside."""

import numpy as np

# Of a long motion, so many instants are looked at.
SEVERAL = 40


def laws(x, length, largest, depth):
    """What a contact must obey: words, by how much it is off, and how much is allowed."""
    yield from laws_of_forces(x, length, largest, depth)
    yield from laws_of_ways(x, length, largest)


def laws_of_forces(x, length, largest, depth):
    """Those of what presses, whatever way it has slid.

    Args:
        x: the contact.
        length: of the robot [m].
        largest: force of all its contacts [N].
        depth: how deep things may be in each other, relative to the length.
    """
    near, slight = 1e-7 * length, 1e-7 * largest
    numbers = [*x.force, *x.point, *x.normal, *x.slip, x.gap]
    yield "is no number", float(not np.isfinite(numbers).all()), 0.0
    yield "has a normal that is not of length one", abs(np.linalg.norm(x.normal) - 1.0), 1e-9
    yield "is deep [m]", -x.gap, depth * length
    yield "pulls [N]", -x.pressing, 1e-9 * largest
    rubbing = float(np.linalg.norm(x.rubbing))
    yield "rubs outside of its cone [N]", rubbing - x.friction * x.pressing, slight
    if x.pressing > slight:
        yield "presses from afar [m]", x.gap, near


def laws_of_ways(x, length, largest):
    """Those of friction and the way that was slid with it, if that is one step."""
    slight = 1e-7 * largest
    yield "slips off the surface [m]", abs(x.slip @ x.normal), 1e-9 * length
    # iterations end with steps of 1e-8 of the length, and ways are as far off
    yield "is driven by its friction [J]", x.rubbing @ x.slip, 1e-8 * largest * length
    way = float(np.linalg.norm(x.slip))
    if way > 2e-6 * length and x.pressing > slight:
        against = x.rubbing + x.friction * x.pressing / way * x.slip
        yield "rubs across its way [N]", float(np.linalg.norm(against)), 1e-6 * largest
    if x.sticking and x.pressing > 1e-6 * largest:
        yield "sticks and slides [m]", float(np.linalg.norm(x.slip)), 1e-6 * length


def check_contacts(result, depth=1e-9, check=laws):
    """Nothing deep, nothing that pulls, no force outside its cone, no rubbing that drives.

    Args:
        result: of statics, or an instant of a motion; all that is deep is among its contacts.
        depth: as for ``laws``.
        check: these, or some of them.
    """
    largest = max((np.linalg.norm(x.force) for x in result.contacts), default=0.0)
    for x in result.contacts:
        for law, off, allowed in check(x, result.model.length, largest, depth):
            assert off <= allowed, f"{x!r}, gap {x.gap:.3g} m: {law}, {off:.3g} for {allowed:.3g}"


def check_motion(motion, depth=1e-6, every=1):
    """The laws for each so many instants of a motion.

    What slid in a step that was cut did so with several forces and normals; the last ones are told.
    """
    cuts = getattr(motion, "cuts", ())
    for one in motion.results[::every]:
        cut = any(0.0 < one.t - t < 1.01 * motion.step for t in cuts)
        check_contacts(one, depth, laws_of_forces if cut else laws)


def check_all(found, depth=1e-6):
    """The laws for a result of statics, or several instants of a motion, if anything may touch.

    Where a solve does not say otherwise, nothing is deeper than 1e-6 of the length.
    """
    several = found.results if hasattr(found, "results") else (found,)
    if several[0].model.contacts is None or not found.converged:
        return
    if several[0] is found:
        check_contacts(found, depth)
    else:
        check_motion(found, depth, max(1, len(several) // SEVERAL))
