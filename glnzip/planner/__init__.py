"""How a block should be seen, decided by whoever compresses: `planner` has the decision.

`media` looks for images (`pictures`) and audio (`sounds`), by what `code_length` says that numbers
would take, and where both are possible, by a trial of the model. `numbers` looks for arrays of
numbers of four or eight bytes, which such a trial decides on, too (`number_trial`).
What a decision is, `glnzip.format.block_type` says: whoever decompresses needs that alone.
"""
