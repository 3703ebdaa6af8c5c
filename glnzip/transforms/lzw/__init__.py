"""LZW (Welch, 1984), undone and done again: streams of GIF as data and a recipe.

`describe` takes a stream apart into the data that it stands for and a recipe; `rebuild` makes the
very same stream of both.
"""
