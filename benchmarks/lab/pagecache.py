"""Puts files out of the page cache, or into it, and says how much of them is in it."""

from __future__ import annotations

import ctypes
import mmap
import os

DROP = "/proc/sys/vm/drop_caches"


def files(folder):
    return [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]


def may_drop():
    """Whether this user may empty the page cache of the machine."""
    return os.access(DROP, os.W_OK)


def way(cold):
    return {"drop": "Cold: the page cache and the directory caches of the machine were emptied (drop_caches).",
            "files": "Cold: the arrays' files were put out of the page cache (posix_fadvise); directories stayed in it."}[cold]


def evict(folder, cold):
    """Puts the files of a folder out of the page cache; returns the share of their bytes that stays in it."""
    for file in files(folder):
        fd = os.open(file, os.O_RDONLY)
        try:
            os.fsync(fd)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(fd)
    if cold == "drop":
        os.sync()
        with open(DROP, "w") as f:
            f.write("3")
    return cached(folder)


def load(folder):
    """Reads the files of a folder, so that they are in the page cache."""
    for file in files(folder):
        with open(file, "rb", buffering=0) as f:
            while f.read(1 << 24):
                pass


def cached(folder):
    """The share of a folder's pages that are in the page cache."""
    libc = ctypes.CDLL(None, use_errno=True)
    there = total = 0
    for file in files(folder):
        size = os.path.getsize(file)
        if not size:
            continue
        pages = -(-size // mmap.PAGESIZE)
        with open(file, "rb") as f, mmap.mmap(f.fileno(), size, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE) as view:
            seen = (ctypes.c_ubyte * pages)()
            base = ctypes.c_char.from_buffer(view)
            if libc.mincore(ctypes.c_void_p(ctypes.addressof(base)), ctypes.c_size_t(size), seen):
                raise OSError(ctypes.get_errno(), "mincore", file)
            del base
        there += sum(page & 1 for page in bytes(seen))
        total += pages
    return there / total if total else 0.0
