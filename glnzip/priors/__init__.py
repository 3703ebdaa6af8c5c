"""Priors, what a model has seen before the first byte: `prior` says what that means.

`reader` reads the file of one. `prepared` makes models that have seen a prior, and keeps them as
files that `model_image` writes and reads, into memory of `spare_memory`; `checkpoint` keeps what is
not ready yet, `watching` tells how far it is. `glnzip.training` makes priors from samples. The
shipped prior itself lies in ``glnzip/data``.
"""
