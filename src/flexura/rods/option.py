"""Checks of the options of discretizations."""

import numpy as np

from flexura.errors import ModelError


def check_count(who: str, what: str, value: object, most: int, hint: str = "") -> None:
    """Raise unless an option is a whole number from 1 to ``most``."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or not 1 <= int(value) <= most:  # type: ignore[call-overload]
        advice = f"; {hint}" if hint else ""
        raise ModelError(
            f"{who} {what} must be a whole number from 1 to {most}, got {value!r}{advice}"
        )
