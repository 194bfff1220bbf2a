"""A rope that the library does not know: slack while it hangs, taut when the arm sinks into it."""

from dataclasses import dataclass

import numpy as np

import flexura as fx
from flexura.lie import se3
from flexura.model.constraint import Cone, Constraint
from flexura.model.site import Site
from flexura.model.terms.segment import Segments


@dataclass(frozen=True)
class Rope:
    """A rope of a given length between two frames [m]."""

    a: str
    b: str
    length: float

    def __call__(self, site: Site) -> None:
        (a, T_a), (b, T_b) = site.find(self.a), site.find(self.b)
        tension, ends = site.multiplier(), [[T_a[:3, 3], T_b[:3, 3]]]
        site.terms.append(Segments(tension, np.array([[a, b]]), np.array(ends)))
        site.constraints.append(RopeLength(tension, self.length))


@dataclass(frozen=True, eq=False)
class RopeLength(Constraint):
    """length - way ≥ 0; the way is conjugate to the tension."""

    multipliers: np.ndarray
    length: float
    cone = Cone.NOT_NEGATIVE

    def gap(self, pose, given):
        return self.length - given.conjugate[self.multipliers]


def main() -> list[fx.StaticResult]:
    soft = fx.Material(young=2e6, poisson=0.45, density=1000.0)
    arm, hook = fx.Rod("arm", 0.4, fx.Circle(0.01), soft), fx.Body("hook", shape=fx.Sphere(0.008))
    joints = [fx.Weld("world", "arm.base"), fx.Weld("world", "hook", se3.pose((0.3, 0.0, 0.25)))]
    robot = fx.Robot("arm on a rope", [arm], joints, [fx.Gravity()], bodies=[hook])
    ropes = [Rope("hook", "arm.tip", length) for length in (0.6, 0.3)]
    return [fx.statics(fx.build(robot, also=[rope])).unwrap() for rope in ropes]


def figure(results: list[fx.StaticResult], path: str = "rope.png") -> None:
    from flexura import view

    ends = [results[-1].pose(frame)[:3, 3] for frame in ("hook", "arm.tip")]
    view.picture(results[-1], path, lines={"rope": ends})


if __name__ == "__main__":
    for result in (solved := main()):
        print(f"tip {result.pose('arm.tip')[:3, 3]}, tension {result.state.multipliers[0]:.4g} N")
    figure(solved)
