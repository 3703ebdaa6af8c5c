"""bzip2 (Julian Seward, 1996), undone and done again: its streams as data and a recipe.

A block of bytes is cut at runs, its rotations are sorted (Burrows and Wheeler, 1994), and the last
bytes of these, moved to the front, are coded by several Huffman codes in turns. All of that but
the codes follows from the data; and nearly all streams are made by one library, whose codes are
known, too. `describe` takes blocks apart, `rebuild` makes the very same ones of their data.
"""
