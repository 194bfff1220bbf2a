"""What every contact must obey, looked at from outside."""

import numpy as np

# Of a long motion, so many instants are looked at.
SEVERAL = 40


def check_contacts(result, depth=1e-9):
    """Nothing deep, nothing that pulls, no force outside its cone, no rubbing that drives.

    Args:
        result: of statics, or an instant of a motion; all that is deep is among its contacts.
        depth: how deep things may be in each other, relative to the length of the robot; and how
            far apart where they press.
    """
    length = result.model.length
    largest = max((np.linalg.norm(x.force) for x in result.contacts), default=0.0)
    for x in result.contacts:
        assert np.isfinite([*x.force, *x.point, *x.normal, *x.slip, x.gap]).all()
        assert abs(np.linalg.norm(x.normal) - 1.0) < 1e-9
        assert abs(x.slip @ x.normal) <= 1e-9 * length
        assert x.gap >= -depth * length
        assert x.pressing >= -1e-9 * largest
        assert np.linalg.norm(x.rubbing) <= x.friction * x.pressing + 1e-7 * largest
        assert x.gap <= max(depth, 1e-7) * length or x.pressing <= 1e-7 * largest
        assert x.rubbing @ x.slip <= 1e-9 * largest * length
        if x.sticking:
            assert np.linalg.norm(x.slip) <= 1e-6 * length or x.pressing <= 1e-6 * largest


def check_all(found, depth=1e-6):
    """The laws for a result of statics, or several instants of a motion, if anything may touch.

    Where a solve does not say otherwise, nothing is deeper than 1e-6 of the length.
    """
    several = found.results if hasattr(found, "results") else (found,)
    if several[0].model.contacts is None or not found.converged:
        return
    for one in several[:: max(1, len(several) // SEVERAL)]:
        check_contacts(one, depth)
