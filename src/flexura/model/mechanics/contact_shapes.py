"""Solids of the bodies and obstacles of a robot that may touch, by number, and edges of meshes."""

from typing import NamedTuple

from flexura.contact.ridge import Ridged, is_edged
from flexura.contact.solid import AnySolid
from flexura.model.contact import NODE
from flexura.model.mechanics.contact_pairs import Key
from flexura.model.site import Site
from flexura.robot import Anchor, AnyObstacle, AnyShape, Box, Capsule, Cylinder, Sphere, Triangles
from flexura.typing import Pose


class Placed(NamedTuple):
    """A shape, the node that carries it, and its placement there."""

    shape: AnyShape | AnyObstacle
    key: Key
    placement: Pose


class Shapes:
    """Solids by their numbers, in the order in which contacts ask for them.

    Attributes:
        solids: each with the node that carries it, -1 for the world, and its placement there.
    """

    def __init__(self, site: Site) -> None:
        self._nodes = site.nodes
        self._bodies = site.robot.graph.bodies
        self._obstacles = {x.name: x for x in site.robot.obstacles}
        self.solids: list[tuple[AnySolid, int, Pose]] = []
        self._number: dict[str, int] = {}
        self._ridges: dict[int, int] = {}

    def is_fixed(self, name: str) -> bool:
        """Whether a part is an obstacle."""
        return name in self._obstacles

    def placed(self, name: str) -> Placed:
        """Shape of a body or obstacle, what carries it, and its placement there."""
        if name in self._bodies:
            shape = self._bodies[name].shape
            assert shape is not None
            return Placed(shape, (NODE, self._nodes.node(Anchor(name))), shape.placement)
        obstacle = self._obstacles[name]
        return Placed(obstacle.shape, (NODE, self._nodes.world), obstacle.placement)

    def number(self, name: str) -> int:
        """Number of the solid of a body or obstacle."""
        if name not in self._number:
            shape, key, placement = self.placed(name)
            carrier = -1 if self.is_fixed(name) else key[1]
            self._number[name] = len(self.solids)
            self.solids.append((shape, carrier, placement))
        return self._number[name]

    def edges(self, solid: int) -> int | None:
        """Number of the solid that has its edges: itself, or those of a mesh; None without any."""
        shape, carrier, pose = self.solids[solid]
        if not isinstance(shape, Triangles):
            return solid if isinstance(shape, Box | Capsule | Cylinder | Sphere) else None
        if solid not in self._ridges and is_edged(shape):
            self._ridges[solid] = len(self.solids)
            self.solids.append((Ridged(shape), carrier, pose))
        return self._ridges.get(solid)

    def is_round(self, solid: int) -> bool:
        """Whether rods cross a solid wherever they touch it: nothing of it is flat along them."""
        return isinstance(self.solids[solid][0], Capsule | Cylinder | Sphere)

    def is_ridged(self, solid: int) -> bool:
        """Whether a solid is the edges of a mesh."""
        return isinstance(self.solids[solid][0], Ridged)

    def carrier(self, solid: int) -> Key:
        """What carries a solid."""
        carrier = self.solids[solid][1]
        return NODE, self._nodes.world if carrier < 0 else carrier
