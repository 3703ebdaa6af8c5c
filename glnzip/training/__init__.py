"""Priors made from a user's own samples."""
