"""glnzip where data are stored: plugins for libraries that let others bring a compressor.

`numcodecs`     a codec for arrays of Zarr, format 2, and for whatever else uses numcodecs
`zarr`          a codec for arrays of Zarr, format 3
`fsspec`        files ending in ``.gln``, for fsspec and what stands on it: dask, pandas
`joblib`        objects in files ending in ``.gln``
`shutil`        archives ending in ``.tar.gln``

The first two are found by themselves, by entry points. The others have none to be found by: each
has a function `register`. `chunks` is what the codecs of arrays have in common, `turns` bounds how
many models they have in memory. Nothing is imported here: each module needs the library that it is
named after, which is an extra of this package (``pip install 'glnzip[zarr]'``).
"""
