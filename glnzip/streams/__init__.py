"""From data to streams of frames and back; `glnzip.format.container` has the format.

`frame_writer` and `frame_decoder` turn blocks into one frame and back. On them stand `streaming`
(data that come in pieces, after `bz2` and `lzma`), `parallel` (blocks that are frames of their own,
several at a time), `frame_reader` and `file_object` (a compressed file as a file), `oneshot` (all
at once), and `recovery` (what is sound of a damaged stream).
"""
