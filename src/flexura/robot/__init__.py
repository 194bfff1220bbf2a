"""The description of a robot: what the user writes. Frozen, SI, without numerics."""

from flexura.robot import materials
from flexura.robot.body import Body
from flexura.robot.contact import Contact
from flexura.robot.frame import Anchor, At, FrameLike, World, anchor_of
from flexura.robot.graph import Graph, Group, Step
from flexura.robot.joint import Ball, Hinge, Joint, Slider, Weld
from flexura.robot.link import FreeJoint, Link
from flexura.robot.load import Gravity, LineLoad, Load, PointLoad, Pressure, Pulley
from flexura.robot.material import Material
from flexura.robot.mesh import Mesh
from flexura.robot.motor import Motor
from flexura.robot.obstacle import AnyObstacle, Obstacle, Plane, Vessel
from flexura.robot.piecewise import AnyRouting, Discs, Piecewise
from flexura.robot.piecewise_rest import PiecewiseRest
from flexura.robot.rest import SplineRest, rest_from_spline
from flexura.robot.robot import Robot
from flexura.robot.rod import Rod
from flexura.robot.routing import Convergent, Helical, Parallel, Routing
from flexura.robot.section import AnySection, Circle, Rectangle, Section, Taper, Tube
from flexura.robot.shape import AnyShape, Box, Capsule, Cylinder, Plate, Sphere, Triangles
from flexura.robot.tendon import Hole, Stretch, Tendon
from flexura.robot.tubes import TubeSet
from flexura.robot.volume import Volume
from flexura.robot.volume_place import AnyFrame, Nodes, On
from flexura.robot.volume_tie import Clamp, Threaded

__all__ = [
    "Anchor",
    "AnyFrame",
    "AnyObstacle",
    "AnyRouting",
    "AnySection",
    "AnyShape",
    "At",
    "Ball",
    "Body",
    "Box",
    "Capsule",
    "Circle",
    "Clamp",
    "Contact",
    "Convergent",
    "Cylinder",
    "Discs",
    "FrameLike",
    "FreeJoint",
    "Graph",
    "Gravity",
    "Group",
    "Helical",
    "Hinge",
    "Hole",
    "Joint",
    "LineLoad",
    "Link",
    "Load",
    "Material",
    "Mesh",
    "Motor",
    "Nodes",
    "Obstacle",
    "On",
    "Parallel",
    "Piecewise",
    "PiecewiseRest",
    "Plane",
    "Plate",
    "PointLoad",
    "Pressure",
    "Pulley",
    "Rectangle",
    "Robot",
    "Rod",
    "Routing",
    "Section",
    "Slider",
    "Sphere",
    "SplineRest",
    "Step",
    "Stretch",
    "Taper",
    "Tendon",
    "Threaded",
    "Triangles",
    "Tube",
    "TubeSet",
    "Vessel",
    "Volume",
    "Weld",
    "World",
    "anchor_of",
    "materials",
    "rest_from_spline",
]
