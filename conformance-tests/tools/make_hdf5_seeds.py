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
from h5py import h5d, h5p, h5s, h5t, h5z

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


def nbit(f, data_type, data):
    create = h5p.create(h5p.DATASET_CREATE)
    create.set_chunk((3, 5))
    create.set_obj_track_times(False)
    create.set_filter(h5z.FILTER_NBIT, 0, ())
    h5py.Dataset(h5d.create(f.id, b"a", data_type, h5s.create_simple(data.shape), create))[...] = data


def packed(f, base, precision, offset, data):
    data_type = base.copy()
    data_type.set_precision(precision)
    data_type.set_offset(offset)
    nbit(f, data_type, data)


def reals(f):
    data_type = h5t.IEEE_F32LE.copy()
    data_type.set_fields(26, 20, 6, 7, 13)
    data_type.set_offset(7)
    data_type.set_precision(20)
    data_type.set_ebias(31)
    data_type.set_size(4)
    nbit(f, data_type, DATA / 4)


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
        hdf5plugin.LZ4(nbytes=16),
        hdf5plugin.Blosc2(cname="zstd"),
        hdf5plugin.Blosc2(cname="lz4", filters=hdf5plugin.Blosc2.DELTA),
        {"compression": 32026, "compression_opts": (0, 8, 0, 0, 5, 2, 1)},
    ):
        put("latest", lambda f, options=options: chunked(f, **options))
    put("latest", lambda f: f.create_dataset("a", data=DATA / 7, chunks=(3, 5), scaleoffset=2, track_times=False))
    put("latest", lambda f: f.create_dataset("a", data=DATA[0], chunks=(5,), track_times=False, **hdf5plugin.Blosc2()))
    put("latest", lambda f: packed(f, h5t.STD_U16BE, 10, 3, DATA))
    put("earliest", lambda f: packed(f, h5t.STD_I32LE, 18, 0, DATA.astype("<i4") - 40))
    put("latest", reals)
    for maxshape in ((None, 12), (None, None), (20, 20)):
        put("latest", lambda f, maxshape=maxshape: chunked(f, maxshape=maxshape))
        put("latest", lambda f, maxshape=maxshape: chunked(f, maxshape=maxshape, **every))


if __name__ == "__main__":
    main()
