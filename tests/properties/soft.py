"""Random soft robots: a block of any law, with loads, pressure, a tendon and perhaps a rod inside.

Loads are moderate, about as large as EI / L² of the block.
"""

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st
from meshes import block
from properties.parts import signed

import flexura as fx
from flexura.lie import se3

SIZE, YOUNG = (0.1, 0.02, 0.02), 5e5
FORCE = YOUNG * SIZE[1] ** 4 / 12.0 / SIZE[0] ** 2
LAWS = ("corotational", "saint-venant-kirchhoff", "neo-hookean")
RODS = (
    fx.LinearStrain(4),
    fx.ConstantStrain(4),
    fx.Spline(3, 4),
    fx.Hermite(3),
    fx.Power(3, 2),
    fx.VariableStrain((2, 3, 3, 1, 1, 1)),
    fx.RotationInterpolation(3),
)


@dataclass(frozen=True)
class Soft:
    """A soft robot, and how it is seen.

    Attributes:
        law, quadratic, poisson: of the block.
        rod: description of the rod inside; None for no rod.
        force: at the tip, (3,).
        pressure, tension, weight, way: parts of moderate ones.
        pose: that everything is moved by.
        length, modulus: that everything is scaled by.
    """

    law: str
    quadratic: bool
    poisson: float
    rod: object
    force: tuple[float, ...]
    pressure: float
    tension: float
    weight: float
    way: float
    pose: np.ndarray = None
    length: float = 1.0
    modulus: float = 1.0

    def seen(self, **changes):
        """The same, seen otherwise."""
        return replace(self, **changes)

    def at(self, points):
        """Where points of the block are."""
        T = np.eye(4) if self.pose is None else self.pose
        return self.length * np.asarray(points) @ T[:3, :3].T + T[:3, 3]

    def along(self, vector):
        """A vector, turned."""
        return np.asarray(vector) if self.pose is None else self.pose[:3, :3] @ vector

    @property
    def robot(self):
        """The robot, with all loads as inputs."""
        points, cells = block(SIZE, (3, 1, 1))
        young = self.modulus * YOUNG
        soft = fx.Material(young=young, poisson=self.poisson, density=1000.0)
        volume = fx.Volume(
            "block", (self.at(points), cells), soft, law=self.law, quadratic=self.quadratic
        )
        x = fx.Volume("rest", (points, cells), soft, quadratic=self.quadratic).elements.points
        clamp = fx.Clamp("world", fx.Nodes("block", indices=np.flatnonzero(x[:, 0] == 0.0)))
        way = [(a, 0.01, 0.016) for a in (0.03, 0.06, 0.1)]
        tendon = fx.Tendon(
            "cable", volume="block", points=self.at(way), pull=self.at((-0.02, 0.01, 0.016))
        )
        loads = [
            fx.Gravity((0.0, 0.0, 0.0)),
            fx.PointLoad("tip", at=fx.On("block", self.at((0.1, 0.01, 0.01)))),
            fx.Pressure("air", volume="block", surface="boundary"),
        ]
        joints, rods = [clamp], []
        if self.rod is not None:
            hard = fx.Material(young=2e3 * young, poisson=0.3, density=2000.0)
            rods.append(fx.Rod("rod", 0.1 * self.length, fx.Circle(1e-3 * self.length), hard))
            holes = [(a, 0.01, 0.005) for a in (0.0, 0.03, 0.07, 0.1)]
            base = np.eye(4) if self.pose is None else self.pose.copy()
            base[:3, 3] = self.at(holes[0])
            joints.append(fx.Slider("push", "world", "rod.base", (1, 0, 0), base, driven=True))
            joints.append(fx.Threaded("rod", "block", points=self.at(holes)))
        return fx.Robot(
            "soft", rods=rods, volumes=[volume], joints=joints, tendons=[tendon], loads=loads
        )

    @property
    def inputs(self):
        """All that acts."""
        size = FORCE * self.modulus * self.length**2
        fall = self.weight * FORCE / 0.04 * self.modulus / self.length
        found = {
            "tip": np.concatenate([np.zeros(3), size * self.along(self.force)]),
            "cable": size * self.tension,
            "air": 0.02 * YOUNG * self.modulus * self.pressure,
            "gravity": fall * self.along((0.0, 0.6, -0.8)),
        }
        if self.rod is not None:
            found["push"] = 1e-3 * self.length * self.way
        return found

    def solve(self, **changes):
        """The equilibrium, with some inputs changed."""
        model = fx.build(self.robot, rods=self.rod or fx.LinearStrain(4))
        return fx.statics(model, {**self.inputs, **changes}).unwrap()


@st.composite
def softs(draw):
    """Soft robots."""
    return Soft(
        draw(st.sampled_from(LAWS)),
        draw(st.booleans()),
        draw(st.sampled_from([0.0, 0.3, 0.45])),
        draw(st.sampled_from([None, *RODS])),
        tuple(draw(signed(0.5)) for _ in range(3)),
        draw(st.floats(-1.0, 1.0)),
        draw(st.floats(0.01, 1.0)),
        draw(st.floats(0.0, 0.5)),
        # Pulled: pushed, its base would pass its first point. Where both meet, which is at 0, they
        # hold the rod as a pair of forces without an arm, which are not determined.
        draw(st.floats(-1.0, -0.1)),
    )


def pull_of(case, result):
    """Force that the world exerts by the tendon, and where."""
    path = result.tendon_path("cable")
    along = path[0] - path[1]
    return result.tension("cable") * along / np.linalg.norm(along), path[1]


def to_world(frame, wrench):
    """A wrench in the axes of a frame, about the world's origin."""
    return se3.Ad(se3.inverse(frame)).T @ wrench
