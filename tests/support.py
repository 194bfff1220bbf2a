"""What several tests share: robots to solve and ways to judge."""

from dataclasses import replace

import numpy as np

import flexura as fx
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.start import start_state
from flexura.model.state import State

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1000.0)
OFFSET = se3.pose(position=(0.05, 0.02, 0.01), rotation=(0.3, -0.2, 0.9))
EVERY_DEGREE = (1, 2, 3, 4, 5)


def rod_of(EI=1.0, GJ=None, EA=1e6, GA=None, length=1.0, rest=None, name="rod"):
    """A rod with given stiffnesses."""
    GJ, GA = EI if GJ is None else GJ, EA if GA is None else GA
    unit = fx.Material(young=1.0, shear=1.0)
    section = fx.Section(area=EA, iy=EI, iz=EI, torsion=GJ)
    return fx.Rod(name, length, section, unit, rest=rest, shear_factor=GA / EA)


def cantilever(rod, base=None, **load):
    """The rod clamped at its base, with a load at its tip called "tip"."""
    return fx.Robot(
        "cantilever",
        rods=[rod],
        joints=[fx.Weld("world", f"{rod.name}.base", offset=base)],
        loads=[fx.PointLoad("tip", f"{rod.name}.tip", **load)],
    )


def wire():
    """The steel wire of the theory notes."""
    steel = fx.Material(young=210e9, poisson=0.3125)
    return fx.Rod("rod", 0.242, fx.Circle(0.4e-3), steel)


def branched(follower=False, moment=0.0):
    """Three rods with everything that a robot can have: a taper, curvature, offsets, a branch, a
    rod held by its tip, and every kind of load.
    """
    spin = (moment, -moment, 0.5 * moment)
    return fx.Robot(
        "branched",
        rods=[
            fx.Rod(
                "stem", 1.0, fx.Taper(fx.Circle(0.03), fx.Circle(0.015)), RUBBER, (0.2, 0.5, -0.3)
            ),
            fx.Rod("left", 0.7, fx.Rectangle(0.02, 0.03), RUBBER),
            fx.Rod("right", 0.4, fx.Tube(0.02, 0.01), RUBBER, rest=lambda s: (0.0, 3.0 * s, 1.0)),
        ],
        joints=[
            fx.Weld("world", "stem.base", offset=OFFSET),
            fx.Weld("stem.tip", "left.tip", offset=OFFSET),
            fx.Weld("right.base", "stem.tip", offset=OFFSET),
        ],
        loads=[
            fx.Gravity((1.0, 2.0, -9.81)),
            fx.PointLoad("end", "left.base", (1.0, 2.0, 3.0), spin, follower=follower),
            fx.PointLoad("inside", fx.At("stem", 0.4, OFFSET), (-1.0, 3.0, 0.5), spin, follower),
            fx.LineLoad("wind", "stem", (0.0, 3.0, 1.0), spin, follower, start=0.1, end=0.6),
        ],
    )


def random_state(model, rng, size=0.3):
    """A state far from the unloaded one, with large rotations and strains."""
    assembly, inputs = Assembly(model), model.read_inputs(None)
    assembly.evaluate(start_state(model, inputs), inputs)
    assembly.linearise(size * rng.normal(size=model.n_dof))
    return replace(assembly.predict(), stress=(), tension=np.zeros(0))


def moved(model, state, step):
    """The state after a step along the exponential map of every pose; the rest moves straight."""
    inner = tuple(
        x + model.layout.inner_increments(step, part.nodes, part.group.n_inner)
        for x, part in zip(state.inner, model.parts, strict=True)
    )
    rows = model.layout.joint_rows
    hold = step[rows] + (state.hold if len(state.hold) else 0.0)
    return State(model.layout.moved(state.poses, step), inner, hold=hold)


def pulled_back(model, residual, step):
    """Forces at a moved state, seen from the state before: J_r(step)ᵀ r for every pose."""
    seen = residual.copy()
    rows = model.layout.pose_dof[:, None] + np.arange(6)
    seen[rows] = np.einsum("nji,nj->ni", se3.dexp(step[rows]), residual[rows])
    return seen


def slope(x, y):
    """Slope of y over x in log-log scale."""
    return np.polyfit(np.log(x), np.log(y), 1)[0]
