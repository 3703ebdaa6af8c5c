"""What glnzip keeps because it can be made again: compiled kernels, and models that know a prior.

All of it lies in one folder that is private to the user. ``GLNZIP_CACHE_DIR`` names it; otherwise
it is ``glnzip`` in the user's folder for caches. It may be deleted at any time; where no such
folder can be had, the work is done anew in each process.

What lies there decides what is compressed, so three things could do harm, and each has a module:

`trusted`       somebody else puts files there: no folder is used that another user could change
`folder`        a file is damaged, unfinished, or stands under another's name: it is as good as none
`build`         a file was made by other code than this: the names of folders tell

`housekeeping` says what there is, and clears it away.
"""

from glnzip.cache.folder import CacheFolder, cache_root, open_folder, why_unusable

__all__ = ["CacheFolder", "cache_root", "open_folder", "why_unusable"]
