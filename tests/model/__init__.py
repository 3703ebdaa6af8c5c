"""Each part of the byte model against a plain statement of what it should do."""
