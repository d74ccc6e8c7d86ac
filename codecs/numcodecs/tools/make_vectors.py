"""Writes the test vectors of this module: what numcodecs encodes, and what it decodes that to.

Needs numcodecs (0.16.6 made the vectors that are checked in) and one of crc32c and google-crc32c. Each line has, separated by tabs:
the codec as JSON; the NumPy type and bytes (hex) of the input; those of the encoding; those of the decoded encoding.
A type of "-" means bytes.
"""
import json
import random
import sys
import warnings

import numpy as np
import numcodecs
from numcodecs.registry import get_codec

warnings.simplefilter("ignore")
rng = np.random.default_rng(7)
text = b"sharded arrays, " * 40 + bytes(range(256))
noise = random.Random(5).randbytes(333)
samples = [b"", b"\x00", b"abc", noise, text]


def show(a):
    if isinstance(a, np.ndarray):
        return a.dtype.str, np.ascontiguousarray(a).tobytes().hex()
    return "-", bytes(a).hex()


def line(config, value):
    codec = get_codec(dict(config))
    encoded = codec.encode(value)
    is_array = isinstance(value, np.ndarray)
    if not is_array:
        encoded = bytes(encoded)
    decoded = codec.decode(encoded)
    if not is_array:
        decoded = bytes(decoded)
    config = dict(config)
    id = config.pop("id")
    described = json.dumps({"name": "numcodecs." + id, "configuration": config})
    print("\t".join([described, *show(value), *show(encoded), *show(decoded)]))


for config in [
    {"id": "bz2", "level": 1},
    {"id": "bz2", "level": 9},
    {"id": "lzma"},
    {"id": "lzma", "format": 1, "check": -1, "preset": None, "filters": None},
    {"id": "lzma", "preset": 0, "check": 0},
    {"id": "lzma", "preset": 2147483648 + 1, "check": 1},
    {"id": "lzma", "preset": 9, "check": 10},
    {"id": "lzma", "format": 2, "preset": 1},
    {"id": "lzma", "format": 3, "filters": [{"id": 3, "dist": 4}, {"id": 0x21, "preset": 1}]},
    {"id": "lzma", "format": 3, "filters": [{"id": 0x21, "dict_size": 65536, "lc": 2}]},
    {"id": "lz4", "acceleration": 1},
    {"id": "lz4", "acceleration": 10},
    {"id": "crc32"},
    {"id": "crc32", "location": "end"},
    {"id": "crc32c"},
    {"id": "crc32c", "location": "start"},
    {"id": "adler32"},
    {"id": "adler32", "location": "end"},
    {"id": "fletcher32"},
    {"id": "jenkins_lookup3"},
    {"id": "jenkins_lookup3", "initval": 4000000000, "prefix": None},
]:
    for sample in samples:
        if sample or config["id"] not in ("lz4", "fletcher32", "jenkins_lookup3"):
            line(config, sample)


def whole(dtype, n=37):
    info = np.iinfo(dtype)
    a = rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
    a[:4] = [info.min, info.max, 0, 1]
    return a


def real(dtype, n=37, scale=1000.0):
    a = (rng.standard_normal(n) * scale).astype(dtype)
    a[:3] = [0.0, -0.0, 1.5]
    return a


for t in ["<i1", "<i2", "<i4", "<i8", "<u1", "<u2", "<u4", "<u8"]:
    line({"id": "delta", "dtype": t}, whole(np.dtype(t)))
for t in ["<f2", "<f4", "<f8"]:
    line({"id": "delta", "dtype": t}, real(np.dtype(t)))
line({"id": "delta", "dtype": "<f8", "astype": "<f4"}, real(np.float64))
line({"id": "delta", "dtype": "<f4", "astype": "<i4"}, np.arange(40, dtype="<f4") * 3)
line({"id": "delta", "dtype": "<i8", "astype": "<i2"}, np.arange(100, 140, dtype="<i8") ** 2)

line({"id": "delta", "dtype": "int32"}, whole(np.int32))

numbers = ["<i1", "<i2", "<i4", "<i8", "<u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8"]
for a in numbers:
    for b in numbers:
        if np.dtype(a).kind == "f":
            value = np.array([0, 1, 2.5, 100.75, 63, 7.999, 126.5], dtype=a)
            if np.dtype(b).kind != "u":
                value = np.concatenate([value, -value]).astype(a)
            if np.dtype(b).kind == "f":
                value = np.concatenate([value, np.array([np.inf, -np.inf, 1e-7, 3e4, 65519, 6e-8]).astype(a)])
        else:
            value = whole(np.dtype(a))
        if np.dtype(b).kind != "f" or np.dtype(a).kind == "f":
            line({"id": "astype", "encode_dtype": b, "decode_dtype": a}, value)
line({"id": "astype", "encode_dtype": "<f4", "decode_dtype": "<i8"}, np.array([2**53 + 1, 16777217, -33554435, 2**40 + 2**16 + 1], "<i8"))
line({"id": "astype", "encode_dtype": "<f8", "decode_dtype": "<u8"}, np.array([2**63, 2**53 + 1, 2**64 - 2**12], "<u8"))
line({"id": "astype", "encode_dtype": "<f2", "decode_dtype": "<i4"}, np.array([2049, 2051, -4097, 12, 60000], "<i4"))
line({"id": "astype", "encode_dtype": "|b1", "decode_dtype": "<i4"}, np.array([0, 1, 7, -3, 256], "<i4"))
line({"id": "astype", "encode_dtype": "<f4", "decode_dtype": "|b1"}, np.array([True, False, True]))

for t, astype in [("<f8", "<i2"), ("<f8", "<i4"), ("<f4", "<i2"), ("<f4", "<u1"), ("<f8", "<f4"), ("<f4", "<f4"), ("<f2", "|i1")]:
    value = real(np.dtype(t), scale=9.0)
    value = np.abs(value) + 1 if "u" in astype else value
    if "f" not in astype:
        value = np.clip(value, -11, 11)
    for offset, scale in [(0, 10), (-1.5, 10.0), (0.25, 8.5), (-1, 0.1)]:
        line({"id": "fixedscaleoffset", "offset": offset, "scale": scale, "dtype": t, "astype": astype}, value)
line({"id": "fixedscaleoffset", "offset": 1000, "scale": 10, "dtype": "<f8"}, np.linspace(1000, 1001, 30))
line({"id": "fixedscaleoffset", "offset": 3, "scale": 2, "dtype": "<i4", "astype": "<i8"}, whole(np.int32))
line({"id": "fixedscaleoffset", "offset": 3, "scale": 2.5, "dtype": "<i2", "astype": "<i4"}, whole(np.int16))
line({"id": "fixedscaleoffset", "offset": 3.5, "scale": 2, "dtype": "<u1", "astype": "<f4"}, whole(np.uint8))
line({"id": "fixedscaleoffset", "offset": 5, "scale": 1, "dtype": "<u1", "astype": "<u1"}, whole(np.uint8))

for digits in [-2, 0, 1, 2, 3, 5]:
    for t, astype in [("<f8", "<f8"), ("<f4", "<f4"), ("<f8", "<f4"), ("<f2", "<f2")]:
        if t != "<f2" or digits < 4:  # beyond that the scale is infinite
            line({"id": "quantize", "digits": digits, "dtype": t, "astype": astype}, real(np.dtype(t), scale=3.0))

for n in [1, 3, 8, 9, 64, 101]:
    line({"id": "packbits"}, rng.integers(0, 2, n).astype(bool))
print(f"numcodecs {numcodecs.__version__}", file=sys.stderr)
