"""Priors, what a model has seen before the first byte: `prior` says what that means.

`primer` reads the file of one. `primed` makes models that have seen a prior, and keeps them as
files that `state_image` writes and reads, into memory of `spare_memory`; `aside` keeps what is not
ready yet, `watching` tells how far it is. `training` makes priors from samples, `lexicon` sorts
words into classes for them. The shipped prior itself lies in ``glnzip/data``.
"""
