"""Datasets of whole chunks, whose encoded bytes a copy can keep: make_hdf5_moved.py OUT."""
import sys
import h5py
import hdf5plugin
import numpy as np

values = (np.arange(64 * 48).reshape(64, 48) * 7919 % 1000).astype("<u2")
with h5py.File(sys.argv[1], "w", libver="latest") as file:
    how = {"chunks": (16, 16), "track_times": False}
    file.create_dataset("deflate", data=values, compression="gzip", compression_opts=4, **how)
    file.create_dataset("shuffle", data=values, compression="gzip", compression_opts=4, shuffle=True, **how)
    file.create_dataset("zstd", data=values, **hdf5plugin.Zstd(3), **how)
    file.create_dataset("plain", data=values, **how)
