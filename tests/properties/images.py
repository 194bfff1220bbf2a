"""Robots in other units and in a mirror: all that is described is rewritten."""

import math
from dataclasses import replace

import numpy as np
from properties.drafts import Case

import flexura as fx


def scaled(case, length, modulus):
    """The robot in other units of length and of stress: the same dimensionless problem."""
    change = _Rewrite(
        place=lambda v: length * np.asarray(v),
        axis=lambda v: v,
        turn=lambda v: v,
        pose=lambda T: _placed(T[:3, :3], length * T[:3, 3]),
        strain=lambda xi: np.concatenate([xi[:3] / length, xi[3:]]),
        length=length,
        modulus=modulus,
    )
    return change.case(case)


MIRROR = np.diag([1.0, -1.0, 1.0])


def mirrored(case):
    """The robot in a mirror: y becomes -y, in the world and in all frames."""
    change = _Rewrite(
        place=lambda v: MIRROR @ v,
        axis=lambda v: MIRROR @ v,
        turn=lambda v: -MIRROR @ v,
        pose=mirror_image,
        strain=lambda xi: np.concatenate([-MIRROR @ xi[:3], MIRROR @ xi[3:]]),
        mirror=True,
    )
    return change.case(case)


def mirror_image(T):
    """A pose in the mirror."""
    return _placed(MIRROR @ T[:3, :3] @ MIRROR, MIRROR @ T[:3, 3])


def _placed(R, p):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


class _Rewrite:
    """A robot with all of its vectors, poses and units changed.

    Attributes:
        place: of a position [m].
        axis: of a direction, and of a force.
        turn: of an axis of rotation, and of a moment.
        pose: of a pose.
        strain: of a rest strain, (6,).
        length, modulus: factors of the units.
        mirror: whether routings have y turned around.
    """

    def __init__(self, place, axis, turn, pose, strain, length=1.0, modulus=1.0, mirror=False):
        self.place, self.axis, self.turn, self.pose = place, axis, turn, pose
        self.strain, self.length, self.mirror = strain, length, mirror
        self.stress, self.force = modulus, modulus * length**2

    def case(self, case):
        robot = fx.Robot(
            case.robot.name,
            [self._rod(rod) for rod in case.robot.rods],
            [self._joint(joint) for joint in case.robot.joints],
            [self._load(load) for load in case.robot.loads],
            [self._tendon(tendon) for tendon in case.robot.tendons],
            [self._body(body) for body in case.robot.bodies],
        )
        kinds = {
            **{joint.label: joint for joint in case.robot.joints},
            **{tendon.name: tendon for tendon in case.robot.tendons},
        }
        inputs = {name: self._input(kinds[name], value) for name, value in case.inputs.items()}
        return Case(robot, inputs, case.rods)

    def _input(self, what, value):
        if isinstance(what, fx.Weld):
            return self.pose(value)
        if isinstance(what, fx.Tendon) and what.drive == "tension":
            return self.force * value
        return self.length * value if isinstance(what, fx.Tendon | fx.Slider) else value

    def _rod(self, old):
        material = replace(
            old.material,
            young=self.stress * old.material.young,
            shear=None if old.material.shear is None else self.stress * old.material.shear,
            density=self.stress / self.length * old.material.density,
        )
        rest = old.rest
        if isinstance(rest, fx.SplineRest):
            rest = fx.rest_from_spline(
                [self.pose(np.array(T)) for T in rest.control_poses], rest.degree
            )
        elif callable(rest):
            rest = self._rest_function(old)
        elif rest is not None:
            rest = self.strain(old.rest_strain(0.0))
        return replace(
            old,
            length=rest.length if isinstance(rest, fx.SplineRest) else self.length * old.length,
            section=self._section(old.section),
            material=material,
            rest=rest,
            line_mass=None if old.line_mass is None else self.force / self.length * old.line_mass,
            line_inertia=(
                None
                if old.line_inertia is None
                else self.force * self.length * np.asarray(old.line_inertia)
            ),
        )

    def _rest_function(self, rod):
        return lambda s: self.strain(rod.rest_strain(min(s / self.length, rod.length)))

    def _section(self, old):
        if isinstance(old, fx.Taper):
            return fx.Taper(self._section(old.base_section), self._section(old.tip_section))
        power = {"area": 2, "iy": 4, "iz": 4, "torsion": 4}
        return type(old)(
            **{name: value * self.length ** power.get(name, 1) for name, value in vars(old).items()}
        )

    def _body(self, old):
        return replace(
            old,
            mass=self.force * old.mass,
            inertia=self.force * self.length**2 * np.asarray(old.inertia),
            center=self.place(old.center),
        )

    def _frame(self, old):
        if not isinstance(old, fx.At):
            return old
        offset = None if old.offset is None else self.pose(old.transform)
        return fx.At(old.rod, self.length * old.s, offset)

    def _joint(self, old):
        if isinstance(old, fx.Motor):
            drives = [(self._frame(frame), self.pose(T)) for frame, T in old.installed]
            return replace(
                old, axis=self.turn(old.axis), point=self.place(old.point), drives=drives
            )
        axis = {}
        if isinstance(old, fx.Hinge | fx.Slider):
            along = self.turn if isinstance(old, fx.Hinge) else self.axis
            axis = {"axis": along(np.array(old.axis))}
        return replace(
            old,
            a=self._frame(old.a),
            b=self._frame(old.b),
            offset=None if old.offset is None else self.pose(old.transform),
            **axis,
        )

    def _load(self, old):
        if isinstance(old, fx.Gravity):
            return replace(old, acceleration=self.axis(np.array(old.acceleration)))
        if isinstance(old, fx.Pulley):
            at, force = self._frame(old.at), self.force * old.force
            return replace(old, at=at, point=self.place(old.point), force=force)
        force, moment = self.force, self.force * self.length
        where = {}
        if isinstance(old, fx.LineLoad):
            force, moment = force / self.length, moment / self.length
            end = None if old.end is None else self.length * old.end
            where = {"start": self.length * old.start, "end": end}
        else:
            where = {"at": self._frame(old.at)}
        return replace(
            old,
            force=force * np.asarray(self.axis(np.array(old.force))),
            moment=moment * np.asarray(self.turn(np.array(old.moment))),
            **where,
        )

    def _tendon(self, old):
        return replace(
            old,
            routing=self._routing(old.routing),
            start=self.length * old.start,
            end=None if old.end is None else self.length * old.end,
            stiffness=None if old.stiffness is None else self.force * old.stiffness,
        )

    def _routing(self, old):
        size, y = self.length, -self.length if self.mirror else self.length
        if isinstance(old, fx.Piecewise):
            return fx.Piecewise([(size * end, self._routing(piece)) for end, piece in old.pieces])
        if isinstance(old, fx.Discs):
            return fx.Discs(
                *(x * np.asarray(v) for x, v in ((size, old.at), (y, old.y), (size, old.z)))
            )
        if isinstance(old, fx.Helical):
            if not self.mirror:
                return replace(old, radius=size * old.radius)
            return fx.Helical(size * old.radius, -old.turns, math.pi - old.phase)
        if isinstance(old, fx.Routing):
            return fx.Routing(lambda s: np.array([y, size]) * old.function(s / size))
        return type(old)(y * old.y, size * old.z)
