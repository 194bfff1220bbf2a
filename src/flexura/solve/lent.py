"""Descriptions whose elements bend by themselves, and one that tells them how rods hang.

Where elements of poses and strains are longer than a rod bends within, their energy has no least
value near its shape (theory 6.3), so that nothing leads there but a start that is close to it.
Elements of forces do not bend by themselves: they find the shape, and the others begin with it.
"""

from flexura.model.build import build
from flexura.model.model import Model
from flexura.rods.hermite import Hermite

# Finer elements find what bends most within less; of cords that others can follow, none takes more.
LENT = Hermite(16)


def lent_model(model: Model) -> Model | None:
    """The same robot, its rods described by elements of forces; None if they all are."""
    parts = {name: model.parts[place.part].group for name, place in model.places.items()}
    if model.tubes or model.volumes or model.contacts is not None:
        return None
    if all(group.complementary for group in parts.values()):
        return None
    rods = {
        name: choice if parts[name].complementary else LENT for name, choice in model.rods.items()
    }
    return build(model.robot, rods=rods, also=model.also)
