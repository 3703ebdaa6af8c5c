"""Blocks and files on a Dask cluster."""
