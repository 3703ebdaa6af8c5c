"""The table of contents of the model: every part of it that an experiment changes, one row each.

`rows`         what a row says, column by column
`text`         contexts, counters, gates, APMs and rates of text
`binary`       those of data that are no text
`code`         those of x86 code
`numbers`      those of arrays of numbers
`byte_table`   what the four have in common: matches, DMC, the first stage
`bitmap`       contexts and gates of bitmaps, drawn
`image`        experts, contexts and gates of images
`audio`        those of audio
`limits`       how fast maps and counters learn
`sizes`        the memory of each level, and how early its bits exit

Kernels loop over rows and never name one: to try an idea, add or change a row. A changed table
changes the compressed bytes, so it needs a new ``MODEL_GENERATION``. The tables of docs/MODEL.md
are made from here (`make docs`).
"""
