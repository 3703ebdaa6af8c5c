"""Write the kernels that most runs need as LLVM's assembly: ``make kernels``.

The package keeps them (`glnzip.jit.assembly`), so that the first use on a machine does not have to
wait for Numba. They are those that come up while small data of every kind are compressed, and some
are analysed. Whoever changes what kernels are made of runs this again before a commit; a test says
so.
"""

from __future__ import annotations

import lzma
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any
from unittest.mock import patch

from llvmlite import binding as llvm

from glnzip.cache.build import KERNEL_SOURCES
from glnzip.jit import kernel_compiler
from glnzip.jit.assembly import ENTRY, FOLDER, SOURCES, assembly_file
from glnzip.jit.machine_code import MOST_OPTIMISATION, kinds_and_words, object_of

_PRESET = 9 | lzma.PRESET_EXTREME
_NEWER = re.compile(
    r" nocreateundeforpoison|, target_mem\d: none|^.*\bvoid @llvm\.lifetime\..*\n", re.MULTILINE
)
"""What passes go by and LLVM 20 does not know: two attributes, and how long variables are alive."""


def made_by() -> str:
    """What writes assembly: with other versions, or on another machine, it may be another text."""
    packages = (f"{name} {metadata.version(name)}" for name in ("numba", "llvmlite", "numpy"))
    return ", ".join((sys.implementation.cache_tag or "", platform.machine(), *packages))


def optimised(assembly: str) -> str:
    """What LLVM's passes make of a module for a machine that has no more than all of its kind.

    Loops are taken two or four numbers at a time where they can be; the model's own vectors are as
    long as they were, and the CPU that is there decides in how many steps to take them. What LLVM
    20 cannot read is left out: it is of no more use.
    """
    module = llvm.parse_assembly(assembly)
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(cpu="generic", opt=MOST_OPTIMISATION)
    layout, triple = module.data_layout, module.triple
    module.data_layout, module.triple = str(machine.target_data), machine.triple
    options = llvm.create_pipeline_tuning_options(speed_level=MOST_OPTIMISATION)
    options.loop_vectorization = True
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    module.data_layout, module.triple = layout, triple
    return _NEWER.sub("", str(module))


def assemblies() -> dict[str, str]:
    """The kernels by the names of their files, made anew."""
    made: dict[str, str] = {}
    compile_it = kernel_compiler.object_file

    def note(
        function: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]
    ) -> tuple[str, bytes, bool]:
        text = kernel_compiler.assembly(function, arguments)
        if text is None:
            return compile_it(function, arguments, options)
        text = optimised(text)
        made[assembly_file(function, kinds_and_words(arguments)[0])] = text
        return ENTRY, object_of(text), True

    kernel_compiler.usable_options()
    with tempfile.TemporaryDirectory() as empty:
        set_apart = {"GLNZIP_CACHE_DIR": empty, "NUMBA_OPT": "3"}  # as it is, but set
        with patch.dict(os.environ, set_apart), patch.object(kernel_compiler, "object_file", note):
            _use_kernels()
    return made


def _use_kernels() -> None:
    """Compress and decompress something of every kind; analyse data of each kernel."""
    import glnzip
    from glnzip.analysis.analyse import analyse
    from glnzip.planner.planner import choose_block_type
    from tests.make_golden import inputs
    from tests.packed import OTHERS, all_kinds, gzip_file, ours

    data = inputs()
    more = [*all_kinds(data["prose"][:400], ours).values()]
    more += [gzip_file(data["prose"], deflate) for deflate in OTHERS]
    more.append(bytes(1 << 14) + data["prose"] * 8)  # text behind something else
    for some in (*data.values(), *more):
        if glnzip.decompress(glnzip.compress(some, level=1, prior=None)) != some:
            raise AssertionError("what was compressed does not come back")
    choose_block_type(data["slices"])  # records, which level 1 takes for numbers
    for name in ("prose", "image", "scan"):
        analyse(data[name], level=1, prior=None)
    prior = glnzip.SHIPPED_PRIOR
    message = glnzip.compress_message(data["prose"], level=1, prior=prior)
    if glnzip.decompress_message(message, level=1, prior=prior) != data["prose"]:
        raise AssertionError("a message does not come back")


def write(folder: Path = FOLDER) -> int:
    """Write those that are not there as they are, remove others; return how many have changed."""
    folder.mkdir(exist_ok=True)
    made = assemblies()
    changed = 0
    for file in folder.glob("*.ll.xz"):
        if file.name not in made:
            file.unlink()
            changed += 1
    for name, text in made.items():
        file = folder / name
        if not file.exists() or lzma.decompress(file.read_bytes()).decode() != text:
            file.write_bytes(lzma.compress(text.encode(), check=lzma.CHECK_CRC32, preset=_PRESET))
            changed += 1
    lines = (KERNEL_SOURCES.loaded.hex(), made_by())
    (folder / SOURCES).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    return changed


def main() -> None:
    """Run ``make kernels``."""
    changed = write()
    print(f"{FOLDER}: {changed} of {len(list(FOLDER.glob('*.ll.xz')))} kernels are new")


if __name__ == "__main__":
    main()
