"""The studio: a robot in the browser, live."""

import io
import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from flexura.errors import MissingExtra, ModelError
from flexura.io.robot_file import load
from flexura.io.target import PathLike, as_path
from flexura.model.build import DEFAULT, build
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.robot.check import flag
from flexura.rods.discretization import Discretization
from flexura.typing import ArrayLike

if TYPE_CHECKING:
    pass

LOOPBACK = "127.0.0.1"
FIRST_PORT, PORTS = 8080, 100  # that are tried


class Studio:
    """A studio that runs; it ends with ``close`` or with the process.

    Attributes:
        url: where a browser finds it.
        desk: what all panels share.
        file: the panel of the robot file.
    """

    def __init__(self, model: Model, inputs: Mapping[str, ArrayLike] | None,
                 bounds: Mapping[str, tuple[float, float]] | None, file: Path | None,
                 host: str, port: int) -> None:  # fmt: skip
        import viser

        from flexura.browser.desk import Desk
        from flexura.browser.knob import knobs
        from flexura.browser.panels.description import DescriptionPanel
        from flexura.browser.panels.file import FilePanel
        from flexura.browser.panels.inputs import InputsPanel
        from flexura.browser.panels.look import LookPanel
        from flexura.browser.panels.play import PlayPanel
        from flexura.browser.panels.reach import ReachPanel
        from flexura.browser.panels.sweep import ModesPanel, SweepPanel
        from flexura.browser.study import Study

        study = Study(model, inputs)
        knobs(study.finding.shown, bounds)  # raises for bounds that make no sense
        with redirect_stdout(io.StringIO()):  # it would announce itself
            self._server = viser.ViserServer(host, port, label="flexura", verbose=False)
        self._server.gui.configure_theme(show_logo=False, show_share_button=False)
        self.url = f"http://{host if host != '0.0.0.0' else LOOPBACK}:{self._server.get_port()}"
        desk = self.desk = Desk(self._server, study, bounds)
        tabs = self._server.gui.add_tab_group()
        InputsPanel(desk, tabs.add_tab("Inputs"))
        DescriptionPanel(desk, tabs.add_tab("Rods"))
        LookPanel(desk, tabs.add_tab("Look"))
        ReachPanel(desk, tabs.add_tab("Drag"))
        PlayPanel(desk, tabs.add_tab("Play"))
        ways = tabs.add_tab("Sweep")
        SweepPanel(desk, ways)
        ModesPanel(desk, ways)
        self.file = FilePanel(desk, tabs.add_tab("File"), file)
        desk.begin()
        self._closed = threading.Event()

    def close(self) -> None:
        """End it."""
        self.file.close()
        self.desk.worker.close()
        with redirect_stdout(io.StringIO()):
            self._server.stop()
        self._closed.set()

    def wait(self) -> None:
        """Wait until it is closed, or until Ctrl-C."""
        try:
            self._closed.wait()
        except KeyboardInterrupt:
            self.close()

    def _repr_html_(self) -> str:
        """The studio itself, in a notebook on the same machine."""
        return f'<iframe src="{self.url}" width="100%" height="640" frameborder="0"></iframe>'


def studio(
    subject: Model | Robot | StaticResult | PathLike,
    inputs: Mapping[str, ArrayLike] | None = None,
    *,
    rods: Discretization | Mapping[str, Discretization] = DEFAULT,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    host: str = LOOPBACK,
    port: int | None = None,
    show: bool = True,
) -> Studio:
    """Open a robot in the browser: sliders, live equilibria, motion, inverse kinematics.

    The page is served on this machine's loopback address alone, unless another ``host`` is named.
    Nobody can read files of this machine through it, and nothing in robot files is executed.

    Args:
        subject: a model, a robot, a result, or the path of a robot file, which is read again
            whenever it changes.
        inputs: values to begin with, by name.
        rods: how to describe the rods of a robot or a file.
        bounds: least and most of sliders, by name of the input.
        host: address to serve on; others than loopback let others on the network take part.
        port: of that address; the first free one from 8080 on if it is not given.
        show: whether to open a browser.

    Returns:
        The studio, which runs until ``close()``; ``wait()`` waits for that. In a notebook it shows
        itself.

    Raises:
        ModelError: for a subject or options that make no sense.
        FileError: for a file that cannot be read.
        MissingExtra: if viser is not installed.
    """
    try:
        import viser  # noqa: F401
    except ImportError as error:
        if error.name != "viser":
            raise
        raise MissingExtra("studio", "viser", "studio") from error
    model, file, given = _subject(subject, rods)
    found = Studio(model, inputs or given, bounds, file, _host(host), _port(host, port))
    if flag("studio", "show", show):
        webbrowser.open(found.url)
    return found


def _subject(
    subject: object, rods: Discretization | Mapping[str, Discretization]
) -> tuple[Model, Path | None, Mapping[str, ArrayLike] | None]:
    """What to study: a model, the file that it came from, and its inputs."""
    if isinstance(subject, StaticResult):
        return subject.model, None, subject.inputs
    if isinstance(subject, Model):
        return subject, None, None
    if isinstance(subject, Robot):
        return build(subject, rods), None, None
    if isinstance(subject, str | Path):
        file = as_path(subject)
        return build(load(file), rods), file, None
    raise ModelError(
        "studio shows a Model, a Robot, a StaticResult or a robot file by its path, got "
        f"{type(subject).__name__}"
    )


def _host(host: str) -> str:
    """The address, with a warning where others can reach it."""
    if not isinstance(host, str) or not host:
        raise ModelError(f"host is an address such as {LOOPBACK!r}, got {host!r}")
    try:
        near = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        near = False
    if not near:
        print(
            f"flexura: the studio is served on {host}: whoever reaches that address can see and "
            "move this robot, and change its file if it was opened from one",
            file=sys.stderr,
        )
    return host


def _port(host: str, port: int | None) -> int:
    """The port that was asked for, or the first one that is free.

    Raises:
        ModelError: for a port that is none, or that is taken.
    """
    if port is not None and not (isinstance(port, int) and 0 < port < 65536):
        raise ModelError(f"port is a whole number from 1 to 65535, got {port!r}")
    tried = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + PORTS)
    for one in tried:
        with socket.socket() as probe:
            if os.name == "posix":  # a port that was closed a moment ago is free
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, one))
            except OSError as error:
                if port is not None:
                    raise ModelError(
                        f"the studio cannot be served on {host}:{port}: {error.strerror}; choose "
                        "another port, or leave it out"
                    ) from None
                continue
            return one
    raise ModelError(f"no port from {FIRST_PORT} on is free on {host}")
