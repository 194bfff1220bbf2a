"""What a step in time begins with: it makes velocities and accelerations functions of the end.

Frames move by their own formulas, each from its pose g₀ at the beginning to g at the end,

    d = log(g₀⁻¹ g),    v = pace d + v₀,    v̇ = push d + v̇₀,

and so do strains, ξ̇ = pace ξ + ξ̇₀. What v₀, v̇₀, ξ̇₀ are, an integrator knows (``solve/motion``).
Frames may instead keep their momenta in space, whatever they turn by: with g₀⁻¹ g = (R, q),
(M v̇)₀ = M v̇₀ becomes Rᵀ (M v̇)₀, and the part of d that translates is Rᵀ q.
Laws and terms that act against motion find all this in ``Given.past`` (theory 13).
"""

from typing import NamedTuple

from flexura.typing import Array, Pose, Strain, Twist


class Course(NamedTuple):
    """How frames move through a step.

    Attributes:
        pose: g₀, (n, 4, 4).
        velocity: v₀, a body twist, (n, 6).
        acceleration: v̇₀, (n, 6).
    """

    pose: Pose
    velocity: Twist
    acceleration: Twist


class Past(NamedTuple):
    """What is known when a step begins.

    Attributes:
        pace: change of velocities with displacements [1/s].
        push: change of accelerations with displacements [1/s²].
        points: course of the points with mass, part by part.
        strain_rates: ξ̇₀ at all points, part by part, (n, 6); none where nothing is viscous.
        slid: ṡ₀ and s̈₀ of the arc lengths s of what slides through points, part by part, (2, k);
            none where nothing does.
        bodies: course of the centres of the bodies with mass.
        particles: u̇₀ and ü₀ of all particles, (2, n, 3): u̇ = pace u + u̇₀, ü = push u + ü₀.
        in_space: whether momenta are kept in space.
    """

    pace: float
    push: float
    points: tuple[Course, ...]
    strain_rates: tuple[Strain, ...]
    slid: tuple[Array, ...]
    bodies: Course
    particles: Array
    in_space: bool = False
