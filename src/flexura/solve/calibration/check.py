"""Other measurements beside what a fitted model says."""

from collections.abc import Sequence

from flexura.errors import ModelError
from flexura.result.calibration import Calibration
from flexura.result.comparison import Comparison
from flexura.robot.observation import Observation
from flexura.solve.calibration.seen import check_observations
from flexura.solve.many import statics_many


def check(fitted: Calibration, observations: Sequence[Observation]) -> Comparison:
    """Observations that need not be those of the fit; see ``Calibration.check``."""
    if fitted.each:
        first = fitted.labels[int(fitted.places[fitted.each[0]].flat[0])]
        raise ModelError(
            f"check: every observation has unknowns of its own, such as {first!r}; calibrate "
            "these observations with them"
        )
    seen = check_observations("check", observations, fitted.model)
    given = [fitted.inputs_of(observation) for observation in seen]
    results = statics_many(fitted.model, given, threads=1, progress=False)
    return Comparison(seen, results, fitted.registration)
