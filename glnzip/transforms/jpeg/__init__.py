"""JPEG of several scans as one scan, and back: what is said in turns, said block by block.

`segments` reads what stands between scans, `codes` has Huffman codes, `decode` and `encode` are the
kernels from a scan to coefficients and back, and `scans` has the two ways.
"""
