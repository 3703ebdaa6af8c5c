"""What a model has seen before the data."""
