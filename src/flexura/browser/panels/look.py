"""What is to be seen, and pictures of it to keep."""

from dataclasses import replace
from typing import Any

from flexura.browser.desk import Desk
from flexura.view.component import COMPONENTS
from flexura.view.picture import encoded

PLAIN = "plain"
SIZE = (1440, 900)  # width and height of a picture
WAIT = 30.0  # for a browser that takes a picture [s]
SWITCHES = {
    "tendons": "Tendons",
    "frames": "Frames",
    "loads": "Loads and contact forces",
    "names": "Names",
    "ghost": "Unloaded shape",
    "ground": "Ground",
}


class LookPanel:
    """Colours, and what of the scene is shown."""

    def __init__(self, desk: Desk, tab: Any) -> None:
        self._desk, gui = desk, desk.server.gui
        with tab:
            self._color = gui.add_dropdown(
                "Colour", (PLAIN, *COMPONENTS), initial_value=desk.sight.color or PLAIN
            )
            self._switches = {
                name: gui.add_checkbox(label, getattr(desk.sight, name))
                for name, label in SWITCHES.items()
            }
            picture = gui.add_button("Picture (PNG)")
        for handle in (self._color, *self._switches.values()):
            desk.when_changed(handle, "look", self._change)
        picture.on_click(self._take)

    def _change(self) -> None:
        color = None if self._color.value == PLAIN else self._color.value
        chosen = {name: handle.value for name, handle in self._switches.items()}
        self._desk.sight = replace(self._desk.sight, color=color, **chosen)
        self._desk.redraw()

    def _take(self, event: Any) -> None:
        """Let the browser that asks take a picture of what it sees; the worker need not wait."""
        try:
            width, height = SIZE
            pixels = event.client.get_render(height, width, transport_format="png", timeout=WAIT)
        except TimeoutError as error:
            self._desk.complain(error)
            return
        picture = encoded(pixels, ".png")
        event.client.send_file_download("robot.png", picture, save_immediately=True)
