"""Writes the first inputs of the fuzz target for HDF5: python make_hdf5_seeds.py CORPUS

CORPUS is conformance-tests/campaigns/fuzz/corpus. Needs the libraries of hdf5-requirements.txt.
"""

import hashlib
import sys
import tempfile
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np

DATA = (np.arange(96) % 91).astype("<u2").reshape(8, 12)


def put(libver, fill):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.h5"
        with h5py.File(path, "w", libver=libver) as f:
            fill(f)
        target = Path(sys.argv[1]) / "hdf5"
        target.mkdir(exist_ok=True)
        (target / hashlib.sha1(path.read_bytes()).hexdigest()).write_bytes(path.read_bytes())


def chunked(f, **options):
    f.create_dataset("a", data=DATA, chunks=(3, 5), track_times=False, **options)


def many(f):
    for i in range(12):
        f.create_dataset(f"g/{i}", data=np.int16(i), track_times=False)
        f["g"].attrs[f"attribute {i}"] = "text" if i % 2 else np.arange(i)


def types(f):
    record = np.array([(1, 2.5, b"x")], [("a", "<i4"), ("b", "<f8"), ("c", "S3")])
    for name, data in {"record": record, "text": np.array([b"ab", b"c"]), "bool": np.array([True]), "c": np.array([1j])}.items():
        f.create_dataset(name, data=data, track_times=False)
    f.attrs["names"] = np.array(["a", "bc"], h5py.string_dtype())
    f["record"].make_scale()
    f["text"].dims[0].attach_scale(f["record"])


def main():
    every = {"compression": "gzip", "shuffle": True, "fletcher32": True}
    for libver in ("earliest", "latest"):
        put(libver, chunked)
        put(libver, lambda f: chunked(f, **every))
        put(libver, many)
        put(libver, types)
        put(libver, lambda f: f.create_dataset("a", data=DATA, track_times=False))
    for options in (
        {"compression": "lzf"},
        hdf5plugin.Bitshuffle(cname="none"),
        hdf5plugin.Bitshuffle(nelems=8, cname="lz4"),
        hdf5plugin.Bitshuffle(cname="zstd"),
        {"scaleoffset": 0},
        {"scaleoffset": 7, "fillvalue": 5},
    ):
        put("latest", lambda f, options=options: chunked(f, **options))
    put("latest", lambda f: f.create_dataset("a", data=DATA / 7, chunks=(3, 5), scaleoffset=2, track_times=False))
    for maxshape in ((None, 12), (None, None), (20, 20)):
        put("latest", lambda f, maxshape=maxshape: chunked(f, maxshape=maxshape))
        put("latest", lambda f, maxshape=maxshape: chunked(f, maxshape=maxshape, **every))


if __name__ == "__main__":
    main()
