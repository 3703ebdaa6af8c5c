"""The benchmark: glnzip beside other compressors, every result verified by decompressing it.

=========== ======================================================================
__main__    ``python -m bench``: sizes, speeds and memory, saved in `bench/results`
speed       ``python -m bench.speed``: glnzip and zpaq in turns, the speed yardstick
messages    ``python -m bench.messages``: messages beside frames, and how many a second
trained     ``python -m bench.trained``: a trained prior beside a zstd dictionary
memory      ``python -m bench.memory``: peak memory for small, large and piped input
cluster     ``python -m bench.cluster``: one and two workers of a Dask cluster on this machine
startup     ``python -m bench.startup``: time of a whole process on a small file
plot        ``python -m bench.plot``: size against speed, drawn from saved results
demo        ``python -m bench.demo``: one sample there and back, for newcomers
----------- ----------------------------------------------------------------------
ours        runs glnzip: in this process for speed, in a child for memory
peers       runs the other programs: one row each; recorded figures in peers.json
child       runs one command and tells its time and peak memory
launcher    the tiny process that stands between, so that memory is told truly
results     what was measured, its totals, and its JSON file
report      the same as Markdown
machine     what it was measured on
inputs      bytes to measure with: sets of the corpora, and made-up data of any size
----------- ----------------------------------------------------------------------
real/       files as people have them: how they are fetched, and a table of results
paper/      apart from all this: the experiments of the Gated Linear Network paper
=========== ======================================================================

Everywhere, KB is 1,000 bytes, and a speed counts the original bytes.
"""
