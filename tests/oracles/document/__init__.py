"""A decoder written from docs/FORMAT.md and docs/MODEL.md alone: plain, slow, and independent.

It imports nothing of glnzip and reads the tables of rows from the document, so that wherever the
document is wrong or leaves something open, it decodes other bytes than glnzip does.
"""

from tests.oracles.document.decoder import BlockType, Model, decode

__all__ = ["BlockType", "Model", "decode"]
