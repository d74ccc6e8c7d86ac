"""Finds arrays of Zarr, N5, neuroglancer precomputed, webknossos-wrap and b2nd in a folder."""

import json
import os
import zipfile
from typing import NamedTuple

MOST_ELEMENTS = 2**22


class Foreign(NamedTuple):
    """An array. kind: zarr2, zarr3, draft, n5, neuroglancer, wkw or b2nd; file: its folder, or file, or the archive;
    path: the array's in the archive, or the number of the scale; shape: None if only the data tells it."""

    kind: str
    location: str
    file: str
    path: str = ""
    shape: tuple | None = None
    exact: bool = True

    def box(self):
        """The part that is read, as lengths from the origin: the whole array if it is not large. None: unknown."""
        if self.shape is None:
            return None
        box = list(self.shape)
        while (size := _product(box)) > MOST_ELEMENTS:
            longest = max(range(len(box)), key=box.__getitem__)
            box[longest] = max(1, MOST_ELEMENTS * box[longest] // size, box[longest] // 2)
        return tuple(box)

    def region(self):
        """The options of shardkit that read the box."""
        box = self.box()
        return [] if box is None or box == self.shape else ["--region", ",".join(f":{n}" for n in box)]


def _product(lengths):
    size = 1
    for n in lengths:
        size *= n
    return size


def _document(text):
    """The JSON object; empty if it is none."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _shape(document, member="shape"):
    shape = document.get(member)
    sound = isinstance(shape, list) and all(type(n) is int and n >= 0 for n in shape)
    return tuple(shape) if sound else None


def _node(name, document):
    """(kind, shape) of the Zarr array whose metadata has this name; None: no array."""
    if name == ".zarray":
        return "zarr2", _shape(document)
    if name == "zarr.json" and document.get("node_type") == "array":
        return "zarr3", _shape(document)
    return None


def _scales(folder, document):
    channels = document.get("num_channels", 1)
    for number, scale in enumerate(document.get("scales", [])):
        size = _shape(scale, "size")
        place = f"neuroglancer:{os.path.normpath(os.path.join(folder, scale['key']))}"
        exact = scale.get("encoding") != "jpeg"
        yield Foreign("neuroglancer", place, folder, str(number), size and (*size, channels), exact)


def _archived(file):
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile:
        return
    with archive:
        for entry in archive.namelist():
            path, _, name = entry.rpartition("/")
            if name in (".zarray", "zarr.json") and (node := _node(name, _document(archive.read(entry)))):
                location = f"zip:{file}" + (f"!{path}" if path else "")
                yield Foreign(node[0], location, file, path.strip("/"), node[1])


def _in_file(folder, name):
    file = os.path.join(folder, name)
    if name.endswith(".b2nd"):
        yield Foreign("b2nd", "b2nd:" + file, file)
    elif name.endswith(".zip"):
        yield from _archived(file)
    elif name == "header.wkw":
        yield Foreign("wkw", "wkw:" + folder, folder)
    elif name.endswith(".array.json") and f"{os.sep}meta{os.sep}root{os.sep}" in file:
        root, _, path = file.partition(f"{os.sep}meta{os.sep}root{os.sep}")
        yield Foreign("draft", os.path.join(root, path.removesuffix(".array.json")), root, path)
    elif name in (".zarray", "zarr.json", "attributes.json", "info") and os.path.isfile(file):
        with open(file, encoding="utf-8", errors="replace") as text:
            document = _document(text.read())
        if name == "attributes.json" and "dataType" in document and "dimensions" in document:
            yield Foreign("n5", "n5:" + folder, folder, shape=_shape(document, "dimensions"))
        elif name == "info" and "scales" in document:
            yield from _scales(folder, document)
        elif node := _node(name, document):
            yield Foreign(node[0], ("zarr_v2:" if node[0] == "zarr2" else "") + folder, folder, shape=node[1])


def arrays_below(root):
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            yield from _in_file(folder, name)
