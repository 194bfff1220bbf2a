"""The robot without load: where inputs have moved it, and nothing else."""

from flexura.model.build import build
from flexura.model.inputs import Inputs
from flexura.model.measured import EPS
from flexura.model.model import Model
from flexura.model.start import start_state
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.robot import Robot
from flexura.rods.spline import Spline
from flexura.solve.statics import solve_inputs
from flexura.solve.workspace import workspace

FINE = Spline(degree=3, spans=64)  # for the shape of a robot that was not solved


def unloaded(model: Model, inputs: Inputs) -> StaticResult:
    """The robot without load: where it starts, or a solve for what is not at rest there.

    Loops begin with a guess, tubes inside each other straight, and curved rods as near to their
    rest shapes as knots of a description come.

    Args:
        model: of the robot.
        inputs: welds, motors and driven joints are where these have them; loads are left out.

    Returns:
        An equilibrium; ``status`` tells if none was found.
    """
    without = inputs.unloaded
    state = start_state(model, without).state
    with workspace(model) as assembly:
        assembly.evaluate_residual(state, without)
        evaluation = assembly.evaluation()
        force, gap = assembly.imbalance(assembly.model.balance)
        at_rest = force <= assembly.rounding() and gap <= EPS
    guessed = model.layout.looped or bool(model.tubes)
    touches = model.contacts is not None and not guessed  # it lies where nothing pushes it
    if not (at_rest or model.layout.floats or touches):
        return solve_inputs(model, without, None)
    return StaticResult(
        model=model,
        state=state,
        given=without,
        status=Status.CONVERGED,
        residuals=(0.0,),  # there are no forces in play that it could be relative to
        steps=(),
        iterations=0,
        load_steps=0,
        load_factor=1.0,
        stable=None,
        evaluation=evaluation,
    )


def unloaded_robot(robot: Robot) -> StaticResult:
    """The same of a robot that nobody has built yet, at its described inputs, finely discretized.

    Raises:
        ModelError: if it is no robot.
    """
    model = build(robot, rods=FINE)
    return unloaded(model, model.inputs.described)
