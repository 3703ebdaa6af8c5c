"""A decoder written from FORMAT.md, UNPACKING.md and MODEL.md alone: plain, slow, independent.

It imports nothing of glnzip and reads the tables of rows from the documents, so that wherever they
are wrong or leave something open, it decodes other bytes than glnzip does.
"""

from tests.oracles.document.decoder import BlockType, Model, decode, original

__all__ = ["BlockType", "Model", "decode", "original"]
