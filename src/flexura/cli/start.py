"""Where solves, searches and motions begin: an earlier result that was saved."""

import argparse

from flexura.errors import ModelError
from flexura.io import load_result
from flexura.model.model import Model
from flexura.result.static import StaticResult


def add_start(parser: argparse._ActionsContainer, purpose: str) -> None:
    """The option of a file to begin from.

    Args:
        parser: of the command.
        purpose: what the command does with the file.
    """
    parser.add_argument("--start", metavar="FILE", help=purpose)


def saved(path: str | None) -> StaticResult | None:
    """Where a saved result, a path or a motion ends; None without a file."""
    if path is None:
        return None
    result = load_result(path)
    return result if isinstance(result, StaticResult) else result[-1]


def start_of(path: str | None, model: Model) -> StaticResult | None:
    """Where a saved result or motion of a model ends; None without a file.

    Raises:
        ModelError: if it is of another model.
    """
    found = saved(path)
    if found is not None and found.model != model:
        raise ModelError(
            f"--start {path} is of another robot or description than this one; choose the same "
            "robot file and --rods"
        )
    return found
