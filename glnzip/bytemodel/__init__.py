"""The model: from the bytes seen so far to the probability of the next bit.

How a bit is predicted
----------------------
Each block is seen in one of several ways, which the encoder's planner chooses and the block header
says. Most blocks are **bytes**:

1. **Features** (`features`): small integers that describe the recent bytes: the last ones, a hash
   of the word so far, the column, the byte above, what followed the same byte last time, ... Text
   has more of them: identifiers, the shape of the line so far, the open bracket (`syntax`), of
   what kinds the last words are (`word_classes`), how long ago a word came and how it sounds
   (`tokens`). Other blocks have others (`binary_features`): the place in a record whose length is
   found on the way, words of four bytes, the text that a length byte announced, the x86 instruction
   so far (`x86_decoder`).
2. **Contexts** (`lineup`, `byte_view`): each row of the lineup masks the last eight bytes and
   hashes in up to three features. The hash leads to a bucket of **bit histories**
   (`slot_table`, `bit_history`): what bits followed in this context, in one byte.
3. **Adaptive maps** (`adaptive_map`) turn a bit history into a probability, learned from what
   followed such histories before. They start from the **Zero-Redundancy** estimate of the
   history's counts (`glnzip.gln.estimators`).
4. Some contexts say more than their bit history does: which byte followed them last, how often in a
   row (`run_map`), and, where contexts are few enough, a probability of their own (`direct_map`).
5. **Markov machines** (`markov_machine`) see the data bit by bit, and grow a context of their own
   wherever one pays.
6. **Match models** (`match_model`) follow the longest earlier occurrence of the recent bytes.
7. The logits of all these (`byte_inputs`) are the inputs of a **Gated Linear Network**
   (`glnzip.gln`). Its neurons choose their weights by **gates**: features again, rows of the lineup
   as well.
8. From level 5 on, a smaller network, the **scout** (`scout`), sees each bit first. Half of the
   bits it knows, and the large network is not asked.
9. A **final adjustment** (`final_adjust`) corrects the network's probability in small contexts.

Text and other bytes are two views of this kind, each with tables and weights of its own, so that
neither has to unlearn the other. Three further views lead to the same kind of network:

- **Pixels** (`pixel_view`), for images of one bit a pixel: contexts are patterns of nearby pixels,
  drawn in `pixel_lineup`.
- **Images** of whole bytes (`image_view`) and **sound** (`sound_view`): *experts* predict the next
  sample as a number, by least squares (`least_squares`) or by long filters that learn in small
  steps (`nlms`), and state how sure they are; `numeric` turns that into probabilities of bits.
  Their table is `number_lineup`.

After the bit is known, ``update_bit`` lets every part learn it. Encoder and decoder make the same
two calls, ``predict_bit`` and ``update_bit`` (of `step`, or of `number_step` for images and sound),
so they stay equal for ever.

Where the numbers live
----------------------
`state` says what a model is: one group of arrays for each view, and `Recent`, which all share
(history, hash tables). A view of bytes has three parts: `Lineup` (the level's table as numbers,
made by `build`), `Learned` (what training could ship) and `Scratch`. Predicting writes only to
scratch, to the features and to the networks' inputs and contexts.

Words
-----
*stretch* is the logit ln(p / (1 - p)), *squash* its inverse. The *partial byte* is the bits of the
byte so far under a leading one. A *nibble* is half a byte: histories are fetched by the nibble. A
*row* is a line of an image or a table, whose length in bytes the block header gives. A *sample* is
one number of an image or a sound: a channel of a pixel, an amplitude.

The family of ideas is that of the PAQ programs (Mahoney, "Adaptive Weighing of Context Models for
Lossless Data Compression", 2005, and lpaq1, 2007); the gated network is that of Veness et al.,
2017. Code and tables are our own.

Arithmetic
----------
All integers are int64 and stay below 2**63, so that plain Python computes the same without
overflow; probabilities are 22-bit integers, network values float32 (those of least squares
float64) with a fixed order of operations. No libm, no ``fastmath``: the same bytes on every
machine.
"""
