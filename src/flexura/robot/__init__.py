"""The description of a robot: what the user writes. Frozen, SI, without numerics."""

from flexura.robot.frame import At, Frame, FrameLike, World, parse_frame
from flexura.robot.graph import Group, rigid_groups, side
from flexura.robot.joint import Joint, Weld
from flexura.robot.load import Gravity, LineLoad, Load, PointLoad
from flexura.robot.material import Material
from flexura.robot.piecewise import AnyRouting, Discs, Piecewise
from flexura.robot.robot import Robot
from flexura.robot.rod import Rod
from flexura.robot.routing import Convergent, Helical, Parallel, Routing
from flexura.robot.section import AnySection, Circle, Rectangle, Section, Taper, Tube
from flexura.robot.tendon import Hole, Stretch, Tendon

__all__ = [
    "AnyRouting",
    "AnySection",
    "At",
    "Circle",
    "Convergent",
    "Discs",
    "Frame",
    "FrameLike",
    "Gravity",
    "Group",
    "Helical",
    "Hole",
    "Joint",
    "LineLoad",
    "Load",
    "Material",
    "Parallel",
    "Piecewise",
    "PointLoad",
    "Rectangle",
    "Robot",
    "Rod",
    "Routing",
    "Section",
    "Stretch",
    "Taper",
    "Tendon",
    "Tube",
    "Weld",
    "World",
    "parse_frame",
    "rigid_groups",
    "side",
]
