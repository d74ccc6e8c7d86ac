"""Writes arrays of every registered data type and codec of zarr-python: python make_registry.py FOLDER

Each array NAME.zarr has its elements in NAME.bin: little-endian, C order; text and byte strings as JSON in NAME.json.
Needs the libraries of newest-requirements.txt.
"""

import json
import sys
import warnings
from pathlib import Path

import numcodecs
import numpy as np
import zarr
from zarr.codecs import (BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, VLenBytesCodec,
                         VLenUTF8Codec, ZstdCodec)
from zarr.codecs import numcodecs as foreign

warnings.simplefilter("ignore")
SHAPE = (13, 11)
CHUNKS = (4, 5)
SHARDS = (8, 10)
ROOT = Path(sys.argv[1])
skipped = []


def numbers(kind):
    random = np.random.default_rng(7)
    return random.integers(0, 100, SHAPE).astype(kind)


def values(kind):
    if kind == "b1":
        return numbers("i4") % 3 == 0
    if kind.startswith("c"):
        return (numbers("f8") + 1j * numbers("f8")[::-1]).astype(kind)
    if kind.startswith(("M8", "m8")):
        return numbers("i8").astype(kind)
    if kind.startswith("U"):
        return np.vectorize(lambda n: "x\u00e9" * (n % 4))(numbers("i4")).astype(kind)
    if kind.startswith("S"):
        return np.char.encode(np.vectorize(lambda n: "s" * (n % 4))(numbers("i4"))).astype(kind)
    if kind.startswith("V"):
        return np.frombuffer(numbers("u1").repeat(int(kind[1:])).tobytes(), kind).reshape(SHAPE)
    if kind == "record":
        out = np.zeros(SHAPE, [("a", "<i4"), ("b", "<f8"), ("c", "u1"), ("n", [("x", "<i2"), ("y", "S3")])])
        out["a"], out["b"], out["c"] = numbers("i4"), numbers("f8"), numbers("u1")
        out["n"]["x"], out["n"]["y"] = numbers("i2"), b"ab"
        return out
    return numbers(kind)


TYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "M8[s]", "m8[10us]", "U4",
         "S3", "V5", "record"]
CHAINS = {
    "none": [],
    "gzip": [GzipCodec(level=3)],
    "zstd": [ZstdCodec(level=1, checksum=True)],
    "blosc": [BloscCodec(cname="lz4", clevel=4)],
    "crc": [Crc32cCodec()],
}
BYTEWISE = {
    "blosc": foreign.Blosc(cname="zstd", clevel=3, shuffle=2),
    "blosc-default": foreign.Blosc(),
    "gzip": foreign.GZip(level=2),
    "zstd": foreign.Zstd(level=5),
    "zlib": foreign.Zlib(level=4),
    "bz2": foreign.BZ2(level=2),
    "lzma": foreign.LZMA(preset=2),
    "lz4": foreign.LZ4(acceleration=2),
    "shuffle": foreign.Shuffle(elementsize=4),
    "crc32": foreign.CRC32(),
    "crc32c": foreign.CRC32C(),
    "adler32": foreign.Adler32(),
    "fletcher32": foreign.Fletcher32(),
    "jenkins_lookup3": foreign.JenkinsLookup3(initval=5),
}
ELEMENTWISE = {
    "delta": ("i4", foreign.Delta(dtype="<i4")),
    "delta-astype": ("i4", foreign.Delta(dtype="<i4", astype="<i8")),
    "bitround": ("f4", foreign.BitRound(keepbits=10)),
    "fixedscaleoffset": ("f8", foreign.FixedScaleOffset(offset=0, scale=2, dtype="<f8", astype="<i4")),
    "quantize": ("f4", foreign.Quantize(digits=2, dtype="<f4")),
    "packbits": ("b1", foreign.PackBits()),
    "astype": ("i4", foreign.AsType(encode_dtype="<i8", decode_dtype="<i4")),
}


def little(data):
    if data.dtype.fields:
        return data.tobytes()
    return data.astype(data.dtype.newbyteorder("<")).tobytes() if data.dtype.kind != "V" else data.tobytes()


def write(name, data, text=None, **options):
    """Writes an array; `text` is what JSON has for elements of variable length."""
    path = ROOT / (name + ".zarr")
    options.setdefault("chunks", CHUNKS)
    try:
        array = zarr.create_array(str(path), shape=data.shape, dtype=options.pop("dtype", data.dtype), **options)
        array[...] = data
        read = zarr.open_array(str(path), mode="r")[...]
    except Exception as problem:  # a combination that zarr-python refuses
        skipped.append(f"{name}: {type(problem).__name__}: {problem}"[:150])
        return
    if text is not None:
        (ROOT / (name + ".json")).write_text(json.dumps(text))
    else:
        (ROOT / (name + ".bin")).write_bytes(little(read))


def version3():
    for kind in TYPES:
        data = values(kind)
        for chain, codecs in CHAINS.items():
            name = f"v3-{kind.replace('[', '-').replace(']', '')}-{chain}"
            write(name, data, compressors=codecs, filters=[])
            write(name + "-shard", data, compressors=codecs, filters=[], shards=SHARDS)
        write(f"v3-{kind.replace('[', '-').replace(']', '')}-big", data, serializer=BytesCodec(endian="big"),
              compressors=[], filters=[TransposeCodec(order=(1, 0))])
    for name, codec in BYTEWISE.items():
        for kind in ["i4", "f8"]:
            write(f"v3-numcodecs-{name}-{kind}", values(kind), compressors=[codec], filters=[])
            write(f"v3-numcodecs-{name}-{kind}-shard", values(kind), compressors=[codec], filters=[], shards=SHARDS)
    for name, (kind, codec) in ELEMENTWISE.items():
        write(f"v3-numcodecs-{name}", values(kind), compressors=[GzipCodec()], filters=[codec])
        write(f"v3-numcodecs-{name}-shard", values(kind), compressors=[], filters=[codec], shards=SHARDS)
    new_codecs()
    text = np.vectorize(lambda n: "\u00e9x" * (n % 5))(numbers("i4"))
    write("v3-string", text, text.ravel().tolist(), dtype="string", serializer=VLenUTF8Codec(), compressors=[])
    write("v3-string-shard", text, text.ravel().tolist(), dtype="string", compressors=[ZstdCodec()], shards=SHARDS)
    binary = np.array([b"ab" * (n % 4) for n in numbers("i4").ravel()], dtype=object).reshape(SHAPE)
    write("v3-bytes", binary, [b.hex() for b in binary.ravel()], dtype="variable_length_bytes",
          serializer=VLenBytesCodec(), compressors=[])


def new_codecs():
    """Codecs that zarr-python has from 3.2 on."""
    try:
        from zarr.codecs import CastValue, ScaleOffset
    except ImportError:
        skipped.append("scale_offset, cast_value: not in this zarr-python")
        return
    write("v3-scale_offset", values("f4"), compressors=[], filters=[ScaleOffset(offset=5, scale=2)])
    write("v3-cast_value", values("f8"), compressors=[],
          filters=[CastValue(data_type="uint8", rounding="nearest-even", out_of_range="clamp")])


def version2():
    for kind in TYPES:
        for order in ["C", "F"]:
            name = f"v2-{kind.replace('[', '-').replace(']', '')}-{order}"
            write(name, values(kind), zarr_format=2, order=order, compressors=numcodecs.Zlib(level=1))
    for kind in ["i4", "f8", "u2"]:
        write(f"v2-{kind}-big", values(kind).astype(">" + kind), zarr_format=2, compressors=numcodecs.Blosc())
    bytewise = {name: numcodecs.get_codec({"id": name, **{"shuffle": {"elementsize": 4}}.get(name, {})}) for name in
                ["blosc", "gzip", "zstd", "zlib", "bz2", "lzma", "lz4", "shuffle", "crc32", "crc32c", "adler32",
                 "fletcher32", "jenkins_lookup3"]}
    for name, codec in bytewise.items():
        write(f"v2-filter-{name}", values("i4"), zarr_format=2, filters=[codec], compressors=None)
        write(f"v2-compressor-{name}", values("i4"), zarr_format=2, compressors=codec)
    for name, (kind, codec) in ELEMENTWISE.items():
        own = numcodecs.get_codec({"id": codec.codec_name.split(".")[1], **codec.codec_config})
        write(f"v2-{name}", values(kind), zarr_format=2, filters=[own], compressors=numcodecs.Zstd())
    objects = np.empty(SHAPE, object)
    for i, n in enumerate(numbers("i4").ravel()):
        objects.flat[i] = [{"n": int(n), "t": "\u00e9"}, "text", None, [1, 2.5], True][i % 5]
    own_objects("json2", numcodecs.JSON(), objects, [json.dumps(o, separators=(",", ":"), sort_keys=True)
                                                     for o in objects.ravel()])
    ragged = np.empty(SHAPE, object)
    for i, n in enumerate(numbers("i4").ravel()):
        ragged.flat[i] = np.arange(n % 4, dtype="<i4")
    own_objects("vlen-array", numcodecs.VLenArray("<i4"), ragged, [a.tobytes().hex() for a in ragged.ravel()])
    text = np.vectorize(lambda n: "\u00e9" * (n % 5), otypes=[object])(numbers("i4"))
    own_objects("vlen-utf8", numcodecs.VLenUTF8(), text, text.ravel().tolist())


def own_objects(name, codec, objects, text):
    """Objects as zarr-python 2 wrote them; version 3 refuses most of them."""
    for order in ["C", "F"]:
        path = ROOT / f"v2-{name}-{order}.zarr"
        path.mkdir()
        (path / ".zarray").write_text(json.dumps({
            "zarr_format": 2, "shape": SHAPE, "chunks": CHUNKS, "dtype": "|O", "order": order, "fill_value": None,
            "compressor": {"id": "zlib", "level": 1}, "filters": [codec.get_config()]}))
        for i in range(0, SHAPE[0], CHUNKS[0]):
            for j in range(0, SHAPE[1], CHUNKS[1]):
                chunk = np.empty(CHUNKS, object, order=order)
                part = objects[i:i + CHUNKS[0], j:j + CHUNKS[1]]
                for at in np.ndindex(*CHUNKS):
                    chunk[at] = part[at] if at[0] < part.shape[0] and at[1] < part.shape[1] else objects[0, 0]
                (path / f"{i // CHUNKS[0]}.{j // CHUNKS[1]}").write_bytes(numcodecs.Zlib(1).encode(codec.encode(chunk)))
        (ROOT / f"v2-{name}-{order}.json").write_text(json.dumps(text))


if __name__ == "__main__":
    ROOT.mkdir(parents=True, exist_ok=True)
    version3()
    version2()
    count = len(list(ROOT.glob("*.zarr")))
    print(f"zarr {zarr.__version__}, numcodecs {numcodecs.__version__}: {count} arrays; zarr-python refuses "
          f"{len(skipped)}")
    for line in skipped:
        print("  " + line)
