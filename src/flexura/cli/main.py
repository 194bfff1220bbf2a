"""The command ``flexura``: chooses a subcommand and turns errors into messages."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

import flexura
from flexura.cli import compare, inverse, modes, show, simulate, solve, studio, warm_up
from flexura.errors import FlexuraError

NOT_CONVERGED = 1
WRONG = 2
INTERRUPTED = 130  # as shells have it for Ctrl-C


class Parser(argparse.ArgumentParser):
    """A parser that says which choice may be meant."""

    def error(self, message: str) -> NoReturn:
        """Print the message and leave."""
        wrong = re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message)
        close = wrong and get_close_matches(wrong[1], re.findall(r"[\w-]+", wrong[2]), n=1)
        super().error(f"{message}. Did you mean {close[0]!r}?" if close else message)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line.

    Args:
        arguments: without the name of the program; None takes those of the process.

    Returns:
        Exit code: 0 done, 1 no equilibrium found or motion not followed to its end, 2 wrong input.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without "²" shall not stop the work
            stream.reconfigure(errors="replace")
    options = _parser().parse_args(arguments)
    try:
        converged = options.run(options)
        sys.stdout.flush()
    except FlexuraError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        _fail("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return 0 if converged else NOT_CONVERGED


def _fail(message: str) -> int:
    """Say what is wrong."""
    print(f"flexura: {message}", file=sys.stderr)
    return WRONG


def _parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = Parser(
        prog="flexura",
        description="Mechanics of continuum and soft robots.",
        epilog="example: flexura solve examples/cantilever.toml --plot arm.png",
    )
    parser.add_argument("--version", action="version", version=f"flexura {flexura.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="command", required=True)
    solve.add_command(commands)
    simulate.add_command(commands)
    compare.add_command(commands)
    modes.add_command(commands)
    inverse.add_command(commands)
    show.add_command(commands)
    studio.add_command(commands)
    warm_up.add_command(commands)
    return parser
