"""A finger and a trunk of our own, with cables as rods or as tendons."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

import flexura as fx

MESHES = Path(__file__).parents[2] / "examples" / "meshes"
LENGTH, WIDTH, HEIGHT = 0.081, 0.015, 0.025
# Points of the cable: six that it slides through, and the anchor (15 rows), as in the paper.
WAY = [(x, 0.0, 0.006) for x in (0.0, 0.015, 0.03, 0.045, 0.06, 0.066, LENGTH)]
SILICONE = fx.Material(young=5e5, poisson=0.45, density=1070.0)
CABLE = fx.Material(young=5e9, poisson=0.45, density=1000.0)
# Six tetrahedra of a cube, by its corners.
SIX = [(0, 4, 6, 7), (0, 5, 4, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 1, 5, 7), (0, 3, 1, 7)]
CORNERS = np.array(list(product((0, 1), repeat=3)))


def bar(cells: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Points and tetrahedra of a bar as large as the finger, of cubes: for any number of them."""
    sizes = (LENGTH, WIDTH, HEIGHT)
    grid = [np.linspace(0, a, n + 1) for a, n in zip(sizes, cells, strict=True)]
    points = np.stack(np.meshgrid(*grid, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange(len(points)).reshape([n + 1 for n in cells])
    cubes = product(*map(range, cells))
    rows = [[number[tuple(c + CORNERS[i])] for i in t] for c in cubes for t in SIX]
    return points - (0.0, 0.5 * WIDTH, 0.0), np.array(rows)


def volume(cells: tuple[int, int, int] | None = None) -> fx.Volume:
    """The finger with its notches and its hole, or a bar of cubes."""
    mesh = str(MESHES / "finger.msh") if cells is None else bar(cells)
    return fx.Volume("finger", mesh, SILICONE, damping=(0.1, 0.1))


def finger(
    radius: float = 0.5e-3, cells: tuple[int, int, int] | None = None, by_force: bool = False
) -> fx.Robot:
    """The finger with a cable that is a rod, whose base is moved, or pulled by a force."""
    found = _with_rod(volume(cells), radius, None, guide("pull", "cable.base", _base(), by_force))
    return replace(found, loads=[pulley("pull", "cable.base", _base())]) if by_force else found


def bent_finger(radius: float, curvature: float) -> fx.Robot:
    """The finger with a rod that is bent when it is at rest, and is turned at its base."""
    turn = fx.Hinge("turn", "world", "cable.base", (1, 0, 0), offset=_base(), driven=True)
    return _with_rod(volume(), radius, (0.0, curvature, 0.0), turn)


def tendon_finger() -> fx.Robot:
    """The finger with a cable that has a length and nothing else."""
    tendon = fx.Tendon("pull", volume="finger", points=WAY[1:], pull=WAY[0], drive="length")
    return fx.Robot("finger", volumes=[volume()], joints=[_clamp()], tendons=[tendon])


def _with_rod(
    soft: fx.Volume, radius: float, rest: tuple[float, float, float] | None, base: object
) -> fx.Robot:
    rod = fx.Rod("cable", LENGTH, fx.Circle(radius), CABLE, rest=rest)
    threaded = fx.Threaded("cable", "finger", points=WAY)
    return fx.Robot("finger", rods=[rod], volumes=[soft], joints=[_clamp(), base, threaded])


def _base() -> np.ndarray:
    return fx.lie.se3.pose(position=WAY[0])


def _clamp() -> fx.Clamp:
    return fx.Clamp("world", fx.Nodes("finger", box=((0, -1, -1), (0, 1, 1))))


def guide(name: str, at: str, base: np.ndarray, by_force: bool) -> fx.Slider:
    """What the base of a cable slides along."""
    name = f"guide of {name}" if by_force else name
    return fx.Slider(name, "world", at, (-1, 0, 0), offset=base, driven=not by_force)


def pulley(name: str, at: str, base: np.ndarray) -> fx.Pulley:
    """A force that pulls the base of a cable backwards: cables only pull."""
    return fx.Pulley(name, at, base[:3, 3] - base[:3, 0], 0.0)


# A trunk as long as that of the paper, with four cables of 21 sections; each slides through nine
# points and is anchored at a tenth: 84 rows.
TRUNK, THICK, THIN = 0.195, 0.015, 0.0065
STEPS = 10


def trunk(radius: float = 0.2e-3, by_force: bool = False) -> fx.Robot:
    """A trunk that becomes thinner, of 1974 elements, with a cable along each of its sides."""
    silicone = fx.Material(young=4.5e5, poisson=0.45, density=1080.0)
    soft = fx.Volume("trunk", str(MESHES / "trunk.msh"), silicone, damping=(0.1, 0.1))
    joints: list[object] = [fx.Clamp("world", fx.Nodes("trunk", surface="base"))]
    rods, loads = [], []
    for i, (y, z) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
        way = [_beside(part, y, z) for part in np.linspace(0.05, 1.0, STEPS)]
        base = fx.lie.se3.pose(position=_beside(0.0, y, z), rotation=_slant(y, z))
        length = float(np.linalg.norm(np.subtract(way[-1], base[:3, 3])))
        rods.append(fx.Rod(f"cable {i}", length, fx.Circle(radius), CABLE))
        joints.append(guide(f"pull {i}", f"cable {i}.base", base, by_force))
        joints.append(fx.Threaded(f"cable {i}", "trunk", points=way))
        if by_force:
            loads.append(pulley(f"pull {i}", f"cable {i}.base", base))
    return fx.Robot("trunk", rods=rods, volumes=[soft], joints=joints, loads=loads)


def pulls(model: fx.Model, way: float) -> dict[str, float]:
    """Inputs that pull the cable of the finger, or one of those of the trunk.

    All cables of the trunk are taut, also those that the others push: thin ones would buckle.
    """
    if "pull" in model.inputs:
        return {"pull": way}
    return {f"pull {i}": way + share * way for i, share in enumerate((1.0, 0.0, -0.5, 0.0))}


def _beside(part: float, y: int, z: int) -> tuple[float, float, float]:
    """A point of a cable, half way between the axis and a side."""
    far = 0.5 * (THICK + (THIN - THICK) * part)
    return TRUNK * part, far * y, far * z


def _slant(y: int, z: int) -> tuple[float, float, float]:
    """The rotation of a cable that runs towards the axis."""
    angle = float(np.arctan2(0.5 * (THICK - THIN), TRUNK))
    return 0.0, angle * z, -angle * y
