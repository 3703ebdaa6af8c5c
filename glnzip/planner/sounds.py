"""Whether a block is audio: samples that go on as the last ones of their channel did."""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.format.block_type import AUDIO, AUDIO_FORMS, SAMPLE_FORMS, BlockType
from glnzip.planner.code_length import adaptive_bits, entropy_bits
from glnzip.planner.error_sizes import SIZES, count_error_sizes
from glnzip.planner.guess import RATE_BYTES, Guess, samples_of

_PIECES = 4
_PIECE_BYTES = 1 << 14
_ALIGNMENT = 24  # pieces begin at a multiple of every sample's size
_QUIET = 256  # bits for 1024 bytes; what costs less is no audio
_BEST_OF_BYTES = 90  # per cent of the bytes' code length, or less
_GLANCE_BYTES = 1 << 11  # of each piece
_HOPELESS = 130  # per cent of the code length as bytes, at a glance


def guess_audio(block: Any) -> Guess | None:
    """The best guess of what audio a block (uint8[:]) is, or None if it is none."""
    pieces = _pieces(block)
    glance = pieces[:, :_GLANCE_BYTES]
    if 100 * _best_of_audio(glance).rate >= _HOPELESS * _rate_as_bytes(glance, 1):
        return None
    guess = _best_of_audio(pieces)
    rate = min(_rate_as_bytes(pieces, back) for back in {1, guess.block_type.step})
    rate = min(rate, 8 * RATE_BYTES)
    audible = _QUIET <= guess.rate and 100 * guess.rate < _BEST_OF_BYTES * rate
    return guess if audible else None


def _best_of_audio(pieces: Any) -> Guess:
    """The form of audio with the shortest code."""
    return min(
        Guess(
            _audio_rate(pieces, form, phase, channels),
            BlockType(AUDIO, 0, SAMPLE_FORMS[form][0] * channels, form, phase),
        )
        for form in AUDIO_FORMS
        for phase in range(SAMPLE_FORMS[form][0])
        for channels in (1, 2)
    )


def _rate_as_bytes(pieces: Any, back: int) -> int:
    """Bits for 1024 bytes after the byte so far back."""
    bits = adaptive_bits(pieces[:, :-back].ravel(), pieces[:, back:].ravel(), 8)
    return RATE_BYTES * bits // pieces.size


def _pieces(block: Any) -> Any:
    """Four parts of the block, evenly spread: int64[pieces, bytes]."""
    size = min(_PIECE_BYTES, block.size // _PIECES) // _ALIGNMENT * _ALIGNMENT
    apart = (block.size - size) // (_PIECES - 1) // _ALIGNMENT * _ALIGNMENT
    return np.stack([block[k * apart : k * apart + size] for k in range(_PIECES)]).astype(np.int64)


def _audio_rate(pieces: Any, form: int, phase: int, channels: int) -> int:
    """Bits for 1024 bytes, if each sample goes on from the last ones in the best of three ways."""
    width = SAMPLE_FORMS[form][0]
    samples = samples_of(pieces, form, phase)
    samples = np.ascontiguousarray(samples[:, : samples.shape[1] // channels * channels])
    counts = np.zeros((1 + channels, SIZES, SIZES), np.int64)  # two ways for one channel
    count_error_sizes(samples, channels, np.zeros(samples.shape[1], np.uint8), counts)
    uncounted = 2 * channels * len(pieces)  # no two errors of their channel stand before them
    errors = [int(way.sum()) + uncounted for way in counts]
    return min(
        RATE_BYTES * _error_bits(way, size) // (width * size)
        for way, size in zip(counts, errors, strict=True)
    )


def _error_bits(counts: Any, errors: int) -> int:
    """Code length of so many errors: their sizes after those of the ones before, then the bits."""
    bits = int((counts.sum(0) * np.arange(SIZES)).sum()) + entropy_bits(counts)
    return bits * errors // int(counts.sum())
