"""How kernels become machine code: only those that Python calls, each with all that it calls.

Numba makes machine code of every function for itself, with a way in from Python, although most are
only called by others, which take a copy anyway. Here a kernel that others call is translated and
no more; it is optimised in the kernels that take it in.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import CO_VARARGS
from typing import Any

from llvmlite.binding import parse_bitcode
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler as NumbaCompiler
from numba.core.compiler import CompileResult, DefaultPassBuilder, Flags, compile_result
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import (
    AnnotateTypes,
    DumpParforDiagnostics,
    InlineOverloads,
    IRLegalization,
    NativeLowering,
    NopythonRewrites,
    NoPythonSupportedFeatureValidation,
)
from numba.core.types.containers import BaseTuple
from numba.core.types.misc import unliteral
from numba.core.typing.typeof import Purpose, typeof
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    WithLifting,
)

from flexura._kernel_brief import brief
from flexura._kernel_cache import keep
from flexura._kernel_lowering import lowering
from flexura._kernel_meanwhile import meanwhile
from flexura._kernel_typing import remembering

# Passes for what kernels do not have: functions inside, ``with``, types that are known numbers.
UNUSED = (
    WithLifting,
    InlineClosureLikes,
    MakeFunctionToJitFunction,
    InlineInlinables,
    FindLiterallyCalls,
    LiteralUnroll,
    LiteralPropagationSubPipelinePass,
    NoPythonSupportedFeatureValidation,
    DumpParforDiagnostics,
    AnnotateTypes,
)
# Passes for what counts references: where they end, and functions and expressions of NumPy.
FOR_REFERENCES = {IRLegalization, InlineOverloads, NopythonRewrites}
SHORTEN = 1  # how hard LLVM tries on what is optimised again where it is taken in


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A kernel as Python calls it; other kernels call its ``inner`` one."""

    form = "entry"
    _inner: "Inner | None" = None

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """What to call for arguments of new types: machine code, or what runs until it is there."""
        return meanwhile.instead(self, args) or super()._compile_for_args(*args, **kws)

    def types_of(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The types of arguments, as machine code is made for them."""
        return tuple(writable(typeof(argument, Purpose.argument)) for argument in arguments)

    def is_on_disk(self, types: tuple[Any, ...]) -> bool:
        """Whether machine code for types of arguments was made before."""
        return hasattr(self._cache, "holds") and self._cache.holds(types, self.targetctx)

    @property
    def has_star(self) -> bool:
        """Whether it takes any number of arguments."""
        return bool(self.py_func.__code__.co_flags & CO_VARARGS)

    @property
    def inner(self) -> "Inner":
        """The kernel as other kernels call it."""
        if self._inner is None:
            self._inner = Inner(self.py_func, self.locals, self.targetoptions, Translator)
            if hasattr(self._cache, "on_compile"):  # not for one that comes out of a pickle
                keep(self._inner, self._cache.on_compile)
        return self._inner

    def compile(self, sig: Any) -> Any:
        """Compile for the types of arguments; arrays that may be written to or not are the same."""
        arguments, _ = normalize_signature(sig)
        with _no_garbage_collection(), remembering(), brief():
            entry = super().compile(tuple(map(writable, arguments)))
        self._insert([argument._code for argument in arguments], entry, False)
        return entry

    def add_overload(self, cres: Any) -> None:
        """Remember what was compiled; Python finds it by the types that it was asked for."""
        self.overloads[tuple(cres.signature.args)] = cres
        for environment in cres._find_referenced_environments():  # of those taken in that print
            cres.codegen.set_env(environment.env_name, environment)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What type another kernel gets that calls this one."""
        return self.inner.get_call_template(tuple(map(unliteral, args)), kws)

    def get_overload(self, sig: Any) -> Any:
        """What another kernel calls."""
        return self.inner.get_overload(sig)

    def rebuild(self, target: Any, kept: Any) -> Any:
        """What was compiled before, from its data on disk."""
        return CompileResult._rebuild(target, *kept)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """A compiler makes so many objects that Python looks for garbage all the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()  # all at once, or it begins with a look at everything that was made
            gc.unfreeze()
            gc.enable()


def writable(argument: Any) -> Any:
    """The type of an argument whose arrays may be written to."""
    if isinstance(argument, types.Array):
        return argument.copy(readonly=False)
    if isinstance(argument, BaseTuple):
        named = getattr(argument, "instance_class", None)
        return BaseTuple.from_types(tuple(map(writable, argument)), named)
    return argument


class Inner(CPUDispatcher):  # type: ignore[misc]
    """A kernel as other kernels call it."""

    form = "inner"

    def add_overload(self, cres: Any) -> None:
        """Remember a translation."""
        self.overloads[tuple(cres.signature.args)] = cres

    def rebuild(self, target: Any, kept: Any) -> Any:
        """What was translated before, from its data on disk."""
        (name, bitcode), function, environment, signature, *_ = kept
        return compile_result(
            typing_context=target.typing_context,
            target_context=target,
            entry_point=function,
            fndesc=function,
            library=Translation.read(target.codegen(), name, bitcode),
            environment=environment,
            signature=signature,
            objectmode=False,
            lifted=(),
        )


class _Flags(Flags):  # type: ignore[misc]
    """Options of the compiler, which compares them all the time: those that are set, not all."""

    __slots__ = ()

    def __hash__(self) -> int:
        return _HASH

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Flags):
            return NotImplemented
        mine, others = self._values, other._values
        return mine == others or all(
            getattr(self, name) == getattr(other, name) for name in mine.keys() | others.keys()
        )


_HASH = hash(Flags())  # Numba's own is that of the names of all options, whatever their values


@register_pass(mutates_CFG=True, analysis_only=False)
class _Write(NativeLowering):  # type: ignore[misc]
    """Writes a kernel down and makes machine code of it."""

    _name = "machine code"

    @property
    def lowering_class(self) -> Any:
        """What writes it down."""
        return lowering

    def run_pass(self, state: Any) -> bool:
        """Do so."""
        if state.library is None:
            state.library = Code(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return bool(super().run_pass(state))


class Compiler(NumbaCompiler):  # type: ignore[misc]
    """Numba's compiler."""

    last = _Write

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.state.flags = _Flags(self.state.flags)

    def define_pipelines(self) -> list[Any]:
        """Numba's passes, without those for what kernels do not have, and with another last one."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(self.last, NativeLowering)
        left_out = {NativeLowering, *UNUSED}
        if not self.state.flags.nrt:
            left_out |= FOR_REFERENCES
        passes.passes = [p for p in passes.passes if p[0] not in left_out]
        passes.finalize()
        return [passes]


@register_pass(mutates_CFG=True, analysis_only=False)
class _Translate(_Write):
    """Translates a kernel for those that take it in."""

    _name = "translation for other kernels"

    def run_pass(self, state: Any) -> bool:
        """Do so."""
        state.library = Translation(state.targetctx.codegen(), state.func_id.func_qualname)
        flags = state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().run_pass(state)
        state.library.finalize()
        state.cr = state.cr._replace(cfunc=state.cr.fndesc)
        state.targetctx.insert_user_function(state.cr.cfunc, state.cr.fndesc, [state.library])
        return True


class Translator(Compiler):
    """Numba's compiler, up to the translation."""

    last = _Translate


class Code(JITCodeLibrary):  # type: ignore[misc]
    """Code of a kernel."""

    def _optimize_functions(self, module: Any) -> None:
        """Make functions short before they are taken in; those of other modules are there."""
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager(opt=SHORTEN)
                passes.run(function, builder)


class Translation(Code):
    """Code of a kernel, and of those that it calls, that others take in."""

    def add_linking_library(self, library: Any) -> None:
        """Take in what another kernel is; that which counts references comes with the last one."""
        if library is not rtsys.library:
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        """Those that take it in are optimised as a whole."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        """What to keep on disk."""
        return self.name, self._get_module_for_linking().as_bitcode()

    @classmethod
    def read(cls, codegen: Any, name: str, bitcode: bytes) -> "Translation":
        """A translation that was kept on disk."""
        read = cls(codegen, name)
        read._final_module = read._shared_module = parse_bitcode(bitcode)
        read._finalized = True
        return read
