"""How rods are described, and a second description beside the first."""

from typing import Any

from flexura.browser.desk import Desk
from flexura.browser.gui import offer
from flexura.browser.offer import DESCRIPTIONS, descriptions
from flexura.browser.study import Finding, Study
from flexura.browser.words import note, size

NONE = "none"


FINEST = 100


class DescriptionPanel:
    """Chooses the description of all rods, its fineness, and one to compare with."""

    def __init__(self, desk: Desk, tab: Any) -> None:
        self._desk, gui = desk, desk.server.gui
        with tab:
            self._as_given = gui.add_html(self._words(desk.study))
            self._name = gui.add_dropdown("Rods", ("spline",))
            self._fine = gui.add_slider("Pieces", 1, FINEST, 1, 12, hint="more is finer")
            self._other = gui.add_dropdown("Beside it", (NONE,))
            self._other_fine = gui.add_slider("Its pieces", 1, FINEST, 1, 12)
            self._apart = gui.add_html("")
        desk.when_changed(self._name, "described", self._named)
        desk.when_changed(self._fine, "described", self._describe)
        desk.when_changed(self._other, "beside", self._other_named)
        desk.when_changed(self._other_fine, "beside", self._put)
        desk.on_finding.append(self._compare)
        desk.on_study.append(self._told)
        self._offer(desk.study)

    def _named(self) -> None:
        self._fine.value = DESCRIPTIONS[self._name.value][1]
        self._describe()

    def _other_named(self) -> None:
        if self._other.value != NONE:
            self._other_fine.value = DESCRIPTIONS[self._other.value][1]
        self._put()

    def _describe(self) -> None:
        rods = DESCRIPTIONS[self._name.value][0](int(self._fine.value))
        self._desk.take(self._desk.study.described(rods))

    def _put(self) -> None:
        if self._other.value == NONE:
            self._desk.put_beside(None)
            return
        rods = DESCRIPTIONS[self._other.value][0](int(self._other_fine.value))
        self._desk.put_beside(self._desk.study.described(rods))

    def _told(self, study: Study) -> None:
        self._as_given.content = self._words(study)
        self._other.value = NONE
        self._offer(study)

    def _offer(self, study: Study) -> None:
        """Only rods have descriptions, and of these the ones that work."""
        names = descriptions(study.model.robot)
        offer(self._name, names)
        offer(self._other, (NONE, *names))
        for handle in (self._name, self._fine, self._other, self._other_fine):
            handle.visible = bool(study.model.rods)

    def _compare(self, finding: Finding) -> None:
        apart = self._desk.apart
        length = finding.result.model.length
        self._apart.content = (
            ""
            if apart is None
            else note(f"apart by {size(apart, 'm')}, {100.0 * apart / length:.3g} % of the length")
        )

    @staticmethod
    def _words(study: Study) -> str:
        choices = dict.fromkeys(str(choice) for choice in study.model.rods.values())
        return note(f"{', '.join(choices) or 'no rods'}: {study.model.n_dof} degrees of freedom")
