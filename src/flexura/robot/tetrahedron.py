"""Tetrahedra of four and of ten nodes, and their faces: shape functions and points of quadrature.

Of barycentric coordinates w, with one node at each corner, and one in the middle of each edge:

    N_a = w_a        or        N_a = w_a (2 w_a - 1),    N_ab = 4 w_a w_b

The same functions of three coordinates are those of faces.
"""

from typing import NamedTuple

import numpy as np

from flexura.typing import Array, Indices

# Faces of a tetrahedron, by its corners; seen from outside they turn to the left.
FACES = np.array([(1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)])
# Edges of a tetrahedron, in the order of the nodes in their middles (VTK, meshio, gmsh's 8 and 9
# exchanged), and those of a face.
EDGES = np.array([(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)])
SIDES = np.array([(0, 1), (1, 2), (2, 0)])
NO_EDGES = np.empty((0, 2), dtype=np.int64)
# Barycentric coordinates by local ones: the first is what is left.
LOCAL = np.array([(-1.0, -1.0, -1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])


class Functions(NamedTuple):
    """Shape functions of nodes at corners, and in the middles of some edges.

    Attributes:
        corners: how many there are.
        edges: those with a node in their middle, by their corners, (e, 2).
    """

    corners: int
    edges: Indices

    def values(self, weights: Array) -> Array:
        """At barycentric coordinates, (q, k)."""
        if not len(self.edges):
            return weights
        middles = 4.0 * weights[:, self.edges[:, 0]] * weights[:, self.edges[:, 1]]
        return np.concatenate([weights * (2.0 * weights - 1.0), middles], axis=1)

    def slopes(self, weights: Array) -> Array:
        """Derivatives by local coordinates, which are all barycentric ones but the first."""
        n, middles = self.corners, len(self.edges)
        found = np.zeros((len(weights), n + middles, n))
        corner = np.arange(n)
        found[:, corner, corner] = 4.0 * weights - 1.0 if middles else 1.0
        for i, (a, b) in enumerate(self.edges.tolist()):
            found[:, n + i, a], found[:, n + i, b] = 4.0 * weights[:, b], 4.0 * weights[:, a]
        return np.asarray(found @ LOCAL[:n, : n - 1])


class Rule(NamedTuple):
    """Points of quadrature.

    Attributes:
        at: their barycentric coordinates, (q, 3 or 4).
        weights: parts of the whole, (q,).
    """

    at: Array
    weights: Array


class Tetrahedron(NamedTuple):
    """A kind of tetrahedra.

    Attributes:
        functions: of the nodes.
        rule: exact for the stiffness of straight ones.
        nodes: their barycentric coordinates, (k, 4).
        looked: those of where it is looked whether it is squeezed, (p, 4).
        mirrored: the nodes, in an order that turns it inside out.
        face: functions of the nodes of a face.
        face_rule: exact for the volume behind a face.
        flat: triangles that draw a face, by its nodes, (t, 3).
    """

    functions: Functions
    rule: Rule
    nodes: Array
    looked: Array
    mirrored: list[int]
    face: Functions
    face_rule: Rule
    flat: Indices


# Four points, exact for polynomials of degree two, and six on triangles, of degree four.
FAR, NEAR = (5.0 + 3.0 * np.sqrt(5.0)) / 20.0, (5.0 - np.sqrt(5.0)) / 20.0
FOUR = np.full((4, 4), NEAR) + (FAR - NEAR) * np.eye(4)
A, B = 0.44594849091596488632, 0.09157621350977074346
HEAVY, LIGHT = 0.22338158967801146570, 0.10995174365532186764
SIX = np.concatenate([np.full((3, 3), x) + (1.0 - 3.0 * x) * np.eye(3) for x in (A, B)])

LINEAR = Tetrahedron(
    Functions(4, NO_EDGES),
    Rule(np.full((1, 4), 0.25), np.ones(1)),
    np.eye(4),
    np.full((1, 4), 0.25),
    [0, 2, 1, 3],
    Functions(3, NO_EDGES),
    Rule(np.full((1, 3), 1.0 / 3.0), np.ones(1)),
    np.array([(0, 1, 2)]),
)
QUADRATIC = Tetrahedron(
    Functions(4, EDGES),
    Rule(FOUR, np.full(4, 0.25)),
    np.concatenate([np.eye(4), 0.5 * np.eye(4)[EDGES].sum(axis=1)]),
    np.concatenate([FOUR, np.eye(4)]),
    [0, 2, 1, 3, 6, 5, 4, 7, 9, 8],
    Functions(3, SIDES),
    Rule(SIX, np.repeat([HEAVY, LIGHT], 3)),
    np.array([(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)]),
)
# By the number of nodes.
KINDS = {4: LINEAR, 10: QUADRATIC}
FACE_KINDS = {3: LINEAR, 6: QUADRATIC}
