"""Runs in a block of bzip2: four equal bytes stand before a count of those that follow them.

So a block is no worse to sort where one byte is repeated. And the check of a block: the CRC-32 of
its data, the highest bit first.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline

LEAST_RUN = 4
MOST_RUN = 255
_POLYNOMIAL = 0x04C11DB7


def _table() -> np.ndarray:
    """The CRC of each byte."""
    table = np.arange(256, dtype=np.int64) << 24
    for _ in range(8):
        table = (table << 1) ^ np.where(table >> 31 & 1, _POLYNOMIAL, 0)
    return table & 0xFFFFFFFF


_CRC = _table()


@inline
def check_of(data, begin, end):
    """The CRC-32 of a part of some data, as bzip2 has it: int."""
    check = np.int64(0xFFFFFFFF)
    for i in range(begin, end):
        check = (check << 8 & 0xFFFFFFFF) ^ _CRC[check >> 24 ^ np.int64(data[i])]
    return check ^ 0xFFFFFFFF


@inline
def shorten_runs(data, begin, end, most, block, found):
    """Fill a block with data.

    Parameters
    ----------
    data : uint8[:]
    begin, end : int
        The data that there are.
    most : int
        The block is full when it has so many bytes; a run may be more than that.
    block : uint8[:]
        To be filled; at least ``most + 5`` bytes.
    found : int64[1]
        Filled with how many bytes the block has.

    Returns
    -------
    int
        The place behind the data that are in the block.
    """
    at = np.int64(begin)
    count = np.int64(0)
    while at < end and count < most:
        byte = data[at]
        run = np.int64(1)
        while run < MOST_RUN and at + run < end and data[at + run] == byte:
            run += 1
        for i in range(min(run, LEAST_RUN)):
            block[count + i] = byte
        count += min(run, LEAST_RUN)
        if run >= LEAST_RUN:
            block[count] = np.uint8(run - LEAST_RUN)
            count += 1
        at += run
    found[0] = count
    return at


@inline
def lengthen_runs(block, count, data, at):
    """The opposite: the place behind the data of a block, -1 if there is no room for them."""
    place = np.int64(at)
    i = np.int64(0)
    equal = np.int64(0)
    before = np.int64(-1)
    while i < count:
        byte = np.int64(block[i])
        i += 1
        if equal == LEAST_RUN:
            if place + byte > data.size:
                return np.int64(-1)
            for k in range(byte):
                data[place + k] = np.uint8(before)
            place += byte
            equal = np.int64(0)
            before = np.int64(-1)
            continue
        if place == data.size:
            return np.int64(-1)
        equal = equal + 1 if byte == before else np.int64(1)
        before = byte
        data[place] = np.uint8(byte)
        place += 1
    return place
