"""Arrays for solves, kept from one solve of a model to the next; models know nothing of them."""

from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from flexura.model.assemble import Assembly
from flexura.model.model import Model

# Models that are solved in turns, softened ones included; the arrays of others are given back.
KEPT = 8

_spare: OrderedDict[int, deque[Assembly]] = OrderedDict()  # by the identity of their model
_lock = Lock()


@contextmanager
def workspace(model: Model) -> Iterator[Assembly]:
    """An assembly that nobody else uses: a spare one of the model, or a new one."""
    with _lock:
        own = _spare.get(id(model))
        assembly = own.pop() if own else None
    if assembly is None:
        assembly = Assembly(model)
    try:
        yield assembly
    finally:
        _give_back(model, assembly)


def _give_back(model: Model, assembly: Assembly) -> None:
    """Keep an assembly for the next solve."""
    with _lock:
        _spare.setdefault(id(model), deque()).append(assembly)
        _spare.move_to_end(id(model))
        while len(_spare) > KEPT:
            _spare.popitem(last=False)
