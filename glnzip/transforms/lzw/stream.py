"""Streams of LZW read and written (GIF89a, appendix F; TIFF 6.0, section 13).

What a writer is free to do is little, but more than nothing: when the dictionary is cleared, and
whether a token is the longest string that the dictionary has, as it nearly always is.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline, kernel
from glnzip.transforms.deflate.bits import SPARE, read_bits, write_bits
from glnzip.transforms.exceptions import PLACE, VALUE
from glnzip.transforms.high_bits import read_bits as read_from_highest
from glnzip.transforms.high_bits import write_bits as write_from_highest
from glnzip.transforms.lzw.dictionary import (
    FIRST,
    MADE,
    MOST_CODES,
    NEXT,
    OF_TIFF,
    WIDTH,
    add_string,
    clear,
    count_code,
)

CLEARED, ENDED, DATA, RUNS, SHORTS = range(5)
"""What `read_stream` finds: whether the stream begins with a clear code and ends with an end code;
how many bytes of data, runs of codes and tokens that are not the longest."""


@kernel
def read_stream(stream, form, size, dictionary, strings, data, runs, shorts, found):
    """Take a stream apart.

    Parameters
    ----------
    stream : uint8[:]
        With `SPARE` bytes behind it.
    form : int
        `OF_GIF` or `OF_TIFF`.
    size : int
        Bits of a byte of data, 2 to 8.
    dictionary : Dictionary
        What is in it does not matter.
    strings : int64[MOST_CODES, 2]
        For the kernel alone: where the strings of codes lie in the data, and how long they are.
    data : uint8[:]
        Filled with what the stream stands for.
    runs : int64[:]
        Filled with the numbers of codes between two clear codes, and behind the last one.
    shorts : int64[:, 2]
        Filled with the tokens that are not the longest, as exceptions: their lengths.
    found : int64[5]
        Filled as `CLEARED` to `SHORTS` say.

    Returns
    -------
    int
        How many bits it has; -1 if `write_stream` could not write it, or there is no room for what
        is found.
    """
    clearing = np.int64(1) << size
    end = np.int64(8) * (stream.size - SPARE)
    found[:] = 0
    cursor = dictionary.cursor
    cursor[0] = 0
    clear(dictionary, size)
    code = np.int64(-1)  # of the last token
    start = np.int64(0)  # where it lies in the data
    token = np.int64(0)  # its number
    codes = np.int64(0)  # of this run
    while cursor[0] + dictionary.state[WIDTH] <= end:
        begin = cursor[0]
        width = dictionary.state[WIDTH]
        if form == OF_TIFF:
            now = read_from_highest(stream, cursor, width)
        else:
            now = read_bits(stream, cursor, width)
        if now == clearing + 1:
            found[ENDED] = 1
            break
        if now == clearing:
            if begin == 0:
                found[CLEARED] = 1
                continue
            if found[RUNS] + 1 >= runs.size:
                return np.int64(-1)
            runs[found[RUNS]] = codes
            found[RUNS] += 1
            codes = np.int64(0)
            _restart(dictionary, size)
            continue
        place = found[DATA]
        length = np.int64(1)
        if now > clearing:
            if codes == 0 or not _is_string(dictionary, now, code, data, start, place):
                return np.int64(-1)
            length = place - start + 1 if now == dictionary.state[NEXT] else strings[now, 1]
        if place + length > data.size:
            return np.int64(-1)
        if now < clearing:
            data[place] = np.uint8(now)
        else:
            origin = start if now == dictionary.state[NEXT] else strings[now, 0]
            for i in range(length):
                data[place + i] = data[origin + i]
        found[DATA] = place + length
        if code >= 0:
            if dictionary.longer[code, data[place]] != 0:
                if found[SHORTS] == shorts.shape[0]:
                    return np.int64(-1)
                shorts[found[SHORTS], PLACE] = token
                shorts[found[SHORTS], VALUE] = place - start
                found[SHORTS] += 1
            token += 1
        if codes == 0:
            clear(dictionary, size)
        else:
            made = dictionary.state[MADE]
            if made < MOST_CODES:
                strings[made, 0] = start
                strings[made, 1] = place - start + 1
            add_string(dictionary, code, np.int64(data[place]))
            count_code(dictionary, form)
        codes += 1
        code = now
        start = place
    runs[found[RUNS]] = codes
    found[RUNS] += 1
    return cursor[0]


@inline
def _restart(dictionary, size):
    """The reader's codes are as at first; the strings are needed until the next token is known."""
    dictionary.state[NEXT] = dictionary.state[FIRST]
    dictionary.state[WIDTH] = size + 1


@inline
def _is_string(dictionary, now, code, data, start, place):
    """Whether a code is that of a string, the only one of this string.

    It may be that of the token before and its own first byte, which is to be entered just now.
    """
    state = dictionary.state
    if now == state[NEXT]:
        return now < MOST_CODES and dictionary.longer[code, data[start]] == 0
    if now < state[FIRST] or now > state[NEXT]:
        return False
    return np.int64(dictionary.longer[dictionary.prefix[now], dictionary.last[now]]) == now


@kernel
def write_stream(data, form, size, dictionary, usual, runs, shorts, frame, stream):
    """The stream of some data.

    Parameters
    ----------
    data : uint8[:]
    form : int
        `OF_GIF` or `OF_TIFF`.
    size : int
        Bits of a byte of data; none may have more.
    dictionary : Dictionary
        What is in it does not matter.
    usual : int
        Codes between two clear codes; 0 if there are none.
    runs, shorts : int64[:, 2]
        Exceptions: runs of so many codes, tokens of so many bytes at most.
    frame : int64[3]
        Whether the stream begins with a clear code; how many of them stand behind the data; whether
        an end code follows.
    stream : uint8[:]
        Zeros, to be filled, and `SPARE` of them more.

    Returns
    -------
    int
        How many bits it has, -1 if there is no room for them.
    """
    clearing = np.int64(1) << size
    cursor = dictionary.cursor
    cursor[0] = 0
    room = np.int64(8) * (stream.size - SPARE)
    clear(dictionary, size)
    if frame[0] != 0:
        _write_code(stream, cursor, clearing, form, dictionary)
    token = number = np.int64(0)
    short = run = np.int64(0)  # of the exceptions, how many are behind
    codes = np.int64(0)
    left = _codes_of_run(number, usual, runs, run)
    at = np.int64(0)
    while at < data.size:
        if cursor[0] > room:
            return np.int64(-1)
        if codes == left:
            _write_code(stream, cursor, clearing, form, dictionary)
            clear(dictionary, size)
            if run < runs.shape[0] and runs[run, PLACE] == number:
                run += 1
            number += 1
            codes = np.int64(0)
            left = _codes_of_run(number, usual, runs, run)
            continue
        most = np.int64(data.size) - at
        if short < shorts.shape[0] and shorts[short, PLACE] == token:
            most = min(most, shorts[short, VALUE])
            short += 1
        code = np.int64(data[at])
        length = np.int64(1)
        while length < most:
            longer = np.int64(dictionary.longer[code, data[at + length]])
            if longer == 0:
                break
            code = longer
            length += 1
        _write_code(stream, cursor, code, form, dictionary)
        if codes > 0:
            count_code(dictionary, form)
        at += length
        if at < data.size:
            add_string(dictionary, code, np.int64(data[at]))
        codes += 1
        token += 1
    for _ in range(frame[1]):
        if cursor[0] > room:
            return np.int64(-1)
        _write_code(stream, cursor, clearing, form, dictionary)
        clear(dictionary, size)
    if frame[2] != 0:
        _write_code(stream, cursor, clearing + 1, form, dictionary)
    return cursor[0]


@inline
def _write_code(stream, cursor, code, form, dictionary):
    width = dictionary.state[WIDTH]
    if form == OF_TIFF:
        write_from_highest(stream, cursor, code, width)
    else:
        write_bits(stream, cursor, code, width)


@inline
def _codes_of_run(number, usual, runs, run):
    """How many codes a run has, -1 if it has no end."""
    if run < runs.shape[0] and runs[run, PLACE] == number:
        return np.int64(runs[run, VALUE])
    return np.int64(usual) if usual > 0 else np.int64(-1)
