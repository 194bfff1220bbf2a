"""Which inputs bring frames to their targets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from numbers import Real
from typing import Any

import numpy as np

from flexura.errors import ModelError, show
from flexura.model.frame import Frame
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.result.inverse import InverseResult, InverseResults, InverseStatus
from flexura.result.static import StaticResult
from flexura.robot.check import check_count
from flexura.solve.derivative.response import Response
from flexura.solve.inverse.aside import lower_nearby
from flexura.solve.inverse.grip import Grips, is_grip, read_grips
from flexura.solve.inverse.idle import taken_up
from flexura.solve.inverse.leap import leapt
from flexura.solve.inverse.limits import Choice, read_choice
from flexura.solve.inverse.place import Budget, Place, Question, place_of
from flexura.solve.inverse.preference import Preference
from flexura.solve.inverse.programme import require
from flexura.solve.inverse.pursuit import Pursuit
from flexura.solve.inverse.search import Search
from flexura.solve.inverse.target import Target, Weights, read_targets, read_weights
from flexura.solve.inverse.tension import is_tension, read_tensions
from flexura.solve.statics import solve_inputs, statics
from flexura.text import roughly
from flexura.typing import ArrayLike, Pose

# by frames, and by the two sides of contacts
Targets = Mapping[Any, ArrayLike]
# An error that is none, relative to the length.
REACHED = 5e-10
# Other inputs to begin with where a search without a start ends short of its targets.
ELSEWHERE = 8
# Equilibria that are left for a look around, besides one for each number that is chosen.
AROUND = 8
# Targets that are so many times the length of all rods away are worth a word.
FAR_OFF = 20.0
# Targets on the way, where one of a path is not reached at once.
PARTS = 4
# Equilibria of what touches that are no further from each other are the same one, relative to the
# length: contacts that stick may slide, and be as deep, as a tenth of that.
SAME = 1e-5


def inverse(
    model: Model,
    targets: Targets | Sequence[Targets],
    using: Sequence[str] | None = None,
    bounds: Mapping[Any, ArrayLike] | None = None,
    start: StaticResult | InverseResult | None = None,
    inputs: Mapping[str, ArrayLike] | None = None,
    steps: Mapping[str, ArrayLike] | None = None,
    weights: Weights | None = None,
    prefer: Mapping[str, ArrayLike] | None = None,
    tolerance: float | None = None,
    iterations: int = 200,
    linearised: bool = False,
) -> InverseResult | InverseResults:
    """Find inputs that bring frames to their targets, or as close as limits allow.

    Each step is a quadratic programme in the derivatives of the equilibrium (exact but where
    contacts slide), then an equilibrium. What is found is the closest point nearby: a search
    without a start that ends short of its targets begins again elsewhere within the bounds, and
    keeps the best.

    Args:
        model: what ``build`` returned.
        targets: a position (3 numbers [m], nan for those that may be anything) or a pose (4x4) for
            each frame, by its name or ``At(...)``; and the force [N] that a contact presses with in
            all, by the names of both sides, as ``{("finger", "cube"): 2.0}``; or a path of them, a
            sequence, followed from one to the next.
        using: names of the inputs that may change; if it is not given, all that are numbers:
            tendons, motors, driven joints, pulleys.
        bounds: least and most of an input, or of the tension of a tendon that is driven by its
            length, as ``{"left": (0, 0.02), "left.tension": (0, 20)}``; of wrenches also six each;
            of the force of a contact, as ``{("finger", "cube"): (1, 3)}``.
        start: an equilibrium to start from, or an earlier answer. With friction, what is found is
            one increment from there, as ``statics(model, answer.inputs, start=start)``.
        inputs: values of other inputs, and of those used where the search begins; the rest has
            those of the start, or its described ones.
        steps: how far an input may be from its value at the start, or at the target before.
        weights: of the errors of frames: a number, or one for each number of what is missing (turn
            before displacement, in the frame's axes; of positions in the world's). A turn by 1 rad
            counts as the length of the longest rod.
        prefer: values to be near where the targets leave a choice; else inputs change little.
        tolerance: error that is none [m], without weights; 5e-10 of the longest rod if it is not
            given.
        iterations: equilibria to find at most, for each target.
        linearised: whether each target takes one linearisation, no more, as a simulation in time
            would: for paths in small steps; what is left is of third order in them. Answers are
            REACHED where that is within the tolerance, else EXHAUSTED, with what is left.

    Returns:
        The answer, whose ``status`` says whether the targets are reached; for a path, answers. It
        does not raise if targets are out of reach.

    Raises:
        ModelError: for targets, bounds and options that make no sense, or that do not belong to
            the model.
        NotConverged: if there is no equilibrium to start from.
        MissingExtra: if no solver for quadratic programmes is installed.
    """
    if not isinstance(model, Model):
        raise ModelError(f"inverse takes the Model that build returns, got {type(model).__name__}")
    check_count("inverse", "iterations", iterations, 1_000_000)
    limit = _tolerance(model, tolerance)
    if not isinstance(linearised, bool):
        raise ModelError(f"inverse: linearised must be True or False, got {show(linearised)}")
    require()
    if bounds is not None and not isinstance(bounds, Mapping):
        raise ModelError(f"bounds must be a dict of inputs, got {show(bounds)}")
    given: dict[Any, ArrayLike] = dict(bounds or {})
    tensions = {name: given.pop(name) for name in list(given) if is_tension(model, name)}
    pressed = {name: given.pop(name) for name in list(given) if is_grip(name)}
    choice = read_choice(model, using, given, steps)
    limits = read_tensions(model, tensions, choice.names)
    first = _first(model, choice, start, inputs)
    preferred = None if prefer is None else _preferred(choice, first.given, prefer)
    path = [targets] if isinstance(targets, Mapping) else _path(targets)
    heavy = read_weights(weights, path)
    asked: list[Question] = []
    known: dict[object, Frame] = {}
    for one in path:
        frames, grips = _with_grips(model, one, pressed)
        frameless = not frames and len(grips.contacts)
        wanted = () if frameless else read_targets(model, frames, heavy, known)
        asked.append(Question(wanted, choice, limits, grips, preferred, limit, iterations))
    with np.errstate(all="ignore"):
        follow = _pursue(asked, first) if linearised else _follow(asked, first, start is None)
        found = tuple(follow)
    return found[0] if isinstance(targets, Mapping) else InverseResults(found)


def _with_grips(
    model: Model, targets: object, bounds: Mapping[Any, ArrayLike]
) -> tuple[object, Grips]:
    """Targets of frames, and limits of forces of contacts: those asked for, and the bounds."""
    if not isinstance(targets, Mapping):
        return targets, read_grips(model, bounds, {})
    asked = {name: value for name, value in targets.items() if is_grip(name)}
    frames = {name: value for name, value in targets.items() if not is_grip(name)}
    return frames, read_grips(model, bounds, asked)


def _follow(asked: Sequence[Question], here: StaticResult, cold: bool) -> Iterator[InverseResult]:
    """Answers one after the other, each from the one before."""
    response: Response | None = None
    place = None
    for question in asked:
        question, budget = question.begun_at(here), Budget(question.iterations)
        taut = taken_up(question.choice, here).unwrap()
        if response is None or taut is not here or question.since is not None:
            response, place = question.response(taut), None
        if question.choice.limited:  # its numbers lead elsewhere than those of the question before
            place = None
        search, begin = _evenly(question, response, budget), None
        if search is None:
            begin = Place.of(question, response, place)
            search = Search(question, begin, budget)
            search.approach()
            if search.status is not InverseStatus.REACHED and here.model.contacts is not None:
                search = leapt(search, begin)
        if search.status is not InverseStatus.REACHED:
            search = (_elsewhere if cold else _by_and_by)(search, response, budget)
            _look_around(search, budget)
            if begin is not None:
                search.no_worse_than(begin)
        if search.status is InverseStatus.REACHED and question.preferred is not None:
            search = Preference(search, question.preferred).settle(budget)
        cold = False
        yield _result(search, budget, here)
        place, response = search.place, search.place.response
        here = response.result


def _pursue(asked: Sequence[Question], here: StaticResult) -> Iterator[InverseResult]:
    """Answers one after the other, with one linearisation each."""
    if here.model.contacts is not None:
        raise ModelError(
            f"inverse with one linearisation takes no robot with contacts, such as "
            f"{here.model.name!r}: contacts come and go; leave linearised=True out"
        )
    question = asked[0].begun(here.given)
    taut = taken_up(question.choice, here).unwrap()
    response = Response("inverse", taut, question.grazing)
    pursuit = Pursuit(question, Place.of(question, response))
    for one in asked:
        yield pursuit.towards(one)


def _evenly(question: Question, start: Response, budget: Budget) -> Search | None:
    """A search that reaches all targets, whatever their weights; None if it does not."""
    even, own = question.even, budget.without(budget.most // 2)
    if even is None:
        return None
    search = Search(even, Place.of(even, start), own)
    search.approach()
    budget.used, search.budget = own.used, budget
    return search if search.status is InverseStatus.REACHED else None


def _look_around(search: Search, budget: Budget) -> None:
    """Go on from where slopes lead nowhere, as long as something nearby is lower."""
    while search.status is InverseStatus.CLOSEST:
        there = lower_nearby(search)
        if there is None:
            if budget.over:  # it was not looked at all around
                search.status = InverseStatus.EXHAUSTED
            return
        search.go_on(there)


def _by_and_by(search: Search, start: Response, budget: Budget) -> Search:
    """A search through targets on the way from the start, if that leads closer."""
    question, here = search.question, start
    if not question.targets:  # forces alone have no way
        return search
    for part in range(1, PARTS + 1):
        way = [one.towards(start.result.pose(one.name), part / PARTS) for one in question.targets]
        asked = replace(question, targets=tuple(way))
        other = Search(asked, Place.of(asked, here), budget)
        if other.approach() is not InverseStatus.REACHED and part < PARTS:
            return search
        here = other.place.response
    return other if other.place.better(search.place) else search


def _elsewhere(search: Search, start: Response, budget: Budget) -> Search:
    """The best of searches from other inputs within the limits."""
    question, begin = search.question, start.result.given
    low, high = question.choice.room(begin)
    wide = np.isfinite(high - low)
    if not wide.any():
        return search
    model, random = search.place.result.model, np.random.default_rng(0)
    own = budget.without(len(low) + AROUND)
    for _ in range(ELSEWHERE):
        part = random.uniform(size=len(low))
        change = np.where(wide, low + part * (high - low), 0.0)
        if own.over:
            break
        there = solve_inputs(model, question.choice.changed(begin, change), question.since)
        own.used += 1
        if there.converged:
            there = taken_up(question.choice, there)
        place = place_of(question, there) if there.converged else None
        if place is None:
            continue
        other = Search(question, place, own)
        other.approach()
        if other.place.better(search.place):
            search = other
        if search.status is InverseStatus.REACHED:
            break
    budget.used, search.budget = own.used, budget
    return search


def _result(search: Search, budget: Budget, start: StaticResult) -> InverseResult:
    place, question = search.place, search.question
    found, choice = place.result, question.choice
    nodes, state = found.evaluation.nodes, found.state
    poses = [one.frame.pose(found.model, nodes, state) for one in question.targets]
    held = question.tensions.active(found.evaluation.values) | question.grips.active(found)
    return InverseResult(
        status=search.status,
        result=found,
        using=choice.names,
        error=place.left,
        errors=question.apart(place.missing),
        active={**choice.active(found.given), **held},
        gradient=place.gradient,
        iterations=budget.used,
        remarks=(
            *question.grips.remarks(found),
            *question.tensions.remarks(found.evaluation.values),
            *_remarks(zip(question.targets, poses, strict=True), found.model),
            *_led_elsewhere(start, found),
        ),
    )


def _led_elsewhere(start: StaticResult, found: StaticResult) -> tuple[str, ...]:
    """What to say where one increment of statics leads from the start to another equilibrium."""
    model = found.model
    if model.contacts is None or found is start:
        return ()
    again = solve_inputs(model, found.given, start)
    apart = again.evaluation.nodes[:, :3, 3] - found.evaluation.nodes[:, :3, 3]
    far = float(np.linalg.norm(apart, axis=1).max(initial=0.0))
    if again.converged and far <= SAME * model.length:
        return ()
    leads = f"to another one, {far:.3g} m off" if again.converged else "to none"
    return (
        "these inputs have several equilibria: all at once in one increment from where the search "
        f"began they lead {leads}; go there as the search did, or begin with answer.result",
    )


def _remarks(targets: Iterable[tuple[Target, Pose]], model: Model) -> tuple[str, ...]:
    """Targets that are further than any robot of that size can be, with where their frames are."""
    reach = sum(place.rod.length for place in model.places.values()) or np.inf
    told = []
    for one, pose in targets:
        counts = one.counts if one.free else np.arange(3)
        far = float(np.abs(one.pose[counts, 3] - pose[counts, 3]).max(initial=0.0))
        if far > FAR_OFF * reach:
            told.append(
                f"the target of {str(one.name)!r} is {far:.3g} m away, {roughly(far / reach)} "
                "times the length of all rods together: positions are in metres"
            )
    return tuple(told)


def _first(
    model: Model,
    choice: Choice,
    start: StaticResult | InverseResult | None,
    inputs: Mapping[str, ArrayLike] | None,
) -> StaticResult:
    """The equilibrium to start from, within the bounds."""
    if isinstance(start, InverseResult):
        start = start.result
    if start is not None and not isinstance(start, StaticResult):
        raise ModelError(
            "start must be a StaticResult or an InverseResult of the same model, got "
            f"{type(start).__name__}"
        )
    if start is not None and list(start.model.inputs) != list(model.inputs):
        raise ModelError(
            f"start must be a result of the same robot, {model.name!r} with the inputs "
            f"{list(model.inputs)}; got one of {start.model.name!r} with {list(start.model.inputs)}"
        )
    given = model.inputs.described if start is None else start.given
    given = given.changed(inputs)
    begin = choice.begun(given).changed(given, np.zeros(len(choice.places)))
    if start is None:
        return statics(model, begin.by_name()).unwrap()
    same = start.model == model and np.array_equal(begin.values, start.given.values)
    if not (same and start.converged):
        start = solve_inputs(model, begin, start).unwrap()
    return start


def _preferred(choice: Choice, given: Inputs, prefer: Mapping[str, ArrayLike]) -> Inputs:
    """The inputs to be near."""
    found = given.changed(prefer)
    for name in prefer:
        if name not in choice.names:
            raise ModelError(
                f"prefer names {name!r}, which is not used: name it in using=, or give it in "
                f"inputs=; used are {list(choice.names)}"
            )
    return found


def _path(targets: object) -> list[object]:
    """A path of targets as a list."""
    if isinstance(targets, str) or not isinstance(targets, Sequence):
        raise ModelError(
            "targets must be a dict of frames and positions or poses, as {'arm.tip': (0.1, 0, "
            f"0.2)}}, or a sequence of such dicts; got {show(targets)}"
        )
    if not targets:
        raise ModelError("inverse needs a target: a frame and its position or pose")
    return list(targets)


def _tolerance(model: Model, given: float | None) -> float:
    """The error that is none [m]."""
    if given is None:
        return REACHED * model.length
    if isinstance(given, bool) or not isinstance(given, Real) or not 0.0 < given < inf:
        raise ModelError(f"inverse: tolerance must be a number > 0 [m], got {show(given)}")
    return float(given)
