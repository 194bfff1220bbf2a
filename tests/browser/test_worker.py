import ctypes
import subprocess
import sys
import threading

import pytest

from flexura.browser import heap
from flexura.browser.worker import Worker


@pytest.fixture
def errors():
    return []


@pytest.fixture
def worker(errors):
    found = Worker(errors.append)
    yield found
    found.close()


@pytest.fixture
def busy(worker):
    """The worker does something else until it is told to go on."""
    begun, gate = threading.Event(), threading.Event()

    def hold():
        begun.set()
        gate.wait(60.0)

    worker.do(hold)
    assert begun.wait(60.0)
    return gate.set


def test_only_the_newest_value_of_a_kind_counts(worker, busy):
    done = []
    for i in range(100):
        worker.latest("solve", lambda i=i: done.append(i))
    busy()
    assert worker.wait()
    assert done == [99]


def test_commands_are_all_done_in_their_order(worker, busy):
    done = []
    for i in range(100):
        worker.do(lambda i=i: done.append(i))
    busy()
    assert worker.wait()
    assert done == [*range(100)]


def test_kinds_are_done_in_the_order_in_which_they_were_first_asked_for(worker, busy):
    done = []
    for kind in ("solve", "draw", "solve"):
        worker.latest(kind, lambda kind=kind: done.append(kind))
    busy()
    assert worker.wait()
    assert done == ["solve", "draw"]


def test_a_value_that_comes_after_a_command_is_used_after_it(worker, busy):
    done = []
    worker.latest("solve", lambda: done.append("old"))
    worker.do(lambda: done.append("command"))
    worker.latest("solve", lambda: done.append("new"))
    busy()
    assert worker.wait()
    assert done == ["command", "new"]


def test_what_can_wait_comes_last(worker, busy):
    done = []
    worker.when_idle(lambda: done.append("accuracy"))
    worker.latest("solve", lambda: done.append("solve"))
    busy()
    assert worker.wait()
    assert done == ["solve", "accuracy"]


def test_an_error_is_told_and_work_goes_on(worker, errors):
    done = []
    worker.do(lambda: 1 / 0)
    worker.do(lambda: done.append(1))
    assert worker.wait()
    assert done == [1]
    assert isinstance(errors[0], ZeroDivisionError)


def test_forgotten_work_is_not_done(worker, busy):
    done = []
    worker.latest("play", lambda: done.append(1))
    assert worker.wanted("play")
    worker.forget("play")
    busy()
    assert worker.wait()
    assert done == []


HEAP = """
import ctypes, runpy, sys, threading
share_heap = runpy.run_path(sys.argv[1])["share_heap"]
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
share_heap()
places = []
thread = threading.Thread(target=lambda: places.append(library.malloc(1000)))
thread.start(); thread.join()
(heap,) = [line for line in open("/proc/self/maps") if line.rstrip().endswith("[heap]")]
low, high = (int(x, 16) for x in heap.split()[0].split("-"))
print(low <= places[0] < high)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="another C library")
def test_threads_share_a_heap():
    command = [sys.executable, "-c", HEAP, heap.__file__]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
