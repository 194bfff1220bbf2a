"""What Numba has found out about a call, it finds again at once.

There are dozens of ways to type ``x[i]`` or ``a + b``, which Numba tries in turn wherever one is
written, and notes in colours why each does not fit. Here the one that did is tried first the next
time; where it is one of a list of signatures, it is known.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import errors as numba_errors
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError
from numba.core.target_extension import get_local_target
from numba.core.types.functions import BaseFunction
from numba.core.types.misc import unliteral
from numba.core.typing import typeof as numba_typeof
from numba.core.typing.templates import ConcreteTemplate
from numba.core.utils import order_by_target_specificity

_functions: Any = BaseFunction
_messages: Any = numba_errors
_values: Any = numba_typeof
_in_turn = _functions.get_call_type
_fitting: dict[Any, tuple[Any, bool]] = {}  # templates, and whether they see numbers as types
_known: dict[Any, tuple[Any, Any]] = {}  # signatures, and what they are implemented as


class _Plain:
    """Marks nothing in messages, whatever the colour is called."""

    def __getattr__(self, colour: str) -> Any:
        return str


@contextmanager
def remembering() -> Iterator[None]:
    """Remember which way to type a call fits; nothing else is compiled meanwhile."""
    with global_compiler_lock:
        before = _functions.get_call_type, _messages._termcolor_inst, _values._termcolor
        _functions.get_call_type = _call_type
        _messages._termcolor_inst = _values._termcolor = _Plain()
        try:
            yield
        finally:
            _functions.get_call_type, _messages._termcolor_inst, _values._termcolor = before


def _call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """The signature of a call, as Numba has it, which says why where there is none."""
    args = tuple(args)
    if not kws and (function, args) in _known:
        signature, function._impl_keys[signature.args] = _known[function, args]
        return signature
    known = () if kws else _ways(function, context, args)
    for way, literal in known:
        template = way(context)
        try:
            signature = template.apply(args if literal else tuple(map(unliteral, args)), {})
        except NumbaError:
            continue
        if signature is not None:
            key = function._impl_keys[signature.args] = template.get_impl_key(signature)
            _fitting[function, args] = way, literal
            if isinstance(template, ConcreteTemplate):
                _known[function, args] = signature, key
            return signature
    return _in_turn(function, context, args, kws)


def _ways(function: Any, context: Any, args: tuple[Any, ...]) -> Iterator[tuple[Any, bool]]:
    """The one that did, then Numba's order; most see numbers that are known in advance last."""
    if (function, args) in _fitting:
        yield _fitting[function, args]
    target = get_local_target(context)
    for way in order_by_target_specificity(target, function.templates, fnkey=function.key[0]):
        first = bool(way.prefer_literal)
        yield way, first
        yield way, not first
