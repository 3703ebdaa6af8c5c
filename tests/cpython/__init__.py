"""Python's own tests of `bz2` and `lzma`, run against glnzip."""
