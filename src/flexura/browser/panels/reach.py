"""A frame that the mouse drags: inputs follow, within the ranges of their sliders."""

from typing import Any

import numpy as np

from flexura.browser.desk import Desk
from flexura.browser.gui import offer
from flexura.browser.knob import frames
from flexura.browser.offer import followers
from flexura.browser.study import Finding, Study
from flexura.browser.words import note
from flexura.lie import quaternion, se3, so3

NONE = "nothing"
FOLLOW = "Tendons, motors and joints follow within the ranges of their sliders."
NOBODY = "Nothing can follow: this robot has no tendon, no motor and no driven joint."
HANDLE = 0.18  # size of the handle, relative to the length


class ReachPanel:
    """Chooses what is dragged."""

    def __init__(self, desk: Desk, tab: Any) -> None:
        self._desk, gui = desk, desk.server.gui
        self._handle: Any = None
        self._dragged = False
        with tab:
            self._frame = gui.add_dropdown("Drag", self._frames(desk.study))
            self._turns = gui.add_checkbox("Turn it, too", False)
            self._said = gui.add_html(self._words(desk.study))
        for choice in (self._frame, self._turns):
            desk.when_changed(choice, "grip", self._grip)
        desk.on_study.append(self._changed)
        desk.on_finding.append(self._follow)

    def _changed(self, study: Study) -> None:
        offer(self._frame, self._frames(study))
        self._frame.value, self._said.content = NONE, self._words(study)
        self._grip()

    @staticmethod
    def _frames(study: Study) -> tuple[str, ...]:
        return (NONE, *frames(study.model)) if followers(study.model) else (NONE,)

    @staticmethod
    def _words(study: Study) -> str:
        return note(FOLLOW if followers(study.model) else NOBODY)

    def _grip(self) -> None:
        """Put a handle on the frame."""
        self._dragged = False
        if self._handle is not None:
            self._handle.remove()
            self._handle = None
        if self._frame.value == NONE:
            return
        study = self._desk.study
        self._handle = self._desk.server.scene.add_transform_controls(
            "/handle",
            scale=HANDLE * study.model.length,
            disable_rotations=not self._turns.value,
            depth_test=False,
        )
        self._place(study.finding)
        self._handle.on_update(self._heard)

    async def _heard(self, event: Any) -> None:
        """The mouse takes the handle, drags it, or lets it go; moves may be heard of late."""
        worker = self._desk.worker
        if event.phase == "start":
            worker.do(self._take)
        elif event.phase == "end":
            worker.do(self._let_go)
        else:
            worker.latest("reach", self._pull)

    def _take(self) -> None:
        self._dragged = True

    def _let_go(self) -> None:
        self._dragged = False
        self._place(self._desk.study.finding)

    def _pull(self) -> None:
        """Let the robot follow the handle."""
        if not self._dragged or self._handle is None:
            return
        position = np.asarray(self._handle.position)
        target = position
        if self._turns.value:
            target = se3.pose(position, so3.log(quaternion.to_matrix(self._handle.wxyz)))
        self._desk.reach({self._frame.value: target})

    def _follow(self, finding: Finding) -> None:
        if self._handle is not None and not self._dragged:
            self._place(finding)

    def _place(self, finding: Finding) -> None:
        """Put the handle where the frame is."""
        if self._handle is not None:
            pose = finding.shown.pose(self._frame.value)
            self._handle.position = tuple(pose[:3, 3].tolist())
            self._handle.wxyz = tuple(quaternion.from_matrix(pose[:3, :3]).tolist())
