"""What all panels of a studio share: the robot that is studied, and where it is drawn."""

from collections.abc import Callable, Mapping
from typing import Any

from flexura.browser.canvas import Canvas
from flexura.browser.gui import offers
from flexura.browser.knob import Bounds, Knob, knobs
from flexura.browser.offer import followers
from flexura.browser.staging import Sight, Staging, color_of
from flexura.browser.study import Finding, Study
from flexura.browser.words import color_bar, report
from flexura.browser.worker import Worker
from flexura.errors import FlexuraError, ModelError, show
from flexura.result.static import StaticResult
from flexura.solve.inverse.inverse import Targets
from flexura.typing import Array, ArrayLike


class Desk:
    """Solves in a thread of its own, and shows what it finds.

    All that is here, and all that panels remember, belongs to the thread of the worker: events of
    pages only ask it, with ``when_changed`` and ``when_pressed``. Whoever wants to know of what is
    found, or of another robot, listens.

    Attributes:
        server: viser's.
        study: what is solved.
        knobs: numbers of its inputs, with the ranges of their sliders.
        beside: the same robot in another description; None where only one is shown.
        sight: what is to be seen.
        lines: further lines in the scene, by name.
        worker: the thread.
        on_finding: are called with each finding.
        on_moved: are called with each finding whose inputs are not those of the sliders.
        on_study: are called with each other robot or description.
        drive: takes over the numbers that sliders make, where a motion follows them.
    """

    def __init__(self, server: Any, study: Study, bounds: Bounds | None) -> None:
        self.server, self._bounds = server, bounds or {}
        self.beside: Study | None = None
        self.sight = Sight(color_of(study.model.robot))
        self.lines: dict[str, Array] = {}
        self.worker = Worker(self.complain)
        self.on_finding: list[Callable[[Finding], None]] = []
        self.on_moved: list[Callable[[Finding], None]] = []
        self.on_study: list[Callable[[Study], None]] = []
        self.drive: Callable[[Mapping[str, ArrayLike]], None] | None = None
        self._canvas, self._staging = Canvas(server), Staging()
        self._status = server.gui.add_html("")
        self._bar = server.gui.add_html("")
        self._told = ""
        self.study, self.knobs = study, self._made(study)

    def begin(self) -> None:
        """Show what was found first, once all panels are there."""
        self.worker.do(lambda: self.found(self.study.finding, look=True))

    def when_changed(
        self,
        handle: Any,
        kind: str,
        act: Callable[[], None],
        takes: Callable[[object], bool] | None = None,
    ) -> None:
        """Let the worker act on the newest of what users make of a handle.

        What the program itself sets is not heard.

        Args:
            handle: viser's: a slider, a box, a choice.
            kind: of those of one kind, the newest replaces the others.
            act: what to do.
            takes: whether a value makes sense; None for what the handle offers.
        """
        self._hear(handle, lambda: self.worker.latest(kind, act), takes)

    def guard(self, *handles: Any) -> None:
        """Let handles that are read later have no values but those that they offer."""
        for handle in handles:
            self._hear(handle, lambda: None, None)

    def _hear(
        self, handle: Any, then: Callable[[], None], takes: Callable[[object], bool] | None
    ) -> None:
        """Do something whenever users change a handle; what makes no sense is taken back."""
        good = handle.value

        async def heard(event: Any) -> None:  # in the order of events
            nonlocal good
            value = handle.value
            if event.client is None:
                good = value
            elif not (offers(handle, value) if takes is None else takes(value)):
                handle.value = good
                self.complain(ModelError(f"{handle.label} does not take {show(value)}"))
            else:
                good = value
                then()

        handle.on_update(heard)

    def when_pressed(self, button: Any, act: Callable[[Any], object]) -> None:
        """Let the worker act each time that a button is pressed, with viser's event."""

        async def heard(event: Any) -> None:
            self.worker.do(lambda: act(event))

        button.on_click(heard)

    def turn(self, inputs: Mapping[str, ArrayLike], by_sliders: bool = True) -> None:
        """Let inputs have these values: all of them, by name."""
        if self.drive is not None:
            self.drive(inputs)
        else:
            self.found(self.study.solve(inputs), by_sliders=by_sliders)

    def reach(self, target: Targets) -> None:
        """Bring frames to their targets, within the ranges of sliders; not while a motion is on."""
        using = followers(self.study.model)
        bounds = {knob.name: (knob.low, knob.high) for knob in self.knobs if knob.name in using}
        if self.drive is None:
            self.found(self.study.reach(target, bounds), by_sliders=False)

    def take(self, study: Study) -> None:
        """Study another robot, or this one in another way."""
        if study.model.robot is not self.study.model.robot:
            self.knobs = self._made(study)
        self.study, self.beside = study, None
        self.lines.clear()
        for listen in self.on_study:
            listen(study)
        self.found(study.finding, look=True)

    def put_beside(self, study: Study | None) -> None:
        """Show the robot in another description, too; None for no other."""
        self.beside = study
        if self.drive is None:
            self.found(self.study.finding)

    def found(self, finding: Finding, look: bool = False, by_sliders: bool = True) -> None:
        """Show and tell what was found."""
        if self.beside is not None:
            self.beside.follow(self.study)
        self.show_found(look)
        self._tell(finding, None)
        for listen in self.on_finding if by_sliders else [*self.on_moved, *self.on_finding]:
            listen(finding)
        self.worker.when_idle(lambda: self._tell(finding, _accuracy(finding)))

    def show_found(self, look: bool = False) -> None:
        """Draw what was found last, and let pages look at it if they have not seen it yet."""
        finding = self.study.finding
        other = None if self.beside is None else self.beside.finding.shown
        self.show(finding.shown, not finding.good, other, look)

    def show(
        self,
        result: StaticResult,
        faded: bool = False,
        beside: StaticResult | None = None,
        look: bool = False,
    ) -> None:
        """Draw a robot: an equilibrium, an instant, a shape."""
        self._shown = result, faded, beside
        scene = self._staging.scene(result, self.sight, beside, self.lines)
        if look:
            self._canvas.look(scene)
        self._canvas.show(scene, faded, self.sight.ground)
        self._bar.content = color_bar(scene.scale)

    def redraw(self) -> None:
        """Draw again what is shown."""
        self.show(*self._shown)

    @property
    def apart(self) -> float | None:
        """Largest distance of the two descriptions [m]; None where there is one."""
        if self.beside is None:
            return None
        return self.study.apart(self.beside)

    def complain(self, error: Exception) -> None:
        """Tell users what went wrong: the library's own errors as they are."""
        own = isinstance(error, FlexuraError)
        title = "flexura" if own else type(error).__name__
        for client in self.server.get_clients().values():
            client.add_notification(title, str(error), color="red", auto_close_seconds=15.0)

    def _made(self, study: Study) -> list[Knob]:
        """The knobs of a robot, with those bounds that are of its inputs."""
        inputs = study.model.inputs
        given = {name: pair for name, pair in self._bounds.items() if name in inputs}
        return knobs(study.finding.shown, given)

    def _tell(self, finding: Finding, accuracy: float | None) -> None:
        said = report(finding, accuracy)
        if said != self._told:
            self._told = self._status.content = said


def _accuracy(finding: Finding) -> float:
    try:
        return finding.shown.accuracy
    except FlexuraError:
        return float("inf")
