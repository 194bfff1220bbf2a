"""A rod of a scenario as a robot, and the state that it begins in."""

from dataclasses import dataclass, replace

import numpy as np
from cosseratbench.scenario import End, EndCondition, Motion, Rod, Scenario

import flexura as fx
from flexura.lie import se3
from flexura.solve.unloaded import unloaded
from flexura_cosseratbench.shape import Shape


@dataclass(frozen=True)
class Described:
    """A rod of a scenario.

    Attributes:
        robot: it, straight at rest.
        drives: motions of driven ends, and the pose that each begins with, by name of the input.
        shape: what it begins with.
    """

    robot: fx.Robot
    drives: dict[str, tuple[Motion, np.ndarray]]
    shape: Shape

    @classmethod
    def of(cls, scenario: Scenario, rod: Rod, viscosity: float) -> "Described":
        """A rod of a scenario.

        Args:
            scenario: with its gravity.
            rod: one of its rods.
            viscosity: of its material [Pa s].
        """
        shape, m = Shape(rod), rod.material
        material = fx.Material(
            young=m.youngs_modulus, shear=m.shear_modulus, density=m.density, viscosity=viscosity
        )
        joints: list[fx.Weld | fx.Ball | fx.Slider] = []
        bodies: list[fx.Body] = []
        drives = {}
        for end, frame, pose in (
            (End.START, "rod.base", shape.base),
            (End.END, "rod.tip", shape.tip),
        ):
            motion, name = rod.motion(end), end.value
            if rod.condition(end) is EndCondition.PINNED:
                joints.append(fx.Ball(name, "world", frame, offset=pose))
            elif motion is not None:
                held = frame
                if motion.slides_along is not None:
                    held, axis = f"{name}_carriage", pose[:3, :3].T @ motion.axis
                    bodies.append(fx.Body(held))
                    joints.append(fx.Slider(f"{name}_slide", held, frame, axis=axis))
                joints.append(fx.Weld("world", held, offset=pose, name=name))
                drives[name] = (motion, pose)
            elif rod.condition(end) is EndCondition.CLAMPED:
                joints.append(fx.Weld("world", frame, offset=pose))
        loads: list[fx.PointLoad | fx.Gravity] = [
            fx.PointLoad(f"load{i}", "rod.base" if load.at is End.START else "rod.tip", load.force)
            for i, load in enumerate(rod.loads)
        ]
        if any(scenario.gravity):
            loads.append(fx.Gravity(scenario.gravity))
        robot = fx.Robot(
            "rod",
            rods=[fx.Rod("rod", rod.length, fx.Circle(radius=rod.radius), material)],
            bodies=bodies,
            joints=joints,
            loads=loads,
        )
        return cls(robot, drives, shape)

    def inputs(self) -> dict:
        """Poses of driven ends as functions of the time [s]."""

        def course(motion: Motion, begin: np.ndarray):
            def pose(t: float) -> np.ndarray:
                shift, turn = motion.pose(t)
                found = begin.copy()
                found[:3, :3] = turn @ begin[:3, :3]
                found[:3, 3] += shift
                return found

            return pose

        return {name: course(*drive) for name, drive in self.drives.items()}

    def start(self, model: fx.Model, rods: fx.Spline) -> fx.StaticResult | None:
        """The state that it begins in: that of a rod which has this shape at rest.

        Args:
            model: of the robot.
            rods: its discretization.
        """
        if self.shape.straight:
            return None
        drawn = replace(self.robot.rods[0], rest=self.shape.strain)
        other = fx.build(replace(self.robot, rods=[drawn]), rods=rods)
        found = unloaded(other, other.inputs.described)
        if not self.drives:  # between two pins it may have turned
            shift = self.shape.base @ se3.inverse(found.pose("rod.base"))
            found = replace(found, state=replace(found.state, poses=shift @ found.state.poses))
        return replace(found, model=model, given=model.inputs.described)
