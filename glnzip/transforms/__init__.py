"""Reversible rewriting of data before the model sees them."""
