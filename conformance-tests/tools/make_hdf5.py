"""Writes samples of HDF5 and NetCDF4 files as a ZIP archive, and one small file: python make_hdf5.py SAMPLES.zip SMALL.h5

Each dataset PATH of a file NAME.h5 has its elements in NAME/PATH.bin: little-endian, C order. Needs the libraries of
hdf5-requirements.txt.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

import h5py
import hdf5plugin
import netCDF4
import numpy as np

SHAPE = (23, 17)
CHUNKS = (5, 6)
TYPES = ["i1", "u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", ">i2", ">u4", ">i8", ">f4", ">f8"]
INDEXES = {
    "fixed": {"maxshape": (40, 30)},
    "extensible0": {"maxshape": (None, 30)},
    "extensible1": {"maxshape": (23, None)},
    "btree2": {"maxshape": (None, None)},
}
FILTERS = {
    "gzip": {"compression": "gzip", "compression_opts": 6},
    "shuffle": {"compression": "gzip", "shuffle": True},
    "only-shuffle": {"shuffle": True},
    "fletcher32": {"fletcher32": True},
    "all": {"compression": "gzip", "shuffle": True, "fletcher32": True},
    "bz2": hdf5plugin.BZip2(blocksize=5),
    "zstd": hdf5plugin.Zstd(clevel=5),
    "lz4": hdf5plugin.LZ4(),
    "lz4-blocks": hdf5plugin.LZ4(nbytes=100),
    "lzf": {"compression": "lzf", "shuffle": True},
    "bitshuffle": hdf5plugin.Bitshuffle(cname="none"),
    "bitshuffle-lz4": hdf5plugin.Bitshuffle(nelems=64, cname="lz4"),
    "bitshuffle-zstd": hdf5plugin.Bitshuffle(cname="zstd"),
    "blosc-lz4": hdf5plugin.Blosc(cname="lz4", shuffle=hdf5plugin.Blosc.SHUFFLE),
    "blosc-zstd": hdf5plugin.Blosc(cname="zstd", shuffle=hdf5plugin.Blosc.BITSHUFFLE),
    "blosc-zlib": hdf5plugin.Blosc(cname="zlib", shuffle=hdf5plugin.Blosc.NOSHUFFLE),
}


def values(data_type, shape=SHAPE):
    numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    return (numbers * 7 // 3 % 251).astype(data_type)


def put(file, name, data, part=True, **options):
    """A dataset whose first rows were never written, unless it is contiguous."""
    dataset = file.create_dataset(name, data.shape, data.dtype, **options)
    if part and "chunks" in options:
        dataset[7:, 2:] = data[7:, 2:]
    else:
        dataset[...] = data
    return dataset


def types(root, libver):
    with h5py.File(root / f"types-{libver}.h5", "w", libver=libver) as f:
        f.attrs["title"] = "ünï"
        f.attrs["fixed"] = np.bytes_(b"bytes")
        f.attrs["numbers"] = np.arange(3, dtype="<f4") / 2
        f.attrs["one"] = np.array([7], ">i2")
        f.attrs["names"] = np.array(["a", "bc"], h5py.string_dtype())
        f.attrs["nothing"] = h5py.Empty("f4")
        f.attrs["special"] = np.array([np.nan, -np.inf, 1.5])
        f.attrs["flag"] = True
        for data_type in TYPES:
            name = data_type.replace("<", "").replace(">", "big-")
            put(f, "chunked/" + name, values(data_type), chunks=CHUNKS, compression="gzip", fillvalue=3)
            put(f, "contiguous/" + name, values(data_type))
        put(f, "bool", values("u1") % 2 == 0, chunks=CHUNKS)
        put(f, "complex64", values("f4") + 1j * values("f4").astype("c8"), chunks=CHUNKS)
        put(f, "big-complex128", (values("f8") - 2j).astype(">c16"))
        put(f, "text", values("S5"), chunks=CHUNKS, fillvalue=b"no")
        put(f, "opaque", values("S4").astype("V4"))
        put(f, "time", values("i8").astype("M8[s]").astype(h5py.opaque_dtype(np.dtype("<M8[s]"))))
        record = np.zeros(SHAPE, [("a", "<i4"), ("b", "<f8"), ("c", "S3")])
        record["a"], record["b"], record["c"] = values("i4"), values("f8"), values("S3")
        put(f, "record", record, chunks=CHUNKS, compression="gzip")
        put(f, "arrays", values("<i2", SHAPE + (3,)).view([("v", "<i2", (3,))])["v"].reshape(SHAPE + (3,)))
        block = f.create_dataset("blocks", SHAPE, np.dtype(("<i2", (3,))), chunks=CHUNKS)
        block[...] = values("<i2", SHAPE + (3,))
        enum = h5py.enum_dtype({"RED": 0, "GREEN": 1, "BLUE": 200}, basetype="<u2")
        put(f, "enum", values("<u2").astype(enum), chunks=CHUNKS)
        f["named"] = np.dtype("<u4")
        f.create_dataset("of-named", SHAPE, f["named"], chunks=CHUNKS)[...] = values("<u4")
        f["scalar"] = np.float32(2.5)
        f["empty"] = np.zeros((0, 4), "<i4")
        f.create_dataset("null", data=h5py.Empty("<f4"))
        f.create_dataset("unwritten", SHAPE, "<f8", fillvalue=np.nan)
        put(f, "unlimited", values("<i4"), chunks=CHUNKS, maxshape=(None, None))
        shrunk = put(f, "shrunk", values("<i4"), False, chunks=CHUNKS, maxshape=(None, 17))
        shrunk.resize((11, 13))
        shrunk.resize((14, 17))
        put(f, "larger-chunk", values("<i4"), False, chunks=(30, 40), maxshape=(None, None))
        f["soft"] = h5py.SoftLink("/contiguous/i2")
        f["outside"] = h5py.ExternalLink("other.h5", "/x")
        f["chunked/circle"] = f["/"]
        for filters in ("all", "gzip"):
            for i, (index, options) in enumerate(INDEXES.items()):
                put(f, f"index/{index}-{filters}", values("<i4"), chunks=CHUNKS, **options, **FILTERS[filters])
        for index, options in INDEXES.items():
            put(f, f"index/{index}", values("<i4"), chunks=CHUNKS, **options)
        put(f, "index/single", values("<i4"), chunks=SHAPE)
        put(f, "index/single-gzip", values("<i4"), chunks=SHAPE, compression="gzip")
        low = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        low.set_chunk(CHUNKS)
        low.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        h5py.h5d.create(f.id, b"index/implicit", h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple(SHAPE), low)
        f["index/implicit"][...] = values("<i4")


def filters(root):
    with h5py.File(root / "filters.h5", "w") as f:
        for name, options in FILTERS.items():
            for data_type in ("<u2", ">f8"):
                put(f, f"{name}{data_type[1:]}", values(data_type), chunks=CHUNKS, **options)
        masked(f)
        scaled(f)
        put(f, "refused/zfp", values("<f4"), chunks=CHUNKS, **hdf5plugin.Zfp(reversible=True))
        # Read by now: hdf5-filters.zip tests it.
        put(f, "refused/blosc2", values("<i4"), chunks=CHUNKS, **hdf5plugin.Blosc2())
        f.create_dataset("refused/sequences", (3,), h5py.vlen_dtype("<i4"))
        f.create_dataset("refused/references", (3,), h5py.ref_dtype)
        layout = h5py.VirtualLayout(SHAPE, "<u2")
        layout[...] = h5py.VirtualSource(f["gzipu2"])
        f.create_virtual_dataset("refused/virtual", layout)
        f.create_dataset("refused/external", SHAPE, "<i4", external=[("data.raw", 0, h5py.h5f.UNLIMITED)])


def scaled(f):
    """Numbers as differences in few bits: with and without a number of bits, with and without a fill value."""
    numbers = values("<i8").astype("<i8")
    for data_type in ("|u1", "|i1", "<u2", ">i2", "<i4", ">u4", "<i8"):
        data = (numbers % 100 - (50 if "i" in data_type else 0)).astype(data_type)
        put(f, "scaled/" + data_type[1:], data, chunks=CHUNKS, scaleoffset=0)
        put(f, "scaled/few-" + data_type[1:], data, chunks=CHUNKS, scaleoffset=7, fillvalue=9)
    put(f, "scaled/all", numbers.astype("<i4"), chunks=CHUNKS, scaleoffset=32)
    put(f, "scaled/wide", numbers * (1 << 54) - (1 << 62), chunks=CHUNKS, scaleoffset=0)
    put(f, "scaled/equal", np.full(SHAPE, -7, "<i2"), chunks=CHUNKS, scaleoffset=0)
    for data_type in ("<f4", ">f4", "<f8"):
        data = (numbers / 7 - 5).astype(data_type)
        put(f, "scaled/" + data_type[1:] + data_type[0].replace("<", "").replace(">", "b"), data, chunks=CHUNKS, scaleoffset=3)
    put(f, "scaled/tens", (numbers * 1000.0).astype("<f8"), chunks=CHUNKS, scaleoffset=1, fillvalue=-1.5)
    low = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    low.set_chunk(CHUNKS)
    low.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    low.set_fill_value(np.array(0, "<i4"))
    low.set_scaleoffset(h5py.h5z.SO_INT, 0)
    h5py.h5d.create(f.id, b"scaled/never", h5py.h5t.STD_I32LE, h5py.h5s.create_simple(SHAPE), low)
    f["scaled/never"][...] = values("<i4")


def masked(f):
    """Chunks of which some lack deflate, shuffle or both."""
    data = values("<i4")
    dataset = put(f, "masked", data, False, chunks=CHUNKS, compression="gzip", shuffle=True)
    for row, column, mask in ((0, 0, 2), (5, 6, 3)):
        part = np.zeros(CHUNKS, "<i4")
        cut = data[row : row + 5, column : column + 6]
        part[: cut.shape[0], : cut.shape[1]] = cut
        plain = part.tobytes()
        if mask == 2:
            plain = np.frombuffer(plain, "u1").reshape(-1, 4).T.tobytes()
        dataset.id.write_direct_chunk((row, column), plain, mask)


def pages(root):
    """Indexes of so many chunks that they are in pages, or that a tree has levels."""
    path = root / "pages.h5"
    with h5py.File(path, "w", libver="latest") as f:
        f.create_dataset("extensible", (9000,), "<u2", chunks=(2,), maxshape=(None,))[::3] = values("<u2", (3000,))
        f.create_dataset("fixed", (9000,), "<u2", chunks=(2,))[4000:4300] = values("<u2", (300,))
        f.create_dataset("btree2", (3000, 2), "<u2", chunks=(2, 1), maxshape=(None, None))[...] = values("<u2", (3000, 2))
    with h5py.File(root / "tree.h5", "w") as f:
        f.create_dataset("deep", (6000,), "<u2", chunks=(2,), maxshape=(None,))[...] = values("<u2", (6000,))


def many(root):
    """Links and attributes in heaps, and a large attribute."""
    for libver in ("earliest", "latest"):
        with h5py.File(root / f"many-{libver}.h5", "w", libver=libver, track_order=libver == "latest") as f:
            for i in range(60):
                f.create_dataset(f"links/{'long ' * (i % 5)}{i}", data=np.int16(i))
                f["links"].attrs[f"attribute {i}"] = i
            if libver == "latest":
                f["links"].attrs["large"] = np.arange(20000, dtype="<i4")


def user_block(root):
    with h5py.File(root / "user-block.h5", "w", userblock_size=1024) as f:
        put(f, "a", values("<i4"), chunks=CHUNKS, compression="gzip")
        put(f, "b", values("<i4"))
    with open(root / "user-block.h5", "r+b") as f:
        f.write(b"#!/bin/sh\n")


def scales(root):
    with h5py.File(root / "scales.h5", "w") as f:
        data = put(f, "data/values", values("<f4"), chunks=CHUNKS)
        f["x"], f["data/y"] = np.arange(17), np.arange(23)
        f["x"].make_scale("a long name")
        f["data/y"].make_scale()
        data.dims[0].attach_scale(f["data/y"])
        data.dims[1].attach_scale(f["x"])
        f["labels"] = values("<i4")
        f["labels"].dims[1].label = "width"
    with netCDF4.Dataset(root / "weather.nc", "w") as f:
        f.title = "weather"
        f.createDimension("time", None)
        f.createDimension("lat", 4)
        f.createDimension("lon", 5)
        lat = f.createVariable("lat", "f4", ("lat",))
        lat.units = "degrees_north"
        lat[:] = np.arange(4) * 10
        air = f.createVariable("air", "i2", ("time", "lat", "lon"), zlib=True, fill_value=-99)
        air.scale_factor = 0.5
        air.set_auto_maskandscale(False)
        air[:] = values("i2", (3, 4, 5))
        group = f.createGroup("inner")
        area = group.createVariable("area", "f8", ("lat", "lon"), fill_value=1e20)
        area[:2] = 1.5


def expect(root):
    for path in sorted(root.glob("*.h5")) + sorted(root.glob("*.nc")):
        with h5py.File(path) as f:
            def visit(name, node):
                if isinstance(node, h5py.Dataset) and not name.startswith("refused/") and node.shape is not None:
                    if b"not a netCDF variable" in bytes(node.attrs.get("NAME", b"")):
                        return
                    data = np.asarray(node[...])
                    target = root / path.stem / (name + ".bin")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data.astype(data.dtype.newbyteorder("<")).tobytes())
            f.visititems(visit)


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        types(root, "earliest")
        types(root, "latest")
        filters(root)
        pages(root)
        many(root)
        user_block(root)
        scales(root)
        expect(root)
        with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for file in sorted(root.rglob("*")):
                if file.is_file():
                    entry = zipfile.ZipInfo(file.relative_to(root).as_posix())
                    archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    with h5py.File(sys.argv[2], "w") as f:
        put(f, "counts", np.arange(48, dtype="<i4").reshape(8, 6), False, chunks=(2, 6), **FILTERS["shuffle"])


if __name__ == "__main__":
    main()
