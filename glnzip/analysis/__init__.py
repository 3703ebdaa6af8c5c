"""Where the bits of a file go."""
