"""A user of the studio, without a browser: sets and presses what a page shows."""

import asyncio
import inspect
import threading
import time
from contextlib import contextmanager

from viser import GuiEvent

import flexura as fx


class Client:
    """A page that notes what it is sent."""

    def __init__(self):
        self.files = {}

    def send_file_download(self, name, content, save_immediately):
        self.files[name] = content


class User:
    """Does what a user does; what is shown is asked for by its label."""

    def __init__(self, studio):
        self.studio, self.worker, self.client = studio, studio.desk.worker, Client()

    def __getitem__(self, label):
        handles = self.studio.desk.server.gui._gui_input_handle_from_uuid.values()
        found = [x for x in handles if getattr(x, "label", None) == label]
        assert len(found) == 1, [getattr(x, "label", None) for x in handles]
        return found[0]

    @property
    def texts(self):
        """What is written between the sliders and buttons."""
        parts = self.studio.desk.server.gui._container_handle_from_uuid.values()
        shown = [child for part in parts for child in part._children.values()]
        return [x.content for x in shown if hasattr(x, "content")]

    def sets(self, label, value):
        self[label]._impl.value = value
        self._tells(self[label])

    def presses(self, label):
        self._tells(self[label])

    def done(self):
        assert self.worker.wait()
        return self.studio.desk.study

    @contextmanager
    def busy(self):
        """While the worker has something else to do."""
        begun, gate = threading.Event(), threading.Event()

        def hold():
            begun.set()
            gate.wait(60.0)

        self.worker.do(hold)
        assert begun.wait(60.0)
        yield
        gate.set()

    def _tells(self, handle):
        for act in handle._impl.update_cb:
            found = act(GuiEvent(self.client, 0, handle))
            if inspect.iscoroutine(found):
                asyncio.run(found)


def arm(length=0.3):
    steel = fx.Material(young=210e9, poisson=0.3, density=7800.0)
    return fx.Robot(
        "arm",
        rods=[fx.Rod("arm", length, fx.Circle(4e-4), steel)],
        joints=[fx.Weld("world", "arm.base", name="foot")],
        tendons=[
            fx.Tendon("left", "arm", fx.Parallel(8e-3, 0.0)),
            fx.Tendon("right", "arm", fx.Parallel(-8e-3, 0.0)),
        ],
        loads=[fx.Gravity()],
    )


@contextmanager
def opened(subject, **options):
    studio = fx.studio(subject, show=False, **options)
    try:
        user = User(studio)
        user.done()
        yield user
    finally:
        studio.close()


def play(user):
    """Play a motion for a moment."""
    go, end = user["Play"], time.monotonic() + 60.0
    user.presses("Play")
    while user["Instant"].disabled and time.monotonic() < end:
        time.sleep(0.01)
    user.presses(go.label)
    user.done()
