"""Frames, the arithmetic decoder, and the model as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from zlib import crc32

from tests.oracles.document.audio_model import AudioModel
from tests.oracles.document.bitmap_model import BitmapModel
from tests.oracles.document.byte_model import ByteModel, Shared
from tests.oracles.document.history import SIZES, BlockType, History
from tests.oracles.document.image_model import ImageModel
from tests.oracles.document.jpeg_model import JpegModel
from tests.oracles.document.numbers import Numbers, require
from tests.oracles.document.tables import bound, u32
from tests.oracles.document.unpacking import repack


class Coder:
    """Section "The arithmetic decoder"."""

    def __init__(self, payload: bytes) -> None:
        self.low, self.high = 0, 2**32 - 1
        self.payload = iter(payload)
        self.code = 0
        for _ in range(4):
            self.code = self.code << 8 | next(self.payload, 0)

    def bit(self, p: int) -> int:
        width = self.high - self.low
        middle = self.low + (width >> 16) * p + ((width & 0xFFFF) * p >> 16)
        bit = int(self.code <= middle)
        if bit:
            self.high = middle
        else:
            self.low = middle + 1
        while self.low >> 24 == self.high >> 24:
            self.low = u32(self.low << 8)
            self.high = u32(self.high << 8) | 255
            self.code = u32(self.code << 8) | next(self.payload, 0)
        return bit


class Model:
    """Section "The whole model"."""

    def __init__(self, level: int) -> None:
        self.history = History(SIZES[level][0])
        self.shared = Shared(level, self.history)
        self.text = ByteModel(level, self.shared, "text")
        self.binary = ByteModel(level, self.shared, "binary data")
        self.code = ByteModel(level, self.shared, "code")
        self.numbers = ByteModel(level, self.shared, "numbers")
        self.bitmap = BitmapModel(level, self.history)
        self.image = ImageModel(self.history)
        self.audio = AudioModel(self.history)
        self.jpeg = JpegModel(self.bitmap, self.history)
        self.block_model: Any = None
        self.marked = False
        self.trace: list[int] = []  # *p* of every bit

    def begin_block(self, block_type: BlockType) -> None:
        self._choose(block_type)
        self.block_model.begin_block()

    def memorise(self, block_type: BlockType, data: bytes) -> None:
        """See a block of text or other bytes; x86 code must have been rewritten."""
        self._choose(block_type)
        self.block_model.memorise(data)

    def _choose(self, block_type: BlockType) -> None:
        history = self.history
        marked, self.marked = self.marked, False
        if marked:
            self._begin_document(block_type.kind)
        others = {4: self.binary, 24: self.binary, 8: self.code, 12: self.code, 20: self.numbers}
        others |= dict.fromkeys((9, 13, 17, 28), self.code)
        of_bytes = others.get(block_type.kind, self.text)
        self.shared.texts.line_feeds = 0
        media = {1: self.bitmap, 3: self.audio, 5: self.jpeg}
        media |= dict.fromkeys((2, 6, 10, 14), self.image)
        self.block_model = media.get(block_type.kind, of_bytes)
        of_samples = block_type.kind in (2, 3, 6, 10, 14)
        as_before = _as_told(block_type) == _as_told(history.block_type)
        history.goes_on = of_samples and as_before and not marked
        if not history.goes_on:
            history.block_start = history.position
        history.block_type = block_type

    def decode(self, block_type: BlockType, length: int, payload: bytes) -> bytes:
        """The first `length` bytes of a coded block, as the model sees them."""
        self.begin_block(block_type)
        coder = Coder(payload)
        return bytes(self._byte(coder) for _ in range(length))

    def learn(self, block_type: BlockType, data: bytes) -> None:
        """See a stored block; x86 code must have been rewritten."""
        self.begin_block(block_type)
        for byte in data:
            self._byte(byte)

    def _byte(self, source: Coder | int) -> int:
        byte = 0
        for k in range(7, -1, -1):
            p = self.history.p = bound(int(self.block_model.predict() * 65536), 1, 65535)
            self.trace.append(p)
            bit = source >> k & 1 if isinstance(source, int) else source.bit(p)
            self.block_model.learn(bit)
            byte = byte << 1 | bit
        return byte

    def restart(self) -> None:
        """Section "Priors", of a file whose last frame has a lexicon."""
        self.shared.leave_mix()
        self._learn_quickly()

    def begin_document(self) -> None:
        """A mark: the next block begins a document."""
        self.marked = True

    def _begin_document(self, kind: int) -> None:
        """Section "Documents"."""
        if kind in (2, 6, 10, 14):
            self.image = ImageModel(self.history)
        elif kind == 3:
            self.audio = AudioModel(self.history)
        elif kind not in (1, 5):
            self.history.document = (self.history.document + 1) % 65536
            self._learn_quickly()

    def _learn_quickly(self) -> None:
        self.text.restart()
        self.binary.restart()
        self.code.restart()
        self.numbers.restart()
        for dmc in self.shared.dmcs[1:]:
            dmc.used = 0


class Block(NamedTuple):
    """A block of a frame."""

    header: bytes
    block_type: BlockType
    stored: bool
    length: int
    body: bytes


class Stretch(NamedTuple):
    """What stands before the blocks of a stretch."""

    header: bytes
    length: int
    recipe: int
    content: int


class Mark(NamedTuple):
    """The next block begins a document."""

    header: bytes


def header_bytes(frame: bytes) -> int:
    """How long the header is of a frame that is no part."""
    return 11 if frame[6] & 4 else 7


def parts_of(frame: bytes) -> Iterator[Block | Stretch | Mark]:
    """What a frame that is no part has between its header and its end tag."""
    numbers = Numbers(frame, header_bytes(frame))
    while (tag := frame[numbers.at]) != 0:
        start = numbers.at
        numbers.at += 1
        if tag == 7:
            yield Mark(frame[start : numbers.at])
        elif tag == 3:
            sizes = [numbers.next() for _ in range(3)]
            yield Stretch(frame[start : numbers.at], *sizes)
        else:
            length = numbers.next()
            row_bytes = numbers.next() if tag & 16 else 0
            kind = tag >> 2 & 3 | tag >> 5 << 2
            if kind == 24:
                rest = [numbers.next()]
            else:
                rest = list(numbers.take({2: 1, 3: 2, 6: 2, 10: 1, 14: 2, 20: 2}.get(kind, 0)))
            if kind in (10, 14):
                rest = [*[*rest, 0][:2], numbers.next()]
            if kind == 28:
                rest = [0, 0, 0, numbers.next()]
            stored = tag & 3 == 2
            size = length if stored else numbers.next()
            header = frame[start : numbers.at]
            block_type = BlockType(kind, row_bytes, *rest)
            yield Block(header, block_type, stored, length, numbers.take(size))


def decode(frame: bytes, most: int) -> tuple[bytes, list[int]]:
    """The first `most` bytes of a frame as the model sees them, and *p* of each bit."""
    model = Model(frame[5] & 15)
    data = b""
    for part in parts_of(frame):
        if isinstance(part, Block):
            data += _data_of(part, model, most - len(data))
        elif isinstance(part, Mark) and model.block_model is not None:
            model.begin_document()
    return data, model.trace


def _data_of(block: Block, model: Model, most: int) -> bytes:
    length = min(block.length, most)
    if not block.stored:
        return model.decode(block.block_type, length, block.body)
    model.learn(block.block_type, block.body[:length])
    return block.body[:length]


def original(frame: bytes) -> bytes:
    """The original data of a frame that is no part, has no prior and no x86 code."""
    model = Model(frame[5] & 15)
    check = crc32(frame[: header_bytes(frame)])
    data = unpacked = b""
    stretch: Stretch | None = None
    for part in parts_of(frame):
        check = crc32(part.header, check)
        if isinstance(part, Stretch):
            require(stretch is None)
            stretch = part
        elif isinstance(part, Mark):
            if model.block_model is not None:
                model.begin_document()
        else:
            block = _data_of(part, model, part.length)
            check = crc32(block if part.stored else part.body + block, check)
            if stretch is None:
                data += block
                continue
            unpacked += block
            require(len(unpacked) <= stretch.recipe + stretch.content)
            if len(unpacked) == stretch.recipe + stretch.content:
                packed = repack(unpacked[: stretch.recipe], unpacked[stretch.recipe :])
                require(len(packed) == stretch.length)
                check = crc32(packed, check)
                data += packed
                stretch, unpacked = None, b""
    require(stretch is None and crc32(b"\0", check).to_bytes(4, "little") == frame[-4:])
    return data


def _as_told(block_type: BlockType) -> tuple[int, ...]:
    """What has to be the same for samples to go on."""
    return (*block_type[:3], block_type.sample & 15, block_type.slice_bytes)
