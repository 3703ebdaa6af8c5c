"""Headers of sounds that are not packed: WAV and AIFF."""

from __future__ import annotations

from collections.abc import Iterator

from glnzip.format.block_type import AUDIO, MAX_CHANNELS, SAMPLE_FORMS, BlockType
from glnzip.transforms.unpacking.samples import Samples, samples_entry, with_rows
from glnzip.transforms.unpacking.window import Entry, Window

_MOST_CHUNKS = 64
_MOST_HEADER = 1 << 16  # bytes of a chunk before the samples
_PCM, _EXTENSIBLE = 1, 0xFFFE
_LITTLE = {b"NONE": False, b"twos": False, b"sowt": True}  # of AIFF-C: whether low bytes come first


def sound(window: Window, at: int) -> Entry | None:
    """The samples of a WAV or AIFF."""
    form = window.bytes_at(at, 12)
    little = form[:4] == b"RIFF"
    if form[8:] not in ((b"WAVE",) if little else (b"AIFF", b"AIFC")):
        return None
    block_type: BlockType | None = None
    for name, start, length in _chunks(window, at + 12, little):
        if name == b"fmt " and length >= 16:
            block_type = _of_wav(window.bytes_at(start, length))
        elif name == b"COMM" and length >= 18:
            block_type = _of_aiff(window.bytes_at(start, length))
        elif name in (b"data", b"SSND"):
            skipped = 0 if little else 8 + int.from_bytes(window.bytes_at(start, 4), "big")
            if block_type is None or skipped > min(length, _MOST_HEADER):
                return None
            samples = Samples(start + skipped, length - skipped, block_type)
            return samples_entry(window, at, [samples])
        elif length > _MOST_HEADER:
            break
    return None


def _chunks(window: Window, at: int, little: bool) -> Iterator[tuple[bytes, int, int]]:
    """Name, start and length of each chunk; lengths are even (EA IFF 85)."""
    for _ in range(_MOST_CHUNKS):
        head = window.bytes_at(at, 8)
        length = int.from_bytes(head[4:], "little" if little else "big")
        yield head[:4], at + 8, length
        at += 8 + length + length % 2


def _of_wav(body: bytes) -> BlockType:
    tag, channels, align, bits = (int.from_bytes(body[k : k + 2], "little") for k in (0, 2, 12, 14))
    if tag == _EXTENSIBLE and len(body) >= 26:
        tag = int.from_bytes(body[24:26], "little")
    return _seen_as(channels, bits, tag == _PCM, bits > 8, True) or with_rows(align)


def _of_aiff(body: bytes) -> BlockType:
    channels, bits = (int.from_bytes(body[k : k + 2], "big") for k in (0, 6))
    little = _LITTLE.get(body[18:22]) if len(body) >= 22 else False
    width = (bits + 7) // 8
    seen = _seen_as(channels, bits, little is not None, True, bool(little) or width == 1)
    return seen or with_rows(width * channels)


def _seen_as(channels: int, bits: int, plain: bool, signed: bool, little: bool) -> BlockType | None:
    """How the audio model should see samples, if it can."""
    form = ((bits + 7) // 8, signed, little)
    if not plain or form not in SAMPLE_FORMS or not 1 <= channels <= MAX_CHANNELS:
        return None
    return BlockType(AUDIO, 0, form[0] * channels, SAMPLE_FORMS.index(form))
