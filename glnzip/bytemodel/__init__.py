"""The byte model: from the bytes seen so far to the probability of the next bit.

How a bit is predicted
----------------------
1. **Features** (`features`): small integers that describe the recent bytes: the last ones, a hash
   of the word so far, the column, the byte above, what followed the same byte last time, ...
2. **Contexts** (`lineup`, `byte_view`): each row of the lineup masks the last eight bytes and
   hashes in up to three features. The hash leads to a bucket of **bit histories**
   (`slot_table`, `bit_history`): what bits followed in this context, in one byte.
3. **Adaptive maps** (`adaptive_map`) turn a bit history into a probability, learned from what
   followed such histories before. They start from the **Zero-Redundancy** estimate of the
   history's counts (`estimators`).
4. **Match models** (`match_model`) follow the longest earlier occurrence of the recent bytes.
5. The logits of all these are the inputs of a **Gated Linear Network** (`glnzip.gln`). Its neurons
   choose their weights by **gates**: features again, rows of the lineup as well.
6. A **final adjustment** (`final_adjust`) corrects the network's probability in small contexts.

A block that the planner found to be an image of one bit a pixel takes another way to the same kind
of network: contexts are patterns of nearby pixels (`pixel_view`).

After the bit is known, `step.update_bit` lets every part learn it. Encoder and decoder make the
same two calls, ``predict_bit`` and ``update_bit``, so they stay equal for ever.

Where the numbers live
----------------------
`state` holds three groups of arrays: `Lineup` (the level's table as numbers, made by `build`),
`Learned` (what training could ship), `Recent` (history, hash tables, scratch). Predicting writes
only to `Recent` and to the networks' scratch.

Words
-----
*stretch* is the logit ln(p / (1 - p)), *squash* its inverse. The *partial byte* is the bits of the
byte so far under a leading one. A *nibble* is half a byte: histories are fetched by the nibble. A
*row* is a line of an image or a table, whose length in bytes the block header gives.

The family of ideas is that of the PAQ programs (Mahoney, "Adaptive Weighing of Context Models for
Lossless Data Compression", 2005, and lpaq1, 2007); the gated network is that of Veness et al.,
2017. Code and tables are our own.

Arithmetic
----------
All integers are int64 kept within 62 bits, so that plain Python computes the same without
overflow; probabilities are 22-bit integers, network values float32 with a fixed order of
operations. No libm, no ``fastmath``: the same bytes on every machine.
"""
