"""How kernels are compiled, kept, loaded, and replaced by plain Python."""
