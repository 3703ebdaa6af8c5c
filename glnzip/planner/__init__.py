"""How a block should be seen, decided by whoever compresses: `planner` has the decision.

`media` looks for images (`pictures`) and audio (`sounds`), by what `code_length` says that numbers
would take, and where both are possible, by a trial of the model. Such a trial also decides on
pictures that were drawn (`drawings`), and on arrays of numbers of four or eight bytes, which
`numbers` looks for (`number_trial`).
What a decision is, `glnzip.format.block_type` says: whoever decompresses needs that alone.
"""
