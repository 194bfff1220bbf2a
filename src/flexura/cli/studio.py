"""``flexura studio``: a robot in the browser, live."""

import argparse
import sys
import warnings
from typing import Any

from flexura.browser.studio import LOOPBACK, serve
from flexura.cli.command import new_command
from flexura.cli.option import (
    add_discretization,
    add_inputs,
    add_robot,
    bounds,
    discretization,
    inputs,
)
from flexura.errors import ModelError
from flexura.io import load
from flexura.io.target import as_path
from flexura.model.build import build

DESCRIPTION = """\
Open a robot in the browser: sliders for all inputs, live equilibria, motion, inverse kinematics.

The page is served on this machine alone; the file is read again whenever it changes. Ctrl-C ends
it. Needs the extra "studio".
"""
EXAMPLE = """\
examples:
  flexura studio examples/arm.toml
  flexura studio examples/arm.toml --input right=2 --bounds right=0:5 --rods variable-strain
"""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = new_command(
        commands, "studio", "open a robot in the browser", DESCRIPTION, EXAMPLE, run
    )
    add_robot(parser)
    add_inputs(parser)
    parser.add_argument(
        "--bounds",
        action="append",
        default=[],
        metavar="NAME=LEAST:MOST",
        help="ends of the sliders of an input; may be repeated",
    )
    add_discretization(parser)
    page = parser.add_argument_group("page")
    page.add_argument(
        "--host",
        default=LOOPBACK,
        help=f"address to serve on (default {LOOPBACK}); others let others take part",
    )
    page.add_argument("--port", type=int, help="of that address (default: a free one from 8080 on)")
    page.add_argument("--no-browser", action="store_true", help="do not open a browser")


def run(options: argparse.Namespace) -> bool:
    """Serve the page until it is ended."""
    choice = discretization(options)
    if choice is None:
        raise ModelError("--rods shooting is for single solves; choose another for the studio")
    file = as_path(options.robot)
    model = build(load(file), choice)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found = serve(
            model,
            inputs(model.inputs, options.input),
            bounds(options.bounds),
            file,
            options.host,
            options.port,
            show=not options.no_browser,
        )
    for warning in warned:
        print(f"flexura: {warning.message}", file=sys.stderr)
    print(f"flexura studio: {found.url} (Ctrl-C ends it)", flush=True)
    found.wait()
    return True
