"""The description of a robot: what the user writes. Frozen, SI, without numerics."""

from flexura.robot.frame import At, Frame, FrameLike, World, parse_frame
from flexura.robot.graph import Group, rigid_groups, side
from flexura.robot.joint import Joint, Weld
from flexura.robot.load import Gravity, LineLoad, Load, PointLoad
from flexura.robot.material import Material
from flexura.robot.robot import Robot
from flexura.robot.rod import Rod
from flexura.robot.section import AnySection, Circle, Rectangle, Section, Taper, Tube

__all__ = [
    "AnySection",
    "At",
    "Circle",
    "Frame",
    "FrameLike",
    "Gravity",
    "Group",
    "Joint",
    "LineLoad",
    "Load",
    "Material",
    "PointLoad",
    "Rectangle",
    "Robot",
    "Rod",
    "Section",
    "Taper",
    "Tube",
    "Weld",
    "World",
    "parse_frame",
    "rigid_groups",
    "side",
]
