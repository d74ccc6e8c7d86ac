"""Writes legal but unusual HDF5 files, and some that claim too much, and one small file: python make_hdf5_odd.py HDF5-ODD.zip TEXTS.h5

Needs h5py and NumPy.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

import h5py
import numpy as np
from h5py import h5a, h5d, h5p, h5s, h5t


def empty_attributes(path):
    """Attributes without elements, whose shapes claim many."""
    with h5py.File(path, "w") as f:
        f["x"] = np.arange(4)
        h5a.create(f["x"].id, b"lists", h5t.STD_I32LE, h5s.create_simple((10**9, 0)))
        h5a.create(f["x"].id, b"array", h5t.array_create(h5t.STD_I32LE, (2**32 - 1, 1)), h5s.create_simple((0,)))
        f["x"].attrs["after"] = 1
    data = bytearray(path.read_bytes())
    # an array type of no element and no byte: h5py does not write it
    kind = (2**32 - 1).to_bytes(4, "little") + (1).to_bytes(4, "little")
    at = data.index(kind)
    data[at + 4 : at + 8] = bytes(4)
    size = data.rindex((4 * (2**32 - 1) % 2**32).to_bytes(4, "little"), 0, at)
    data[size : size + 4] = bytes(4)
    path.write_bytes(data)


def soft_links(path, libver):
    with h5py.File(path, "w", libver=libver) as f:
        f["x"] = np.arange(4)
        for i in range(3000):
            f[f"l{i}"] = h5py.SoftLink("/x")
        f["circle"] = h5py.SoftLink("/circle")
        f.create_group("g")["up"] = h5py.SoftLink("/")


def circles(path):
    """Soft links that lead through each other: 20^30 steps to the end."""
    with h5py.File(path, "w", libver="latest") as f:
        for i in range(30):
            f[f"s{i}"] = h5py.SoftLink("/".join([f"s{i + 1}"] * 20) if i < 29 else ".")


def named_type(path):
    with h5py.File(path, "w") as f:
        f["t"] = np.dtype("f8")
        f.create_dataset("x", data=np.arange(3.0), dtype=f["t"])


def large_types(path):
    with h5py.File(path, "w") as f:
        h5d.create(f.id, b"array", h5t.array_create(h5t.STD_U8LE, (2**31 - 1,)), h5s.create_simple((1,)))
        for i in range(8):
            kind = h5t.C_S1.copy()
            kind.set_size(15 << 20)
            h5d.create(f.id, b"text%d" % i, kind, h5s.create_simple((1,)))
        f["y"] = np.arange(4)


def deep(path, depth):
    with h5py.File(path, "w", libver="latest") as f:
        g = f
        for _ in range(depth):
            g = g.create_group("g")
        g["x"] = np.arange(3)
        f["y"] = np.arange(4)


def texts(path):
    with h5py.File(path, "w") as f:
        for name, padding, text in [
            ("terminated", h5t.STR_NULLTERM, b"a \n\0bc"),
            ("zeros", h5t.STR_NULLPAD, b"a\0b \n"),
            ("spaces", h5t.STR_SPACEPAD, b"l \nx\n   "),
        ]:
            kind = h5t.C_S1.copy()
            kind.set_size(8)
            kind.set_strpad(padding)
            a = h5a.create(f.id, name.encode(), kind, h5s.create(h5s.SCALAR))
            a.write(np.array(text, "S8"), mtype=kind)
        f.attrs["numpy"] = np.bytes_(b"line \n")


def bomb(path):
    """Many elements of an attribute that are the same large text of the file."""
    with h5py.File(path, "w") as f:
        d = f.create_dataset("x", data=np.arange(3))
        texts = ["q" * 400000] + ["s"] * 3000
        d.attrs.create("a", np.array(texts, dtype=object), dtype=h5py.string_dtype())
    data = bytearray(path.read_bytes())
    at = data.index((400000).to_bytes(4, "little"))
    for i in range(1, 3001):
        data[at + 16 * i : at + 16 * i + 16] = data[at : at + 16]
    path.write_bytes(data)


def text(i):
    return "" if i % 7 == 3 else "é☃" * (i % 5) + "x" * (i % 40) + str(i)


def variable_texts(folder, libver):
    """Texts of variable length; the elements of NAME.h5 are the lines of NAME/DATASET.txt."""
    path = folder / f"variable-{libver}.h5"
    kind = h5py.string_dtype()

    def texts(n):
        return np.array([text(i) for i in range(n)], dtype=object)

    with h5py.File(path, "w", libver=libver) as f:
        f["scalar"] = "hello"
        f["contiguous"] = texts(2000)
        f["grid"] = f.create_dataset("chunked", data=texts(23 * 17).reshape(23, 17), chunks=(5, 6), dtype=kind)
        f.create_dataset("deflate", data=texts(3000), chunks=(700,), compression="gzip", shuffle=True, dtype=kind)
        f.create_dataset("part", shape=(100,), maxshape=(None,), chunks=(10,), dtype=kind)[25:31] = texts(6)
        f.create_dataset("fill", shape=(20,), chunks=(10,), dtype=kind, fillvalue="none")[3] = "x"
        f.create_dataset("ascii", data=np.array([b"ab", b"c"], dtype=object), dtype=h5py.string_dtype("ascii"))
        f.create_dataset("never", shape=(5,), dtype=kind)
        f.create_dataset("large", data=np.array(["q" * 300000, "a", "r" * 70000], dtype=object), dtype=kind)
        f.create_dataset("empty", shape=(0,), maxshape=(None,), chunks=(4,), dtype=kind)
        dcpl = h5p.create(h5p.DATASET_CREATE)
        dcpl.set_layout(h5d.COMPACT)
        id = h5d.create(f.id, b"compact", h5t.py_create(kind, logical=True), h5s.create_simple((4,)), dcpl)
        h5py.Dataset(id)[:] = ["a", "", "ü", "zz"]
    (folder / path.stem).mkdir()
    with h5py.File(path, "r+") as f:  # h5py needs it for the fill value
        for name in f:
            lines = [f[name][()]] if f[name].shape == () else np.ravel(f[name][()])
            (folder / path.stem / f"{name}.txt").write_bytes(b"".join(line + b"\n" for line in lines))


def variable_bomb(path):
    """Many elements of a dataset that are the same large text of the file."""
    with h5py.File(path, "w") as f:
        f.create_dataset("x", data=np.array(["q" * 400000] + ["s"] * 30000, dtype=object), dtype=h5py.string_dtype())
    data = bytearray(path.read_bytes())
    at = data.index((400000).to_bytes(4, "little"))
    for i in range(1, 30001):
        data[at + 16 * i : at + 16 * i + 16] = data[at : at + 16]
    path.write_bytes(data)


def swapped(folder):
    for name, order in [("swap1", "ab"), ("swap2", "ba")]:
        with h5py.File(folder / f"{name}.h5", "w") as f:
            for k in order:
                f.create_dataset(k, data=np.full(100, 1.0 if k == "a" else 2.0))


def unreadable(path):
    """A group and a dataset of versions that do not exist, a soft link through the group, and a good dataset."""
    with h5py.File(path, "w") as f:
        f.create_group("g")["x"] = np.arange(4)
        f["d"] = np.arange(4)
        f["soft"] = h5py.SoftLink("/g/x")
        f["y"] = np.arange(4)
        group, dataset = (h5py.h5o.get_info(f[name].id).addr for name in "gd")
    data = bytearray(path.read_bytes())
    assert data[group] == 1
    data[group] = 9
    shape = data.index(bytes([1, 1, 1]) + bytes(5) + (4).to_bytes(8, "little"), dataset)
    data[shape] = 9
    path.write_bytes(data)


def long_paths(path, links):
    """A dataset of many chunks at a path of 80,000 characters, or many links there."""
    with h5py.File(path, "w", libver="latest") as f:
        g = f
        for _ in range(400):
            g = g.create_group("n" * 200)
        dcpl = h5p.create(h5p.DATASET_CREATE)
        dcpl.set_chunk((1,))
        dcpl.set_alloc_time(h5d.ALLOC_TIME_EARLY)
        many = h5d.create(g.id, b"many", h5t.STD_U8LE, h5s.create_simple((1 if links else 4000,)), dcpl)
        for i in range(4000 if links else 0):
            g[f"l{i}"] = h5py.Dataset(many)
        f["y"] = np.arange(4)


def labels(path):
    """Dimensions whose labels are the same large text."""
    with h5py.File(path, "w") as f:
        d = f.create_dataset("x", data=np.zeros([1] * 20))
        d.attrs.create("DIMENSION_LABELS", np.array(["q" * 400000] + ["s"] * 19, dtype=object), dtype=h5py.string_dtype())
        f["y"] = np.arange(4)
    data = bytearray(path.read_bytes())
    at = data.index((400000).to_bytes(4, "little"))
    for i in range(1, 20):
        data[at + 16 * i : at + 16 * i + 16] = data[at : at + 16]
    path.write_bytes(data)


def checksums(path):
    """Every kind of structure that has a checksum."""
    with h5py.File(path, "w", libver="latest") as f:
        f.create_dataset("one-block", data=np.arange(9, dtype="i1"), chunks=(1,))
        f.create_dataset("pages", data=np.arange(1100, dtype="u1"), chunks=(1,))
        f.create_dataset("grows", data=np.arange(400, dtype="u1"), chunks=(1,), maxshape=(None,))
        f.create_dataset("tree", data=np.arange(144, dtype="u1").reshape(12, 12), chunks=(1, 1), maxshape=(None, None))
        links = f.create_group("links")
        for i in range(60):
            links[f"a name of some length {i}"] = h5py.SoftLink("/one-block")
        more = f.create_group("more")
        for i in range(7):
            more.attrs[f"a{i}"] = np.arange(20)


def longest(path):
    """A dimension near 2^63, of which one chunk is stored, and names for values of a signed big-endian type."""
    with h5py.File(path, "w") as f:
        length = 2**63 - 808  # a multiple of the length of a chunk
        x = f.create_dataset("x", shape=(length,), maxshape=(length,), chunks=(1000,), dtype="u1", fillvalue=7)
        x[5] = 9
        levels = h5py.enum_dtype({"low": -1, "high": 300}, basetype=">i2")
        f.create_dataset("levels", data=np.array([-1, 300, -1], ">i2"), dtype=levels)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        empty_attributes(folder / "empty-attributes.h5")
        soft_links(folder / "soft.h5", "earliest")
        soft_links(folder / "soft-latest.h5", "latest")
        circles(folder / "circles.h5")
        named_type(folder / "named-type.h5")
        large_types(folder / "large-types.h5")
        deep(folder / "deep-400.h5", 400)
        deep(folder / "deep-600.h5", 600)
        texts(folder / "texts.h5")
        bomb(folder / "bomb.h5")
        unreadable(folder / "unreadable.h5")
        long_paths(folder / "long-keys.h5", False)
        long_paths(folder / "long-links.h5", True)
        labels(folder / "labels.h5")
        checksums(folder / "checksums.h5")
        longest(folder / "longest.h5")
        swapped(folder)
        variable_texts(folder, "earliest")
        variable_texts(folder, "latest")
        variable_bomb(folder / "variable-bomb.h5")
        with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zip:
            for file in sorted(folder.rglob("*.*")):
                zip.write(file, file.relative_to(folder))
    with h5py.File(sys.argv[2], "w", libver="latest") as f:
        f["texts"] = np.array(["a", "bc"], dtype=object)


main()
