"""The studio: a robot in the browser, live."""

import errno
import os
import socket
import threading
import warnings
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from flexura.browser.guard import guarded, is_loopback
from flexura.browser.heap import share_heap
from flexura.errors import ModelError
from flexura.io.robot_file import load
from flexura.io.target import PathLike, as_path
from flexura.model.build import DEFAULT, build
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.robot.check import flag
from flexura.rods.discretization import Discretization
from flexura.typing import ArrayLike
from flexura.view.extra import require

LOOPBACK = "127.0.0.1"
ANYWHERE = {"0.0.0.0": LOOPBACK, "::": "::1"}  # all addresses, and where this machine finds them
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
        from flexura.browser.knob import check_bounds
        from flexura.browser.panels.description import DescriptionPanel
        from flexura.browser.panels.file import FilePanel
        from flexura.browser.panels.inputs import InputsPanel
        from flexura.browser.panels.look import LookPanel
        from flexura.browser.panels.play import PlayPanel
        from flexura.browser.panels.reach import ReachPanel
        from flexura.browser.panels.sweep import ModesPanel, SweepPanel
        from flexura.browser.study import Study

        check_bounds(model, bounds or {})
        share_heap()
        study = Study(model, inputs)
        with _silent(), guarded(host):
            self._server = viser.ViserServer(host, port, label="flexura", verbose=False)
        self._server.gui.configure_theme(show_logo=False, show_share_button=False)
        self.url = _url(host, self._server.get_port())
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
        with _silent():
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
    model, file, given = _subject(subject, rods)
    return serve(model, inputs or given, bounds, file, host, port, show)


def serve(
    model: Model,
    inputs: Mapping[str, ArrayLike] | None,
    bounds: Mapping[str, tuple[float, float]] | None,
    file: Path | None,
    host: str,
    port: int | None,
    show: bool,
) -> Studio:
    """A studio of a model that came from a file, or not; arguments and errors as for ``studio``."""
    require("studio", "viser", extra="studio")
    flag("studio", "show", show)
    free = _port(host, port)
    if not is_loopback(host):
        warnings.warn(
            f"the studio is served on {host}: whoever reaches that address can see and move this "
            "robot, and change its file if it was opened from one",
            stacklevel=3,
        )
    found = Studio(model, inputs, bounds, file, host, free)
    if show:
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


def _port(host: str, port: int | None) -> int:
    """The port that was asked for, or the first one that is free.

    Raises:
        ModelError: for a port that is none, or that is taken, and for a host that is not here.
    """
    if not isinstance(host, str) or not host:
        raise ModelError(f"host is an address such as {LOOPBACK!r}, got {host!r}")
    if port is not None and not (isinstance(port, int) and 0 < port < 65536):
        raise ModelError(f"port is a whole number from 1 to 65535, got {port!r}")
    tried = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + PORTS)
    try:
        family, *_, address = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
        for one in tried:
            if _free(family, (address[0], one, *address[2:])):
                return one
    except OSError as error:
        raise ModelError(
            f"the studio cannot be served on {host!r}: {error.strerror}; {LOOPBACK} is this "
            "machine for itself, 0.0.0.0 all addresses that it has"
        ) from None
    if port is not None:
        raise ModelError(
            f"the studio cannot be served on {host}:{port}: that port is taken, or not for all; "
            "choose another one, or leave it out"
        )
    raise ModelError(f"no port from {FIRST_PORT} to {FIRST_PORT + PORTS - 1} is free on {host}")


def _free(family: int, address: tuple[int | str, ...]) -> bool:
    """Whether one may listen there.

    Raises:
        OSError: if that is not a matter of the port.
    """
    with socket.socket(family) as probe:
        if os.name == "posix":  # a port that was closed a moment ago is free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            return False
        return True


def _url(host: str, port: int) -> str:
    """Where a browser of this machine finds a page."""
    near = ANYWHERE.get(host, host)
    return f"http://[{near}]:{port}" if ":" in near else f"http://{near}:{port}"


@contextmanager
def _silent() -> Iterator[None]:
    """Let viser not announce itself: it does so by the console of rich."""
    import rich

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
