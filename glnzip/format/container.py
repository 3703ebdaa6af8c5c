"""The glnzip file format, byte by byte, and the functions that read and write its fields.

A stream is one frame or several, one directly after the other; what it decodes to is the data of
its frames joined. A frame stands alone, and nothing in it needs the size of the data up front:

    frame header   7 bytes and the fields that it announces
    block          any number of them, in the order of the data
    end tag        1 byte
    check          4 bytes

Frame header
    offset 0, 4 bytes   magic: D7 47 4C 4E, that is "\\xd7GLN"; the first byte has its top bit set,
                        so that no text file starts like this and 7-bit channels are noticed
    offset 4, 1 byte    format version: 1
    offset 5, 1 byte    model. High four bits: model generation, 1..15 (this build has 9). Low four
                        bits: level, 1..15 (generation 9 has 1..9). Together they name one model.
                        0 is no model: the frame is plain (see below)
    offset 6, 1 byte    Bits 2-3: fields that follow, 4 = a prior, 8 = a place, 12 = both, 0 = none.
                        The other six bits: check of the header (see below)
    prior, 4 bytes      the id of the prior (see `glnzip.priors.prior`)
    place, 5-13 bytes   4 bytes that name the whole that the frame is a part of, and a number,
                        0..2**63 - 1: the bytes of data in the parts before it

    The check of the header makes the CRC-6 of its bytes from the version to its end 0: polynomial
    x^6 + x^5 + x^2 + x + 1, start 63, highest bits first (the one of CDMA2000, A). There is one
    value that does, whatever the header. So a damaged level is found before its model is made.

Block
    tag                 1 byte. Bits 0-1: 1 = coded, 2 = stored (3 begins a stretch, see below).
                        Bits 2-3 and 5-7: the kind of data, the low two of its five bits in bits
                        2-3. 0 = text, 1 = bitmap, 2 = image, 3 = audio, 4 = other data, 5 = the
                        scan of a JPEG, 6 = wide image, of two bytes a sample, 8 = x86 code with
                        absolute calls, 12 = and with absolute addresses of data
                        (`glnzip.transforms.x86_addresses`), 16 = lexicon
                        (`glnzip.model.contexts.word_classes`), 20 = an array of numbers
                        (`glnzip.transforms.byte_order`), 24 = other data in records of a
                        length that is told, 28 = A64 code (`glnzip.transforms.a64_words`), 9 = a
                        font (`glnzip.model.contexts.fonts`), 10 = a volume of a byte a
                        sample, 14 = of two. Bit 4: row bytes follow (of an
                        image or a volume: always). (A tag whose bits 0-1 are 0 is the end tag; all
                        its bits are 0.)
    original length     number, 1..1,048,576: bytes of data in the block
    row bytes           number, 1..65,535 (of numbers 1..524,288), only where bit 4 of the tag is
                        set: length of a row of the data, for data that has rows; of a JPEG, of the
                        tables before it
    record bytes        number, 2..524,288, only of records: bytes from a record to the next one
    step                1 byte, only of images, volumes, audios and numbers: bytes from a sample to
                        the next one of the same channel; 1..4 samples of an image, 1 of a volume,
                        1..8 of audio, 1..31 numbers
    sample              1 byte, only of wide images and volumes, audio and numbers. Bits 0-3: how a
                        sample is written, an index of `SAMPLE_FORMS` of
                        `glnzip.format.block_type`. Bits 4-7: phase, the bytes at the start that end
                        a sample begun before; fewer than a sample has.
    slice bytes         number, 4 times the row bytes..1,048,576, only of volumes: bytes from a
                        slice to the next one
    address             number, 0..2**28 - 1, only of A64 code: that of its first byte
    payload length      number, 0..original length - 1, only in a coded block
    body                coded: the payload, which the model turns back into the data;
                        stored: the data themselves, which the model learns from all the same (in
                        a part, combined with the name of the whole: see `masked`)

Stretch
    tag                 1 byte: 3
    length              number, 1..16,777,216: bytes of original data
    recipe length       number, 1..16,777,216
    content length      number, 1..16,777,216
    blocks              whose data are the recipe and then the content; of both,
                        `glnzip.transforms.unpacking` makes the original data

Mark
    tag                 1 byte: 7. The next block begins a document, unlike those before: the block
                        model that sees it learns anew (`glnzip.model.build.begin_document`)

Plain frame
    It can only stand for a prior. Its level and generation are 0, and it has stored blocks, without
    stretches and documents, an end tag and a check. Before any of its blocks there may be one more
    tag of 1 byte, for those that follow: 11 = a model memorises them, 15 = it learns them, as it
    does at the beginning (`glnzip.model.memorising`)

A number is LEB128: seven bits a byte, low bits first, the top bit set in all bytes but the last, in
the shortest form only (no needless zero byte at the end). A payload of no bytes is not an error: a
few bytes that the model expects most of all may need none.

Check
    CRC-32 (the one of zlib, gzip and PNG), little-endian, of these bytes in this order: the frame
    header; for each coded block its header, its payload, then its data; for each stored block its
    header and its body; for each stretch its header, its blocks, then its data; marks; the end
    tag. So it
    covers every byte before it and the data too. Nothing is reported as decoded in full before it
    matches.

A frame with a place is a *part*: frames that share the name of a whole are decoded one by one, and
whoever has lost some of them knows where the others belong. The parts of a whole follow each other
in a stream without a gap; the end tag of the last one, and of no other, is 0 (`Succession`).

One model serves a whole frame: what it learned in one block helps in the next. A writer cuts a
block at every 1,048,576 bytes of data, at the end, and where its user asks for it, so the frame
depends on data, level, prior and such requests alone; a reader takes blocks of any length in the
range. Nothing in a stream is trusted: every field is checked against its range before anything is
allocated. `docs/FORMAT.md` has worked examples, how x86 code is rewritten, and what a reader
promises about versions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from glnzip.errors import CorruptStreamError, UnsupportedStreamError
from glnzip.format.block_type import (
    A64,
    AUDIO,
    AUDIO_FORMS,
    BLOCK_MODELS,
    IMAGE,
    IMAGES,
    MAX_CHANNELS,
    MAX_IMAGE_CHANNELS,
    MAX_NUMBERS,
    NUMBER_FORMS,
    NUMBERS,
    RECORDS,
    SAMPLE_FORMS,
    VOLUME,
    VOLUMES,
    WIDE_FORMS,
    WIDE_IMAGE,
    WIDE_VOLUME,
    BlockType,
)
from glnzip.format.levels import (
    LEVELS,
    MAX_LEVEL,
    MIN_LEVEL,
    MODEL_GENERATION,
    PLAIN_GENERATION,
    PLAIN_LEVEL,
)
from glnzip.format.numbers import take_number, write_number, write_numbers

MAGIC = b"\xd7GLN"
FORMAT_VERSION = 1
BLOCK_BYTES = 1 << 20
STRETCH_BYTES = 1 << 24
MAX_ROW_BYTES = 65_535
MAX_NUMBER_ROW = 1 << 19
MIN_RECORD_BYTES, MAX_RECORD_BYTES = 2, 1 << 19
MIN_SLICE_ROWS, MAX_SLICE_BYTES = 4, 1 << 20
MAX_ADDRESS = (1 << 28) - 1  # of A64 code: as far as a call reaches
CHECK_BYTES = 4
PRIOR_ID_BYTES = 4
WHOLE_BYTES = 4
MAX_OFFSET = (1 << 63) - 1

_CODED = 1
_STORED = 2
_STRETCH = 3  # a tag, as is the next
_DOCUMENT = 7
_MEMORISED, _LEARNED = 11, 15  # tags of plain frames
_STATE_MASK = 0b0000_0011
_PHASE_SHIFT = 4
_FORMS = {
    AUDIO: AUDIO_FORMS,
    WIDE_IMAGE: WIDE_FORMS,
    WIDE_VOLUME: WIDE_FORMS,
    NUMBERS: NUMBER_FORMS,
}
_MOST_CHANNELS = {
    IMAGE: MAX_IMAGE_CHANNELS,
    WIDE_IMAGE: MAX_IMAGE_CHANNELS,
    VOLUME: 1,
    WIDE_VOLUME: 1,
    AUDIO: MAX_CHANNELS,
    NUMBERS: MAX_NUMBERS,
}
_OF_WHOLE_SAMPLES = (WIDE_IMAGE, WIDE_VOLUME, NUMBERS)  # rows
_HAS_ROWS = 0b0001_0000
_MORE_PARTS = 0b0000_0100  # of an end tag
_HAS_PRIOR = 4  # the length of an id
_HAS_PLACE = 8
_HEADER_CHECKS = [byte for byte in range(256) if not byte & (_HAS_PRIOR | _HAS_PLACE)]
_CRC6_POLYNOMIAL = 0b10_0111  # one of few by which every header has a check

Take = Callable[[int], bytes]
"""`take(n)` returns exactly the next n bytes of a stream; short of them, it raises."""


class Place(NamedTuple):
    """Where the data of a frame belong that is a part of a whole."""

    whole: bytes
    """The name of the whole: 4 bytes, alike in all of its parts."""
    offset: int
    """Bytes of data in the parts before this one."""


class FrameHeader(NamedTuple):
    """What stands at the start of a frame."""

    generation: int
    level: int
    prior_id: bytes | None = None
    place: Place | None = None
    """None for a frame that is a whole of its own."""

    @property
    def is_plain(self) -> bool:
        """Whether the frame has no model."""
        return self.generation == PLAIN_GENERATION and self.level == PLAIN_LEVEL


class BlockHeader(NamedTuple):
    """What stands before the body of a block."""

    stored: bool
    block_type: BlockType
    """How the model sees the block; its `row_bytes` are 0..MAX_ROW_BYTES."""
    length: int
    """Bytes of original data."""
    body_length: int
    """Bytes of the body: the payload's length if coded, `length` if stored."""


class StretchHeader(NamedTuple):
    """What stands before the blocks of a stretch of data that were packed and are unpacked."""

    length: int
    """Bytes of original data."""
    recipe_length: int
    """Bytes of the first data of the blocks, by which the others are packed again."""
    content_length: int
    """Bytes of these others."""

    @property
    def unpacked(self) -> int:
        """Bytes of data that the blocks have in all."""
        return self.recipe_length + self.content_length


class Document(NamedTuple):
    """What says that the next block begins a document that is unlike those before."""


class Attention(NamedTuple):
    """What says, in a plain frame, how a model sees the blocks that follow."""

    memorised: bool
    """Whether it memorises them, instead of learning them."""


class FrameEnd(NamedTuple):
    """What stands after the last block of a frame."""

    last: bool
    """Whether the data end here; False where another part of the same whole follows."""


def write_frame_header(header: FrameHeader) -> bytes:
    """Return the bytes of a frame header."""
    fields = header.prior_id or b""
    follow = len(fields)
    if header.place is not None:
        follow |= _HAS_PLACE
        fields += header.place.whole + write_number(header.place.offset)
    table = header.generation << 4 | header.level
    checked = (bytes([FORMAT_VERSION, table, follow | check]) + fields for check in _HEADER_CHECKS)
    return MAGIC + next(sound for sound in checked if header_check(sound) == 0)


def header_check(header: bytes) -> int:
    """The CRC-6 of a frame header from its version on; 0 if it is sound."""
    check = 0b11_1111
    for byte in header:
        for place in range(7, -1, -1):
            carry = check >> 5 ^ byte >> place & 1
            check = check << 1 & 0b11_1111 ^ carry * _CRC6_POLYNOMIAL
    return check


def read_frame_header(take: Take) -> FrameHeader:
    """Read a frame header; any generation, level and prior will do (see `check_supported`)."""
    for expected in MAGIC:  # byte by byte: two wrong bytes are an error, not a short stream
        if take(1)[0] != expected:
            raise CorruptStreamError("these bytes are not a glnzip frame (wrong magic number)")
    version = take(1)[0]
    if version != FORMAT_VERSION:
        raise UnsupportedStreamError(
            f"the stream has format version {version}; this build reads version {FORMAT_VERSION}"
        )
    checked = bytearray([version])

    def take_next(count: int) -> bytes:
        taken = take(count)
        checked.extend(taken)
        return taken

    table, follow = take_next(2)
    prior_id = take_next(PRIOR_ID_BYTES) if follow & _HAS_PRIOR else None
    place = None
    if follow & _HAS_PLACE:
        whole = take_next(WHOLE_BYTES)
        place = Place(whole, take_number(take_next, range(MAX_OFFSET + 1), "offset"))
    if header_check(bytes(checked)) != 0:
        raise CorruptStreamError("damaged frame header: its check does not match")
    return FrameHeader(table >> 4, table & 0x0F, prior_id, place)


def check_supported(header: FrameHeader) -> None:
    """Raise an error that says what is needed, if this build lacks the model of such a frame."""
    if header.is_plain:
        raise UnsupportedStreamError("the stream is plain: it stands for a prior, not for data")
    if header.generation != MODEL_GENERATION:
        raise UnsupportedStreamError(
            f"the stream needs model generation {header.generation}; "
            f"this build has generation {MODEL_GENERATION}"
        )
    if header.level not in LEVELS:
        raise UnsupportedStreamError(
            f"the stream needs level {header.level}; this build has {MIN_LEVEL} to {MAX_LEVEL}"
        )


def write_block_header(header: BlockHeader) -> bytes:
    """Return the bytes of a block header."""
    kind, row_bytes, step, sample_form, phase, slice_bytes, address = header.block_type
    tag = (_STORED if header.stored else _CODED) | (_HAS_ROWS if row_bytes else 0)
    fields = bytearray([tag | (kind & 3) << 2 | kind >> 2 << 5])
    fields += write_number(header.length)
    if row_bytes:
        fields += write_number(row_bytes)
    if kind == RECORDS:
        fields += write_number(step)
    if kind in _MOST_CHANNELS:
        fields.append(step)
    if kind in _FORMS:
        fields.append(sample_form | phase << _PHASE_SHIFT)
    if kind in VOLUMES:
        fields += write_number(slice_bytes)
    if kind == A64:
        fields += write_number(address)
    if not header.stored:
        fields += write_number(header.body_length)
    return bytes(fields)


def write_stretch_header(header: StretchHeader) -> bytes:
    """Return the bytes of the header of a stretch."""
    return bytes([_STRETCH]) + write_numbers(header)


def write_document_mark() -> bytes:
    """Return the byte before the first block of a document."""
    return bytes([_DOCUMENT])


def write_attention(attention: Attention) -> bytes:
    """Return the byte before blocks that are to be seen so."""
    return bytes([_MEMORISED if attention.memorised else _LEARNED])


def write_end_tag(end: FrameEnd) -> bytes:
    """Return the byte after the last block of a frame."""
    return bytes([0 if end.last else _MORE_PARTS])


def read_block_header(
    take: Take, place: Place | None = None
) -> BlockHeader | StretchHeader | Document | FrameEnd:
    """Read the header of a block or a stretch, a mark or an end tag; each field is in its range.

    `place` is that of the frame: only a part can say that more parts follow.
    """
    return _block_header(take(1)[0], take, place)


def read_plain_block_header(take: Take) -> BlockHeader | Attention | FrameEnd:
    """The same in a plain frame, whose blocks are stored and where tags say how they are seen."""
    tag = take(1)[0]
    if tag in (_MEMORISED, _LEARNED):
        return Attention(tag == _MEMORISED)
    header = _block_header(tag, take)
    if isinstance(header, FrameEnd) or (isinstance(header, BlockHeader) and header.stored):
        return header
    raise CorruptStreamError("damaged plain frame: it has a block that is not stored")


def _block_header(
    tag: int, take: Take, place: Place | None = None
) -> BlockHeader | StretchHeader | Document | FrameEnd:
    if tag == _STRETCH:
        lengths = [take_number(take, range(1, STRETCH_BYTES + 1), "length") for _ in range(3)]
        return StretchHeader(*lengths)
    if tag == _DOCUMENT:
        return Document()
    if tag == 0 or (tag == _MORE_PARTS and place is not None):
        return FrameEnd(last=tag == 0)
    state = tag & _STATE_MASK
    kind = tag >> 2 & 3 | tag >> 5 << 2
    if state not in (_CODED, _STORED) or kind not in BLOCK_MODELS:
        raise CorruptStreamError(f"damaged block header: tag {tag} is unknown")
    stored = state == _STORED
    length = take_number(take, range(1, BLOCK_BYTES + 1), "block length")
    row_bytes = 0
    if tag & _HAS_ROWS:
        longest = MAX_NUMBER_ROW if kind == NUMBERS else MAX_ROW_BYTES
        row_bytes = take_number(take, range(1, longest + 1), "row length")
    block_type = _take_block_type(take, kind, row_bytes)
    body_length = length if stored else take_number(take, range(length), "payload length")
    return BlockHeader(stored, block_type, length, body_length)


class Unfinished:
    """How much of a stretch is still to come; what does not belong there is an error."""

    def __init__(self) -> None:
        self.bytes = 0

    def begin(self, header: StretchHeader) -> None:
        """A stretch begins."""
        self.check_end()
        self.bytes = header.unpacked

    def add(self, block: BlockHeader) -> None:
        """A block follows, in the stretch if there is one."""
        if self.bytes:
            self.bytes -= block.length
            if self.bytes < 0:
                raise CorruptStreamError("a block is longer than what it belongs to")

    def check_end(self) -> None:
        """Raise an error if the stretch is not complete."""
        if self.bytes:
            raise CorruptStreamError("a block is missing")


def masked(body: bytes, place: Place | None) -> bytes:
    """The body of a stored block as a frame of this place has it, from the data; and back.

    In a part, data are combined (exclusive or) with the name of the whole, over and over. So frames
    within the data, of an archive of compressed files, never look like frames of the stream to
    whoever searches a damaged one for its sound parts.
    """
    if place is None:
        return body
    mask = (place.whole * (len(body) // WHOLE_BYTES + 1))[: len(body)]
    both = int.from_bytes(body, "big") ^ int.from_bytes(mask, "big")
    return both.to_bytes(len(body), "big")


class Succession:
    """Whether the frames of a stream follow each other as they should.

    Tell it of each frame's beginning and end; it raises `CorruptStreamError` at the first that does
    not belong where it is. `expected` is where the first frame belongs, if it is not the first.
    """

    def __init__(self, expected: Place | None = None) -> None:
        self._expected = expected

    @property
    def complete(self) -> bool:
        """Whether the stream may end after the frame that has ended last."""
        return self._expected is None

    def begin(self, place: Place | None) -> None:
        """A frame of this place begins."""
        if self._expected is None:
            fits = place is None or place.offset == 0
        else:
            fits = place == self._expected
        if not fits:
            raise CorruptStreamError("parts of the stream are missing, or not in their order")

    def end(self, place: Place | None, last: bool, length: int) -> None:
        """The frame has ended, after `length` bytes of data."""
        self._expected = None
        if place is not None and not last:
            self._expected = place._replace(offset=place.offset + length)


def _take_block_type(take: Take, kind: int, row_bytes: int) -> BlockType:
    """The type of a block, whose further fields are read."""
    block_type = BlockType(kind, row_bytes)
    if kind == RECORDS:
        lengths = range(MIN_RECORD_BYTES, MAX_RECORD_BYTES + 1)
        return block_type._replace(step=take_number(take, lengths, "record length"))
    if kind == A64:
        return block_type._replace(address=take_number(take, range(MAX_ADDRESS + 1), "address"))
    if kind not in _MOST_CHANNELS:
        return block_type
    if kind in IMAGES and not row_bytes:
        raise CorruptStreamError("damaged block header: an image without rows")
    step, form, phase = _take_samples(take, kind)
    block_type = BlockType(kind, row_bytes, step, form, phase)
    if kind in VOLUMES:
        lengths = range(MIN_SLICE_ROWS * row_bytes, MAX_SLICE_BYTES + 1)
        block_type = block_type._replace(slice_bytes=take_number(take, lengths, "slice length"))
    if kind in _OF_WHOLE_SAMPLES and row_bytes % SAMPLE_FORMS[form][0]:
        raise CorruptStreamError("damaged block header: a row ends within a sample")
    return block_type


def _take_samples(take: Take, kind: int) -> tuple[int, int, int]:
    """Step, sample form and phase of an image, audio or numbers."""
    step = take(1)[0]
    form = phase = 0
    if kind in _FORMS:
        written = take(1)[0]
        form, phase = written & (1 << _PHASE_SHIFT) - 1, written >> _PHASE_SHIFT
        if form not in _FORMS[kind] or phase >= SAMPLE_FORMS[form][0]:
            raise CorruptStreamError(f"damaged block header: sample form {written} is unknown")
    width = SAMPLE_FORMS[form][0]
    if step % width or not 1 <= step // width <= _MOST_CHANNELS[kind]:
        raise CorruptStreamError(f"damaged block header: step {step} is out of range")
    return step, form, phase
