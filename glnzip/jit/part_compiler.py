"""How the parts of kernels are compiled: each by itself as far as that is of use, and no further.

Numba makes of every function a library that could run: with wrappers for Python and for C, with all
that it calls linked in, optimised and turned into machine code. Of a part, which only kernels call,
that was three quarters of the time of compiling: what lies at the bottom was optimised again in
each of its callers, up to the kernel. Here a part stays what Numba's front end made of it, LLVM's
passes for single functions applied, and the kernel is optimised once, as a whole.

Numba's passes are of its documented kind ("Customizing the compiler"); the library is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NativeLowering

from glnzip.jit.unsigned_index import Compiler, UnsignedIndices


def part_of_kernels(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """The function as a dispatcher of Numba's that only compiled code can call."""
    unwrapped = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    made = njit(**{**options, **unwrapped, "pipeline_class": PartCompiler})(function)

    def keep(compiled: Any) -> None:
        made.overloads[tuple(compiled.signature.args)] = compiled

    made.add_overload = keep  # Numba's own gives it to those that call from Python, too
    return made


if not hasattr(CPUCodeLibrary, "_get_module_for_linking"):
    # Then nothing would ask ours, and a call of what is not linked ends the process.
    raise ImportError("Numba's libraries have no _get_module_for_linking")


class PartLibrary(CPUCodeLibrary):
    """A part's own code, and the libraries of those that it calls."""

    def finalize(self) -> None:
        """Leave all further work to the kernel's library."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """The part with all that it calls, in steps of any number, each of them once."""
        module = self._own_module().clone()
        for library in self._called({}):
            module.link_in(_module(library), preserve=True)
        return module

    def _own_module(self) -> Any:
        return super()._get_module_for_linking()

    def _called(self, found: dict[Any, None]) -> dict[Any, None]:
        for library in self._linking_libraries:
            if library not in found:
                found[library] = None
                if isinstance(library, PartLibrary):
                    library._called(found)
        return found


def _module(library: Any) -> Any:
    own = isinstance(library, PartLibrary)
    return library._own_module() if own else library._get_module_for_linking()


@register_pass(mutates_CFG=False, analysis_only=True)
class IntoPartLibrary(AnalysisPass):
    """Lower into a `PartLibrary`, and do not ask it for machine code."""

    _name = "into_part_library"

    def __init__(self) -> None:  # Numba demands one
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Set the library that the lowering finds; the function itself stays."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class LetOthersCall(AnalysisPass):
    """Make the lowered part known to the lowering of its callers."""

    _name = "let_others_call"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Do what Numba does with a function that can run, whose address would be the key."""
        key, lowered = object(), state["cr"]
        state.targetctx.insert_user_function(key, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=key)
        return False


class PartCompiler(Compiler):
    """That of kernels, with these passes before and after the lowering."""

    def define_pipelines(self) -> list[Any]:
        """Return the one pipeline."""
        (manager,) = super().define_pipelines()
        manager.add_pass_after(IntoPartLibrary, UnsignedIndices)
        manager.add_pass_after(LetOthersCall, NativeLowering)
        manager.finalize()
        return [manager]
