"""What of a robot is rigid together: nothing but inputs moves it against each other."""

from flexura.model.contact import NODE, PARTICLE
from flexura.model.mechanics.contact_pairs import Key
from flexura.model.site import Site


class Rigid:
    """Numbers of what is rigid together: nodes that links tie, and particles clamped to them."""

    def __init__(self, site: Site) -> None:
        groups = enumerate(site.robot.graph.groups)
        nodes = {site.nodes.node(anchor): i for i, group in groups for anchor in group.frames}
        rides = enumerate(site.particles().node.tolist())
        self._known: dict[Key, int] = {(NODE, node): i for node, i in nodes.items()}
        self._known |= {(PARTICLE, p): nodes[node] for p, node in rides if node in nodes}

    def of(self, key: Key) -> int:
        """The number of a frame, -1 if it moves by itself."""
        return self._known.get(key, -1)
