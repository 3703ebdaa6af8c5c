"""The codec ``gln`` of Zarr, format 3, found by the entry point group ``zarr.codecs``."""

from __future__ import annotations

import asyncio
from math import prod
from typing import TYPE_CHECKING, Any

from zarr.abc.codec import BytesBytesCodec

from glnzip.plugins.chunks import ChunkCoder

if TYPE_CHECKING:
    from zarr.core.array_spec import ArraySpec
    from zarr.core.buffer import Buffer

_NAME = "gln"
_ROOM = 1 << 16


class GlnCodec(ChunkCoder, BytesBytesCodec):
    """Compress the bytes of each chunk alone; parameters as in `ChunkCoder`.

    Examples
    --------
    >>> zarr.create_array("data.zarr", data=array, compressors=GlnCodec(level=3))
    >>> zarr.create_array("more.zarr", data=array, compressors={"name": "gln"})
    """

    is_fixed_size = False

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> GlnCodec:
        """Make a codec from what metadata say of it."""
        return cls(**data.get("configuration", {}))

    def to_dict(self) -> dict[str, Any]:
        """What metadata say of it."""
        return {"name": _NAME, "configuration": self.configuration()}

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: ArraySpec) -> int:
        """Nobody knows before; as other compressors, raises NotImplementedError."""
        raise NotImplementedError

    def _encode_sync(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> Buffer:
        chunk, most = chunk_bytes.as_numpy_array(), _most_bytes(chunk_spec)
        if most is not None and chunk.nbytes > most:  # or nobody could read it
            raise ValueError(
                f"what other codecs have made of a chunk is {chunk.nbytes:,} bytes long, and more "
                f"than {most:,} are not taken for a chunk of this shape: put gln before them"
            )
        return chunk_spec.prototype.buffer.from_bytes(self.compress(chunk))

    def _decode_sync(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> Buffer:
        chunk = self.decompress(chunk_bytes.as_numpy_array(), _most_bytes(chunk_spec))
        return chunk_spec.prototype.buffer.from_bytes(chunk)

    async def _encode_single(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> Buffer:
        return await asyncio.to_thread(self._encode_sync, chunk_bytes, chunk_spec)

    async def _decode_single(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> Buffer:
        return await asyncio.to_thread(self._decode_sync, chunk_bytes, chunk_spec)


def _most_bytes(chunk_spec: ArraySpec) -> int | None:
    """How many bytes may stand for a chunk; None where its elements have no fixed size.

    Codecs before this one may add checksums or the index of a shard; seldom more than they pack.
    """
    item_bytes = getattr(chunk_spec.dtype, "item_size", None)
    return None if item_bytes is None else 2 * prod(chunk_spec.shape) * item_bytes + _ROOM
