"""The encoder's look at a block of numbers: is it an image of bytes, or audio?

A guess is a way to cut the bytes into samples and to predict each from its neighbours. It is judged
by the code length of what it gets wrong, against that of the bytes after one byte of context: over
the whole of some pieces of the block, and once more over those places alone that were not predicted
exactly, because tables and machine code are full of places that anything predicts. All sums are
integers, so that every machine comes to the same type.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from glnzip.format.block_type import AUDIO, IMAGE, SAMPLE_FORMS, BlockType
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.planner.code_length import adaptive_bits, entropy_bits
from glnzip.planner.error_sizes import SIZES, count_error_sizes

_SMALLEST = 4096  # bytes; in less, little is to be gained
_PIECES = 4
_PIECE_BYTES = 1 << 14
_ALIGNMENT = 24  # pieces begin at a multiple of every sample's size
_LONGEST_ROW = 16384
_ROWS_WANTED = 6
_NARROWEST = 24  # bytes; shorter rows are records
_DIP = 32  # bytes; rows are closer to each other than to what stands this much off
_STEPS = (1, 3, 4)  # bytes of a pixel
_QUIET = 256  # bits for 1024 bytes; what costs less is no audio
_BEST_OF_BYTES = {IMAGE: 98, AUDIO: 90}  # per cent of the bytes' code length, or less
_ASTRAY = 7680  # bits for 1024 bytes that neighbours miss: more than noise costs in any image
_RECORDS_FROM_LEVEL = 6  # the first level that is better at records as bytes than as an image
_GLANCE_BYTES = 1 << 11  # of each piece
_HOPELESS_AUDIO = 130  # per cent of the code length as bytes, at a glance
_GAIN_OF_AUDIO = 125  # per cent


class _Guess(NamedTuple):
    """A block type and its code length, in bits for 1024 bytes."""

    rate: int
    block_type: BlockType


def choose_media_type(data: bytes, level: int = DEFAULT_LEVEL) -> BlockType | None:
    """The type of a block of numbers at a level, or None if it had better be seen otherwise."""
    if len(data) < _SMALLEST:
        return None
    block = np.frombuffer(data, np.uint8)
    image, audio = _guess_image(block, level), _guess_audio(block)
    if image and audio:
        # A long filter gains much on the audio judged here; an image is judged more nearly.
        if (
            image.block_type.step == 3 and audio.block_type.step == 1
        ):  # grey in three channels sounds flat
            return image.block_type
        gain = _GAIN_OF_AUDIO if SAMPLE_FORMS[audio.block_type.sample_form][0] == 2 else 100
        return image.block_type if gain * image.rate < 100 * audio.rate else audio.block_type
    guess = image or audio
    return guess.block_type if guess else None


def _middle(block: Any) -> Any:
    """The middle of the block: int64[:]."""
    size = min(block.size, _PIECES * _PIECE_BYTES)
    start = (block.size - size) // 2
    return block[start : start + size].astype(np.int64)


def _guess_image(block: Any, level: int) -> _Guess | None:
    part = _middle(block)
    row = _row_bytes(part)
    if row == 0:
        return None
    rates = [rate for step in _STEPS if (rate := _image_rate(part, row, step, level)) is not None]
    return _Guess(min(rates), BlockType(IMAGE, row, _step(part))) if rates else None


def _image_rate(part: Any, row: int, step: int, level: int) -> int | None:
    """Bits for 1024 bytes as an image, or None if they are not clearly fewer than as bytes."""
    errors = _plane_errors(part, row, step)
    samples = part[part.size - errors.size :]
    sizes = _bit_length(np.abs(errors))
    near = np.maximum(_before(sizes, step), _before(sizes, row))
    guesses = [errors & 255]
    if step > 1:  # a channel often errs as the one before has erred
        guesses.append((errors - _before(errors, 1)) & 255)
    bytes_before = [part[part.size - errors.size - b : part.size - b] for b in (1, step, row)]
    for places in (errors != 0, np.ones(errors.size, bool)):
        size = samples[places].size
        if size < _SMALLEST // 8:
            return None
        bits = min(adaptive_bits(near[places], guess[places], 8) for guess in guesses)
        byte_model = min(adaptive_bits(b[places], samples[places], 8) for b in bytes_before)
        if 100 * bits >= _BEST_OF_BYTES[IMAGE] * byte_model:
            return None
        if level >= _RECORDS_FROM_LEVEL and 1024 * bits >= _ASTRAY * size:
            return None
    return 1024 * bits // size


def _step(part: Any) -> int:
    """Bytes from pixel to pixel: the distance at which bytes are closest to each other.

    In a grey image of three channels neighbouring bytes are closest, but only two in three.
    """
    change = np.abs(part[1:] - part[:-1])
    costs = {1: int(change.sum())}
    for step in _STEPS[1:]:
        costs[step] = int(np.abs(part[step:] - part[:-step]).sum())
    by_channel = change[: change.size // 3 * 3].reshape(-1, 3).sum(0)
    if by_channel.max() > 2 * by_channel.min():
        costs[1] = max(costs[1], costs[3])
    return min(_STEPS[::-1], key=costs.__getitem__)


def _before(values: Any, back: int) -> Any:
    return np.concatenate((np.zeros(back, np.int64), values[:-back]))


def _plane_errors(part: Any, row: int, step: int) -> Any:
    """What the middle one of W, N and W + N - NW misses, from the second row on."""
    w, n, nw = part[row:-step], part[step:-row], part[: -row - step]
    low, high = np.minimum(w, n), np.maximum(w, n)
    return part[row + step :] - np.clip(w + n - nw, low, high)


def _row_bytes(part: Any) -> int:
    """The distance at which samples are clearly closer to each other than a little off it, or 0.

    The mean square difference at every distance follows from the correlation, which the Fourier
    transform gives to far less than the half that rounding it to integers allows.
    """
    size = part.size
    longest = min(_LONGEST_ROW, size // _ROWS_WANTED)
    squares = np.concatenate(([0], np.cumsum(part * part)))
    transform = np.fft.rfft(part, 2 * size)
    products = np.rint(np.fft.irfft(transform * np.conj(transform))[: longest + 1])
    distance = np.arange(longest + 1)
    both = squares[size - distance] + squares[size] - squares[distance]
    apart = (both - 2 * products.astype(np.int64)) * 64 // (size - distance)
    around = np.minimum(apart[_NARROWEST : -2 * _DIP], apart[_NARROWEST + 2 * _DIP :])
    gain = around * 256 // (apart[_NARROWEST + _DIP : -_DIP] + 4)
    if 4 * gain.max() <= 5 * 256:
        return 0
    # Two rows, and more, may be as good as one: the first peak of those nearly as high counts.
    highest = sliding_window_view(np.pad(gain, _DIP), 2 * _DIP + 1).max(1)
    peaks = (gain == highest) & (10 * gain >= 8 * gain.max())
    return int(np.argmax(peaks)) + _DIP + _NARROWEST


def _guess_audio(block: Any) -> _Guess | None:
    pieces = _pieces(block)
    glance = pieces[:, :_GLANCE_BYTES]
    if 100 * _best_of_audio(glance).rate >= _HOPELESS_AUDIO * _rate_as_bytes(glance, 1):
        return None
    guess = _best_of_audio(pieces)
    rate = min(_rate_as_bytes(pieces, back) for back in {1, guess.block_type.step})
    audible = _QUIET <= guess.rate and 100 * guess.rate < _BEST_OF_BYTES[AUDIO] * min(
        rate, 1024 * 8
    )
    return guess if audible else None


def _best_of_audio(pieces: Any) -> _Guess:
    """The form of audio with the shortest code."""
    return min(
        _Guess(
            _audio_rate(pieces, form, phase, channels),
            BlockType(AUDIO, 0, width * channels, form, phase),
        )
        for form, (width, _, _) in enumerate(SAMPLE_FORMS)
        for phase in range(width)
        for channels in (1, 2)
    )


def _rate_as_bytes(pieces: Any, back: int) -> int:
    """Bits for 1024 bytes after the byte so far back."""
    bits = adaptive_bits(pieces[:, :-back].ravel(), pieces[:, back:].ravel(), 8)
    return 1024 * bits // pieces.size


def _pieces(block: Any) -> Any:
    """Four parts of the block, evenly spread: int64[pieces, bytes]."""
    size = min(_PIECE_BYTES, block.size // _PIECES) // _ALIGNMENT * _ALIGNMENT
    apart = (block.size - size) // (_PIECES - 1) // _ALIGNMENT * _ALIGNMENT
    return np.stack([block[k * apart : k * apart + size] for k in range(_PIECES)]).astype(np.int64)


def _audio_rate(pieces: Any, form: int, phase: int, channels: int) -> int:
    """Bits for 1024 bytes, if each sample goes on from the last ones in the best of three ways."""
    width = SAMPLE_FORMS[form][0]
    samples = _samples(pieces, form, phase)
    samples = np.ascontiguousarray(samples[:, : samples.shape[1] // channels * channels])
    counts = np.zeros((1 + channels, SIZES, SIZES), np.int64)  # two ways for one channel
    count_error_sizes(samples, channels, np.zeros(samples.shape[1], np.uint8), counts)
    uncounted = 2 * channels * len(pieces)  # no two errors of their channel stand before them
    errors = [int(way.sum()) + uncounted for way in counts]
    return min(
        1024 * _error_bits(way, size) // (width * size)
        for way, size in zip(counts, errors, strict=True)
    )


def _samples(pieces: Any, form: int, phase: int) -> Any:
    """The numbers written in the pieces: int64[pieces, samples]."""
    width, signed, little = SAMPLE_FORMS[form]
    count = (pieces.shape[1] - phase) // width
    digits = pieces[:, phase : phase + count * width].reshape(len(pieces), count, width)
    total = np.zeros(digits.shape[:2], np.int64)
    for k in range(width):
        total = total << 8 | digits[:, :, width - 1 - k if little else k]
    half = 1 << 8 * width - 1
    return (total ^ half) - half if signed else total


def _error_bits(counts: Any, errors: int) -> int:
    """Code length of so many errors: their sizes after those of the ones before, then the bits."""
    bits = int((counts.sum(0) * np.arange(SIZES)).sum()) + entropy_bits(counts)
    return bits * errors // int(counts.sum())


def _bit_length(values: Any) -> Any:
    """Bits of each number, 0 for 0; float64 holds these integers exactly."""
    return np.frexp(values.astype(np.float64))[1].astype(np.int64)
