import copy
import dataclasses
import hashlib
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from robot import any_robot
from support import refused

from flexura.errors import ModelError
from flexura.robot import (
    Circle,
    Hole,
    Material,
    Parallel,
    Piecewise,
    Robot,
    Rod,
    Routing,
    Tendon,
    Weld,
)

COPIES = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "replace": dataclasses.replace,
}
THERE = """
import hashlib, pickle
from robot import any_robot
for name, make in any_robot.ROBOTS.items():
    with open(f"{name}.pickle", "rb") as file:
        robot = pickle.load(file)
    assert robot == make() and hash(robot) == hash(make())
    assert robot.graph == make().graph and hash(robot.graph) == hash(make().graph)
    print(hashlib.sha256(any_robot.solve(robot)).hexdigest())
"""


def rod(rest=None):
    return Rod("arm", 1.0, Circle(1e-2), Material(1e9, 0.3), rest=rest)


def bent(rest=None, routing=None):
    tendons = [] if routing is None else [Tendon("pull", "arm", routing)]
    return Robot("r", [rod(rest)], [Weld("world", "arm.base")], tendons=tendons)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("make", any_robot.ROBOTS.values(), ids=any_robot.ROBOTS)
def test_copies_are_equal(make, copied):
    first = make()
    second = copied(first)
    assert first == second == make()
    assert hash(first) == hash(second)
    for field in ("rods", "bodies", "joints", "loads", "tendons"):
        for a, b in zip(getattr(first, field), getattr(second, field), strict=True):
            assert a == b == copied(a)
            assert hash(a) == hash(b)
    for name in (part.name for part in first.rods):
        assert first.jumps(name) == second.jumps(name)


@pytest.mark.parametrize("copied", list(COPIES.values())[:3], ids=list(COPIES)[:3])
@pytest.mark.parametrize("make", any_robot.ROBOTS.values(), ids=any_robot.ROBOTS)
def test_what_is_found_about_robots_is_a_value_too(make, copied):
    first, rods = make(), make().graph.rods
    graph = copied(first.graph)
    assert graph == first.graph == make().graph
    assert hash(graph) == hash(first.graph)
    assert list(graph.group_of.items()) == list(first.graph.group_of.items())
    for group in graph.groups:
        assert not any(T.flags.writeable for T in group.frames.values())
        assert all(
            group.path(anchor) == first.graph.group_of[anchor].path(anchor)
            for anchor in group.frames
        )
    for tendon, same in zip(first.tendons, make().tendons, strict=True):
        for part, again in zip(tendon.stretches(rods), same.stretches(rods), strict=True):
            assert part == again == copied(part)
            assert hash(part) == hash(again)
            s = np.linspace(part.begin, part.end, 5)
            np.testing.assert_array_equal(part.path(s), copied(part).path(s))
        for hole, again in zip(tendon.holes(rods), same.holes(rods), strict=True):
            assert hole == again == copied(hole)
            assert hash(hole) == hash(again)


def test_values_with_arrays_differ_where_their_content_does():
    first = Hole("arm", 0.1, np.array([0.0, 1.0, 2.0]))
    assert first == Hole("arm", 0.1, np.array([-0.0, 1.0, 2.0]))
    assert first != Hole("arm", 0.1, np.array([0.0, 1.0, 3.0]))
    assert first != Hole("leg", 0.1, np.array([0.0, 1.0, 2.0]))
    assert first != "arm"
    graph, other = bent().graph, Robot("r", [rod()], [Weld("world", "arm.tip")]).graph
    assert graph != other
    assert graph.groups[0] != graph.groups[1]
    with pytest.raises(ValueError, match="read-only"):
        first.offset[0] = 1.0


def test_pickles_hold_the_description_only():
    fresh = bent(routing=Parallel(0.0, 0.01))
    before = pickle.dumps(fresh)
    fresh.jumps("arm")
    assert pickle.dumps(fresh) == before
    assert b"Graph" not in before


@pytest.mark.parametrize(
    ("described", "words"),
    [
        (lambda f: rod(f), ["Rod 'arm': rest", "rest_from_spline"]),
        (lambda f: bent(rest=f), ["Rod 'arm': rest", "def at the top of a module"]),
        (lambda f: Routing(f), ["Routing: function", "Parallel"]),
        (lambda f: bent(routing=Routing(f)), ["Tendon 'pull': Routing: function"]),
        (lambda f: bent(routing=Routing(any_robot.still, f)), ["Tendon 'pull': Routing: deriv"]),
        (
            lambda f: bent(routing=Piecewise([(0.5, Routing(f)), (1.0, Parallel(0.0, 0.0))])),
            ["Tendon 'pull': Routing: function"],
        ),
    ],
)
def test_functions_without_a_name_are_copied_and_not_pickled(described, words):
    value = described(
        lambda s: (0.0, 0.0, 0.0) if len(words) == 2 and "rest" in words[0] else (0.0, 0.0)
    )
    for copied in (copy.deepcopy(value), copy.copy(value)):
        assert copied == value
        assert hash(copied) == hash(value)
    with refused([*words, "cannot be pickled", "<lambda>"]):
        pickle.dumps(value)


def test_deep_copies_copy_callable_objects():
    class Bend:
        curvature = 1.0

        def __call__(self, s):
            return 0.0, self.curvature, 0.0

    first = bent(rest=Bend())
    second = copy.deepcopy(first)
    first.rods[0].rest.curvature = 2.0
    assert second.rods[0].rest_strain(0.5)[1] == 1.0
    with pytest.raises(ModelError, match="Rod 'arm': rest cannot be pickled"):
        pickle.dumps(first)


@pytest.mark.slow
def test_robots_in_another_process_are_equal_and_solve_to_the_same_bits(tmp_path):
    here = []
    for name, make in any_robot.ROBOTS.items():
        here.append(hashlib.sha256(any_robot.solve(make())).hexdigest())
        (tmp_path / f"{name}.pickle").write_bytes(pickle.dumps(make()))
    paths = [os.path.abspath(path) for path in sys.path if path]
    there = subprocess.run(
        [sys.executable, "-c", THERE],
        cwd=tmp_path,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, paths)), "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert there.returncode == 0, there.stderr
    assert there.stdout.split() == here
