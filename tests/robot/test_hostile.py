"""Whatever is thrown at a constructor, it holds or raises one of the library's errors."""

import dataclasses
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.errors import FlexuraError, ModelError
from flexura.robot import (
    At,
    Ball,
    Body,
    Box,
    Circle,
    Convergent,
    Cylinder,
    Discs,
    Gravity,
    Helical,
    Hinge,
    LineLoad,
    Material,
    Motor,
    Parallel,
    Piecewise,
    Plate,
    PointLoad,
    Pulley,
    Rectangle,
    Robot,
    Rod,
    Routing,
    Section,
    Slider,
    Sphere,
    Taper,
    Tendon,
    Tube,
    Weld,
)

numbers = st.one_of(
    st.floats(), st.floats(1e-3, 10.0), st.integers(), st.just(10**400), st.sampled_from([0, 1, 2])
)
scalars = st.one_of(
    numbers,
    st.none(),
    st.booleans(),
    st.complex_numbers(),
    st.text(max_size=5),
    st.sampled_from(["world", "r", "r.base", "r.tip", "r.middle", "q.tip", "b"]),
    st.binary(max_size=3),
    st.builds(np.float32, st.floats(width=32)),
    st.builds(np.datetime64, st.just("2020-01-01")),
)
lists = st.one_of(
    st.lists(numbers, min_size=3, max_size=3),
    st.lists(scalars, max_size=7),
    st.lists(st.lists(numbers, min_size=4, max_size=4), min_size=4, max_size=4),
    st.builds(np.array, st.lists(st.floats(), max_size=6)),
    st.just(np.eye(4)),
    st.dictionaries(st.text(max_size=2), numbers, max_size=2),
    st.lists(st.tuples(numbers, numbers), min_size=3, max_size=4),
    st.dictionaries(st.sampled_from(["r.base", "b", "world", At("r", 0.5)]), st.just(np.eye(4))),
)
STEEL = Material(1e9, 0.3)
ROD = Rod("r", 1.0, Circle(1e-3), STEEL)
objects = st.sampled_from(
    [
        *(STEEL, ROD, Circle(1.0), Tube(2, 1), Taper(Circle(1.0), Circle(2.0)), Circle),
        *(Weld("world", "r.base"), At("r", 0.5), Gravity(), PointLoad("p", "r.tip")),
        *(Parallel(0, 1), Discs([0.5], 0, 0), Tendon("t", "r", Parallel(0, 0))),
        *(Body("b"), Body("c", 1.0, (1, 1, 1)), Box(1, 1, 1), Sphere(1), At("b"), At("b", 1.0)),
        *(Hinge("h", "r.tip", "b", (0, 0, 1)), Ball("j", "world", At("r", 0.5))),
        *(Slider("s", "world", "b", (1, 0, 0), driven=True), Pulley("w", "b", (0, 0, 1), 1.0)),
        *(Motor("m", (1, 0, 0), drives={"r.base": np.eye(4)}),),
        *(lambda s: (0, 0, s), lambda s: s.x),
    ]
)
anything = st.one_of(scalars, lists, objects, st.lists(objects, max_size=3))

CLASSES = [
    *(Material, Circle, Tube, Rectangle, Section, Taper, Rod),
    *(At, Weld, Gravity, PointLoad, LineLoad, Robot),
    *(Parallel, Convergent, Helical, Routing, Piecewise, Discs, Tendon),
    *(Body, Box, Cylinder, Sphere, Plate, Hinge, Slider, Ball, Motor, Pulley),
]


def check_finite(value):
    """No NaN or infinity and nothing but plain data in a description that was accepted."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            check_finite(getattr(value, field.name))
    elif isinstance(value, tuple):
        for entry in value:
            check_finite(entry)
    elif isinstance(value, float):
        assert math.isfinite(value)
    else:
        assert value is None or type(value) in (bool, str) or callable(value)


@pytest.mark.slow
@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("draws", [50, pytest.param(150, marks=pytest.mark.long)])
def test_constructors_hold_or_raise_our_errors(cls, draws):
    @given(data=st.data())
    @settings(deadline=None, max_examples=draws)
    def construct(data):
        arguments = {
            field.name: data.draw(anything, label=field.name)
            for field in dataclasses.fields(cls)
            if field.default is dataclasses.MISSING or data.draw(st.booleans())
        }
        try:
            value = cls(**arguments)
        except FlexuraError:
            return
        check_finite(value)
        assert value == dataclasses.replace(value)
        assert hash(value) == hash(dataclasses.replace(value))

    construct()


FRAMES = ["world", "r.base", "r.tip", "b", "c", At("r"), At("r", 0.5), At("r", 1 / 3), At("b")]
reaches = st.sampled_from([0.0, 1.0, 0.0, -3.0, 0.0, 1.0, 1e200, 1.7e308, -1.7e308])


@st.composite
def far_poses(draw):
    """A pose that may be as far away as floats reach."""
    T = np.eye(4)
    T[:3, 3] = draw(st.tuples(reaches, st.just(0.0), reaches))
    return T


@st.composite
def nets(draw):
    """Joints that hold a rod and two bodies, and perhaps some more; as classes and arguments."""
    held = [("world", "r.base"), (draw(st.sampled_from(FRAMES[:4])), "b"), ("r.tip", "c")]
    pair = st.tuples(st.sampled_from(FRAMES), st.sampled_from(FRAMES))
    joints = []
    for i, (a, b) in enumerate([*held, *draw(st.lists(pair, max_size=2))]):
        name, axis = f"joint {i}", draw(st.sampled_from([(1, 0, 0), (0, 3, 4), (1e-300, 0, 1)]))
        offset, driven = draw(st.one_of(st.none(), far_poses())), draw(st.booleans())
        kinds = [(Weld, a, b, offset), (Ball, name, a, b, offset)]
        kinds += [(cls, name, a, b, axis, offset, driven) for cls in (Hinge, Slider)]
        kinds += [(Motor, name, axis, (0, 0, 1), {b: draw(far_poses())})] * (a == "world")
        joints.append(draw(st.sampled_from(kinds)))
    return joints


@pytest.mark.slow
@given(nets())
@settings(deadline=None, max_examples=300)
def test_robots_of_any_joints_are_finite_trees_or_raise_our_errors(joints):
    try:
        robot = Robot("net", [ROD], [cls(*x) for cls, *x in joints], bodies=[Body("b"), Body("c")])
    except FlexuraError:
        return
    groups = robot.graph.groups
    anchors = [anchor for group in groups for anchor in group.frames]
    assert len(anchors) == len(set(anchors)) == len(set(map(str, anchors)))
    assert anchors[0].is_world
    assert {"r.base", "r.tip", "b", "c"} <= set(map(str, anchors))
    for group in groups:
        assert all(np.isfinite(T).all() for T in group.frames.values())
        assert len(group.links) == len(group.frames) - 1
    for joint in robot.graph.free:
        assert {joint.a, joint.b} <= set(anchors)
        assert np.isfinite([joint.T_a, joint.T_b]).all()


huge = st.one_of(st.floats(0.0, 2.0), st.floats(-1e50, 1e50))
routings = st.one_of(
    st.builds(Parallel, huge, huge),
    st.builds(Convergent, huge, huge),
    st.builds(Helical, st.floats(1e-50, 1e50), huge, huge),
    st.builds(lambda value: Routing(lambda s: value), anything),
    st.builds(lambda scale: Routing(lambda s: (scale * s, 0), lambda s: (scale, 0)), huge),
    st.builds(lambda value: Routing(lambda s: (0, 0), lambda s: value), anything),
    st.builds(lambda y: Piecewise([(0.5, Parallel(y, 0)), (1.0, Convergent(y, 0))]), huge),
    st.builds(lambda s, y: Discs(sorted({0.25, abs(s)}), y, y), st.floats(0.4, 3.0), huge),
)


@given(routings, st.floats(0.0, 2.0), st.one_of(st.none(), st.floats(5e-324, 2.0)))
@settings(deadline=None, max_examples=150)
def test_tendons_have_finite_paths_or_raise_our_errors(routing, start, end):
    try:
        tendon = Tendon("t", "r", routing, start, end)
        Robot("arm", [ROD], [Weld("world", "r.base")], tendons=[tendon])
    except FlexuraError:
        return
    for stretch in tendon.stretches({"r": ROD}):
        for values in stretch.path(np.linspace(stretch.begin, stretch.end, 5)):
            assert np.isfinite(values).all()


@given(st.floats(5e-324, 1.7e308), st.floats(5e-324, 1.7e308))
@settings(deadline=None)
def test_accepted_sections_have_positive_finite_constants(first, second):
    for cls, arguments in [
        (Circle, (first,)),
        (Tube, (first, second)),
        (Rectangle, (first, second)),
    ]:
        try:
            section = cls(*arguments)
        except ModelError:
            continue
        assert all(
            0.0 < constant < math.inf
            for constant in (section.area, section.iy, section.iz, section.torsion)
        )


def test_a_self_containing_list_is_only_a_bad_value():
    endless = []
    endless.append(endless)
    with pytest.raises(ModelError, match="must be 3 finite numbers"):
        Gravity(endless)


def test_an_object_that_cannot_be_printed_is_only_a_bad_value():
    class Rude:
        def __repr__(self):
            raise RuntimeError

    with pytest.raises(ModelError, match="a Rude that cannot be printed"):
        Circle(Rude())


def test_errors_survive_pickling():
    with pytest.raises(ModelError) as caught:
        Circle(-1.0)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.field) == (str(caught.value), "radius")
