"""The robot file: as text, with the library's own words about what is wrong with it."""

import threading
from pathlib import Path
from typing import Any

from flexura.browser.desk import Desk
from flexura.browser.study import Study
from flexura.browser.words import note
from flexura.errors import FlexuraError
from flexura.io.robot_file import robot_of_text, text_of_robot
from flexura.io.target import write_whole
from flexura.robot import Robot

LOOK = 0.5  # how often the file is looked at [s]
LARGEST = 2_000_000  # characters of a text that is read


class FilePanel:
    """Edits and saves the robot; reads it again when its file changes.

    Only the file that the studio was opened with is read or written. Meshes that a text names must
    be named by that file already: no other path can be read through a browser.
    """

    def __init__(self, desk: Desk, tab: Any, file: Path | None) -> None:
        self._desk, self._file, gui = desk, file, desk.server.gui
        self._closed = threading.Event()
        self._meshes = {str(v.mesh.path) for v in desk.study.model.robot.volumes if v.mesh.path}
        self._stamp = self._seen()
        with tab:
            self._text = gui.add_text("Robot file", self._written(desk.study), multiline=True)
            self._said = gui.add_html("")
            use = gui.add_button("Use this text")
            save = gui.add_button("Save", disabled=file is None, hint=file and str(file.name))
            fetch = gui.add_button("Download")
            given = gui.add_upload_button("Open a robot file", mime_type=".toml")
        desk.when_pressed(use, lambda _: self._use(self._text.value))
        desk.when_pressed(save, lambda _: self._save())
        fetch.on_click(
            lambda e: e.client.send_file_download(
                "robot.toml", self._text.value.encode(), save_immediately=True
            )
        )
        given.on_upload(lambda e: desk.worker.do(lambda: self._open(e.target.value)))
        if file is not None:
            threading.Thread(target=self._watch, name="robot file", daemon=True).start()

    def close(self) -> None:
        """Look at the file no more."""
        self._closed.set()

    def _use(self, text: str) -> bool:
        """Study the robot of a text; whether it is one."""
        try:
            study = self._desk.study.rebuilt(self.read(text))
        except FlexuraError as error:
            self._said.content = note(str(error))
            return False
        self._said.content = ""
        self._desk.take(study)
        return True

    def read(self, text: str) -> Robot:
        """The robot of a text.

        Raises:
            FlexuraError: if it is none, or names a mesh file that was not opened.
        """
        if len(text) > LARGEST:
            raise FlexuraError(f"a robot file has at most {LARGEST} characters here")
        folder = None if self._file is None else self._file.parent
        return robot_of_text(text, "robot file", folder, self._meshes)

    def _open(self, uploaded: Any) -> None:
        try:
            text = uploaded.content.decode()
        except UnicodeDecodeError:
            self._said.content = note(f"{uploaded.name} is not a text")
            return
        self._text.value = text
        self._use(text)

    def _save(self) -> None:
        if self._file is not None and self._use(self._text.value):
            write_whole(self._file, self._text.value.encode())
            self._stamp = self._seen()
            self._said.content = note(f"saved as {self._file.name}")

    def _written(self, study: Study) -> str:
        if self._file is not None and self._file.exists():
            return self._file.read_text(encoding="utf-8")
        try:
            return text_of_robot(study.model.robot)
        except FlexuraError as error:
            return f"# {error}"

    def _seen(self) -> object:
        """What tells one state of the file from another."""
        if self._file is None:
            return None
        try:
            found = self._file.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    def _watch(self) -> None:
        while not self._closed.wait(LOOK):
            seen = self._seen()
            if seen is not None and seen != self._stamp:
                self._stamp = seen
                self._desk.worker.do(self._again)

    def _again(self) -> None:
        """The file has changed: study what it says now."""
        assert self._file is not None
        try:
            text = self._file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            self._said.content = note(f"{self._file.name} cannot be read: {error}")
            return
        self._text.value = text
        self._use(text)
