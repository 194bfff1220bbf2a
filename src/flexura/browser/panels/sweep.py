"""One input from here to there: the path of a frame, with limit points; and vibration modes."""

import math
import time
from typing import Any

import numpy as np

from flexura.browser.desk import Desk
from flexura.browser.gui import Chart, offer
from flexura.browser.knob import Knob, frames, numbers_of, value_of
from flexura.browser.offer import vibrates
from flexura.browser.study import Study
from flexura.browser.words import note
from flexura.result.modes import Modes
from flexura.result.path import EquilibriumPath
from flexura.solve.continuation import continuation
from flexura.solve.linear.modes import modes

COUNT = 6  # modes
PERIOD = 2.0  # of a mode that is shown [s]
CYCLES = 8  # that are shown
MODE = "mode"
CROSS = 0.012  # size of the mark of a limit point, relative to the length


class SweepPanel:
    """Follows equilibria along one input, and shows the way of a frame."""

    def __init__(self, desk: Desk, tab: Any) -> None:
        self._desk, gui = desk, desk.server.gui
        with tab:
            self._input = gui.add_dropdown("Input", self._names())
            self._to = gui.add_number("To", 0.0, step=1e-6)
            self._frame = gui.add_dropdown("Frame", self._frames(desk.study))
            sweep = gui.add_button("Sweep")
            clear = gui.add_button("Clear")
            self._said = gui.add_html("")
            self._chart = Chart(gui)
        desk.guard(self._to, self._frame)
        desk.when_changed(self._input, "aim", self._aim)
        desk.when_pressed(sweep, lambda _: self._run())
        desk.when_pressed(clear, lambda _: self._clear())
        desk.on_study.append(self._changed)
        self._aim()

    def _changed(self, study: Study) -> None:
        offer(self._input, self._names())
        offer(self._frame, self._frames(study))
        self._aim()

    def _names(self) -> tuple[str, ...]:
        return tuple(knob.label for knob in self._desk.knobs) or ("nothing",)

    @property
    def _knob(self) -> Knob | None:
        return next((x for x in self._desk.knobs if x.label == self._input.value), None)

    @staticmethod
    def _frames(study: Study) -> tuple[str, ...]:
        return tuple(frames(study.model)) or ("nothing",)

    def _aim(self) -> None:
        if (knob := self._knob) is not None:
            self._to.value = knob.high

    def _clear(self) -> None:
        self._desk.lines.clear()
        self._desk.redraw()

    def _run(self) -> None:
        if (knob := self._knob) is None:
            return
        study, frame = self._desk.study, self._frame.value
        own = study.model.inputs[knob.name]
        numbers = numbers_of(own, study.inputs[knob.name])
        numbers[knob.number] = float(self._to.value)
        path = continuation(
            study.model, knob.name, value_of(own, numbers), start=study.finding.shown
        )
        self._show(path, knob, frame)

    def _show(self, path: EquilibriumPath, knob: Knob, frame: str) -> None:
        own = path.model.inputs[knob.name]
        x = np.array([numbers_of(own, r.inputs[knob.name])[knob.number] for r in path.results])
        places = path.pose(frame)[:, :3, 3]
        far = np.linalg.norm(places - places[0], axis=1)
        self._chart.draw(x, far, knob.label, f"way of {frame} [m]")
        lines = {f"way of {frame}": places}
        size = CROSS * path.model.length
        for i, mark in enumerate(path.limits):
            at = mark.result.pose(frame)[:3, 3]
            lines[f"limit point {i + 1}"] = at + size * np.array([[-1, 0, 0], [1, 0, 0.0]])
        self._desk.lines.clear()
        self._desk.lines.update(lines)
        turned = f", {len(path.limits)} limit points" if path.limits else ""
        self._said.content = note(f"{len(path)} equilibria{turned}: {path.status}")
        self._desk.redraw()


class ModesPanel:
    """Vibration modes about the equilibrium, slowed down to be seen."""

    def __init__(self, desk: Desk, tab: Any) -> None:
        self._desk, gui = desk, desk.server.gui
        self._modes: Modes | None = None
        self._until = 0.0
        with tab:
            self._find_them = gui.add_button("Modes")
            self._which = gui.add_dropdown("Mode", ("none",), visible=False)
        desk.when_pressed(self._find_them, lambda _: self._find())
        desk.when_changed(self._which, "which", self._watch)
        desk.on_study.append(self._changed)
        desk.on_finding.append(lambda _: self._forget())
        self._changed(desk.study)

    def _changed(self, study: Study) -> None:
        self._forget()
        self._find_them.disabled = not vibrates(study.model)

    def _forget(self) -> None:
        self._modes, self._which.visible = None, False
        self._desk.worker.forget(MODE)

    def _find(self) -> None:
        found = modes(self._desk.study.finding.shown, count=COUNT)
        self._modes = found
        names = [f"{i + 1}: {f:.4g} Hz" for i, f in enumerate(found.frequency.tolist())]
        self._which.options, self._which.visible = tuple(names), True
        self._watch()

    def _watch(self) -> None:
        self._until = time.perf_counter() + CYCLES * PERIOD
        self._desk.worker.latest(MODE, self._move)

    def _move(self) -> None:
        """The next picture of the mode."""
        now = time.perf_counter()
        if self._modes is None or now > self._until:
            self._desk.show_found()
            return
        number = self._which.options.index(self._which.value)
        phase = 2.0 * math.pi * (now % PERIOD) / PERIOD
        self._desk.show(self._modes.shape(number, phase=phase))
        time.sleep(max(0.0, 1.0 / 30.0 - (time.perf_counter() - now)))
        self._desk.worker.latest(MODE, self._move)
