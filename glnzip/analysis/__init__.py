"""Where the bits of a file go, and what has saved the others.

`analyse` compresses data, and measures them once more by an `explainer`: a codec whose kernels
(`explain_loop`) share the saving of each bit among the inputs of the network (`attribution`). Those
have names in `inputs`, which `families` groups. What comes of it are `figures`, which `page` writes
as a page, made of what is in `web`, or as JSON. `rivals` are other compressors.
"""
