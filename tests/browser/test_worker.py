import threading

import pytest

from flexura.browser.worker import Worker


@pytest.fixture
def errors():
    return []


@pytest.fixture
def worker(errors):
    found = Worker(errors.append)
    yield found
    found.close()


def test_only_the_newest_of_a_kind_waits(worker):
    done, gate = [], threading.Event()
    worker.ask("solve", gate.wait)  # busy
    for i in range(100):
        worker.ask("solve", lambda i=i: done.append(i))
    gate.set()
    assert worker.wait()
    assert done == [99] or done == [0, 99]  # the first may have begun before the gate


def test_kinds_do_not_replace_each_other(worker):
    done, gate = [], threading.Event()
    worker.ask("hold", gate.wait)
    worker.ask("draw", lambda: done.append("draw"))
    worker.ask("solve", lambda: done.append("solve"))
    gate.set()
    assert worker.wait()
    assert sorted(done) == ["draw", "solve"]


def test_what_can_wait_comes_last(worker):
    done, gate = [], threading.Event()
    worker.ask("hold", gate.wait)
    worker.when_idle(lambda: done.append("accuracy"))
    worker.ask("solve", lambda: done.append("solve"))
    gate.set()
    assert worker.wait()
    assert done == ["solve", "accuracy"]


def test_an_error_is_told_and_work_goes_on(worker, errors):
    done = []
    worker.ask("bad", lambda: 1 / 0)
    worker.ask("good", lambda: done.append(1))
    assert worker.wait()
    assert done == [1]
    assert isinstance(errors[0], ZeroDivisionError)


def test_forgotten_work_is_not_done(worker):
    done, gate = [], threading.Event()
    worker.ask("hold", gate.wait)
    worker.ask("play", lambda: done.append(1))
    assert worker.wanted("play")
    worker.forget("play")
    gate.set()
    assert worker.wait()
    assert done == []
