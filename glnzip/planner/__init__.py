"""How a block should be seen, decided by whoever compresses: `planner` has the decision.

`media` looks for images and audio, by what `code_length` says that numbers would take.
What a decision is, `glnzip.format.block_type` says: whoever decompresses needs that alone.
"""
