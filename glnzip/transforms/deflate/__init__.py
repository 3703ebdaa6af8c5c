"""Deflate, undone and done again: streams of gzip, zip, PNG and PDF as data and a recipe.

What deflate has compressed looks like noise to a model. `describe` takes a stream apart into the
data that it stands for and a recipe; `rebuild` makes the very same stream of both.
"""
