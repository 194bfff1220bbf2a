"""Mechanics of continuum and soft robots: describe a robot once, solve it with any model.

>>> import flexura as fx
>>> rod = fx.Rod("arm", 1.0, fx.Circle(0.01), fx.Material(young=1e6, poisson=0.45))
>>> tip = fx.PointLoad("pull", at="arm.tip", force=(0.0, 0.0, 0.01))
>>> robot = fx.Robot("demo", rods=[rod], joints=[fx.Weld("world", "arm.base")], loads=[tip])
>>> result = fx.statics(fx.build(robot, rods=fx.Spline(degree=3, spans=12)))
>>> result.converged
True
"""

from flexura import lie
from flexura.browser.studio import Studio, studio
from flexura.errors import (
    FileError,
    FlexuraError,
    MissingExtra,
    ModelError,
    NotConverged,
    UnknownName,
)
from flexura.io import load, load_result, save, save_result, save_vtk
from flexura.model.build import build
from flexura.model.model import Model
from flexura.result.calibration import Calibration, CalibrationStatus
from flexura.result.comparison import Comparison
from flexura.result.instant import Instant
from flexura.result.inverse import InverseResult, InverseResults, InverseStatus
from flexura.result.linear import LinearModel
from flexura.result.many import StaticResults
from flexura.result.modes import Modes
from flexura.result.motion import Motion, MotionStatus
from flexura.result.path import EquilibriumPath, PathStatus
from flexura.result.shape_error import ShapeError, shape_error
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.robot import (
    At,
    Ball,
    Body,
    Box,
    Capsule,
    Circle,
    Clamp,
    Contact,
    Convergent,
    Cylinder,
    Discs,
    Gravity,
    Helical,
    Hinge,
    LineLoad,
    Material,
    Motor,
    Nodes,
    Obstacle,
    On,
    Parallel,
    Piecewise,
    PiecewiseRest,
    Plane,
    Plate,
    PointLoad,
    Pressure,
    Pulley,
    Rectangle,
    Robot,
    Rod,
    Routing,
    Section,
    Slider,
    Sphere,
    SplineRest,
    Taper,
    Tendon,
    Threaded,
    Triangles,
    Tube,
    TubeSet,
    Vessel,
    Volume,
    Weld,
    materials,
    rest_from_spline,
)
from flexura.robot.observation import Observation
from flexura.rods.hermite import Hermite
from flexura.rods.linear_strain import LinearStrain
from flexura.rods.power import Power
from flexura.rods.rotation_interpolation import RotationInterpolation
from flexura.rods.spline import Spline
from flexura.rods.variable_strain import ConstantStrain, VariableStrain
from flexura.solve.calibration.calibrate import calibrate
from flexura.solve.continuation import continuation
from flexura.solve.derivative.sensitivity import sensitivity
from flexura.solve.inverse.inverse import inverse
from flexura.solve.linear.linearize import linearize
from flexura.solve.linear.modes import modes
from flexura.solve.many import statics_many
from flexura.solve.motion.integrators import (
    GeneralizedAlpha,
    ImplicitEuler,
    SymplecticEuler,
    Variational,
)
from flexura.solve.motion.simulate import simulate
from flexura.solve.motion.simulation import Simulation
from flexura.solve.shooting import shooting
from flexura.solve.statics import statics
from flexura.version import VERSION

__version__ = VERSION

__all__ = [
    "At",
    "Ball",
    "Body",
    "Box",
    "Calibration",
    "CalibrationStatus",
    "Capsule",
    "Circle",
    "Clamp",
    "Comparison",
    "ConstantStrain",
    "Contact",
    "Convergent",
    "Cylinder",
    "Discs",
    "EquilibriumPath",
    "FileError",
    "FlexuraError",
    "GeneralizedAlpha",
    "Gravity",
    "Helical",
    "Hermite",
    "Hinge",
    "ImplicitEuler",
    "Instant",
    "InverseResult",
    "InverseResults",
    "InverseStatus",
    "LineLoad",
    "LinearModel",
    "LinearStrain",
    "Material",
    "MissingExtra",
    "Model",
    "ModelError",
    "Modes",
    "Motion",
    "MotionStatus",
    "Motor",
    "Nodes",
    "NotConverged",
    "Observation",
    "Obstacle",
    "On",
    "Parallel",
    "PathStatus",
    "Piecewise",
    "PiecewiseRest",
    "Plane",
    "Plate",
    "PointLoad",
    "Power",
    "Pressure",
    "Pulley",
    "Rectangle",
    "Robot",
    "Rod",
    "RotationInterpolation",
    "Routing",
    "Section",
    "ShapeError",
    "Simulation",
    "Slider",
    "Sphere",
    "Spline",
    "SplineRest",
    "StaticResult",
    "StaticResults",
    "Status",
    "Studio",
    "SymplecticEuler",
    "Taper",
    "Tendon",
    "Threaded",
    "Triangles",
    "Tube",
    "TubeSet",
    "UnknownName",
    "VariableStrain",
    "Variational",
    "Vessel",
    "Volume",
    "Weld",
    "build",
    "calibrate",
    "continuation",
    "inverse",
    "lie",
    "linearize",
    "load",
    "load_result",
    "materials",
    "modes",
    "rest_from_spline",
    "save",
    "save_result",
    "save_vtk",
    "sensitivity",
    "shape_error",
    "shooting",
    "simulate",
    "statics",
    "statics_many",
    "studio",
]
