"""The model: from the bytes seen so far to the probability of the next bit.

How a bit is predicted
----------------------
Every block has a *type* (`glnzip.format.block_type`): the encoder's planner chooses it, the block
header states it. Most blocks are **bytes**:

1. **Features** (`contexts`): small integers that describe the recent bytes: the last ones, a hash
   of the word so far, the column, the byte above, what followed the same byte last time (*indirect*
   features). Text has more of them: identifiers, the shape of the line, the open bracket
   (`contexts.syntax`), the classes of the last words (`contexts.word_classes`), how long ago a word
   came (`contexts.tokens`), what the line above had in the same field (`contexts.fields`). Other
   data have others: the place in a record whose length is found on the way, the text that a length
   byte announced (`contexts.binary`), the x86 instruction so far and what came before it
   (`contexts.code`); or what the numbers before and above lead to expect (`contexts.numbers`).
2. **Contexts**: each row of the `table` masks the last eight bytes and hashes in up to three
   features. The hash leads to a bucket of **bit histories** (`memory.slot_table`,
   `memory.bit_history`): which bits followed in this context, in one byte.
3. **State maps** (`memory.state_map`) turn a bit history into a probability, learned from what
   followed such histories before. They start from the **Zero-Redundancy** estimate of the history's
   counts (`glnzip.gln.estimators`).
4. Some contexts say more: the byte that followed last, how often in a row (`memory.run_map`), and
   a probability of their own where contexts are few (`memory.direct_counters`, ZPAQ's CM).
5. **DMC** models (`memory.dmc`) see the data bit by bit and grow a context wherever one pays.
6. **Match models** (`memory.match_model`) follow the longest earlier occurrence of the last bytes;
   in the relocations of a program (`contexts.relocations`) one expects what its code has told.
7. The logits of all these (`mixing.inputs`) are the inputs of a **Gated Linear Network**
   (`glnzip.gln`). Its neurons choose their weights by **gates**: features again, rows of the table.
8. From level 5 on, a smaller network, the **first stage** (`mixing.first_stage`), predicts each bit
   first. Where its error is expected to be small enough, the bit takes this **early exit**.
9. **APMs** (`mixing.apm`) refine the network's probability in small contexts.

Text, x86 code, arrays of numbers and other bytes have block models of this kind (`byte_model`),
each with a table and weights of its own, so that none has to unlearn the others. Three more lead to
the same kind of network (`media`): **bitmaps**, whose contexts are patterns of nearby pixels;
**images** of whole bytes and **audio**, where *experts* predict the next sample as a number and
state how sure they are.

Once the bit is known, ``update_bit`` lets every part learn it. Encoder and decoder make the same
two calls, ``predict_bit`` and ``update_bit`` (of `step`, or of `media.sample_step` for images and
audio), so they stay equal for ever.

Where to look
-------------
`table`     every context, gate, APM, rate and size of the model, one row each
`build`     from the table to arrays: a new model
`state`     these arrays: what each holds, and which of them learn
`step`      predict a bit, learn a bit; `byte_model` has what it calls for a block of bytes
`memorising` bytes of a prior seen without being predicted
`contexts`  features of the bytes so far
`memory`    what was learned of each context
`mixing`    the network's inputs, the first stage, the APMs
`media`     bitmaps, images, audio
`undo_log`  what a message touches, so that the model can be put back

Words
-----
*stretch* is the logit ln(p / (1 - p)), *squash* its inverse. The *partial byte* is the bits of the
byte so far under a leading one. A *nibble* is half a byte: histories are fetched by the nibble. A
*row* of data is a line of an image or a table, whose length in bytes the block header gives. A
*sample* is one number of an image or of audio: a channel of a pixel, an amplitude.

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
