"""Writes samples of Blosc2 arrays as a ZIP archive: python make_blosc2.py SAMPLES.zip

Each array NAME.b2nd, a file or the folder of a sparse frame, has its elements in NAME.bin: little-endian, C order.
Needs the libraries of foreign-requirements.txt.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

import blosc2
import numpy as np

SHAPE = (23, 17, 11)
CHUNKS = (12, 8, 8)
BLOCKS = (5, 8, 3)
TYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64",
         "complex64", "complex128", ">u2", ">f8", "float16"]
CODECS = {
    "blosclz": blosc2.Codec.BLOSCLZ,
    "lz4": blosc2.Codec.LZ4,
    "lz4hc": blosc2.Codec.LZ4HC,
    "zlib": blosc2.Codec.ZLIB,
    "zstd": blosc2.Codec.ZSTD,
}
FILTERS = {
    "none": [blosc2.Filter.NOFILTER],
    "shuffle": [blosc2.Filter.SHUFFLE],
    "bitshuffle": [blosc2.Filter.BITSHUFFLE],
    "delta": [blosc2.Filter.DELTA, blosc2.Filter.SHUFFLE],
    "trunc": [blosc2.Filter.TRUNC_PREC, blosc2.Filter.BITSHUFFLE],
}


def values(data_type, shape=SHAPE):
    numbers = np.arange(np.prod(shape)).reshape(shape)
    return (numbers * 7 // 3 % 251).astype(data_type)


def write(root, name, array, chunks=CHUNKS, blocks=BLOCKS, contiguous=True, **cparams):
    file = root / (name + ".b2nd")
    file.parent.mkdir(parents=True, exist_ok=True)
    stored = blosc2.asarray(
        array, chunks=chunks, blocks=blocks, urlpath=str(file), contiguous=contiguous, mode="w",
        cparams={"nthreads": 1, **cparams},
    )
    expect(root, name, stored[:])


def expect(root, name, array):
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
    (root / (name + ".bin")).write_bytes(little.tobytes())


def dictionary(root, name, codec, filters, data_type="uint32", **more):
    """Writes large chunks, which c-blosc2 gives a dictionary."""
    numbers = np.arange(60 * 48 * 24).reshape((60, 48, 24))
    array = (numbers // 7 % 257 * 31).astype(data_type)
    file = root / ("dictionary/" + name + ".b2nd")
    write(root, "dictionary/" + name, array, (30, 48, 24), (6, 8, 24), codec=codec, filters=filters, use_dict=True, **more)
    stored = blosc2.open(str(file), mode="r")
    assert all(stored.schunk.get_chunk(i)[31] & 1 for i in range(stored.schunk.nchunks)), name


def numpy_types(root):
    """Writes texts, raw bytes, times and records, of which a chunk is missing and another has equal elements."""
    numbers = values("int64")
    numbers[:12, :8, :8] = 0
    numbers[12:, 8:, 8:] = 5
    record = np.dtype([("x", "<i4"), ("in", [("s", "S3"), ("t", "<M8[D]"), ("u", "<U2")]), ("it's \u00b5", "i1")])
    records = np.zeros(SHAPE, record)
    records["x"] = numbers
    records["in"]["s"] = numbers.astype("S3")
    records["in"]["t"] = numbers.astype("M8[D]")
    records["in"]["u"] = numbers.astype("U2")
    records["it's \u00b5"] = numbers.astype("i1")
    arrays = {
        "S5": numbers.astype("S5"),
        "U3": numbers.astype("<U3"),
        "big-U3": numbers.astype(">U3"),
        "V8": numbers.view("V8"),
        "datetime": numbers.astype("<M8[ns]"),
        "big-datetime": numbers.astype(">M8[25s]"),
        "timedelta": numbers.astype("<m8[Y]"),
        "no-unit": numbers.astype("<m8"),
        "record": records,
        "big-record": records.astype(record.newbyteorder(">")),
        "raw-record": numbers.view([("a", "V3"), ("b", "V5")]),
    }
    for name, array in arrays.items():
        write(root, "numpy/" + name, array)


def special(root, name, make, data_type="float64", **more):
    file = root / ("special/" + name + ".b2nd")
    file.parent.mkdir(parents=True, exist_ok=True)
    array = make(SHAPE, dtype=data_type, chunks=CHUNKS, blocks=BLOCKS, urlpath=str(file), mode="w", **more)
    expect(root, "special/" + name, array[:])


def caterva(root):
    """Makes a frame as the library caterva wrote it, before Blosc2 took its format over: without a data type."""
    write(root, "caterva", values("uint8"))
    file = root / "caterva.b2nd"
    data = file.read_bytes()
    size = int.from_bytes(data[11:15], "big")
    header, rest = data[:size], data[size:]
    header = header.replace(b"\xa4b2nd", b"\xa7caterva")
    at = header.index(b"\x97\x00\x03")
    layer = header[at:]
    layer = b"\x95" + layer[1 : layer.index(b"\x00\xdb")]
    header = header[: at - 4] + len(layer).to_bytes(4, "big") + layer
    header = header[:11] + len(header).to_bytes(4, "big") + header[15:]
    header = header[:16] + (len(header) + len(rest)).to_bytes(8, "big") + header[24:]
    file.write_bytes(header + rest)


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for data_type in TYPES:
            write(root, "types/" + data_type.replace(">", "big-"), values(data_type))
        numpy_types(root)
        for codec, number in CODECS.items():
            for filters, pipeline in FILTERS.items():
                meta = {"filters_meta": [10, 0]} if filters == "trunc" else {}
                data_type = "float32" if filters == "trunc" else "uint16"
                write(root, f"by/{codec}-{filters}", values(data_type), codec=number, filters=pipeline, **meta)
        write(root, "split", values("int32"), codec=blosc2.Codec.LZ4, splitmode=blosc2.SplitMode.ALWAYS_SPLIT)
        write(root, "stored", values("uint16"), clevel=0)
        write(root, "noise", np.random.default_rng(1).integers(0, 2**32, SHAPE, "uint32"))
        write(root, "sparse", values("uint16"), contiguous=False)
        write(root, "line", values("int64", (100,)), (30,), (7,))
        write(root, "large", np.tile(values("uint32"), (6, 6, 6))[:90, :90, :60], (90, 90, 60), (15, 16, 17))
        caterva(root)
        dictionary(root, "zstd", blosc2.Codec.ZSTD, FILTERS["none"])
        dictionary(root, "zstd-shuffle", blosc2.Codec.ZSTD, FILTERS["shuffle"])
        dictionary(root, "zstd-delta", blosc2.Codec.ZSTD, FILTERS["delta"], contiguous=False)
        dictionary(root, "lz4-bitshuffle", blosc2.Codec.LZ4, FILTERS["bitshuffle"])
        dictionary(root, "lz4-split", blosc2.Codec.LZ4, FILTERS["shuffle"], splitmode=blosc2.SplitMode.ALWAYS_SPLIT)
        dictionary(root, "lz4hc", blosc2.Codec.LZ4HC, FILTERS["none"], "uint16")
        special(root, "zeros", blosc2.zeros)
        special(root, "nans", blosc2.nans)
        special(root, "full", blosc2.full, fill_value=7.25)
        mixed = np.zeros(SHAPE, "float32")
        mixed[:12, :8, :8] = values("float32", (12, 8, 8))
        mixed[12:, 8:, 8:] = 3
        write(root, "special/mixed", mixed)
        write(root, "special/sparse", mixed, contiguous=False)
        with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(root.rglob("*")):
                if file.is_file():
                    entry = zipfile.ZipInfo(file.relative_to(root).as_posix())
                    archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
