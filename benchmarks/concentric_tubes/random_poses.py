"""Random poses of the published sets from cold, with and without loads, against shooting.

The library is asked for each pose in one call; ``boundary_value`` follows each from where all tubes
are turned alike, without a line of the library. Loads are forces and moments at the tips of all
tubes, and a weight along them in any direction.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import flexura as fx
from benchmarks.concentric_tubes import boundary_value
from benchmarks.concentric_tubes.cases import AXES, NAMES, read, robot
from benchmarks.concentric_tubes.poses import REFINED, TIP, TWIST
from benchmarks.table import Table
from flexura.typing import Array

HOME = {"A": (-0.12, -0.1, -0.08), "B": (-0.2858, -0.2025, -0.0945), "C": (-0.3, -0.2, -0.1)}
FORCE = {"A": 0.05, "B": 0.5, "C": 0.25}  # [N]
ARM = 0.006  # of moments [m]
WEIGHT = 0.1  # of the force, all along a meter [1/m]
TURN, PUSH = 2.2, 0.018  # at most [rad], [m]


@dataclass(frozen=True)
class Apart:
    """How far results are from those of shooting: tips [m], twists at the plate [1/m], (b,) each.

    Attributes:
        sure: which poses shooting has found without a limit on the way, (b,).
    """

    tip: Array
    twist: Array
    sure: Array

    @property
    def missed(self) -> int:
        """Poses that are elsewhere."""
        return int(np.sum(self.sure & ~((self.tip < TIP) & (self.twist < TWIST))))


def draw(name: str, count: int, loaded: bool, seed: int) -> boundary_value.Inputs:
    """Random inputs of a set."""
    rng, shape = np.random.default_rng(seed), (count, 3)
    alpha, beta = rng.uniform(-TURN, TURN, shape), HOME[name] + rng.uniform(-PUSH, PUSH, shape)
    force, moment, weight = FORCE[name] * loaded * rng.normal(size=(3, *shape, 3))
    heavy = WEIGHT * weight[:, :1] * np.ones((1, 3, 1))
    return boundary_value.Inputs(alpha, beta, force, ARM * moment, heavy)


def loaded_robot(name: str) -> fx.Robot:
    """A set with a load at each tip and along each tube."""
    loads: list[fx.PointLoad | fx.LineLoad] = []
    for tube in NAMES:
        loads += [fx.PointLoad(f"on {tube}", f"{tube}.tip"), fx.LineLoad(f"along {tube}", tube)]
    return robot(read("three_tubes.json")["tubes"][name], loads)


def given(own: fx.Robot, inputs: boundary_value.Inputs, i: int) -> dict[str, object]:
    """The inputs of one pose."""
    found: dict[str, object] = {}
    for j, rod in enumerate(own.slender):
        along = (0.0, 0.0, 0.0, *(AXES @ inputs.weight[i, j]))
        at_tip = (*(AXES @ inputs.moment[i, j]), *(AXES @ inputs.force[i, j]))
        found |= {
            f"{rod.name}.rotation": inputs.alpha[i, j],
            f"{rod.name}.insertion": rod.length + inputs.beta[i, j],
            f"on {rod.name}": at_tip,
            f"along {rod.name}": along,
        }
    return found


def compare(
    name: str,
    inputs: boundary_value.Inputs,
    rods: fx.VariableStrain | fx.Spline = REFINED,
    rigid: bool = True,
    steps: int = 12,
) -> Apart:
    """Solve all poses both ways; ``rigid`` tubes neither stretch nor shear.

    Args:
        name: of the set.
        inputs: of all poses.
        rods: how the library describes tubes.
        rigid: whether shooting has tubes that neither stretch nor shear.
        steps: in which shooting turns tubes, and loads them.
    """
    tubes = boundary_value.Tubes.of(read("three_tubes.json")["tubes"][name], rigid)
    found = boundary_value.solve(tubes, inputs, steps)
    own = loaded_robot(name)
    model = fx.build(own, rods=rods)
    results = [fx.statics(model, given(own, inputs, i)) for i in range(len(inputs.alpha))]
    tips = np.array([result.pose("inner.tip")[:3, 3] for result in results])
    twist = np.array([list(_twists(result, own)) for result in results])
    return Apart(
        np.linalg.norm(tips - found.tip @ AXES.T, axis=1),
        np.abs(twist - found.twist).max(axis=1),
        found.found & found.turned,
    )


def _twists(result: fx.StaticResult, own: fx.Robot) -> Iterator[float]:
    """Twists of the tubes at the plate [1/m]."""
    for rod in own.slender:
        yield float(result.strain(rod.name, rod.length - result.inputs[f"{rod.name}.insertion"])[0])


def run(quick: bool = False) -> Table:
    rows, count = [], 6 if quick else 40
    for loaded in (False, True):
        for name in HOME:
            apart = compare(name, draw(name, count, loaded, seed=1))
            rows.append(
                [f"{name}, {'loaded' if loaded else 'without load'}",
                 f"{int(apart.sure.sum()) - apart.missed} of {int(apart.sure.sum())}",
                 f"{apart.tip[apart.sure].max():.1e}", f"{apart.twist[apart.sure].max():.1e}"]
            )  # fmt: skip
    header = ["set", "found from cold", "tip off [m]", "twist off [1/m]"]
    return Table("random poses of three tubes, against shooting", header, rows)
