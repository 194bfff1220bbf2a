"""The command ``flexura warm-up``: compiles all kernels before they are needed."""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from flexura._kernel import be_quiet, compile_here, seconds_spent_compiling
from flexura.cli.option import CHOICES
from flexura.lie import se3
from flexura.model.build import build
from flexura.progress import Progress
from flexura.robot import (
    At,
    Ball,
    Body,
    Circle,
    Discs,
    Gravity,
    Hinge,
    LineLoad,
    Material,
    Parallel,
    PointLoad,
    Robot,
    Rod,
    Tendon,
    Weld,
)
from flexura.robot.check import check_count
from flexura.solve.continuation import continuation
from flexura.solve.motion.simulate import simulate
from flexura.solve.shooting import shooting
from flexura.solve.statics import statics

# Its own weight bends it a little.
NYLON = Material(young=1e9, poisson=0.4, density=1000.0, viscosity=1e4)


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "warm-up",
        help="compile everything now, so that no first solve has to",
        description="Solve and move small robots with every description, so that all kernels are "
        "compiled and kept on disk. The first solve of each kind takes no longer than others then.",
    )
    parser.add_argument(
        "--processes", type=int, metavar="N", help="at a time (default: one for each core)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> bool:
    """Compile; the most common description first, as the others share much with it."""
    processes = os.cpu_count() or 1
    if options.processes is not None:
        check_count("warm-up", "--processes", options.processes, 1000)
        processes = options.processes
    first, *others = CHOICES
    spawn = get_context("spawn")
    with (
        Progress(len(CHOICES), "descriptions compiled") as bar,
        ProcessPoolExecutor(processes, spawn, initializer=_compile_quietly) as pool,
    ):
        spent = pool.submit(warm, first).result()
        bar.advance()
        for done in as_completed([pool.submit(warm, choice) for choice in others]):
            spent += done.result()
            bar.advance()
    print(f"kernels are compiled ({spent:.0f} s of work) and kept on disk")
    return True


def _compile_quietly() -> None:
    be_quiet()
    compile_here()


def warm(choice: str) -> float:
    """Solve small robots with a description; the seconds that compiling took."""
    before = seconds_spent_compiling()
    make = CHOICES[choice].make
    if make is None:
        for robot in (chain(), held()):
            shooting(robot)
        return seconds_spent_compiling() - before
    for robot in (chain(), arm(), held(), loop()):
        model = build(robot, rods=make())
        statics(model, start=statics(model))
        simulate(model, 2e-6, 1e-6)
    continuation(build(chain(), rods=make()), "tip", (0, 0, 0, 0, 0.1, 0), steps=2)
    return seconds_spent_compiling() - before


def chain() -> Robot:
    """A rod with all loads, and tendons driven both ways."""
    return Robot(
        "chain",
        rods=[_rod("stem")],
        joints=[Weld("world", "stem.base", name="base")],
        loads=[
            Gravity(),
            PointLoad("tip", "stem.tip"),
            PointLoad("along", At("stem", 0.5), force=(0.0, 0.1, 0.0), follower=True),
            LineLoad("line", "stem", force=(0.0, 0.1, 0.0)),
        ],
        tendons=[
            Tendon("left", "stem", Parallel(0.03, 0.0)),
            Tendon("right", "stem", Parallel(-0.03, 0.0), drive="length"),
        ],
    )


def arm() -> Robot:
    """Two rods with a body and a driven hinge between them, a tendon and a load that follows."""
    return Robot(
        "arm",
        rods=[_rod("stem"), _rod("hand")],
        bodies=[Body("plate", mass=0.01)],
        joints=[
            Weld("world", "stem.base"),
            Hinge("knee", "stem.tip", "plate", axis=(0, 1, 0), driven=True),
            Weld("plate", "hand.base"),
        ],
        loads=[Gravity(), PointLoad("turn", "hand.tip", moment=(0.0, 0.01, 0.0), follower=True)],
        tendons=[Tendon("pull", "stem", Discs([0.3, 0.6, 0.9], 0.03, 0.0))],
    )


def held() -> Robot:
    """A rod that is held at both ends."""
    end = Weld("stem.tip", "world", offset=se3.inverse(se3.pose((0.9, 0.1, 0.0))), name="end")
    return Robot("held", [_rod("stem")], [Weld("world", "stem.base"), end], [Gravity()])


def loop() -> Robot:
    """Two rods that carry a platform, and a ball that holds a third one there."""
    across = se3.pose((0.0, 0.2, 0.0))
    return Robot(
        "loop",
        rods=[_rod("left"), _rod("right"), _rod("middle")],
        bodies=[Body("platform", mass=0.01)],
        joints=[
            Weld("world", "left.base"),
            Weld("world", "right.base", offset=across),
            Weld("world", "middle.base", offset=se3.pose((0.0, 0.1, 0.0))),
            Weld("left.tip", "platform"),
            Weld("platform", "right.tip", offset=across),
            Ball("ball", "middle.tip", "platform", offset=se3.pose((0.0, -0.1, 0.0))),
        ],
        loads=[PointLoad("push", "platform", force=(0.0, 0.01, 0.01))],
    )


def _rod(name: str) -> Rod:
    return Rod(name, 1.0, Circle(0.01), NYLON)
