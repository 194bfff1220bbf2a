"""Whether a result is an equilibrium, at rest and with unknowns: what acts on it may be asked."""

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.model.model import Model
from flexura.result.instant import Instant
from flexura.result.integrated import IntegratedResult
from flexura.result.sequence import ResultSequence
from flexura.result.static import StaticResult
from flexura.solve.equilibrium import BALANCED, ForceBalance
from flexura.solve.newton import History

# A robot that moves by less than this, in rad or lengths of the robot in a second, is at rest.
REST = 1e-6


def check_at_rest(who: str, result: StaticResult, bound: str) -> None:
    """Raise unless a result is an equilibrium of a model with unknowns.

    Args:
        who: what asks.
        result: what it is asked of.
        bound: how that is bound to an equilibrium, as "belongs to".
    """
    if not isinstance(result, StaticResult):
        hint = "; take one of them, as [-1]" if isinstance(result, ResultSequence) else ""
        raise ModelError(f"{who} takes the result of statics, got {type(result).__name__}{hint}")
    name = result.model.name
    if isinstance(result, IntegratedResult):
        raise ModelError(
            f"{who} needs unknowns, and shooting has none: build {name!r} with a discretization "
            "and solve it with statics"
        )
    if not result.status.equilibrium:
        raise ModelError(
            f"{who} {bound} an equilibrium, and this result of {name!r} is none: {result.status}; "
            "ask result.unwrap() first"
        )
    if isinstance(result, Instant) and result.tracks.fastest(result.flow) > REST:
        raise ModelError(
            f"{who} {bound} an equilibrium, and {name!r} moves at t = {result.t:.6g} s; take "
            "statics(model, inputs, start=instant)"
        )


def check_without_friction(who: str, model: Model) -> None:
    """Raise for a model with contacts that rub, whose answers depend on the way to them."""
    if model.contacts is not None and model.contacts.frictional:
        raise ModelError(
            f"{who} takes no robot with friction, such as {model.name!r}: answers would depend on "
            "which way changes go; take differences of statics, or friction=0"
        )


def check_untouched(who: str, model: Model) -> None:
    """Raise for a model with contacts, which who asks does not know."""
    if model.contacts is not None:
        raise ModelError(
            f"{who} takes no robot with contacts, such as {model.name!r}: statics and simulate do; "
            "leave the contacts out where nothing touches"
        )


def check_balanced(who: str, assembly: Assembly, bound: str) -> None:
    """Raise unless forces balance where a model was evaluated last; arguments likewise."""
    force, gap = assembly.imbalance(assembly.model.balance)
    left = ForceBalance(assembly).residuals(History([force], [gap]))[0]
    if left > BALANCED:
        raise ModelError(
            f"{who} {bound} an equilibrium, and the forces of {assembly.model.name!r} are out of "
            f"balance by {left:.1g} of their size; take statics(model, inputs, start=result)"
        )
