"""Sliders for all inputs."""

from collections.abc import Mapping
from typing import Any

from flexura.browser.desk import Desk
from flexura.browser.knob import Knob, numbers_of, parts_of, value_of
from flexura.browser.study import Finding, Study
from flexura.typing import ArrayLike

OPEN = 8  # inputs whose sliders are all unfolded, at most


class InputsPanel:
    """A slider for each number of each input, in a folder for each kind."""

    def __init__(self, desk: Desk, tab: Any) -> None:
        self._desk, self._tab = desk, tab
        self._parts: list[Any] = []
        self._sliders: dict[tuple[str, int], Any] = {}
        self._knobs: list[Knob] = []
        desk.on_study.append(self._build)
        desk.on_moved.append(self._follow)
        self._build(desk.study)

    @property
    def values(self) -> Mapping[str, ArrayLike]:
        """What the sliders say, as ``statics`` takes it."""
        inputs = self._desk.study.model.inputs
        found = dict(self._desk.study.inputs)
        for name, own in parts_of(self._knobs).items():
            numbers = [float(self._sliders[name, knob.number].value) for knob in own]
            found[name] = value_of(inputs[name], numbers)  # type: ignore[assignment]
        return found

    def _build(self, study: Study) -> None:
        if self._knobs is self._desk.knobs:  # the same robot: sliders stay where users have them
            return
        self._knobs = self._desk.knobs
        for part in self._parts:
            part.remove()
        self._parts.clear()
        self._sliders.clear()
        inputs, gui = study.model.inputs, self._desk.server.gui
        kinds: dict[str, list[tuple[str, list[Knob]]]] = {}
        for name, own in parts_of(self._knobs).items():
            kinds.setdefault(inputs[name].kind, []).append((name, own))
        crowded = len(self._knobs) > OPEN
        with self._tab:
            for kind, members in kinds.items():
                folder = gui.add_folder(f"{kind}s".capitalize())
                self._parts.append(folder)
                with folder:
                    for name, own in members:
                        self._add(name, own, folded=crowded and len(own) > 1)
            reset = gui.add_button("Described values", hint="the values of the robot file")
            self._parts.append(reset)
            self._desk.when_pressed(reset, lambda _: self._reset())

    def _add(self, name: str, own: list[Knob], folded: bool) -> None:
        gui = self._desk.server.gui
        if len(own) == 1:
            self._slide(own[0])
            return
        with gui.add_folder(name, expand_by_default=not folded):
            for knob in own:
                self._slide(knob)

    def _slide(self, knob: Knob) -> None:
        slider = self._desk.server.gui.add_slider(
            knob.label, knob.low, knob.high, knob.step, knob.value, hint=knob.meaning
        )
        self._desk.when_changed(slider, "turn", self._turn, knob.takes)
        self._sliders[knob.name, knob.number] = slider

    def _turn(self) -> None:
        self._grow()
        self._desk.turn(self.values)

    def _grow(self) -> None:
        """Ranges have what is written beside sliders in them."""
        for i, knob in enumerate(self._knobs):
            slider = self._sliders[knob.name, knob.number]
            if not knob.low <= slider.value <= knob.high:
                self._knobs[i] = knob = knob.reaching(float(slider.value))
                slider.min, slider.max, slider.step = knob.low, knob.high, knob.step

    def _reset(self) -> None:
        described = self._desk.study.model.inputs.described.by_name()
        self._desk.turn(described, by_sliders=False)

    def _follow(self, finding: Finding) -> None:
        """Sliders go where inputs are that something else has moved."""
        inputs = self._desk.study.model.inputs
        for name, value in finding.result.inputs.items():
            for i, number in enumerate(numbers_of(inputs[name], value)):
                slider = self._sliders[name, i]
                if not abs(slider.value - number) <= slider.step:
                    slider.value = number
        self._grow()
