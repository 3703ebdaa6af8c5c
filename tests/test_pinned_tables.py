"""The tables that the compressed bytes follow from are what they were, entry for entry.

A change here changes the format: it needs a new `MODEL_GENERATION`. The golden files would notice
too, but not say which table it was.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

import glnzip.planner.changes
import glnzip.planner.planner
import glnzip.priors.prepared  # these bring all that coding depends on
import glnzip.transforms.unpacking.unpack  # noqa: F401
from glnzip.format.levels import MAX_LEVEL, MIN_LEVEL
from glnzip.model.build import new_model
from glnzip.model.roles import named_arrays

CONSTANTS = {
    "CODE85": "95d244cae5bb31df189f6fd8cf53a8dadf315de78c91858829e21f231d9f63a0",
    "DISTANCE_BASE": "49f3d33b75602424487c6d59137dc8cd370e976c021ae281c92502c1a32a1bc5",
    "DISTANCE_EXTRA": "73608b6dccf6445a79f957739e586f9187326ff9a6ff6ba0834ca88486989a48",
    "FIRST_GUESS": "c20354b679e8aa28ae9866bc11efbc0829a5135ace3b2e8f733a07f7ba302d81",
    "FIXED_DISTANCES": "089d3cf426269003e3ab34bf8dc538b0aa082b2bb0fb197890173688d62c539c",
    "FIXED_LITERALS": "ce8f8da757553239266c3949fcfc1bd2d4cc797088e8eacf83c8f068a55dc330",
    "LENGTH_BASE": "abb5a90ceb3f6a6f3fefbafdc99b51f5eacd5a831ef12dd158d59d96ba17fe23",
    "LENGTH_CODE": "9890ddd76fcbf70be4c8d6a986b25be748778e918a0f1dd0534785a6462aa28a",
    "LENGTH_EXTRA": "9e046ede5731c16d70c89f072a29e13e6cba5a5c85bd5128f318380a4dc284dd",
    "NEXT_STATE": "6f61fb6fcedad884b17e4a2cd110ca8a732edab573d43768d36ba0444cc1e5da",
    "ORDER": "9bd707fb13fb1075d0374d0041fcb671746b68f91b1126f2c5691bd26b808d99",
    "NUMBERS": "258b0ccfff2dc77db823026df354c48adb806594e1ae0fb7b450dc416b446fef",
    "PACES": "1223e858902351a498943b25e22a4a4737237015f934999ee1e1a535961c7563",
    "RECIPROCALS": "7ba8df10469f2611a708cc6a2dcd45ac4bbe3e0c02e0b9ab0679144d72795fab",
    "SAME_BITS": "bb656683ac7919116d4e1b7b2cc1eb2f035c24915367e880d09897283f555fc1",
    "SQUASH": "750e4e1427819eff078d969712948c4f67b0119e20b0fc8e8e340c0209c24bb5",
    "STANDARD_CODES": "d4f2bc31e7c5876e748b209937790ad9428b2ca046d0e98147672b1ffc1e7557",
    "STRETCH": "3ce3980ebe53066a4d8cb81b6187ffe1fb964210703fa5096fce975495a4d1a7",
    "YOUNGER": "d4094c1a3392f27077a106b906f4685282c1dd20ee296ad4bb4ceea998de9943",
    "WORDS": "1b6b12f331667b5d79af0ba8c5bfaec4d2ca28303805ce3870677be724e4a134",
    "ZIGZAG": "cf88216a7f505c93394b5d9eb92ace112a9c6126619fa725663cb965471da1c2",
    "ZERO_REDUNDANCY": "741ff47a02ab3e23d3591580443e0f8cab9019326796e97d026398dfac3b7b3a",
    "_BITS": "3f31323218c9d0a5e064d2fa09f3d98e3bf8e61b89c7040e38dc06be1a9542a4",
    "_BOUNDS": "9d981f8cf6852dbf15077a300eb99f582a1049ccf589946bbe5f404cf591e3de",
    "_BYTE_KINDS": "589c814b37147cb544f414ae562fda67f2c6ed294c9110af02d7232eb3c5287f",
    "_COLOUR": "664469ff3cc5b00a865041da09db405aab9c41f15985d77d6017c6dc2ae91ee9",
    "_CRC": "0dee5e9be32af4174efaa40623576c5a5decd014124a27cda9cd0701bb9613a2",
    "_ENDS": "f1545e729484201c75e78f1678e96de25b77d12fa87cacc37471fa21ad61baaa",
    "_FIRST": "9530445b55aa36a302a36c80ca0f4b2ba0acf2b86e5e09c0bc40a7544eaf9afe",
    "_FORMS": "1ee29ae29960fad60991dbaa7ee258cc2072c2bfcd81b73358bf6b056943996a",
    "_GREY": "888013017b8d1bc56dab07899329184fc3eb1404e312304c3740431ad088ae7a",
    "_IN_GATES": "6c97a4d7c63259f9bc512cad7caad7c8273960593539de158dbdd1383c015985",
    "_KINDS": "0d144da11a28c7038c7e28888ae55c5bc815386e2622cd3942d252115ffd78c2",
    "_MANNERS": "9f7237d15d0c4cec331eaefed406a55044b31fa1fe62b563cdf50bef8dbc194f",
    "_OPERAND_BYTES": "1e39b2be148fde423077c26397231fc25f3b2ac71df499ce5e33398472c0ceaa",
    "_ORDERS": "1bf1c309fe652b8051c2d14673e2e531f740f78cbc49c35867b7492c349f1b47",
    "_VOLUME": "a253b811260da255f5400245a37004529b80dcd529647f00117b7cd63128b65c",
    "_WIDTHS": "7ca7b3724d5d2de39c19b2e9c175c34691cfcd8a0e4b1826a69fb74e1d389e19",
}
"""By name, every array that a module of the model makes when it is imported."""

FRESH_MODELS = {
    MIN_LEVEL: "2aefa461dbd648919baa2c2525314d95818d1b887cb9db9b3830e76f50ee8d74",
    MAX_LEVEL: "9f7bfa36ed0932a44333f2ada381d197aaa69aa54b127dbfe0a6a84fc9054ebf",
}
"""What a model starts from: its table, its networks, first guesses, learning rates."""
FIRST_BYTES = 1 << 20  # of each array; what follows, in the large tables, is more of the same


def digest(arrays: Iterable[tuple[str, Any]]) -> str:
    """A hash of arrays with their names, types and shapes, the same on any machine."""
    result = sha256()
    for name, array in arrays:
        plain = np.ascontiguousarray(array)
        plain = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
        result.update(f"{name} {plain.dtype.descr} {plain.shape}".encode())
        result.update(plain.view(np.uint8).ravel()[:FIRST_BYTES].tobytes())
    return result.hexdigest()


def test_constant_tables() -> None:
    found: dict[str, Any] = {}
    modules = [name for name in sys.modules if name.startswith("glnzip.")]
    for module in modules:
        if module.startswith("glnzip.analysis."):  # it codes nothing
            continue
        for name, value in vars(sys.modules[module]).items():
            if isinstance(value, np.ndarray):
                assert found.setdefault(name, value) is value, f"there are two tables {name}"
    assert {name: digest([(name, table)]) for name, table in found.items()} == CONSTANTS


@pytest.mark.parametrize("level", FRESH_MODELS)
def test_fresh_models(level: int) -> None:
    assert digest(named_arrays(new_model(level))) == FRESH_MODELS[level]
