"""One thread that does what it is asked in order, and of values the newest only."""

import threading
from collections.abc import Callable
from itertools import dropwhile

Work = Callable[[], object]
QUIET = 0.2  # without anything to do, before what can wait is done [s]


class Worker:
    """Does one thing at a time: commands in their order, each of them; of values only the newest.

    A slider that moves asks a hundred times while one solve lasts: what waits is replaced, so that
    there is never a queue. A button that is pressed is heard each time.

    Args:
        on_error: hears of exceptions; the thread goes on.
    """

    def __init__(self, on_error: Callable[[Exception], None]) -> None:
        self._waiting: dict[object, Work] = {}  # by kind; what is done each time is one of its own
        self._idle: Work | None = None
        self._changed = threading.Condition()
        self._busy = self._closed = False
        self._on_error = on_error
        self._thread = threading.Thread(target=self._run, name="flexura studio", daemon=True)
        self._thread.start()

    def do(self, work: Work) -> None:
        """Do this after all that was asked before."""
        self._ask(object(), work)

    def latest(self, kind: str, work: Work) -> None:
        """Do this instead of what waits of the same kind, and in its place in the order.

        What was to be done each time stays before it, if it was asked for before.
        """
        with self._changed:
            since = dropwhile(lambda other: other != kind, self._waiting)
            if any(not isinstance(other, str) for other in since):
                del self._waiting[kind]
            self._ask(kind, work)

    def when_idle(self, work: Work) -> None:
        """Do this once nothing else has been asked for a while, instead of what waits for that."""
        with self._changed:
            self._idle = work
            self._changed.notify_all()

    def forget(self, kind: str) -> None:
        """Do not do what waits of that kind."""
        with self._changed:
            self._waiting.pop(kind, None)

    def wanted(self, *kinds: str) -> bool:
        """Whether anything of these kinds waits, of any kind if none is named."""
        with self._changed:
            return any(kind in self._waiting for kind in kinds or self._waiting)

    def wait(self, timeout: float = 60.0) -> bool:
        """Wait until there is nothing left to do; whether that came true in time [s]."""
        with self._changed:
            return self._changed.wait_for(self._done, timeout)

    def close(self) -> None:
        """Do nothing more."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._idle = None
            self._changed.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(10.0)

    def _ask(self, kind: object, work: Work) -> None:
        with self._changed:
            self._waiting[kind] = work
            self._changed.notify_all()

    def _run(self) -> None:
        while (work := self._next()) is not None:
            try:
                work()
            except Exception as error:  # whatever it is, the studio lives on and says so
                self._on_error(error)
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    def _next(self) -> Work | None:
        """What to do next, waiting for it; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._idle or self._closed)
            if not self._waiting and not self._closed:
                self._changed.wait_for(lambda: self._waiting or self._closed, QUIET)
            if self._closed:
                return None
            self._busy = True
            if self._waiting:
                return self._waiting.pop(next(iter(self._waiting)))
            work, self._idle = self._idle, None
            return work

    def _done(self) -> bool:
        return not (self._waiting or self._idle or self._busy)
