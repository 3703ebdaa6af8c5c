"""The arithmetic coder, and the loop that drives it and the model."""
