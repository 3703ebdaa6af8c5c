"""What other compressors have packed, unpacked and packed again: gzip, zip, PNG, PDF.

Such files are *carriers*: they carry deflate streams, which look like noise to a model, or bytes as
text, base64 and its like. `unpack.unpack` puts what these stand for in their place, in carriers
within carriers too, and leaves out what can be computed: checks, lengths, directories. What comes
of it is the *content*, and a *recipe* by which `repack.repack` makes the very same bytes again. A
stream that is too long for a stretch is told in *portions* (`portions`, `long_streams`).
"""
