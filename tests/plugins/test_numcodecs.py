"""The codec of numcodecs: any buffer, settings as JSON, found without being imported."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import glnzip
from tests.plugins.fresh_process import run

numcodecs = pytest.importorskip("numcodecs")
from glnzip.plugins.numcodecs import Gln  # noqa: E402

pytestmark = pytest.mark.usefixtures("quick_model")

NUMBERS = np.arange(120, dtype="<i4").reshape(6, 20)
BUFFERS = [
    b"",
    b"some bytes",
    bytearray(b"some bytes"),
    memoryview(b"some bytes"),
    NUMBERS,
    np.asfortranarray(NUMBERS),
    NUMBERS.astype("float64"),
    NUMBERS.astype(bool),
    NUMBERS.astype("M8[s]"),
    np.array(["one", "two"]),
]


def bytes_of(data):
    """What lies in memory."""
    return data.tobytes(order="A") if isinstance(data, np.ndarray) else bytes(data)


@pytest.mark.parametrize("data", BUFFERS, ids=lambda data: str(getattr(data, "dtype", type(data))))
def test_any_buffer_comes_back(data):
    codec = Gln(level=1, prior=None)
    frame = codec.encode(data)
    assert frame == glnzip.compress(bytes_of(data), level=1, prior=None)
    assert codec.decode(frame) == bytes_of(data)
    assert codec.decode(np.frombuffer(frame, np.uint8)) == bytes_of(data)


@pytest.mark.parametrize("order", ["C", "F"])
def test_decoding_into_an_array(order):
    codec, out = Gln(level=1), np.zeros_like(NUMBERS, order=order)
    codec.decode(codec.encode(np.asarray(NUMBERS, order=order)), out)
    np.testing.assert_array_equal(out, NUMBERS)


def test_what_is_longer_or_shorter_than_the_array_is_refused():
    frame = Gln(level=1).encode(NUMBERS)
    with pytest.raises(glnzip.OutputLimitError):
        Gln().decode(frame, np.zeros(119, "<i4"))
    with pytest.raises(ValueError, match="reshape"):
        Gln().decode(frame, np.zeros(121, "<i4"))


def test_what_has_no_memory_of_its_own_is_refused():
    with pytest.raises(TypeError, match="object arrays"):
        Gln().encode(np.array([None, "x"]))
    with pytest.raises(ValueError, match="contiguous"):
        Gln().encode(NUMBERS[:, ::2])


@pytest.mark.parametrize("settings", [{}, {"level": 3}, {"level": 9, "prior": None}], ids=str)
def test_settings_are_json_and_make_the_codec_again(settings):
    codec = Gln(**settings)
    config = json.loads(json.dumps(codec.get_config()))
    assert config == {"id": "gln", "level": 6, "prior": "shipped"} | settings
    again = numcodecs.get_codec(config)
    assert isinstance(again, Gln)
    assert again == codec == pickle.loads(pickle.dumps(codec))
    assert repr(again) == repr(codec)


def test_wrong_settings_are_refused():
    with pytest.raises(ValueError, match="level must be 1 to 9"):
        numcodecs.get_codec({"id": "gln", "level": 10})
    with pytest.raises(TypeError, match="window"):
        numcodecs.get_codec({"id": "gln", "window": 10})


def test_it_is_found_without_being_imported():
    """With the real model: a process of its own."""
    run(
        "import numcodecs\n"
        "codec = numcodecs.get_codec({'id': 'gln', 'level': 1, 'prior': None})\n"
        "frame = codec.encode(b'some data ' * 100)\n"
        "assert codec.decode(frame) == b'some data ' * 100 and len(frame) < 100\n"
    )
