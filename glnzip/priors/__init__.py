"""Priors, what a model has seen before the first byte: `prior` says what that means.

From the ground up: `reader` and `prior_stream` read the stream of one, by what opens a codec.
`prepared` makes models that have seen a prior, and keeps them as files that `model_image` writes
and reads, into memory of `spare_memory`; `checkpoint` keeps what is not ready yet, `watching` tells
how far it is. `allowance` says what they may take, and `opening` makes codecs of them for frames.
`prior` is what users have. `glnzip.training` makes priors from samples. The shipped prior itself
lies in ``glnzip/data``.
"""
