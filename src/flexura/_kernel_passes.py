"""The passes that a kernel goes through, and no others: most of the time of Numba is Python's.

Kernels are plain: they have no closures and no blocks of ``with``, make no expressions of whole
arrays, and ask for no literal values. What Numba does for those is left out, and what it finds out
about an operation of numbers or an element of an array is remembered.
"""

from typing import Any, ClassVar

from numba.core import errors, typeinfer, types
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import InlineOverloads, NopythonRewrites, NopythonTypeInference
from numba.core.types.containers import BaseTuple
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    WithLifting,
)

NOT_NEEDED = {
    DeadBranchPrune,
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    InlineOverloads,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    NopythonRewrites,
    WithLifting,
}


def passes(state: Any, instead: dict[type, type]) -> PassManager:
    """Numba's passes for a kernel, without those that are not needed.

    Args:
        state: of the compiler.
        instead: passes that take the place of others.
    """
    found = _Passes("kernel")
    instead = {**instead, NopythonTypeInference: _Infer}
    for each, words in DefaultPassBuilder.define_nopython_pipeline(state).passes:
        if each not in NOT_NEEDED:
            found.add_pass(instead.get(each, each), words)
    found.finalize()
    return found


class _Passes(PassManager):  # type: ignore[misc]
    """Runs passes one after the other; Numba's own tells listeners all about it, and measures."""

    def _runPass(self, index: int, pss: Any, internal_state: Any) -> None:
        pss.analysis = self._analysis
        pss.run_initialization(internal_state)
        pss.run_pass(internal_state)
        pss.run_finalizer(internal_state)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Infer(NopythonTypeInference):  # type: ignore[misc]
    """Finds the types of all values."""

    _name = "types of a kernel"

    def run_pass(self, state: Any) -> bool:
        """Do so."""
        warnings = errors.WarningsFixer(errors.NumbaWarning)  # type: ignore[attr-defined]
        inferer = _Inferer(state.typingctx, state.func_ir, warnings)
        calls = state.typingctx.callstack
        frame = calls.register(state.targetctx.target, inferer, state.func_ir.func_id, state.args)
        with frame, warnings:
            for index, (name, argument) in enumerate(
                zip(state.func_ir.arg_names, state.args, strict=True)
            ):
                inferer.seed_argument(name, index, argument)
            inferer.build_constraint()
            state.typing_errors = inferer.propagate()
            state.typemap, state.return_type, state.calltypes = inferer.unify()
        return True


class _Inferer(typeinfer.TypeInferer):  # type: ignore[misc]
    """Numba's rules for types; what was found about a builtin function is remembered."""

    known: ClassVar[dict[Any, Any]] = {}  # of all kernels

    def resolve_call(self, fnty: Any, pos_args: Any, kw_args: Any) -> Any:
        """The signature of a call."""
        if kw_args or not all(isinstance(each, _SIMPLE) for each in pos_args):
            return super().resolve_call(fnty, pos_args, kw_args)
        call = fnty, tuple(pos_args)
        if call not in self.known:
            found = super().resolve_call(fnty, pos_args, kw_args)
            if not _builtin(self.context, fnty, found):
                return found
            self.known[call] = found
        return self.known[call]


_SIMPLE = (types.Number, types.Boolean, types.Array, BaseTuple)


def _builtin(context: Any, function: Any, signature: Any) -> bool:
    """Whether a function is built in, rather than compiled for what calls it."""
    if signature is None:
        return False
    known = function if isinstance(function, types.Function) else context._lookup_global(function)
    return isinstance(known, types.Function) and known.get_impl_key(signature) is known.typing_key
