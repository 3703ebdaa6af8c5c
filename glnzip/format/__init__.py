"""What a compressed file looks like: fields, levels, block types; nothing here runs a model."""
