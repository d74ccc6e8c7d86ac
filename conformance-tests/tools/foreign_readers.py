"""The libraries of foreign formats behind one interface: which of them may read an array, and how."""

import functools
import importlib
import os


def _zarr_python(array, _):
    import zarr

    version = 2 if array.kind == "zarr2" else 3
    if array.file.endswith(".zip"):
        with zarr.storage.ZipStore(array.file, mode="r") as store:
            return _part(zarr.open_array(store, path=array.path, mode="r", zarr_format=version), array)
    return _part(zarr.open_array(array.file, mode="r", zarr_format=version), array)


def _tensorstore(driver, array, _):
    import tensorstore

    file = {"driver": "file", "path": array.file}
    if array.file.endswith(".zip"):
        file = {"driver": "zip", "base": file, "path": array.path}
    elif driver != "neuroglancer_precomputed" or array.path == "":
        file["path"] += "/"
    spec = {"driver": driver, "kvstore": file}
    if driver == "neuroglancer_precomputed":
        spec = {**spec, "scale_index": int(array.path)}
        file["path"] = array.file + "/"
    found = tensorstore.open(spec, open=True, read=True).result()
    return _part(found[tuple(slice(None) for _ in found.shape)], array)


def _part(library_array, array):
    box = array.box()
    origin = getattr(getattr(library_array, "domain", None), "origin", [0] * len(box))
    return library_array[tuple(slice(o, o + n) for o, n in zip(origin, box))]


def _z5py(array, _):
    import z5py

    parent, name = os.path.split(array.file)
    return z5py.File(parent, use_zarr_format=False, mode="r")[name][:].transpose()


def _wkw(array, shape):
    import wkw

    if shape is None or 0 in shape:  # the library never returns from a read of nothing
        raise ValueError("the format does not store the shape, or there are no cubes")
    with wkw.Dataset.open(array.file) as dataset:
        return dataset.read((0, 0, 0), shape[-3:])


def _blosc2(array, _):
    import blosc2

    return blosc2.open(array.file, mode="r")[...]


READERS = {
    "zarr2": [
        ("zarr", "zarr-python", _zarr_python),
        ("tensorstore", "tensorstore", functools.partial(_tensorstore, "zarr")),
    ],
    "zarr3": [
        ("zarr", "zarr-python", _zarr_python),
        ("tensorstore", "tensorstore", functools.partial(_tensorstore, "zarr3")),
    ],
    "draft": [],
    "n5": [
        ("tensorstore", "tensorstore", functools.partial(_tensorstore, "n5")),
        ("z5py", "z5py", _z5py),
    ],
    "neuroglancer": [
        ("tensorstore", "tensorstore", functools.partial(_tensorstore, "neuroglancer_precomputed")),
    ],
    "wkw": [("wkw", "wkw", _wkw)],
    "b2nd": [("blosc2", "blosc2", _blosc2)],
}


def libraries(array):
    """Yields the name and a function of the shape that shardkit found, for each library that is installed."""
    for module, name, read in READERS[array.kind]:
        if importlib.util.find_spec(module):
            yield name, functools.partial(read, array)
