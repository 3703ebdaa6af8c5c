"""The arithmetic coder, and the loop over bytes and bits that drives model and coder together."""
