"""What a page of the studio is for its server: it moves sliders, and is sent scenes.

The messages are viser's: msgpack in zstd, then arrays. Nothing is drawn here.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WAIT = 30.0  # [s], for anything
CAMERA = {
    "wxyz": (1.0, 0.0, 0.0, 0.0),
    "position": (1.0, 1.0, 1.0),
    "fov": 0.8,
    "near": 0.01,
    "far": 100.0,
    "image_height": 800,
    "image_width": 1200,
    "look_at": (0.0, 0.0, 0.0),
    "up_direction": (0.0, 0.0, 1.0),
}


class Page:
    """A connection to a studio; one that was lost is made again, as browsers do.

    Attributes:
        url: of the studio.
        sliders: identifiers and ranges of sliders, by their labels without units.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.sliders: dict[str, tuple[str, float, float]] = {}
        self._connect()
        self._listen(WAIT, lambda message: message["type"] == "GuiHtmlMessage")
        self.settle()

    def move(self, label: str, part: float) -> None:
        """Move a slider to a part of its range."""
        identifier, low, high = self.sliders[label]
        value = low + part * (high - low)
        self._send({"type": "GuiUpdateMessage", "uuid": identifier, "updates": {"value": value}})

    def scene(self, timeout: float = WAIT) -> bool:
        """Wait for the next change of the robot; whether it came in time [s]."""
        return self._listen(timeout, _moves_the_robot)

    def settle(self, quiet: float = 1.0) -> None:
        """Wait until nothing has come for a while [s]."""
        while self._listen(quiet, lambda message: True):
            pass

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def _connect(self) -> None:
        import viser
        from websockets.sync.client import connect

        self._socket = connect(
            self.url.replace("http", "ws"),
            subprotocols=[f"viser-v{viser.__version__}"],  # type: ignore[list-item]
            max_size=None,
        )
        self._send({"type": "ViewerCameraMessage", **CAMERA})  # without one it is not listened to

    def _send(self, message: dict[str, Any]) -> None:
        import msgspec
        from websockets.exceptions import ConnectionClosed

        packed = msgspec.msgpack.encode(message)
        try:
            self._socket.send(packed)
        except ConnectionClosed:  # a machine that had no time for either side
            self._connect()
            self._socket.send(packed)

    def _listen(self, timeout: float, wanted: Any) -> bool:
        from websockets.exceptions import ConnectionClosed

        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0.0:
            try:
                messages = _messages(self._socket.recv(timeout=left))
            except TimeoutError:
                return False
            except ConnectionClosed:
                self._connect()
                continue
            for message in messages:
                if message["type"] == "GuiSliderMessage":
                    props = message["props"]
                    own = (message["uuid"], props["min"], props["max"])
                    self.sliders[props["label"].partition(" [")[0]] = own
            if any(wanted(message) for message in messages):
                return True
        return False


@contextmanager
def served(file: Path, port: int) -> Iterator[tuple[subprocess.Popen[str], Page]]:
    """A studio in a process of its own, as users have it, and a page on it."""
    command = [sys.executable, "-m", "flexura", "studio", str(file), "--no-browser"]
    process = subprocess.Popen(
        [*command, "--port", str(port)], stdout=subprocess.PIPE, text=True, bufsize=1
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()  # once it listens
        page = Page(line.split()[2])
        yield process, page
        page.close()
    finally:
        process.terminate()
        process.wait()


def _messages(raw: bytes | str) -> list[dict[str, Any]]:
    import msgspec
    import zstandard

    assert isinstance(raw, bytes)
    size = int.from_bytes(raw[8:16], "little")
    payload = zstandard.ZstdDecompressor().decompress(raw[16 : 16 + size])
    found: dict[str, Any] = msgspec.msgpack.decode(payload)
    return list(found["messages"])


def _moves_the_robot(message: dict[str, Any]) -> bool:
    """Whether a message changes the points of something that is drawn."""
    if message["type"] == "SceneNodeUpdateMessage":
        return message["name"].startswith("/robot") and "vertices" in message["updates"]
    return message["type"] == "MeshMessage" and message["name"].startswith("/robot")
