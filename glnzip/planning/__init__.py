"""How a block should be seen, decided by whoever compresses: `planner` has the decision.

`number_planner` looks for images and sound, by what `code_length` says that numbers would take.
What a decision is, `glnzip.plan` says: whoever decompresses needs that alone.
"""
