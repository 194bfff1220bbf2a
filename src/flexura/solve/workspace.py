"""Arrays for solves, kept from one solve of a model to the next; models know nothing of them."""

from collections import OrderedDict, deque
from threading import Lock
from weakref import finalize

from flexura.model.assemble import Assembly
from flexura.model.model import Model

# Models that are solved in turns, softened ones included; the arrays of others are given back.
KEPT = 8

_spare: OrderedDict[int, deque[Assembly]] = OrderedDict()  # by the identity of their model
_left: deque[Assembly] = deque()  # by owners that are gone
_lock = Lock()


class Borrowed:
    """An assembly that is given back."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly

    def __enter__(self) -> Assembly:
        return self._assembly

    def __exit__(self, *error: object) -> None:
        with _lock:
            _keep(self._assembly)


def workspace(model: Model) -> Borrowed:
    """An assembly that nobody else uses: a spare one of the model, or a new one."""
    return Borrowed(_take(model))


def lasting_workspace(model: Model, owner: object) -> Assembly:
    """The same for as long as its owner lives."""
    assembly = _take(model)
    finalize(owner, _left.append, assembly).atexit = False  # no lock: it may run at any time
    return assembly


def _take(model: Model) -> Assembly:
    """A spare assembly of a model, or a new one."""
    with _lock:
        while _left:
            _keep(_left.popleft())
        own = _spare.get(id(model))
        assembly = own.pop() if own else None
    if assembly is None:
        return Assembly(model)
    assembly.home = assembly.angles = assembly.posed = None
    if assembly.touch is not None:
        assembly.touch.reset()
    return assembly


def _keep(assembly: Assembly) -> None:
    """Keep an assembly for the next solve."""
    key = id(assembly.model)
    _spare.setdefault(key, deque()).append(assembly)
    _spare.move_to_end(key)
    while len(_spare) > KEPT:
        _spare.popitem(last=False)
