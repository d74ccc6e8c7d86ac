"""Writes HDF5 files with the filters Blosc2 and nbit as a ZIP archive: python make_hdf5_filters.py HDF5-FILTERS.zip

Each dataset PATH of a file NAME.h5 has its elements in NAME/PATH.bin: little-endian, C order. Those below "special"
(NaN, of which libraries keep other bits) and "refused" have none. Needs the libraries of
hdf5-requirements.txt.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

import blosc2
import h5py
import hdf5plugin
import numpy as np
import tables
from h5py import h5d, h5p, h5s, h5t, h5z

BLOSC2 = 32026
CNAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
SHUFFLES = [hdf5plugin.Blosc2.NOFILTER, hdf5plugin.Blosc2.SHUFFLE, hdf5plugin.Blosc2.BITSHUFFLE, hdf5plugin.Blosc2.DELTA]
TYPES = ["i1", "<u2", ">i4", "<i8", "<f2", ">f8", "<c16", "S3", "S300", "?"]


def values(data_type, shape):
    numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    return (numbers * 7 // 3 % 251).astype(data_type)


def put(file, name, data, chunks, part=False, **options):
    dataset = file.create_dataset(name, data.shape, data.dtype, chunks=chunks, track_times=False, **options)
    if part:
        dataset[7:, 2:] = data[7:, 2:]
    else:
        dataset[...] = data
    return dataset


def in_blocks(block_bytes, level=5, shuffle=1, compressor=5):
    """Blosc2 with blocks of about so many bytes, which hdf5plugin has no option for."""
    return {"compression": BLOSC2, "compression_opts": (0, block_bytes, 0, 0, level, shuffle, compressor)}


def with_blosc2(path):
    with h5py.File(path, "w") as f:
        for i, cname in enumerate(CNAMES):
            for k, shuffle in enumerate(SHUFFLES):
                data_type = TYPES[(i + k) % 6]
                options = hdf5plugin.Blosc2(cname=cname, clevel=(3 * i + k) % 10, filters=shuffle)
                put(f, f"of/{cname}-{k}", values(data_type, (23, 17)), (10, 8), True, **options)
        for data_type in TYPES:
            # The filter writes arrays of elements of more than 255 bytes, and fails to read them.
            shape, chunks = ((23,), (10,)) if data_type == "S300" else ((23, 17), (10, 17))
            put(f, "type/" + data_type.strip("<>?") + "x", values(data_type, shape), chunks, **hdf5plugin.Blosc2(cname="lz4"))
        for shape, chunks in (((50,), (20,)), ((9, 8, 7), (5, 4, 7)), ((3, 4, 5, 6), (3, 3, 3, 5)), ((2,) * 9, (2,) * 9)):
            put(f, f"rank/{len(shape)}", values("<i4", shape), chunks, **hdf5plugin.Blosc2(cname="zstd"))
        for n in (16, 64, 256):
            put(f, f"blocks/1-{n}", values("<u2", (500,)), (300,), **in_blocks(n))
            put(f, f"blocks/2-{n}", values("<u2", (23, 17)), (9, 11), **in_blocks(n))
            put(f, f"blocks/3-{n}", values("<f4", (9, 8, 7)), (5, 7, 3), **in_blocks(n, 0))
            put(f, f"blocks/delta-{n}", values("<i4", (500,)), (300,), **in_blocks(n, 5, 3))
        noise = np.random.default_rng(1).integers(0, 256, (40, 30), "u1")
        put(f, "noise", noise, (17, 17), **in_blocks(64))
        put(f, "equal", np.full((20, 20), 7, "<i4"), (8, 8), **hdf5plugin.Blosc2())
        put(f, "zeros", np.zeros((20, 20), "<f8"), (8, 8), **hdf5plugin.Blosc2())
        put(f, "not-a-number", np.full((20, 20), np.nan, "<f4"), (8, 8), **hdf5plugin.Blosc2())
        put(f, "checksum", values("<i4", (23, 17)), (10, 8), fletcher32=True, **hdf5plugin.Blosc2())
        put(f, "after-shuffle", values("<i4", (23, 17)), (10, 8), shuffle=True, **hdf5plugin.Blosc2())
        # c-blosc2 neither encodes nor decodes the bytes after the last whole element of a block.
        rest = put(f, "delta-rest", values("<i4", (222,)), (111,), scaleoffset=0, **in_blocks(64, 5, 3))
        assert rest.id.read_direct_chunk((0,))[0] == 0
        checksum_first(f)
        arrays(f)
        record = np.zeros((23,), [("a", "<i4"), ("b", "<f8"), ("c", "S3")])
        record["a"], record["b"], record["c"] = values("i4", 23), values("f8", 23), values("S3", 23)
        put(f, "record", record, (9,), **hdf5plugin.Blosc2())
        block = f.create_dataset("of-arrays", (8, 9), np.dtype(("<i2", (3,))), chunks=(5, 4), **hdf5plugin.Blosc2())
        block[...] = values("<i2", (8, 9, 3))


def checksum_first(f):
    """The input of Blosc2 is then no array: the elements and four bytes."""
    low = h5p.create(h5p.DATASET_CREATE)
    low.set_chunk((10, 8))
    low.set_fletcher32()
    low.set_filter(BLOSC2, h5z.FLAG_OPTIONAL, (0, 0, 0, 0, 5, 1, 1))
    h5d.create(f.id, b"checksum-first", h5t.STD_I32LE, h5s.create_simple((23, 17)), low)
    f["checksum-first"][...] = values("<i4", (23, 17))


def arrays(f):
    """Chunks that python-blosc2 encodes, as arrays of several chunks."""
    data = values("<i4", (24, 18))
    dataset = f.create_dataset("several-chunks", data.shape, data.dtype, chunks=(12, 9), **hdf5plugin.Blosc2())
    for row in (0, 12):
        for column in (0, 9):
            part = np.ascontiguousarray(data[row : row + 12, column : column + 9])
            chunk = blosc2.asarray(part, chunks=(7, 5), blocks=(3, 2)) if row else blosc2.asarray(part, chunks=(12, 9), blocks=(5, 9))
            dataset.id.write_direct_chunk((row, column), chunk.to_cframe())


def with_tables(path):
    filters = {"b2nd": "blosc2:zstd", "lz4": "blosc2:lz4", "usual": "blosc2"}
    with tables.open_file(str(path), "w") as f:
        for name, complib in filters.items():
            some = tables.Filters(complevel=5, complib=complib, shuffle=name != "lz4", bitshuffle=name == "lz4", fletcher32=name == "usual")
            f.create_carray("/", name, obj=values("<i4", (40, 30)), chunkshape=(16, 16), filters=some)
        grows = f.create_earray("/", "grows", tables.Float64Atom(), (0, 5), chunkshape=(6, 5), filters=some)
        grows.append(values("<f8", (13, 5)))


def low(f, name, data_type, data, chunks=(), filters=(), fill=None):
    """A dataset of a type that NumPy lacks."""
    create = h5p.create(h5p.DATASET_CREATE)
    if chunks:
        create.set_chunk(chunks)
    for kind in filters:
        if kind == "nbit":
            create.set_filter(h5z.FILTER_NBIT, 0, ())
        elif kind == "gzip":
            create.set_deflate(6)
        elif kind == "shuffle":
            create.set_shuffle()
    if fill is not None:
        create.set_fill_value(fill)
    path = name.split("/")
    group = f.require_group("/".join(path[:-1])) if len(path) > 1 else f
    rank = data.ndim - (len(data_type.get_array_dims()) if data_type.get_class() == h5t.ARRAY else 0)
    made = h5d.create(group.id, path[-1].encode(), data_type, h5s.create_simple(data.shape[:rank]), create)
    if fill is None:
        h5py.Dataset(made)[...] = data


def integer(base, precision, offset):
    data_type = base.copy()
    data_type.set_precision(precision)
    data_type.set_offset(offset)
    return data_type


def real(base, sign, exponent, exponent_bits, mantissa, mantissa_bits, bias):
    data_type = base.copy()
    data_type.set_fields(sign, exponent, exponent_bits, mantissa, mantissa_bits)
    lowest = min(mantissa, exponent)
    data_type.set_offset(lowest)
    data_type.set_precision(sign + 1 - lowest)
    data_type.set_ebias(bias)
    data_type.set_size(base.get_size())
    return data_type


def integers(f):
    numbers = values("<i8", (23, 17))
    for base, name in ((h5t.STD_U8LE, "u1"), (h5t.STD_I8LE, "i1"), (h5t.STD_U16LE, "u2"), (h5t.STD_I16BE, "big-i2"),
                       (h5t.STD_I32LE, "i4"), (h5t.STD_U32BE, "big-u4"), (h5t.STD_I64LE, "i8"), (h5t.STD_U64BE, "big-u8")):
        size = base.get_size()
        signed = "i" in name
        # HDF5 2 refuses to create types that use less than half of their bytes.
        for precision, offset in ((5 * size, 0), (5 * size, 2 * size), (8 * size - 1, 1), (8 * size, 0), (6 * size, size + 1)):
            if precision + offset > 8 * size:
                continue
            least, most = (-(1 << precision - 1), 1 << precision - 1) if signed else (0, 1 << precision)
            data = np.array([(int(n) * 2654435761 * 97) % (most - least) + least for n in numbers.flat], object)
            data = data.astype(f"{'i' if signed else 'u'}{size}").reshape(23, 17)
            low(f, f"{name}/{precision}-{offset}", integer(base, precision, offset), data, (5, 6), ["nbit"])
    data = (numbers - 100).astype("<i2")
    signed = integer(h5t.STD_I16BE, 10, 3)
    low(f, "plain/contiguous", signed, data)
    low(f, "plain/chunked", signed, data, (5, 6))
    low(f, "plain/gzip", signed, data, (5, 6), ["shuffle", "gzip"])
    low(f, "plain/fill", signed, data, (5, 6), [], np.array(-5, "<i2"))
    low(f, "with-gzip", signed, data, (5, 6), ["nbit", "gzip"])
    low(f, "with-shuffle", signed, data, (5, 6), ["shuffle", "nbit", "gzip"])
    arrays = h5t.array_create(integer(h5t.STD_U16LE, 10, 1), (2, 3))
    low(f, "arrays", arrays, (np.arange(54) * 31 % 1024).reshape(9, 2, 3).astype("<u2"), (4,), ["nbit"])


def floats(f):
    some = [0, -0.0, 1, -1.5, np.inf, -np.inf, 2.0**-14, 2.0**-31, 2.0**-35, 3.140625, 65504, 2.0**31, 2.0**-40, -(2.0**-43)]
    data = np.array(some * 3).reshape(6, 7)
    for order, base in (("", h5t.IEEE_F32LE), ("big-", h5t.IEEE_F32BE)):
        low(f, f"{order}f4/small", real(base, 26, 20, 6, 7, 13, 31), data, (4, 5), ["nbit"])
        low(f, f"{order}f4/plain", real(base, 26, 20, 6, 7, 13, 31), data)
        low(f, f"special/{order}nan", real(base, 26, 20, 6, 7, 13, 31), np.array([np.nan, 1.5, -np.nan]), (2,), ["nbit"])
        low(f, f"{order}f4/whole", base, data, (4, 5), ["nbit"])
    for order, base in (("", h5t.IEEE_F64LE), ("big-", h5t.IEEE_F64BE)):
        low(f, f"{order}f8/small", real(base, 40, 30, 10, 2, 28, 511), data, (4, 5), ["nbit"])
        low(f, f"{order}f8/whole", base, data, (4, 5), ["nbit"])


def with_nbit(path):
    with h5py.File(path, "w") as f:
        integers(f)
        floats(f)
        low(f, "text", h5t.py_create(np.dtype("S5")), values("S5", (23, 17)), (5, 6), ["nbit"])
        names = h5t.enum_create(h5t.STD_U8LE)
        names.enum_insert(b"A", 0)
        names.enum_insert(b"B", 3)
        low(f, "names", names, values("u1", (23, 17)), (5, 6), ["nbit"])
        record = h5t.create(h5t.COMPOUND, 6)
        record.insert(b"a", 0, h5t.STD_U16LE)
        record.insert(b"b", 2, h5t.STD_I32LE)
        data = np.zeros((23,), [("a", "<u2"), ("b", "<i4")])
        data["a"], data["b"] = values("u2", 23), values("i4", 23)
        low(f, "record", record, data, (5,), ["nbit"])
        record = h5t.create(h5t.COMPOUND, 6)
        record.insert(b"a", 0, integer(h5t.STD_U16LE, 10, 1))
        record.insert(b"b", 2, h5t.STD_I32LE)
        low(f, "refused/record", record, data, (5,), ["nbit"])
        low(f, "refused/bias", real(h5t.IEEE_F32LE, 31, 23, 8, 0, 23, 900), np.zeros(4), (2,), ["nbit"])
        attribute(f)


def attribute(f):
    space = h5s.create_simple((3,))
    made = h5py.h5a.create(f.id, b"levels", integer(h5t.STD_I16BE, 10, 3), space)
    made.write(np.array([-512, 0, 511], "<i2"))


def expect(root):
    for path in sorted(root.glob("*.h5")):
        with h5py.File(path) as f:
            def visit(name, node):
                if isinstance(node, h5py.Dataset) and not name.startswith(("refused/", "special/")):
                    data = np.asarray(node[...])
                    if data.dtype.kind == "f" and "nbit" in path.stem:
                        data = data.astype("f4" if "f4/" in name else "f8")
                    target = root / path.stem / (name + ".bin")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data.astype(data.dtype.newbyteorder("<")).tobytes())
            f.visititems(visit)


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        with_blosc2(root / "blosc2.h5")
        with_tables(root / "tables.h5")
        with_nbit(root / "nbit.h5")
        expect(root)
        with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for file in sorted(root.rglob("*")):
                if file.is_file():
                    entry = zipfile.ZipInfo(file.relative_to(root).as_posix())
                    archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
