"""A pass of the compiler: every index of an array is taken for unsigned.

Numba lets ``a[-1]`` mean the last element, so for each index of which it does not know that it is
not negative it compiles a test of the sign and an addition. No kernel counts from the end, and they
index in every other line: without that code they take a tenth less time. With ``NUMBA_BOUNDSCHECK``
a negative index is an error, as any other that lies outside.

It is a typed pass of Numba's documented kind ("Customizing the compiler"): it changes the signature
of the access, and the lowering that follows casts the index to it.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core import types as numba_types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonRewrites

types: Any = numba_types


@register_pass(mutates_CFG=False, analysis_only=False)
class UnsignedIndices(FunctionPass):
    """Make signed integer indices of arrays unsigned, negative constants excepted."""

    _name = "unsigned_indices"

    def __init__(self) -> None:  # Numba demands one
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Change the signatures in place; the answer says whether any has changed."""
        changed = False
        for block in state.func_ir.blocks.values():
            stores = [statement for statement in block.body if isinstance(statement, ir.SetItem)]
            for access in (*stores, *block.find_exprs("getitem")):
                signature = state.calltypes[access]
                array, index, *value = signature.args
                unsigned = _unsigned(index)
                if isinstance(array, types.Array) and unsigned != index:
                    del state.calltypes[access]  # it takes no key twice
                    state.calltypes[access] = signature.replace(args=(array, unsigned, *value))
                    changed = True
        return changed


def _unsigned(index: Any) -> Any:
    """The type to index by instead of this one; slices and negative constants stay."""
    if isinstance(index, types.BaseTuple):
        return types.BaseTuple.from_types([_unsigned(part) for part in index.types])
    if not isinstance(index, types.Integer) or getattr(index, "literal_value", 0) < 0:
        return index
    return types.uint64


class Compiler(CompilerBase):
    """Numba's own, with that pass."""

    def define_pipelines(self) -> list[Any]:
        """Return the one pipeline, for compiled code without Python objects."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(UnsignedIndices, NopythonRewrites)
        manager.finalize()
        return [manager]
