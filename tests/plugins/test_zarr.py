"""The codec of Zarr, format 3, in arrays as Zarr makes them; and in those of format 2."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest

import glnzip
from tests.plugins.fresh_process import run

zarr = pytest.importorskip("zarr", minversion="3.1.3")
from zarr.core.buffer import default_buffer_prototype  # noqa: E402

from glnzip.plugins.numcodecs import Gln  # noqa: E402
from glnzip.plugins.zarr import GlnCodec  # noqa: E402

NUMBERS = np.arange(7 * 11, dtype="<i4").reshape(7, 11)
Store = dict[str, Any]
JSON = {"name": "gln", "configuration": {"level": 1, "prior": None}}
quick = pytest.mark.usefixtures("quick_model")


def pipelines():
    """The two ways in which Zarr runs codecs; not every version has the second."""
    yield "BatchedCodecPipeline"
    if hasattr(zarr.core.codec_pipeline, "FusedCodecPipeline"):
        yield "FusedCodecPipeline"


@pytest.fixture(params=pipelines())
def pipeline(request):
    """All arrays of a test go one of these ways."""
    path = f"zarr.core.codec_pipeline.{request.param}"
    with zarr.config.set({"codec_pipeline.path": path}):
        yield


def stored(array) -> dict[str, bytes]:
    """The chunks of an array as they lie in its store."""
    return {
        name: value.to_bytes()
        for name, value in array.store._store_dict.items()
        if not name.endswith("zarr.json")
    }


@quick
@pytest.mark.parametrize("sharding", [{}, {"shards": (8, 8)}], ids=["chunks", "shards"])
def test_arrays_come_back_whole_and_in_part(pipeline, sharding):
    """Chunks at the edges have padding; a write to a part reads the rest of the chunk."""
    store: Store = {}
    expected = NUMBERS.copy()
    array = zarr.create_array(
        store, data=NUMBERS, chunks=(4, 4), compressors=GlnCodec(level=1, prior=None), **sharding
    )
    array[2:6, 3:9] = expected[2:6, 3:9] = -1
    array = zarr.open_array(store, mode="r")
    np.testing.assert_array_equal(array[:], expected)
    np.testing.assert_array_equal(array[3:5, 1:10:3], expected[3:5, 1:10:3])
    assert array[6, 10] == expected[6, 10]


@quick
def test_each_chunk_is_a_frame(pipeline):
    array = zarr.create_array({}, data=NUMBERS, chunks=(7, 6), compressors=JSON)
    padded = np.pad(NUMBERS, ((0, 0), (0, 1)))
    assert sorted(map(glnzip.decompress, stored(array).values())) == sorted(
        [padded[:, :6].tobytes(), padded[:, 6:].tobytes()]
    )


@quick
@pytest.mark.parametrize("shape", [(), (0,), (3, 0)], ids=str)
def test_arrays_of_one_number_and_of_none(shape):
    data = np.full(shape, 7, "<f8")
    array = zarr.create_array({}, data=data, compressors=JSON)
    np.testing.assert_array_equal(array[...], data)


@quick
def test_texts_of_any_length(pipeline):
    data = np.array(["", "é", "x" * 100_000], dtype=object)
    array = zarr.create_array({}, shape=3, chunks=2, dtype=str, compressors=JSON)
    array[:] = data
    assert list(array[:]) == list(data)


@quick
def test_behind_other_codecs(pipeline):
    codecs = [zarr.codecs.GzipCodec(), zarr.codecs.Crc32cCodec(), GlnCodec(level=1, prior=None)]
    array = zarr.create_array({}, data=NUMBERS, chunks=(2, 2), compressors=codecs)
    np.testing.assert_array_equal(array[:], NUMBERS)


def test_what_metadata_say():
    codec = GlnCodec(level=3)
    said = codec.to_dict()
    assert said == {"name": "gln", "configuration": {"level": 3, "prior": "shipped"}}
    assert GlnCodec.from_dict(json.loads(json.dumps(said))) == codec
    assert GlnCodec.from_dict({"name": "gln"}) == GlnCodec() != codec
    assert hash(GlnCodec.from_dict(said)) == hash(codec) == hash(pickle.loads(pickle.dumps(codec)))
    with pytest.raises(TypeError, match="window"):
        GlnCodec.from_dict({"name": "gln", "configuration": {"window": 10}})


@quick
def test_metadata_of_an_array_make_the_codec_again():
    store: Store = {}
    zarr.create_array(store, data=NUMBERS, compressors=JSON)
    metadata = json.loads(store["zarr.json"].to_bytes())
    assert metadata["codecs"][-1] == JSON
    assert zarr.open_array(store).compressors == (GlnCodec(level=1, prior=None),)


def test_nobody_knows_the_size_before():
    codec = GlnCodec()
    assert not codec.is_fixed_size
    assert codec.evolve_from_array_spec(None) == codec
    with pytest.raises(NotImplementedError):
        codec.compute_encoded_size(100, None)


@quick
def test_a_chunk_is_decoded_to_little_more_than_its_size(pipeline):
    store: Store = {}
    array = zarr.create_array(store, data=NUMBERS, chunks=(7, 11), compressors=JSON)
    (name,) = stored(array)
    buffer = default_buffer_prototype().buffer
    store[name] = buffer.from_bytes(glnzip.compress(bytes(1 << 17), level=1, prior=None))
    with pytest.raises(glnzip.OutputLimitError, match="66,152 bytes"):
        array[:]


@quick
def test_what_could_not_be_read_is_not_written(pipeline):
    """Shards of one byte each have an index far longer than they are."""
    shards = zarr.codecs.ShardingCodec(chunk_shape=(1,))
    with pytest.warns(UserWarning, match="sharding"):
        array = zarr.create_array(
            {}, shape=5000, chunks=5000, dtype="u1", serializer=shards, compressors=JSON
        )
    with pytest.raises(ValueError, match="put gln before them"):
        array[:] = 1


@quick
def test_damage_is_told(pipeline):
    store: Store = {}
    array = zarr.create_array(store, data=NUMBERS, chunks=(7, 11), compressors=JSON)
    (name,) = stored(array)
    damaged = bytearray(store[name].to_bytes())
    damaged[-1] ^= 1
    store[name] = default_buffer_prototype().buffer.from_bytes(bytes(damaged))
    with pytest.raises(glnzip.CorruptStreamError):
        array[:]


@quick
def test_arrays_of_format_2(pipeline):
    store: Store = {}
    codec = Gln(level=1, prior=None)
    zarr.create_array(store, data=NUMBERS, chunks=(4, 4), zarr_format=2, compressors=codec)
    array = zarr.open_array(store)
    assert array.compressors == (codec,)
    np.testing.assert_array_equal(array[:], NUMBERS)


def test_chunks_in_threads_are_as_one_by_one(pipeline):
    """With the real model: Zarr gives each chunk a thread."""
    array = zarr.create_array({}, data=NUMBERS, chunks=(2, 3), compressors=JSON)
    one_by_one = GlnCodec(level=1, prior=None)
    for frame in stored(array).values():
        assert one_by_one.compress(glnzip.decompress(frame)) == frame
    np.testing.assert_array_equal(array[:], NUMBERS)


def test_it_is_found_without_being_imported():
    """With the real model: a process of its own."""
    run(
        "import numpy, zarr\n"
        f"array = zarr.create_array({{}}, data=numpy.arange(1000), compressors={JSON})\n"
        "assert array[:].sum() == 499500 and array.nbytes_stored() < 4000\n"
    )
