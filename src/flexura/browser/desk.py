"""What all panels of a studio share: the robot that is studied, and where it is drawn."""

from collections.abc import Callable, Mapping
from typing import Any

from flexura.browser.canvas import Canvas
from flexura.browser.knob import Bounds
from flexura.browser.staging import Sight, Staging
from flexura.browser.study import Finding, Study, difference
from flexura.browser.words import color_bar, report
from flexura.browser.worker import Worker
from flexura.errors import FlexuraError
from flexura.result.static import StaticResult
from flexura.solve.inverse.inverse import Targets
from flexura.typing import Array, ArrayLike

SOLVE, DRAW = "solve", "draw"


class Desk:
    """Solves in a thread of its own, and shows what it finds.

    Panels ask; whoever wants to know of what is found, or of another robot, listens.

    Attributes:
        server: viser's.
        study: what is solved.
        beside: the same robot in another description; None where only one is shown.
        sight: what is to be seen.
        lines: further lines in the scene, by name.
        bounds: ranges of sliders that the user has given.
        worker: the thread.
        on_finding: are called with each finding.
        on_study: are called with each other robot or description.
        on_inputs: take over the numbers that sliders make, where a motion follows them.
    """

    def __init__(self, server: Any, study: Study, bounds: Bounds | None) -> None:
        self.server, self.study, self.bounds = server, study, bounds
        self.beside: Study | None = None
        self.sight = Sight()
        self.lines: dict[str, Array] = {}
        self.worker = Worker(self.complain)
        self.on_finding: list[Callable[[Finding], None]] = []
        self.on_study: list[Callable[[Study], None]] = []
        self.on_inputs: Callable[[Mapping[str, ArrayLike]], None] | None = None
        self._canvas, self._staging = Canvas(server), Staging()
        self._status = server.gui.add_html("")
        self._bar = server.gui.add_html("")
        self._told = ""

    def begin(self) -> None:
        """Show what was found first, once all panels are there."""
        self.worker.ask(SOLVE, self._begin)

    def turn(self, inputs: Mapping[str, ArrayLike]) -> None:
        """Let inputs have these values: all of them, by name."""
        if self.on_inputs is not None:
            self.on_inputs(inputs)
        else:
            self.worker.ask(SOLVE, lambda: self._solve(inputs))

    def reach(self, target: Targets, bounds: Bounds) -> None:
        """Bring frames to their targets."""
        self.worker.ask(SOLVE, lambda: self.found(self.study.reach(target, bounds)))

    def redraw(self) -> None:
        """Draw again what was found last."""
        self.worker.ask(DRAW, lambda: self._show(self.study.finding))

    def take(self, make: Callable[[], Study]) -> None:
        """Study another robot, or this one in another way."""
        self.worker.ask(SOLVE, lambda: self._take(make()))

    def put_beside(self, make: Callable[[], Study] | None) -> None:
        """Show the robot in another description, too; None for no other."""

        def work() -> None:
            self.beside = None if make is None else make()
            self.found(self.study.finding)

        self.worker.ask("beside", work)

    def found(self, finding: Finding) -> None:
        """Show and tell what was found; in the thread of the worker."""
        if self.beside is not None:
            self.beside.follow(self.study)
        self._show(finding)
        self._tell(finding, None)
        for listen in self.on_finding:
            listen(finding)
        self.worker.when_idle(lambda: self._tell(finding, _accuracy(finding)))

    def draw(self, result: StaticResult) -> None:
        """Draw a robot on its way: an instant, a shape; in the thread of the worker."""
        scene = self._staging.scene(result, self.sight, lines=self.lines)
        self._canvas.show(scene, ground=self.sight.ground)
        self._bar.content = color_bar(scene.scale)

    @property
    def apart(self) -> float | None:
        """Largest distance of the two descriptions [m]; None where there is one."""
        if self.beside is None:
            return None
        return difference(self.study.finding.shown, self.beside.finding.shown)

    def complain(self, error: Exception) -> None:
        """Tell users what went wrong: the library's own errors as they are."""
        own = isinstance(error, FlexuraError)
        title = "flexura" if own else type(error).__name__
        for client in self.server.get_clients().values():
            client.add_notification(title, str(error), color="red", auto_close_seconds=15.0)

    def _begin(self) -> None:
        self._show(self.study.finding, look=True)
        self.found(self.study.finding)

    def _solve(self, inputs: Mapping[str, ArrayLike]) -> None:
        self.found(self.study.solve(inputs))

    def _take(self, study: Study) -> None:
        self.study, self.beside = study, None
        self.lines.clear()
        for listen in self.on_study:
            listen(study)
        self._begin()

    def _show(self, finding: Finding, look: bool = False) -> None:
        other = None if self.beside is None else self.beside.finding.shown
        scene = self._staging.scene(finding.shown, self.sight, other, self.lines)
        if look:
            self._canvas.look(scene)
        self._canvas.show(scene, faded=not finding.good, ground=self.sight.ground)
        self._bar.content = color_bar(scene.scale)

    def _tell(self, finding: Finding, accuracy: float | None) -> None:
        said = report(finding, accuracy)
        if said != self._told:
            self._told = self._status.content = said


def _accuracy(finding: Finding) -> float:
    try:
        return finding.shown.accuracy
    except FlexuraError:
        return float("inf")
