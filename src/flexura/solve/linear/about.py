"""What small motions are about: an equilibrium of a robot with mass."""

from flexura.errors import ModelError
from flexura.model.motion.flow import Tracks, tracks_of
from flexura.result.static import StaticResult
from flexura.solve.at_rest import check_at_rest, check_balanced, check_untouched
from flexura.solve.linear.small_motion import SmallMotion
from flexura.solve.motion.flight import weighs, who_may_weigh
from flexura.solve.motion.hanging import check_hanging

BOUND = "are small motions about"


def small_motion(who: str, result: StaticResult) -> SmallMotion:
    """Small motions about a result.

    Raises:
        ModelError: unless it is an equilibrium of a robot with mass, of which nothing hangs loose.
    """
    check_at_rest(who, result, BOUND)
    check_untouched(who, result.model)
    tracks = _with_mass(who, result)
    check_hanging(tracks.moving.model, result.state, result.given)
    found = SmallMotion(tracks, result.state, result.given)
    check_balanced(who, found.assembly, BOUND)
    return found


def _with_mass(who: str, result: StaticResult) -> Tracks:
    """The tracks of the model, if anything of it has mass and can move."""
    found, robot = tracks_of(result.model), result.model.robot
    if not result.model.n_dof:
        raise ModelError(f"{who}: nothing of {robot.name!r} can move")
    if weighs(result.model):
        return found
    raise ModelError(
        f"{who}: {robot.name!r} has no mass, so nothing of it vibrates: give {who_may_weigh(robot)}"
    )
