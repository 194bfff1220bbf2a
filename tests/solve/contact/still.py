"""Random scenes at rest are solved and judged; ``make fuzz-still`` has new ones.

Each is solved from cold, then in increments from there, then once more where nothing changes. What
is found obeys the laws of contact, balances all loads, is as all of it is turned, moved, scaled or
written down in another order, and stays where it is if nothing changes. What is not found says why.
"""

import signal
import sys
import time
from collections import Counter
from operator import attrgetter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from contact_laws import check_contacts
from solve.contact.still_scenes import FAMILIES, World, scene

import flexura as fx

# What is not solved after so long is said to take for ever, after so long to be slow [s].
FOR_EVER, SLOW = 60, 3.0
# Ends that are answers of a solver, not of a robot.
POOR = ("EXHAUSTED", "UNSOLVED", "LIMIT", "SINGULAR")


def places(result, world=None):
    """Places of everything by its name, where the scene is as it was written down [m], (n, 3)."""
    world, robot = world or World(), result.model.robot
    bodies, rods, volumes = (
        sorted(x, key=attrgetter("name")) for x in (robot.bodies, robot.rods, robot.volumes)
    )
    found = [result.pose(x.name)[None, :3, 3] for x in bodies]
    found += [result.pose(x.name, np.linspace(0.0, x.length, 9))[:, :3, 3] for x in rods]
    found += [result.points(x.name) for x in volumes]
    back = np.linalg.inv(world.turn)
    return (np.concatenate(found) @ back[:3, :3].T + back[:3, 3]) / world.scale


def check_balance(result, inputs):
    """Reactions, contacts with obstacles, weights and loads: nothing is left."""
    robot, left = result.model.robot, np.zeros(3)
    still = {x.name for x in robot.obstacles}
    gravity = np.zeros(3)
    for load in robot.loads:
        if isinstance(load, fx.Gravity):
            gravity = np.array(inputs.get("gravity", load.acceleration))
        else:
            left += np.array(inputs.get(load.name, load.force))[-3:]
    mass = sum(x.mass for x in robot.bodies)
    mass += sum(x.mass_per_length(0.0) * x.length for x in robot.rods)
    mass += sum(x.mesh.volumes.sum() * x.material.density for x in robot.volumes)
    left += mass * gravity
    size = np.linalg.norm(left)
    for joint in robot.joints:
        if isinstance(joint, fx.Clamp):
            left += result.reaction(joint)[3:]
        elif joint.a == "world":
            force = result.reaction(joint)[3:]
            left += result.pose(joint.b)[:3, :3] @ force
            size = max(size, np.linalg.norm(force))
    for x in result.contacts:
        if x.b in still or x.a in still:
            left += x.force if x.b in still else -x.force
    assert np.linalg.norm(left) <= 1e-5 * size, f"{left} N are left of {size:.3g} N"


def solve(scene, backwards=False, steps=None):
    """Results of all increments, until one is not found."""
    model, start, found = scene.build(backwards), None, []
    for inputs in scene.inputs[:steps]:
        start = fx.statics(model, inputs, start=start)
        found.append(start)
        if not start.converged:
            break
    return found


def judge(seed, images=True):
    """Solve a scene and look at it; how it ended.

    Args:
        seed: of the scene.
        images: whether it is solved elsewhere, larger, and written down backwards, too.
    """
    own = scene(seed)
    try:
        found = solve(own)
    except fx.ModelError as error:
        if "begins inside" in str(error) or "begins outside" in str(error):
            return "BEGINS INSIDE"
        raise
    for result, inputs in zip(found, own.inputs, strict=False):
        if result.converged:
            assert np.isfinite(places(result)).all(), "places are no numbers"
            check_contacts(result, depth=1e-6)
            check_balance(result, inputs)
    last, inputs = found[-1], own.inputs[len(found) - 1]
    length = last.model.length
    if last.converged:
        again = fx.statics(last.model, inputs, start=last)
        assert again.converged, f"{again.status.name} where nothing changes"
        moved = np.abs(places(again) - places(last)).max() / length
        assert moved <= 1e-6 or last.remarks, f"moves by {moved:.2g} where nothing changes"
    if images:
        check_images(seed, found)
    return last.status.name


def check_images(seed, found):
    """All of a scene elsewhere, larger, or written down backwards, is as it was.

    A slack cord that rubs on a floor lies to one side or the other, and as far as friction lets it:
    there are many equilibria, and rounding decides which one is met on the way down, and led on.
    """
    rng = np.random.default_rng(seed + 1)
    turn = fx.lie.se3.pose(0.1 * rng.normal(size=3), rng.normal(size=3))
    for words, world, backwards in (
        ("turned", World(turn), False),
        ("larger", World(scale=float(rng.uniform(0.5, 3.0))), False),
        ("backwards", World(), True),
    ):
        image = solve(scene(seed, world), backwards)
        ends = [[x.status.converged for x in y] for y in (found, image)]
        assert ends[0] == ends[1], (
            f"{words}, it ends {[x.status.name for x in image]}, not "
            f"{[x.status.name for x in found]}"
        )
        met = False
        for a, b in zip(found, image, strict=True):
            met |= a.status is b.status is fx.Status.RELAXED and name_of(seed) == "cord"
            if a.converged and not a.remarks and not met:
                off = np.abs(places(a) - places(b, world)).max() / a.model.length
                assert off <= 1e-4, f"{words}, it is off by {off:.2g}"


def name_of(seed):
    """The family of a scene."""
    return FAMILIES[seed % len(FAMILIES)].__name__


def main(count, first=None, images=True):
    """Judge so many new scenes; how many were judged wrong."""
    ends, wrong = Counter(), 0
    first = time.time_ns() % 10**9 if first is None else first

    def late(*_):
        raise TimeoutError(f"no end after {FOR_EVER} s")

    signal.signal(signal.SIGALRM, late)
    for seed in range(first, first + count):
        begin, name = time.perf_counter(), name_of(seed)
        signal.alarm(FOR_EVER)
        try:
            end = judge(seed, images)
            ends[end] += 1
            took = time.perf_counter() - begin
            if end in POOR or took > SLOW:
                print(f"scene {seed}, {name}: {end} in {took:.1f} s", flush=True)
        except Exception as error:
            wrong += 1
            took = time.perf_counter() - begin
            what = str(error).splitlines()[0][:300]
            kind = type(error).__name__
            print(f"scene {seed}, {name}: {kind}: {what} in {took:.1f} s", flush=True)
        signal.alarm(0)
    print(f"{count} scenes from seed {first}: {dict(ends)}, {wrong} wrong")
    return wrong


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])) > 0)
