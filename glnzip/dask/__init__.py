"""More than one machine: the frames of large files, and many files, on a Dask cluster.

============= ==================================================================================
cluster       the connection, who is there, the blocks that are on their way
machines      the workers of a cluster as `glnzip.streams.workers.Workers`, for one stream
several       several files at a time, as long as the cluster has room
on_worker     what runs on the workers: a piece of work, with what bounds and reports it
build         which glnzip a machine has
compressing   data or files in one call: `compress`
decompressing the same, back: `decompress`
files         files that become others: what these calls have in common
============= ==================================================================================

Data are cut, and frames put in order and written, as for several threads of one machine
(`glnzip.streams.parallel`); so the results are the same bytes. docs/CLUSTER.md tells what a cluster
needs. This package takes `distributed`, the extra ``dask`` of glnzip, and nothing else imports it.

A Dask cluster runs whatever code it is sent: it belongs in a trusted network.
"""

from glnzip.dask.cluster import Cluster
from glnzip.dask.compressing import DEFAULT_BLOCK_SIZE, compress
from glnzip.dask.decompressing import decompress

__all__ = ["DEFAULT_BLOCK_SIZE", "Cluster", "compress", "decompress"]
