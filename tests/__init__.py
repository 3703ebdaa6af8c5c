"""The tests, one file for each promise; `checks.py` and `conftest.py` hold what they share."""
