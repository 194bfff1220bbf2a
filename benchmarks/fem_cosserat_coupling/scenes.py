"""A notched finger and a trunk of our own, with cables as rods or as tendons."""

from itertools import product

import numpy as np

import flexura as fx

LENGTH, WIDTH, HEIGHT = 0.081, 0.015, 0.025
SIX = [(0, 4, 6, 7), (0, 5, 4, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 1, 5, 7), (0, 3, 1, 7)]
CORNERS = np.array(list(product((0, 1), repeat=3)))
# Points of the cable: six that it slides through, and the anchor (15 rows), as in the paper.
WAY = [(x, 0.0, 0.5 * HEIGHT) for x in (0.0, 0.015, 0.03, 0.045, 0.06, 0.066, LENGTH)]
SILICONE = fx.Material(young=5e5, poisson=0.45, density=4000.0)


def mesh(cells: tuple[int, int, int] = (12, 2, 3)) -> tuple[np.ndarray, np.ndarray]:
    """Points and tetrahedra: a bar with notches, of cubes that are six elements each."""
    sizes = (LENGTH, WIDTH, HEIGHT)
    grid = [np.linspace(0, a, n + 1) for a, n in zip(sizes, cells, strict=True)]
    points = np.stack(np.meshgrid(*grid, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange(len(points)).reshape([n + 1 for n in cells])
    every = max(3, cells[0] // 4)
    kept = [c for c in product(*map(range, cells)) if c[2] < cells[2] - 1 or c[0] % every]
    rows = [[number[tuple(c + CORNERS[i])] for i in t] for c in kept for t in SIX]
    used, rows = np.unique(rows, return_inverse=True)
    return points[used] - (0.0, 0.5 * WIDTH, 0.0), rows.reshape(-1, 4)


def finger(
    radius: float = 0.5e-3,
    cells: tuple[int, int, int] = (12, 2, 3),
    rest: tuple[float, float, float] | None = None,
    cable: bool = True,
    damping: tuple[float, float] = (0.1, 0.1),
    by_force: bool = False,
) -> fx.Robot:
    """The finger; without a cable that is a rod, it has a tendon by length instead.

    The base of the cable is moved, or pulled by a force.
    """
    steel = fx.Material(young=5e9, poisson=0.45, density=1000.0)
    base = np.eye(4)
    base[:3, 3] = WAY[0]
    clamp = fx.Clamp("world", fx.Nodes("finger", box=((0, -1, -1), (0, 1, 1))))
    volume = fx.Volume("finger", mesh(cells), SILICONE, damping=damping)
    if not cable:
        tendon = fx.Tendon("pull", volume="finger", points=WAY[1:], pull=WAY[0], drive="length")
        return fx.Robot("finger", volumes=[volume], joints=[clamp], tendons=[tendon])
    return fx.Robot(
        "finger",
        rods=[fx.Rod("cable", LENGTH, fx.Circle(radius), steel, rest=rest)],
        volumes=[volume],
        joints=[
            clamp,
            guide("pull", "cable.base", base, by_force),
            fx.Threaded("cable", "finger", points=WAY),
        ],
        loads=[pulley("pull", "cable.base", base)] if by_force else [],
    )


def guide(name: str, at: str, base: np.ndarray, by_force: bool) -> fx.Slider:
    """What the base of a cable slides along."""
    name = f"guide of {name}" if by_force else name
    return fx.Slider(name, "world", at, (-1, 0, 0), offset=base, driven=not by_force)


def pulley(name: str, at: str, base: np.ndarray) -> fx.Pulley:
    """A force that pulls the base of a cable backwards: cables only pull."""
    return fx.Pulley(name, at, base[:3, 3] - base[:3, 0], 0.0)


# A trunk as long as that of the paper, with four cables of 21 sections; each slides through nine
# points and is anchored at a tenth: 84 rows.
TRUNK, THICK, THIN = 0.195, 0.03, 0.014
STEPS = 10


def trunk(
    cells: tuple[int, int, int] = (20, 4, 4), radius: float = 0.2e-3, by_force: bool = False
) -> fx.Robot:
    """A trunk that becomes thinner, of 1920 elements, with a cable along each of its sides."""
    grid = [np.linspace(0.0, 1.0, n + 1) for n in cells]
    points = np.stack(np.meshgrid(*grid, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange(len(points)).reshape([n + 1 for n in cells])
    every = product(*map(range, cells))
    rows = [[number[tuple(c + CORNERS[i])] for i in t] for c in every for t in SIX]
    width = THICK + (THIN - THICK) * points[:, 0]
    places = np.stack([TRUNK * points[:, 0], *((points[:, 1:] - 0.5).T * width)], axis=1)
    silicone = fx.Material(young=4.5e5, poisson=0.45, density=1080.0)
    steel = fx.Material(young=5e9, poisson=0.45, density=1000.0)
    joints: list[object] = [fx.Clamp("world", fx.Nodes("trunk", box=((0, -1, -1), (0, 1, 1))))]
    rods, loads = [], []
    for i, (y, z) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
        way = [_beside(part, y, z) for part in np.linspace(0.05, 1.0, STEPS)]
        base = fx.lie.se3.pose(position=_beside(0.0, y, z), rotation=_slant(y, z))
        length = float(np.linalg.norm(np.subtract(way[-1], base[:3, 3])))
        rods.append(fx.Rod(f"cable {i}", length, fx.Circle(radius), steel))
        joints.append(guide(f"pull {i}", f"cable {i}.base", base, by_force))
        if by_force:
            loads.append(pulley(f"pull {i}", f"cable {i}.base", base))
        joints.append(fx.Threaded(f"cable {i}", "trunk", points=way))
    volume = fx.Volume("trunk", (places, np.array(rows)), silicone, damping=(0.1, 0.1))
    return fx.Robot("trunk", rods=rods, volumes=[volume], joints=joints, loads=loads)


def pulls(model: fx.Model, way: float) -> dict[str, float]:
    """Inputs that pull the cable of the finger, or one of those of the trunk.

    All cables of the trunk are taut, also those that the others push: thin ones would buckle.
    """
    if "pull" in model.inputs:
        return {"pull": way}
    return {f"pull {i}": way + share * way for i, share in enumerate((1.0, 0.0, -0.5, 0.0))}


def _beside(part: float, y: int, z: int) -> tuple[float, float, float]:
    """A point of a cable, half way between the axis and a side."""
    far = 0.25 * (THICK + (THIN - THICK) * part)
    return TRUNK * part, far * y, far * z


def _slant(y: int, z: int) -> tuple[float, float, float]:
    """The rotation of a cable that runs towards the axis."""
    angle = float(np.arctan2(0.25 * (THICK - THIN), TRUNK))
    return 0.0, angle * z, -angle * y
