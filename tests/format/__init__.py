"""The engine against its oracle, and against the promises of its docstrings."""
