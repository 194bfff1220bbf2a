"""What every contact must obey, looked at from outside."""

import numpy as np


def check_contacts(result, depth=1e-9):
    """Nothing deep, nothing that pulls, no force outside its cone, no rubbing that drives."""
    length = result.model.length
    largest = max((np.linalg.norm(x.force) for x in result.contacts), default=0.0)
    for x in result.contacts:
        assert x.gap >= -depth * length
        assert x.pressing >= -1e-9 * largest
        assert np.linalg.norm(x.rubbing) <= x.friction * x.pressing + 1e-7 * largest
        assert x.gap <= 1e-7 * length or x.pressing <= 1e-7 * largest
        assert x.rubbing @ x.slip <= 1e-9 * largest * length
        if x.sticking:
            assert np.linalg.norm(x.slip) <= 1e-6 * length or x.pressing <= 1e-6 * largest
