"""How kernels are written down for LLVM: short where they are long, at arrays and loops.

Numba takes some fifty instructions for an element of an array, which it copies and describes anew,
and a hundred for a loop, whose step may be anything. LLVM removes nearly all of them again, which
takes half of the time to compile. Here an element is an address and a loop is a counter. What is
not a number in an array, by whole numbers, or a loop in steps of one, is left to Numba, and so is
everything in kernels that count references.
"""

from collections import defaultdict
from typing import Any

from llvmlite import ir as llvm
from numba.core import cgutils, ir, types
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs
from numba.core.ir_utils import get_definition, guard
from numba.core.lowering import Lower
from numba.core.types.containers import BaseTuple
from numba.core.types.iterators import RangeIteratorType
from numba.np.arrayobj import get_itemsize, load_item, store_item


def lowering(context: Any, library: Any, kernel: Any, body: Any, metadata: Any) -> Any:
    """What writes a kernel down: for one to be debugged, Numba."""
    asked = context.enable_nrt or context.enable_boundscheck or context.enable_debuginfo
    write = Lower if asked or body.is_generator else ShortLower
    return write(context, library, kernel, body, metadata=metadata)


class ShortLower(Lower):  # type: ignore[misc]
    """Numba's lowering, for kernels that count no references."""

    def _find_singly_assigned_variable(self) -> None:
        """Find variables that have one value wherever they are seen: they need no memory."""
        blocks = self.func_ir.blocks
        places = defaultdict(list)
        for place, block in blocks.items():
            for assignment in block.find_insts(ir.Assign):
                places[assignment.target.name].append(place)
        single = {name: found[0] for name, found in places.items() if len(found) == 1}
        before = compute_cfg_from_blocks(blocks).dominators()
        for place, names in compute_use_defs(blocks).usemap.items():
            for name in names & single.keys():  # of another block, or of the last time in this one
                if single[name] not in before[place] or single[name] >= place:
                    del single[name]
        self._singly_assigned_vars = set(single)
        self._blk_local_varmap: dict[str, Any] = {}

    def lower_inst(self, inst: Any) -> Any:
        """Write down a statement."""
        if not isinstance(inst, ir.Assign):
            return super().lower_inst(inst)
        target = inst.target.name
        return self.storevar(self.lower_assign(self.typeof(target), inst), target)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Give a variable a value; whatever it had needs no care."""
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
        """Room for a variable."""
        return cgutils.alloca_once(self.builder, lltype, name=name)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """An element of an array, or the array behind its first indices."""
        array = self.typeof(value.name)
        if not self._is_place(array, self.typeof(index.name)):
            return super().lower_getitem(resty, expr, value, index, signature)
        whole = self.loadvar(value.name)
        place, count = self._place(array, whole, index)
        found = signature.return_type
        if count == array.ndim:
            element = load_item(self.context, self.builder, array, place)
        else:
            element = self._rest(array, found, whole, place, count)
        return self.context.cast(self.builder, element, found, resty)

    def lower_setitem(self, target: Any, index: Any, value: Any, signature: Any) -> Any:
        """Write an element of an array."""
        array, kind = self.typeof(target.name), self.typeof(index.name)
        given = self.typeof(value.name)
        if not (self._is_place(array, kind) and isinstance(given, types.Number | types.Boolean)):
            return super().lower_setitem(target, index, value, signature)
        if array.ndim != len(_each(kind)):
            return super().lower_setitem(target, index, value, signature)
        place, _ = self._place(array, self.loadvar(target.name), index)
        number = self.context.cast(self.builder, self.loadvar(value.name), given, array.dtype)
        return store_item(self.context, self.builder, array, number, place)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """Write down an expression."""
        short = _SHORT.get(expr.op)
        found = None if short is None else short(self, resty, expr)
        return super().lower_expr(resty, expr) if found is None else found

    def _is_place(self, array: Any, index: Any) -> bool:
        """Whether an index is whole numbers, and what is indexed is an array of numbers."""
        return (
            type(array) is types.Array
            and isinstance(array.dtype, types.Number | types.Boolean)
            and all(isinstance(one, types.Integer) for one in _each(index))
            and 0 < len(_each(index)) <= array.ndim
        )

    def _place(self, array: Any, whole: Any, index: Any) -> tuple[Any, int]:
        """Where an element is, or the first of those behind some indices; how many these are."""
        build, kinds = self.builder, _each(self.typeof(index.name))
        given = self.loadvar(index.name)
        several = isinstance(self.typeof(index.name), BaseTuple)
        numbers = cgutils.unpack_tuple(build, given, len(kinds)) if several else [given]
        field = self.context.data_model_manager[array].get_field_position
        shape, data = field("shape"), build.extract_value(whole, field("data"))
        numbers = [
            self._from_the_start(kind, number, whole, (shape, axis))
            for axis, (kind, number) in enumerate(zip(kinds, numbers, strict=True))
        ]
        if array.layout != "C":
            steps = [build.extract_value(whole, (field("strides"), k)) for k in range(len(kinds))]
            offset = _sum(build, [build.mul(s, n) for s, n in zip(steps, numbers, strict=True)])
            return cgutils.pointer_add(build, data, offset), len(kinds)
        place = numbers[0]
        for axis in range(1, array.ndim):
            place = build.mul(place, build.extract_value(whole, (shape, axis)))
            if axis < len(kinds):
                place = build.add(place, numbers[axis])
        return build.gep(data, [place]), len(kinds)

    def _from_the_start(self, kind: Any, number: Any, whole: Any, length: Any) -> Any:
        """An index that counts from the start: negative ones count from the end."""
        build = self.builder
        if isinstance(kind, types.IntegerLiteral) and kind.literal_value >= 0:
            return self.context.get_constant(types.intp, kind.literal_value)
        if not kind.signed:
            return self.context.cast(build, number, kind, types.uintp)
        wide = self.context.cast(build, number, kind, types.intp)
        negative = build.icmp_signed("<", wide, wide.type(0))
        return build.select(negative, build.add(wide, build.extract_value(whole, length)), wide)

    def _rest(self, array: Any, found: Any, whole: Any, place: Any, count: int) -> Any:
        """The array behind the first indices."""
        build = self.builder
        old = self.context.data_model_manager[array].get_field_position
        new = self.context.data_model_manager[found].get_field_position
        rest = llvm.Constant(self.context.get_value_type(found), llvm.Undefined)
        size = self.context.get_constant(types.intp, 1)
        for axis in range(count, array.ndim):
            for field in ("shape", "strides"):
                number = build.extract_value(whole, (old(field), axis))
                rest = build.insert_value(rest, number, (new(field), axis - count))
                size = build.mul(size, number) if field == "shape" else size
        for field in ("meminfo", "parent"):
            rest = build.insert_value(rest, build.extract_value(whole, old(field)), new(field))
        item = self.context.get_constant(types.intp, get_itemsize(self.context, array))
        for field, number in (("data", place), ("nitems", size), ("itemsize", item)):
            rest = build.insert_value(rest, number, new(field))
        return rest

    def _call(self, resty: Any, expr: Any) -> Any:
        """The limits of a loop in steps of one, or the length of an array."""
        called = getattr(self.typeof(expr.func.name), "typing_key", None)
        if called is len and type(array := self.typeof(expr.args[0].name)) is types.Array:
            shape = self.context.data_model_manager[array].get_field_position("shape")
            length = self.builder.extract_value(self.loadvar(expr.args[0].name), (shape, 0))
            return self.context.cast(self.builder, length, types.intp, resty)
        if called is not range or not _steps_by_one(expr):
            return None
        given = [self._cast_var(limit, resty.dtype) for limit in expr.args]
        zero, one = (self.context.get_constant(resty.dtype, number) for number in (0, 1))
        return cgutils.pack_struct(self.builder, [*[zero, *given][-2:], one])

    def _begin(self, resty: Any, expr: Any) -> Any:
        """The counter of a loop in steps of one: the next number, and how many are left."""
        call = guard(get_definition, self.func_ir, expr.value)
        if not (isinstance(call, ir.Expr) and call.op == "call" and _steps_by_one(call)):
            return None
        if getattr(self.typeof(call.func.name), "typing_key", None) is not range:
            return None
        build, limits = self.builder, self.loadvar(expr.value.name)
        start, stop, step = cgutils.unpack_tuple(build, limits, 3)
        zero, left = start.type(0), build.sub(stop, start)
        left = build.select(build.icmp_signed(">", left, zero), left, zero)
        field = self.context.data_model_manager[resty].get_field_position
        counter = llvm.Constant(self.context.get_value_type(resty), llvm.Undefined)
        for name, number in (("iter", start), ("count", left)):
            with build.goto_entry_block():
                slot = build.alloca(number.type)
            build.store(number, slot)
            counter = build.insert_value(counter, slot, field(name))
        counter = build.insert_value(counter, stop, field("stop"))
        return build.insert_value(counter, step, field("step"))

    def _advance(self, resty: Any, expr: Any) -> Any:
        """The next number of a loop, and whether there is one."""
        kind = self.typeof(expr.value.name)
        if not isinstance(kind, RangeIteratorType):
            return None
        build, counter = self.builder, self.loadvar(expr.value.name)
        field = self.context.data_model_manager[kind].get_field_position
        next_, count = (build.extract_value(counter, field(name)) for name in ("iter", "count"))
        number, left = build.load(next_), build.load(count)
        build.store(build.sub(left, left.type(1)), count)
        build.store(build.add(number, build.extract_value(counter, field("step"))), next_)
        pair = llvm.Constant(self.context.get_value_type(resty), llvm.Undefined)
        pair = build.insert_value(pair, number, 0)
        return build.insert_value(pair, build.icmp_signed(">", left, left.type(0)), 1)

    def _first(self, resty: Any, expr: Any) -> Any:
        return self.builder.extract_value(self.loadvar(expr.value.name), 0)

    def _second(self, resty: Any, expr: Any) -> Any:
        return self.builder.extract_value(self.loadvar(expr.value.name), 1)


_SHORT = {
    "call": ShortLower._call,
    "getiter": ShortLower._begin,
    "iternext": ShortLower._advance,
    "pair_first": ShortLower._first,
    "pair_second": ShortLower._second,
}


def _steps_by_one(call: Any) -> bool:
    """Whether a call of ``range`` is ``range(stop)`` or ``range(start, stop)``."""
    return len(call.args) in (1, 2) and not call.kws and call.vararg is None


def _each(index: Any) -> tuple[Any, ...]:
    """The types of the indices of an element."""
    return tuple(index) if isinstance(index, BaseTuple) else (index,)


def _sum(build: Any, numbers: list[Any]) -> Any:
    total = numbers[0]
    for number in numbers[1:]:
        total = build.add(total, number)
    return total
