"""Forces where robots touch something: an arrow at each place, and what both sides exert in all."""

import numpy as np

from flexura.result.contact import Touching
from flexura.result.static import StaticResult
from flexura.view.primitive import Arrow, Label

# Length of the arrow of the largest force, the least one that is drawn relative to it, and width.
FORCE, LEAST, WIDTH = 0.15, 0.02, 0.004
# Pairs that are labelled, those that press most.
LABELLED = 6


def contact_arrows(result: StaticResult, extent: float) -> list[Arrow]:
    """The forces on the first of what touches, at the places where it does."""
    largest = max((_size(x) for x in result.contacts), default=0.0)
    return [
        Arrow(
            f"{x.b} on {x.a}",
            "contact",
            np.array([x.point, x.point + FORCE * extent * x.force / largest]),
            WIDTH * extent,
        )
        for x in result.contacts
        if _size(x) > LEAST * largest
    ]


def contact_labels(result: StaticResult, extent: float) -> list[Label]:
    """How hard two sides press, as results tell it, beside the arrow of the largest force."""
    arrows = contact_arrows(result, extent)
    found = {}
    for name in dict.fromkeys(x.name for x in arrows):
        places = [x for x in result.contacts if f"{x.b} on {x.a}" == name]
        path = max((x.path for x in arrows if x.name == name), key=lambda x: np.ptp(x, 0).max())
        total = sum(x.pressing for x in places)
        label = Label(f"{name} {total:.3g} N", path[-1], path[-1] - path[0], "contact")
        found[name] = (total, label)
    most = sorted(found.values(), key=lambda x: -x[0])[:LABELLED]
    return [label for _, label in most]


def _size(place: Touching) -> float:
    """Size of a force [N]."""
    return float(np.linalg.norm(place.force))
