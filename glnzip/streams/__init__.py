"""From data to streams of frames and back, on top of `glnzip.frames`.

`compressor` and `decompressor` take data that come in pieces, after `bz2` and `lzma`. On them stand
`frame_reader` (the frames of a file, one after the other), `file_object` (a compressed file as a
file; `forgotten` closes it if nobody does) and `tar` (an archive in one), `oneshot` (all at once),
and `recovery` (what is sound of a damaged stream). `one_or_several` turns to `parallel` only where
several `workers` share the work.
"""
