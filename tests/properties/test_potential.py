"""The potential of an equilibrium by an input is what is conjugate to that input."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from properties.budget import robots
from properties.drafts import FALL, OFFSET
from properties.forces import along, masses
from properties.judge import equilibrium, stiffness_of
from properties.parts import directions, vectors
from properties.robots import cases

import flexura as fx
from flexura.lie import se3

STEP = 1e-3  # of changes that bend the robot a lot: differences are good to its square
TOLERANCE = 1e-4  # and what coarse descriptions bend between the points where loads act


def acting(robot):
    """All that may have an input, by name."""
    entries = [*robot.loads, *robot.tendons]
    return {entry.name: entry for entry in entries} | {joint.label: joint for joint in robot.joints}


def work(result, what, change):
    """The derivative of the potential along a change of an input, by what is conjugate to it."""
    name = what.label if hasattr(what, "label") else what.name
    if isinstance(what, fx.Tendon):
        pull = result.tension(name)
        stretched = 0.0 if what.stiffness is None else 0.5 * pull**2 / what.stiffness
        return change * (
            result.tendon_length(name) if what.drive == "tension" else pull + stretched
        )
    if isinstance(what, fx.Weld):
        return result.reaction(name) @ change
    if isinstance(what, fx.Hinge | fx.Slider | fx.Motor):
        return result.torque(name) * change
    if isinstance(what, fx.Gravity):
        return -sum(mass * place for mass, place in masses(result)) @ change
    if isinstance(what, fx.Pulley):
        return change * np.linalg.norm(result.pose(what.at)[:3, 3] - what.point)
    if isinstance(what, fx.PointLoad):
        return -result.pose(what.at)[:3, 3] @ change[3:]
    end = result.model.robot.rod(what.rod).length if what.end is None else what.end
    return -sum(w * T[:3, 3] for _, w, T in along(result, what.rod, what.start, end)) @ change[3:]


def change_of(what, case, draw):
    """A change of an input that bends the robot a lot."""
    length, energy = case.length, stiffness_of(case)
    if isinstance(what, fx.Tendon):
        return energy / OFFSET if what.drive == "tension" else 0.5 * OFFSET
    if isinstance(what, fx.Weld):
        return np.array([*draw(vectors(0.5)), *draw(vectors(0.1 * length))])
    if isinstance(what, fx.Hinge | fx.Motor):
        return 0.5
    if isinstance(what, fx.Slider):
        return 0.1 * length
    if isinstance(what, fx.Pulley):
        return energy / length
    if isinstance(what, fx.Gravity):
        return FALL * np.array(draw(directions))
    per_length = length if isinstance(what, fx.LineLoad) else 1.0
    return energy / length / per_length * np.array([0.0, 0.0, 0.0, *draw(directions)])


def after(value, change):
    """An input after a change, of a pose along a twist."""
    return value @ se3.exp(change) if np.shape(value) == (4, 4) else value + change


@robots()
@given(cases(), st.data())
def test_the_potential_by_inputs(case, data):
    result = equilibrium(case)
    assume(result.potential is not None and result.inputs)
    name = data.draw(st.sampled_from(sorted(result.inputs)))
    what = acting(case.robot)[name]
    change = STEP * change_of(what, case, data.draw)
    value = result.inputs[name]
    if np.ndim(value) == 0 and value < change:  # tensions and forces of pulleys are not negative
        value = value + 2.0 * change
        result = fx.statics(result.model, {**case.inputs, name: value}).unwrap()
    ends = [
        fx.statics(result.model, {**case.inputs, name: after(value, x)}, start=result).unwrap()
        for x in (change, -change)
    ]
    found = 0.5 * (ends[0].potential - ends[1].potential)
    expected = work(result, what, change)
    arm = np.abs(result.evaluation.nodes[:, :3, 3]).max() / case.length
    size = abs(expected) + (1.0 + arm) * STEP * stiffness_of(case)
    assert abs(found - expected) <= TOLERANCE * size, f"{name}: {found:.6g}, not {expected:.6g}"
