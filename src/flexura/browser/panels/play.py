"""Motion: the robot moves from here, follows the sliders, and can be looked at again."""

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from flexura.browser.desk import Desk
from flexura.browser.gui import Chart, offer
from flexura.browser.keep import animated
from flexura.browser.knob import frames
from flexura.browser.offer import INTEGRATORS, integrators
from flexura.browser.study import Study
from flexura.browser.words import note
from flexura.errors import FlexuraError
from flexura.result.instant import Instant
from flexura.solve.motion.flight import weighs
from flexura.solve.motion.simulation import Simulation
from flexura.typing import ArrayLike

ENERGIES: Mapping[str, Callable[[Instant], float]] = MappingProxyType(
    {
        "energy": lambda instant: instant.energy,
        "elastic energy": lambda instant: instant.elastic,
        "kinetic energy": lambda instant: instant.kinetic,
        "energy of gravity": lambda instant: instant.gravity,
    }
)
HERE, UNLOADED = "here, at rest", "unloaded, at rest"
MOST = 20_000  # instants that are kept
FRAME = 1.0 / 30.0  # between pictures [s]
PLOTTED = 600  # points of a plot
PLAY = "play"
WEIGHTLESS = "nothing of this robot has mass: give rods a density or bodies a mass to play it"


class PlayPanel:
    """Plays a motion while sliders drive it; then any of its instants is shown again."""

    def __init__(self, desk: Desk, tab: Any) -> None:
        self._desk, gui = desk, desk.server.gui
        self._simulation: Simulation | None = None
        self._instants: list[Instant] = []
        self._inputs: Mapping[str, ArrayLike] = {}
        self._playing = False
        with tab:
            self._integrator = gui.add_dropdown("Integrator", integrators(desk.study.model))
            self._start = gui.add_dropdown("Begins", (HERE, UNLOADED))
            self._step = gui.add_number("Step [ms]", 1.0, min=0.001, max=1000.0, step=0.001)
            self._speed = gui.add_slider("Speed", 0.05, 4.0, 0.05, 1.0, hint="1 is real time")
            self._go = gui.add_button("Play")
            self._back = gui.add_button("Back to equilibria", visible=False)
            self._scrub = gui.add_slider("Instant", 0, 1, 1, 0, disabled=True)
            self._said = gui.add_html("")
            self._what = gui.add_dropdown("Plot", self._quantities(desk.study))
            self._chart = Chart(gui)
            page = gui.add_button("Keep as a page (HTML)")
            film = gui.add_button("Keep as a film (GIF)")
        desk.guard(self._integrator, self._start, self._step, self._speed)
        desk.when_pressed(self._go, lambda _: self._toggle())
        desk.when_pressed(self._back, lambda _: self._stop())
        desk.when_changed(self._scrub, "scrub", self._scrubbed)
        desk.when_changed(self._what, "plot", self._plot)
        desk.when_pressed(page, lambda event: self._keep(event.client, ".html"))
        desk.when_pressed(film, lambda event: self._keep(event.client, ".gif"))
        desk.on_study.append(self._changed)
        self._offer(desk.study)

    def _stop(self) -> None:
        """End the motion; sliders solve for equilibria again."""
        self._end()
        self._desk.turn(self._inputs)

    def _changed(self, study: Study) -> None:
        self._end()
        self._simulation = None
        self._instants.clear()
        self._offer(study)

    def _offer(self, study: Study) -> None:
        """What moves by itself can be played, by the integrators that take it."""
        offer(self._integrator, integrators(study.model))
        offer(self._what, self._quantities(study))
        self._go.disabled = not weighs(study.model)
        self._said.content = note(WEIGHTLESS) if self._go.disabled else ""

    def _end(self) -> None:
        self._pause()
        self._desk.drive = None
        self._back.visible, self._scrub.disabled = False, True

    def _toggle(self) -> None:
        if self._playing:
            self._pause()
        else:
            self._begin()

    def _pause(self) -> None:
        self._playing, self._go.label = False, "Play"
        self._desk.worker.forget(PLAY)

    def _begin(self) -> None:
        """Make a motion, unless there is one that goes on."""
        if self._desk.drive is None:
            study = self._desk.study
            start = study.finding.shown if self._start.value == HERE else None
            self._inputs = dict(study.inputs)
            self._simulation = Simulation(
                study.model,
                1e-3 * self._step.value,
                INTEGRATORS[self._integrator.value],
                start=start,
                inputs=None if start is not None else self._inputs,
                record=True,
            )
            self._instants = [self._simulation.instant]
            self._desk.drive = self._drive
        self._playing, self._go.label, self._back.visible = True, "Pause", True
        self._desk.worker.latest(PLAY, self._advance)

    def _drive(self, inputs: Mapping[str, ArrayLike]) -> None:
        self._inputs = inputs

    def _advance(self) -> None:
        """As many steps as a picture lasts, then the picture."""
        simulation = self._simulation
        if not self._playing or simulation is None:
            return
        began, wanted = time.perf_counter(), simulation.t + FRAME * self._speed.value
        words = ""
        try:
            while simulation.t < wanted and time.perf_counter() - began < 3.0 * FRAME:
                self._instants.append(simulation.step(self._inputs))
        except FlexuraError as error:
            words = str(error)
        if len(self._instants) > MOST:
            words = f"{MOST} instants are kept: go back, and begin anew"
        if words:
            self._pause()
        self._show(len(self._instants) - 1, words or "\n".join(simulation.motion().remarks))
        self._scrub.max, self._scrub.disabled = len(self._instants) - 1, False
        self._scrub.value = len(self._instants) - 1
        self._plot()
        left = FRAME - (time.perf_counter() - began)
        if left > 0.0 and not self._desk.worker.wanted():
            time.sleep(left)
        if self._playing:
            self._desk.worker.latest(PLAY, self._advance)

    def _scrubbed(self) -> None:
        if self._instants:
            self._pause()
            self._show(min(int(self._scrub.value), len(self._instants) - 1))

    def _show(self, i: int, words: str = "") -> None:
        instant = self._instants[i]
        self._desk.show(instant)
        told = f"t = {instant.t:.3f} s, energy {instant.energy:.4g} J"
        self._said.content = note(f"{told}\n{words}" if words else told)

    def _plot(self) -> None:
        """The chosen number over time."""
        if len(self._instants) < 2:
            return
        stride = max(1, len(self._instants) // PLOTTED)
        some = self._instants[::stride]
        measure = measure_of(self._what.value)
        t = np.array([instant.t for instant in some])
        y = np.array([measure(instant) for instant in some])
        self._chart.draw(t, y, "t [s]", self._what.value)

    def _keep(self, client: Any, suffix: str) -> None:
        """Send the motion to the browser that asks for it."""
        if self._simulation is None or len(self._instants) < 2:
            self._said.content = note("play a motion first")
            return
        content = animated(self._simulation.motion(), self._desk.sight.color, suffix)
        client.send_file_download(f"motion{suffix}", content, save_immediately=True)

    @staticmethod
    def _quantities(study: Study) -> tuple[str, ...]:
        places = [f"{frame} {axis}" for frame in frames(study.model) for axis in "xyz"]
        pulls = [f"tension {name}" for name in study.model.tendons.names]
        return (*ENERGIES, *places, *pulls)


def measure_of(what: str) -> Callable[[Instant], float]:
    """A number of an instant, by what it is called."""
    if what in ENERGIES:
        return ENERGIES[what]
    if what.startswith("tension "):
        name = what.removeprefix("tension ")
        return lambda instant: float(instant.tension(name))
    frame, axis = what.rsplit(" ", 1)
    return lambda instant: float(instant.pose(frame)["xyz".index(axis), 3])
