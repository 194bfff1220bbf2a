"""What Numba does for other programs, left out while kernels are compiled.

It finds after each of its passes where variables live, which generators, ``with`` and references
ask for, and looks at every statement for what Python writes of ``with`` and of dictionaries.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import interpreter
from numba.core.postproc import PostProcessor
from numba.core.transforms import canonicalize_cfg

_reader: Any = interpreter
_all_of_it = PostProcessor.run


def _tidy(found: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Make loops end in one place; more only where variables are to be deleted."""
    kernel = found.func_ir
    if emit_dels or kernel.is_generator:
        _all_of_it(found, emit_dels, extend_lifetimes)
    else:
        kernel.blocks = canonicalize_cfg(kernel.blocks)
        kernel.generator_info = None


def _unless_own(look: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Look at functions of others only: kernels of the library have none of both."""
    return lambda kernel: kernel if kernel.func_id.modname.startswith("flexura.") else look(kernel)


_BRIEF: tuple[tuple[Any, str, Any], ...] = (
    (PostProcessor, "run", _tidy),
    *(
        (interpreter, name, _unless_own(getattr(_reader, name)))
        for name in ("peep_hole_delete_with_exit", "peep_hole_fuse_dict_add_updates")
    ),
)


@contextmanager
def brief() -> Iterator[None]:
    """Leave it out; nothing else is compiled meanwhile."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in _BRIEF]
    _put(_BRIEF)
    try:
        yield
    finally:
        _put(before)


def _put(values: Any) -> None:
    for owner, name, value in values:
        setattr(owner, name, value)
