"""The chiral mechanism, whole or cut into elements, and its reference solutions."""

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np

import flexura as fx
from flexura.lie import se3

REFERENCE = Path(__file__).parents[1] / "reference" / "chiral.json"
MODELS = {
    "Spline(3, 12)": fx.Spline(3, 12),
    "VariableStrain, 44": fx.VariableStrain((7, 9, 9, 7, 6, 6), steps=32),
    "LinearStrain(16)": fx.LinearStrain(16),
}
UP = (0.0, 0.0, 1.0)
RODS = 4


class Fixed(fx.Ball):
    """A weld as the paper's constrained form has it: both frames are free, six multipliers.

    Robots are better off with ``Weld``, which embeds one frame in the other and costs nothing.
    """

    held = (0, 1, 2, 3, 4, 5)


@cache
def reference() -> dict[str, Any]:
    """Curves of force over strain, and the critical force."""
    return dict(json.loads(REFERENCE.read_text()))


def wrench(torque: float, force: float) -> tuple[float, ...]:
    """The load on the plate: a torque about the vertical [N·m], and compression [N]."""
    return (0.0, 0.0, torque, 0.0, 0.0, -force)


def robot(
    driven: bool, elements: int = 1, ties: Literal["embedded", "constrained"] = "embedded"
) -> fx.Robot:
    """The mechanism.

    Args:
        driven: whether the height of the moving plate is an input, called "slide" [m]; else it
            slides freely. It turns freely about the vertical in both cases.
        elements: how many rods each of the four is cut into.
        ties: how they are held by each other and by the plates.
    """
    data = reference()["params"]
    material = fx.Material(young=data["E"], poisson=data["nu"])
    length, section = data["L"] / elements, fx.Circle(data["radius"])
    upright = se3.pose(rotation=(0.0, -np.pi / 2.0, 0.0))
    rods: list[fx.Rod] = []
    joints: list[Any] = []

    def tie(a: str, b: str, offset: np.ndarray | None = None) -> None:
        embedded = ties == "embedded"
        joints.append(fx.Weld(a, b, offset) if embedded else Fixed(f"{a}-{b}", a, b, offset))

    for k in range(RODS):
        turned = se3.pose(rotation=(0.0, 0.0, 2.0 * np.pi * k / RODS))
        where = turned @ se3.pose((data["plate_radius"], 0.0, 0.0)) @ upright
        names = [f"rod{k}" if elements == 1 else f"rod{k}, {i}" for i in range(elements)]
        rods += [fx.Rod(name, length, section, material, shear_factor=1.0) for name in names]
        tie("world", f"{names[0]}.base", where)
        for a, b in pairwise(names):
            tie(f"{a}.tip", f"{b}.base")
        tie("plate", f"{names[-1]}.tip", where)
    top = se3.pose((0.0, 0.0, data["L"]))
    joints.append(fx.Slider("slide", "world", "carriage", axis=UP, offset=top, driven=driven))
    joints.append(fx.Hinge("turn", "carriage", "plate", axis=UP))
    return fx.Robot(
        "chiral mechanism",
        rods=rods,
        bodies=[fx.Body("carriage"), fx.Body("plate")],
        joints=joints,
        loads=[fx.PointLoad("load", at="plate")],
    )
