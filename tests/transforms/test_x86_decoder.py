"""Instruction lengths against code whose boundaries are known."""

import numpy as np
import pytest

from glnzip.jit import kernel
from glnzip.jit.records import new_records
from glnzip.transforms.x86_decoder import OPCODE, X86, see_code_byte

INSTRUCTIONS = {
    "push rbp": "55",
    "mov rbp, rsp": "48 89 e5",
    "mov eax, 1": "b8 01 00 00 00",
    "movabs rax, constant": "48 b8 01 02 03 04 05 06 07 08",
    "mov ax, 1": "66 b8 01 00",
    "lea rdi, [rip + 4]": "48 8d 3d 04 00 00 00",
    "mov eax, [rsp + 8]": "8b 44 24 08",
    "mov eax, [rbx + rcx * 4 + 256]": "8b 84 8b 00 01 00 00",
    "mov eax, [rcx * 4 + 256]": "8b 04 8d 00 01 00 00",
    "mov dword [rip + 1], 2": "c7 05 01 00 00 00 02 00 00 00",
    "cmp byte [rax], 0": "80 38 00",
    "test al, 1": "f6 c0 01",
    "not eax": "f7 d0",
    "jne near": "0f 85 10 00 00 00",
    "je short": "74 05",
    "call": "e8 00 01 00 00",
    "imul eax, ecx, 100": "69 c1 64 00 00 00",
    "pshufb xmm0, xmm1": "66 0f 38 00 c1",
    "palignr xmm0, xmm1, 8": "66 0f 3a 0f c1 08",
    "vaddps ymm0, ymm1, ymm2": "c5 f4 58 c2",
    "vpermd ymm0, ymm1, ymm2": "c4 e2 75 36 c2",
    "enter": "c8 10 00 00",
    "ret": "c3",
}


@kernel
def mark_ends(data, state, marks):
    for i in range(data.size):
        see_code_byte(state[0], np.int64(data[i]))
        marks[i] = state[0].part == OPCODE and state[0].prefixes == 0


def ends(data, state):
    """Mark the bytes after which a new instruction begins."""
    marks = np.zeros(data.size, np.int64)
    mark_ends(data, state, marks)
    return marks


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_an_instruction_ends_where_it_ends(name):
    data = np.frombuffer(bytearray.fromhex(INSTRUCTIONS[name]), np.uint8)
    marks = ends(data, new_records(1, X86))
    assert marks[-1] == 1
    assert not marks[:-1].any()


def test_any_bytes_can_be_read():
    data = np.random.default_rng(1).integers(0, 256, 100_000, np.uint8)
    state = new_records(1, X86)
    ends(data, state)
    assert 0 <= state[0]["part"] < 8
