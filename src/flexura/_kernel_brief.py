"""What Numba does for other programs, left out while kernels are compiled.

It finds after each of its passes where variables live, which generators, ``with`` and references
ask for, looks at every statement for what Python writes of ``with`` and of dictionaries, makes a
generator for each that an error may name, and tells whoever listens of all calls of LLVM.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.binding import ffi
from numba.core import errors as numba_errors
from numba.core import interpreter, lowering, typeinfer
from numba.core.errors import NumbaError
from numba.core.postproc import PostProcessor
from numba.core.transforms import canonicalize_cfg

_reader: Any = interpreter
_errors: Any = numba_errors
_all_of_it = PostProcessor.run


def _tidy(found: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Make loops end in one place; more only where variables are to be deleted."""
    kernel = found.func_ir
    if emit_dels or kernel.is_generator:
        _all_of_it(found, emit_dels, extend_lifetimes)
    else:
        kernel.blocks = canonicalize_cfg(kernel.blocks)
        kernel.generator_info = None


def _unless_own(look: Any) -> Callable[[Any], Any]:
    """Look at functions of others only: kernels of the library have none of both."""
    return lambda kernel: kernel if kernel.func_id.modname.startswith("flexura.") else look(kernel)


class _Where:
    """``new_error_context`` of Numba, which is entered for every statement: where an error was."""

    __slots__ = ("told",)

    def __init__(self, *words: Any, **named: Any) -> None:
        self.told = words, named

    def __enter__(self) -> None:
        """Nothing yet."""

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        """Tell it, as Numba does."""
        if isinstance(error, NumbaError):
            words, named = self.told
            with _errors.new_error_context(*words, **named):
                raise error


_LOOKS = ("peep_hole_delete_with_exit", "peep_hole_fuse_dict_add_updates")
_LOCK = getattr(ffi.lib, "_lock", None)  # whoever listens

BRIEF: tuple[tuple[Any, str, Any], ...] = (
    (PostProcessor, "run", _tidy),
    *((interpreter, name, _unless_own(getattr(_reader, name, None))) for name in _LOOKS),
    (lowering, "new_error_context", _Where),
    (typeinfer, "new_error_context", _Where),
    (_LOCK, "_cblist", []),
)


@contextmanager
def brief() -> Iterator[None]:
    """Leave it out, as far as this Numba has it; nothing else is compiled meanwhile."""
    has = [entry for entry in BRIEF if hasattr(entry[0], entry[1])]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in has]
    _put(has)
    try:
        yield
    finally:
        _put(before)


def _put(values: Any) -> None:
    for owner, name, value in values:
        setattr(owner, name, value)
