"""Kernels on disk, each with a fingerprint of all the code that its machine code comes from.

Numba looks at the file of a kernel only, not at those of the kernels that it calls, and looks when
the kernel is defined. Here that waits for the first call, so that an import touches no file.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache
from numba.core.dispatcher import Dispatcher

MADE = 3  # how kernels become machine code; with another number, all are compiled anew


def keep(kernel: Any, on_compile: Callable[[], None]) -> None:
    """Keep a compiled function on disk, and say so before it is compiled."""
    kernel._cache = _Unopened(kernel, on_compile)


def folder() -> Path:
    """Where what belongs to all kernels is kept."""
    return Path(FunctionCache(folder).cache_path)


def never_used() -> bool:
    """Whether no process has asked before, since the kernels on disk were deleted, if ever."""
    try:
        mark = folder() / "flexura-kernels"
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    except (OSError, RuntimeError):  # nothing can be kept there
        return True
    return True


def fingerprint(kernel: Any) -> str:
    """Hash of a kernel, of the kernels that it calls, and so on, with their constants."""
    found = [kernel]
    for one in found:
        found += [other for other in _content(one)[1] if other not in found]
    return sha256("".join(_content(one)[0] for one in found).encode()).hexdigest()


@cache
def _content(kernel: Any) -> tuple[str, list[Any]]:
    """Hash of a kernel by itself, and the kernels that it may call.

    Names are looked up in the module of the kernel, and in all modules that it names.
    """
    codes: list[CodeType] = [kernel.py_func.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    names = list(dict.fromkeys(name for code in codes for name in code.co_names))
    modules: list[dict[str, Any]] = [kernel.py_func.__globals__]
    for module in modules:
        named = [vars(v) for v in map(module.get, names) if isinstance(v, ModuleType)]
        modules += [m for m in named if all(m is not known for known in modules)]
    values = [module[name] for module in modules for name in names if name in module]
    options = [(name, _ordered(value)) for name, value in kernel.targetoptions.items()]
    own = [MADE, options, kernel.py_func.__defaults__, names, *map(_constant, values)]
    for code in codes:
        own += [code.co_code, *(_ordered(c) for c in code.co_consts if not isinstance(c, CodeType))]
    return sha256(repr(own).encode()).hexdigest(), [v for v in values if isinstance(v, Dispatcher)]


def _ordered(value: Any) -> Any:
    """The same; a set as a list, whose order does not change from process to process."""
    return sorted(value, key=repr) if isinstance(value, set | frozenset) else value


def _constant(value: Any) -> Any:
    """What a kernel takes over from a global name when it is compiled."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tobytes()
    if isinstance(value, tuple):
        return tuple(map(_constant, value))
    if isinstance(value, int | float | str):
        return value
    return getattr(value, "_fields", None)  # of a named tuple


class _Unopened(NullCache):  # type: ignore[misc]
    """Stands for the cache of a kernel until its first call."""

    def __init__(self, kernel: Any, on_compile: Callable[[], None]) -> None:
        self.kernel = kernel
        self.on_compile = on_compile

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Open the cache and look there."""
        return self._opened().load_overload(sig, target_context)

    def holds(self, sig: Any, target_context: Any) -> bool:
        """Open the cache and ask there."""
        return bool(self._opened().holds(sig, target_context))

    def _opened(self) -> Any:
        try:
            self.kernel._cache = _KernelCache(self.kernel, self.on_compile)
        except RuntimeError:  # there is no folder that may be written to
            self.kernel._cache = _Nowhere(self.on_compile)
        return self.kernel._cache


class _Nowhere(NullCache):  # type: ignore[misc]
    """Keeps nothing."""

    def __init__(self, on_compile: Callable[[], None]) -> None:
        self.on_compile = on_compile

    def load_overload(self, sig: Any, target_context: Any) -> None:
        """Nothing: then it will be compiled."""
        self.on_compile()

    def holds(self, sig: Any, target_context: Any) -> bool:
        """Never."""
        return False


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of a kernel, with its fingerprint as a further condition."""

    def __init__(self, kernel: Any, on_compile: Callable[[], None]) -> None:
        super().__init__(kernel.py_func)
        self._impl.rebuild = kernel.rebuild
        stamp = self._impl.locator.get_source_stamp(), fingerprint(kernel)
        name = f"{self._impl.filename_base}.{kernel.form}"
        self._cache_file = _KernelFile(self.cache_path, name, stamp)
        self.on_compile = on_compile

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for a signature, or None: then it will be compiled."""
        found = super().load_overload(sig, target_context)
        if found is None:
            self.on_compile()
        return found

    def holds(self, sig: Any, target_context: Any) -> bool:
        """Whether the machine code for a signature is on disk."""
        key = self._index_key(sig, target_context.codegen())
        return key in self._cache_file._load_index()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        # Types of named tuples are equal whatever the names of their fields.
        fields = tuple(getattr(argument, "fields", ()) for argument in sig)
        return *super()._index_key(sig, codegen), fields


class _KernelFile(IndexDataCacheFile):  # type: ignore[misc]
    """Numba's files of a kernel, whose data says again what it is.

    The index is written first. Another process that reads it then may find the data of the past, or
    that of a third process with another signature and the same number.
    """

    def save(self, key: Any, data: Any) -> None:
        """Write the data of a key."""
        super().save(key, (self._source_stamp, key, data))

    def load(self, key: Any) -> Any:
        """The data of a key, or None."""
        found = super().load(key)
        same = found is not None and found[:2] == (self._source_stamp, key)
        return found[2] if same else None

    def _load_index(self) -> Any:
        """What is kept: nothing, if types that it names have moved to another module since."""
        try:
            return super()._load_index()
        except (ImportError, AttributeError):
            return {}
