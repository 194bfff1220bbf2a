"""Rods that hang are found the same whichever end they are written from."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

NYLON = fx.Material(young=2e9, poisson=0.4, density=1150.0)
BACK = se3.pose(rotation=(0.0, 0.0, np.pi))
CONE = fx.Taper(fx.Circle(2e-2), fx.Circle(2e-3))
# Lengths and sections, one after the other.
RODS = {
    "cone": [(3.0, CONE)],
    "stick and thread": [(1.0, fx.Circle(1e-2)), (2.0, fx.Circle(5e-4))],
}


def backwards(parts):
    """The same, written from the other end."""
    return [
        (length, fx.Taper(x.tip_section, x.base_section) if isinstance(x, fx.Taper) else x)
        for length, x in reversed(parts)
    ]


def hanging(parts, kind, begin, end):
    """Rods that are welded to each other, held at two poses."""
    rods = [fx.Rod(f"r{i}", length, x, NYLON) for i, (length, x) in enumerate(parts)]
    joints = [fx.Weld(f"r{i}.tip", f"r{i + 1}.base") for i in range(len(rods) - 1)]
    for name, at, pose in (("a", "r0.base", begin), ("b", f"{rods[-1].name}.tip", end)):
        if kind == "balls":
            joints.append(fx.Ball(name, "world", at, offset=pose))
        else:
            joints.append(fx.Weld("world", at, pose, name=name))
    return fx.Robot("hanging", rods, joints, [fx.Gravity()])


@pytest.mark.parametrize(
    "rods", [fx.Spline(3, 24), fx.Hermite(16)], ids=lambda rods: type(rods).__name__
)
@pytest.mark.parametrize("kind", ["clamps", "balls"])
@pytest.mark.parametrize("parts", RODS.values(), ids=RODS)
def test_a_rod_that_hangs_may_be_written_from_either_end(parts, kind, rods):
    """Whether stiffness counts was told by its first section; thin ends first, it was COARSE."""
    begin, end = np.eye(4), se3.pose((2.2, 0.0, 0.0))
    there = fx.statics(fx.build(hanging(parts, kind, begin, end), rods=rods))
    back = hanging(backwards(parts), kind, end @ BACK, begin @ BACK)
    back = fx.statics(fx.build(back, rods=rods))
    assert there.status is back.status
    assert there.unwrap().stable
    # up to what these elements miss of what is bent at thin ends: 0.5 and 2 % of the energy
    tolerance = 0.03 * there.energy + 1e-3 * abs(there.potential)
    assert back.potential == pytest.approx(there.potential, abs=tolerance)
