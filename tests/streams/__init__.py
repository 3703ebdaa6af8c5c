"""Data in, frames out, and back; whole, in pieces, in parts, damaged."""
