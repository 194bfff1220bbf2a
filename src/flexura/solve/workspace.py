"""Arrays for solves, kept from one solve of a model to the next; models know nothing of them."""

from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from flexura.model.assemble import Assembly
from flexura.model.model import Model

# Models that are solved in turns; the arrays of others are given back.
KEPT = 4

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
    yield assembly
    with _lock:
        _spare.setdefault(id(model), deque()).append(assembly)
        _spare.move_to_end(id(model))
        while len(_spare) > KEPT:
            _spare.popitem(last=False)
