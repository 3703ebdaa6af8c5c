"""glnzip passes Python's own tests of `lzma` and `bz2`, but for the differences listed here.

The tests are those of the interpreter that runs, unchanged: only what they call `lzma` and `bz2` is
glnzip, and their compressed data are glnzip streams of the same content. A new version of Python
may need a line more in `DIFFERENT`. A test that is listed and passes is an error.
"""

from __future__ import annotations

import lzma
import unittest
from collections.abc import Iterable
from importlib.util import find_spec, module_from_spec
from typing import Any, cast

import pytest

import glnzip
from tests.cpython import stand_ins

DIFFERENT = {
    "formats, checks and filters of xz": (
        "CompressDecompressFunctionTestCase.test_bad_args",
        "CompressDecompressFunctionTestCase.test_decompress_bad_input",
        "CompressorDecompressorTestCase.test_bad_filter_spec",
        "CompressorDecompressorTestCase.test_decompressor_bad_input",
        "CompressorDecompressorTestCase.test_decompressor_bug_28275",
        "CompressorDecompressorTestCase.test_simple_bad_args",
        "FileTestCase.test_init_bad_check",
        "FileTestCase.test_init_bad_filter_spec",
        "FileTestCase.test_init_with_preset_and_filters",
        "MiscellaneousTestCase.test__decode_filter_properties",
        "MiscellaneousTestCase.test__encode_filter_properties",
        "MiscellaneousTestCase.test_filter_properties_roundtrip",
        "MiscellaneousTestCase.test_is_check_supported",
    ),
    "the kinds of error for a wrong preset of xz: a wrong level is a ValueError, as in bz2": (
        "FileTestCase.test_init_bad_preset",
    ),
    "bytes after the last frame that are no frame are an error: they may have been one": (
        "CompressDecompressFunctionTestCase.test_decompress_multistream_trailing_junk",
        "CompressDecompressFunctionTestCase.test_decompress_trailing_junk",
        "FileTestCase.test_read_multistream_trailing_junk",
        "FileTestCase.test_read_trailing_junk",
        "BZ2FileTest.testReadMultiStreamTrailingJunk",
        "BZ2FileTest.testReadTrailingJunk",
        "CompressDecompressTest.testDecompressMultiStreamTrailingJunk",
        "CompressDecompressTest.testDecompressTrailingJunk",
    ),
    "the size of what follows the data: the end of a frame is shorter": (
        "FileTestCase.test_read_truncated",
        "BZ2FileTest.test_read_truncated",
    ),
    "the kinds of error in bz2, OSError and ValueError: here they are those of lzma": (
        "BZ2FileTest.testReadBadFile",
        "CompressDecompressTest.testDecompressBadData",
        "CompressDecompressTest.testDecompressIncomplete",
    ),
    "no bytes are a stream in bz2: in lzma they are none": (
        "CompressDecompressTest.testDecompressEmpty",
    ),
    "None is no size of a line in bz2: in lzma it is": (
        "BZ2FileTest.testReadLine",
        "BZ2FileTest.testReadLineMultiStream",
        "BZ2FileTest.testReadLines",
        "BZ2FileTest.testReadLinesMultiStream",
    ),
    "data of bz2 within the test": ("BZ2FileTest.testReadlinesNoNewline",),
    "an object that was never initialised: that matters in C only": (
        "CompressorDecompressorTestCase.test_uninitialized_LZMADecompressor_crash",
        "BZ2DecompressorTest.test_uninitialized_BZ2Decompressor_crash",
    ),
}
"""By what makes them fail, the tests that do."""

NOT_EVERYWHERE = {
    "CompressorDecompressorTestCase.test_uninitialized_LZMADecompressor_crash",
    "BZ2DecompressorTest.test_uninitialized_BZ2Decompressor_crash",
}
"""Those of them that older versions of Python do not have."""


def load(name: str) -> Any:
    """A copy of a test module of this interpreter."""
    try:
        spec = find_spec(f"test.{name}")
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.loader is None:
        pytest.skip("this interpreter comes without its tests", allow_module_level=True)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


lzma_tests = load("test_lzma")
bz2_tests = load("test_bz2")


CASES = {
    ".".join(case.id().split(".")[-2:]): case
    for module in (lzma_tests, bz2_tests)
    for suite in unittest.defaultTestLoader.loadTestsFromModule(module)
    for case in cast("Iterable[unittest.TestCase]", suite)
}
REASONS = {name: reason for reason, names in DIFFERENT.items() for name in names}


def in_blocks(data: bytes) -> bytes:
    """A glnzip stream whose first half tells some of its data, as those of xz and bz2 do."""
    compressor = glnzip.Compressor()
    step = len(data) // 8 + 1
    blocks = [
        compressor.compress(data[start : start + step]) + compressor.end_block()
        for start in range(0, len(data), step)
    ]
    return b"".join(blocks) + compressor.flush()


@pytest.fixture(scope="module", autouse=True)
def glnzip_instead(quick_model: None) -> None:
    """Let the tests use glnzip, and streams of it in the place of theirs."""
    for module in (lzma_tests, bz2_tests):
        for name in vars(module).keys() & {"lzma", "bz2"}:
            stand_in = vars(getattr(stand_ins, name))
            vars(module).update((n, stand_in[n]) for n in stand_in.keys() & vars(module).keys())
            setattr(module, name, getattr(stand_ins, name))
        for name in vars(module).keys() & {"_compression", "_streams", "streams"}:
            setattr(module, name, stand_ins.Streams())
    issue = lzma.LZMADecompressor().decompress(lzma_tests.ISSUE_21872_DAT)
    lzma_tests.ISSUE_21872_DAT = in_blocks(issue)
    for name in ("XZ", "ALONE", "RAW_1", "RAW_2", "RAW_3", "RAW_4"):
        setattr(lzma_tests, f"COMPRESSED_{name}", in_blocks(lzma_tests.INPUT))
    base = bz2_tests.BaseTest
    base.DATA = in_blocks(base.TEXT)
    base.BIG_DATA = in_blocks(bytes(base.BIG_TEXT))
    base.EMPTY_DATA = stand_ins.bz2.compress(b"")
    bz2_tests.has_cmdline_bunzip2 = False  # a test would rather ask the command


@pytest.mark.parametrize("name", CASES)
def test_as_in_the_standard_library(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = unittest.TestResult()
    CASES[name].run(result)
    for _, reason in result.skipped:
        pytest.skip(reason)
    tracebacks = [traceback for _, traceback in result.failures + result.errors]
    if name in REASONS:
        assert tracebacks, f"it passes, but is listed as different in {REASONS[name]}"
    else:
        assert not tracebacks, tracebacks[0]


def test_only_tests_that_are_there_are_listed():
    assert REASONS.keys() - CASES.keys() <= NOT_EVERYWHERE
