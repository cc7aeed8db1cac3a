"""Two machine operations that Python's integers cannot say in one step."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _multiply_wide(typing_context: Any, a: Any, b: Any) -> Any:
    """High and low 64 bits of the product of two uint64."""
    if a != types.uint64 or b != types.uint64:
        return None
    result: Any = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(*(builder.zext(value, wide) for value in arguments))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)
        return context.make_tuple(builder, result, (high, builder.trunc(product, word)))

    return result(types.uint64, types.uint64), emit


def _lanes_max(typing_context: Any, a: Any, b: Any) -> Any:
    """The higher number in each of the four 16-bit lanes of two uint64."""
    if a != types.uint64 or b != types.uint64:
        return None

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = ir.VectorType(ir.IntType(16), 4)
        a_lanes, b_lanes = (builder.bitcast(value, lanes) for value in arguments)
        highest = builder.select(builder.icmp_unsigned(">", a_lanes, b_lanes), a_lanes, b_lanes)
        return builder.bitcast(highest, ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), emit


multiply_wide: Any = intrinsic(_multiply_wide)
lanes_max: Any = intrinsic(_lanes_max)
