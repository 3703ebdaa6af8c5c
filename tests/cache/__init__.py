"""What is kept for later: by whom it can be changed, whole or not at all, and for which code."""
