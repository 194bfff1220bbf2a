"""What commands have in common: how they are added, and the files that they write."""

import argparse
from collections.abc import Callable
from typing import Any

from flexura.cli.option import add_background
from flexura.io import result_file
from flexura.io.target import target

PICTURE = "picture (.png, .jpg, .tif, .webp)"


def new_command(
    commands: Any,
    name: str,
    purpose: str,
    description: str,
    examples: str,
    run: Callable[[argparse.Namespace], bool],
) -> argparse.ArgumentParser:
    """Add a command to the parser.

    Args:
        commands: of the parser.
        name: of the command.
        purpose: in a few words, for the list of all commands.
        description: of what it does.
        examples: at the end of its help.
        run: does it; whether it went well.
    """
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=purpose,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def add_picture(parser: argparse._ActionsContainer, text: str = PICTURE) -> None:
    """A picture to write, and what is behind the robot in it."""
    parser.add_argument("--plot", metavar="FILE", help=text)
    add_background(parser)


def check_picture(options: argparse.Namespace) -> None:
    """Refuse a picture that cannot be drawn or written, before the work."""
    if options.plot is None:
        return
    from flexura.view.extra import require
    from flexura.view.picture import SUFFIXES

    require("--plot", "pyvista")
    target(options.plot, "a picture", SUFFIXES)


def check_result(options: argparse.Namespace) -> None:
    """Refuse a file for a result that cannot be written, before the work."""
    if options.save is not None:
        target(options.save, "a result", result_file.SUFFIXES)
