"""One frame from top to bottom: `writer` makes it from blocks, `decoder` turns it back into data.

Neither knows levels from models, or priors from ids: both are handed what opens a codec.
"""
