"""Motion: the robot moves from here, follows the sliders, and can be looked at again."""

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from flexura.browser.desk import Desk
from flexura.browser.gui import Chart, by_user
from flexura.browser.keep import gif_of, page_of
from flexura.browser.knob import frames
from flexura.browser.study import Study
from flexura.errors import FlexuraError
from flexura.result.instant import Instant
from flexura.solve.motion.integrators import (
    AnyIntegrator,
    GeneralizedAlpha,
    ImplicitEuler,
    SymplecticEuler,
    Variational,
)
from flexura.solve.motion.simulation import Simulation
from flexura.typing import ArrayLike

INTEGRATORS: Mapping[str, Callable[[], AnyIntegrator]] = MappingProxyType(
    {
        "generalized alpha": GeneralizedAlpha,
        "variational": Variational,
        "implicit Euler": ImplicitEuler,
        "symplectic Euler": SymplecticEuler,
    }
)
HERE, UNLOADED = "here, at rest", "unloaded, at rest"
MOST = 20_000  # instants that are kept
FRAME = 1.0 / 30.0  # between pictures [s]
PLOTTED = 600  # points of a plot
PLAY = "play"


class PlayPanel:
    """Plays a motion while sliders drive it; then any of its instants is shown again."""

    def __init__(self, desk: Desk, tab: Any) -> None:
        self._desk, gui = desk, desk.server.gui
        self._simulation: Simulation | None = None
        self._instants: list[Instant] = []
        self._inputs: Mapping[str, ArrayLike] = {}
        self._playing = False
        with tab:
            self._integrator = gui.add_dropdown("Integrator", (*INTEGRATORS,))
            self._start = gui.add_dropdown("Begins", (HERE, UNLOADED))
            self._step = gui.add_number("Step [ms]", 2.0, min=0.001, max=1000.0, step=0.001)
            self._speed = gui.add_slider("Speed", 0.05, 4.0, 0.05, 1.0, hint="1 is real time")
            self._go = gui.add_button("Play")
            self._back = gui.add_button("Back to equilibria", visible=False)
            self._scrub = gui.add_slider("Instant", 0, 1, 1, 0, disabled=True)
            self._said = gui.add_markdown("")
            self._what = gui.add_dropdown("Plot", self._quantities(desk.study))
            self._chart = Chart(gui)
            page = gui.add_button("Keep as a page (HTML)")
            film = gui.add_button("Keep as a film (GIF)")
        self._go.on_click(lambda _: self._toggle())
        self._back.on_click(lambda _: self.stop())
        self._scrub.on_update(by_user(self._scrubbed))
        self._what.on_update(lambda _: desk.worker.ask("plot", self._plot))
        page.on_click(lambda event: self._keep(event, "motion.html", page_of))
        film.on_click(lambda event: self._keep(event, "motion.gif", gif_of))
        desk.on_study.append(self._changed)

    def stop(self) -> None:
        """End the motion; sliders solve for equilibria again."""
        self._pause()
        self._simulation, self._desk.on_inputs = None, None
        self._back.visible, self._scrub.disabled = False, True
        self._desk.turn(self._inputs or self._desk.study.inputs)

    def _changed(self, study: Study) -> None:
        if self._simulation is not None:
            self._pause()
            self._simulation, self._desk.on_inputs = None, None
            self._back.visible = False
        self._instants.clear()
        self._what.options = self._quantities(study)

    def _toggle(self) -> None:
        if self._playing:
            self._pause()
            return
        self._desk.worker.ask(PLAY, self._begin)

    def _pause(self) -> None:
        self._playing, self._go.label = False, "Play"
        self._desk.worker.forget(PLAY)

    def _begin(self) -> None:
        """Make a motion, unless there is one that goes on."""
        if self._simulation is None:
            study = self._desk.study
            start = study.finding.shown if self._start.value == HERE else None
            self._inputs = dict(study.inputs)
            self._simulation = Simulation(
                study.model,
                1e-3 * self._step.value,
                INTEGRATORS[self._integrator.value](),
                start=start,
                inputs=None if start is not None else self._inputs,
            )
            self._instants = [self._simulation.instant]
            self._desk.on_inputs = self._drive
        self._playing, self._go.label, self._back.visible = True, "Pause", True
        self._desk.worker.ask(PLAY, self._advance)

    def _drive(self, inputs: Mapping[str, ArrayLike]) -> None:
        self._inputs = inputs

    def _advance(self) -> None:
        """As many steps as a picture lasts, then the picture."""
        simulation = self._simulation
        if not self._playing or simulation is None:
            return
        began, wanted = time.perf_counter(), simulation.t + FRAME * self._speed.value
        try:
            while simulation.t < wanted and time.perf_counter() - began < 3.0 * FRAME:
                self._instants.append(simulation.step(self._inputs))
        except FlexuraError as error:
            self._pause()
            self._said.content = str(error)
            return
        if len(self._instants) > MOST:
            self._pause()
            self._said.content = f"{MOST} instants are kept: go back, and begin anew"
        self._show(len(self._instants) - 1)
        self._scrub.max, self._scrub.disabled = len(self._instants) - 1, False
        self._scrub.value = len(self._instants) - 1
        self._plot()
        left = FRAME - (time.perf_counter() - began)
        if left > 0.0 and not self._desk.worker.wanted():
            time.sleep(left)
        if self._playing:
            self._desk.worker.ask(PLAY, self._advance)

    def _scrubbed(self) -> None:
        if self._instants:
            self._pause()
            i = min(int(self._scrub.value), len(self._instants) - 1)
            self._desk.worker.ask("scrub", lambda: self._show(i))

    def _show(self, i: int) -> None:
        instant = self._instants[i]
        self._desk.draw(instant)
        self._said.content = f"t = **{instant.t:.3f} s**, energy {instant.energy:.4g} J"

    def _plot(self) -> None:
        """The chosen number over time."""
        if len(self._instants) < 2:
            return
        stride = max(1, len(self._instants) // PLOTTED)
        some = self._instants[::stride]
        measure = _measure(self._what.value)
        t = np.array([instant.t for instant in some])
        y = np.array([measure(instant) for instant in some])
        self._chart.draw(t, y, "t [s]", self._what.value)

    def _keep(self, event: Any, name: str, make: Callable[..., bytes]) -> None:
        """Send the motion to the browser that asks for it."""
        if len(self._instants) < 2 or event.client is None:
            self._said.content = "play a motion first"
            return
        instants, step = list(self._instants), 1e-3 * self._step.value

        def work() -> None:
            content = make(instants, step, self._desk.sight.color)
            event.client.send_file_download(name, content, save_immediately=True)

        self._desk.worker.ask("keep", work)

    @staticmethod
    def _quantities(study: Study) -> tuple[str, ...]:
        places = [f"{frame} {axis}" for frame in frames(study.model) for axis in "xyz"]
        pulls = [f"tension {name}" for name in study.model.tendons.names]
        return ("strain energy", "kinetic energy", *places, *pulls)


def _measure(what: str) -> Callable[[Instant], float]:
    """A number of an instant, by what it is called."""
    if what == "strain energy":
        return lambda instant: instant.energy
    if what == "kinetic energy":
        return lambda instant: instant.kinetic
    if what.startswith("tension "):
        name = what.removeprefix("tension ")
        return lambda instant: float(instant.tension(name))
    frame, axis = what.rsplit(" ", 1)
    return lambda instant: float(instant.pose(frame)["xyz".index(axis), 3])
