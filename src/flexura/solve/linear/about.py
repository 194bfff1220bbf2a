"""What small motions are about: an equilibrium of a robot with mass."""

from flexura.errors import ModelError
from flexura.model.motion.flow import Tracks, tracks_of
from flexura.result.instant import Instant
from flexura.result.integrated import IntegratedResult
from flexura.result.static import StaticResult
from flexura.solve.equilibrium import BALANCED, ForceBalance
from flexura.solve.linear.small_motion import SmallMotion
from flexura.solve.motion.flight import who_may_weigh
from flexura.solve.newton import History

# A robot that moves by less than this, in rad or lengths of the robot in a second, is at rest.
REST = 1e-6


def small_motion(who: str, result: StaticResult) -> SmallMotion:
    """Small motions about a result.

    Raises:
        ModelError: unless it is an equilibrium of a robot with mass.
    """
    if not isinstance(result, StaticResult):
        raise ModelError(f"{who} takes the result of statics, got {type(result).__name__}")
    name = result.model.name
    if isinstance(result, IntegratedResult):
        raise ModelError(
            f"{who} needs unknowns, and shooting has none: build {name!r} with a discretization "
            "and solve it with statics"
        )
    if not result.status.equilibrium:
        raise ModelError(
            f"{who} are small motions about an equilibrium, and this result of {name!r} is none: "
            f"{result.status}"
        )
    if isinstance(result, Instant) and result.tracks.fastest(result.flow) > REST:
        raise ModelError(
            f"{who} are small motions about an equilibrium, and {name!r} moves at t = "
            f"{result.t:.6g} s; take statics(model, inputs, start=instant)"
        )
    found = SmallMotion(_with_mass(who, result), result.state, result.given)
    balance, (force, gap) = ForceBalance(found.assembly), found.assembly.imbalance()
    left = balance.residuals(History([force], [gap]))[0]
    if left > BALANCED:
        raise ModelError(
            f"{who} are small motions about an equilibrium, and the forces of {name!r} are out of "
            f"balance by {left:.1g} of their size; take statics(model, inputs, start=result)"
        )
    return found


def _with_mass(who: str, result: StaticResult) -> Tracks:
    """The tracks of the model, if anything of it has mass and can move."""
    found, robot = tracks_of(result.model), result.model.robot
    if not result.model.n_dof:
        raise ModelError(f"{who}: nothing of {robot.name!r} can move")
    if found.moving.mass > 0.0:
        return found
    raise ModelError(
        f"{who}: {robot.name!r} has no mass, so nothing of it vibrates: give {who_may_weigh(robot)}"
    )
