"""Slow, plain twins of what must be right, written from the definitions and from nothing else."""
