"""Reads samples of other formats with shardkit's command and compares their elements with those that the writers gave.

    python manifest_check.py FOLDER SHARDKIT

FOLDER holds manifest.json, a list of samples: id, format, path, expected (an npy file of the elements), exact, and order.
SHARDKIT is the command. Needs numpy. Prints a line for each sample and, at the end, how many were read exactly. The exit
status is 1 if one was not.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy

PREFIXES = {
    "neuroglancer-precomputed": "neuroglancer:",
    "webknossos-wrap": "wkw:",
    "n5": "n5:",
    "blosc2-b2nd": "b2nd:",
}
JPEG_MEAN, JPEG_MOST = 1, 8


def locations(sample, folder):
    path = os.path.join(folder, sample["path"])
    if sample["format"] == "hdf5":
        files = [f"reference:{os.path.join(folder, name)}" for name in sample.get("files", [])]
        return [f"{location}!{sample['array']}" for location in [f"hdf5:{path}", *files]]
    if sample["format"] == "ome-zarr":
        with open(os.path.join(path, "zarr.json"), encoding="utf-8") as document:
            scales = json.load(document)["attributes"]["ome"]["multiscales"][0]["datasets"]
        return [os.path.join(path, scales[0]["path"])]
    if sample["format"] == "neuroglancer-precomputed":
        with open(os.path.join(path, "info"), encoding="utf-8") as info:
            return [f"neuroglancer:{os.path.join(path, json.load(info)['scales'][0]['key'])}"]
    return [PREFIXES.get(sample["format"], "") + path]


def output(*command):
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.decode().strip())
    return done.stdout


def read(shardkit, location, expected, work):
    """Returns the elements; through an npy file, but those that shardkit writes to none as texts or plain bytes."""
    if expected.dtype.kind in "OT":
        return numpy.array([json.loads(line) for line in output(shardkit, "read", location).splitlines()], dtype=object)
    if expected.dtype.kind == "V" and expected.dtype.fields is None:
        elements = output(shardkit, "read", location, "--format", "raw")
        return numpy.frombuffer(elements, dtype=expected.dtype).reshape(expected.shape)
    file = os.path.join(work, "elements.npy")
    output(shardkit, "export", location, "-o", file)
    return numpy.load(file)


def read_any(run, location, options, work):
    """Returns the elements of an array of any type. run(words...) runs a command and returns its output."""
    file = os.path.join(work, "elements.npy")
    try:
        run("export", location, *options, "-o", file)
        return numpy.load(file)
    except ValueError as failure:
        if "NumPy has no data type" not in str(failure):
            raise
    return numpy.array(json.loads(run("read", location, *options, "--format", "json")), dtype=object)


def difference(sample, expected, found):
    """Returns what differs, or an empty text."""
    if found.shape != expected.shape:
        return f"expected shape {expected.shape}, found {found.shape}"
    if not sample["exact"]:
        apart = numpy.abs(found.astype(int) - expected.astype(int))
        grey = expected.ndim == 0 or expected.shape[-1] == 1
        wrong = apart.mean() >= JPEG_MEAN or grey and apart.max() > JPEG_MOST
        return f"mean difference {apart.mean():.2f}, largest {apart.max()}" if wrong else ""
    if expected.dtype.kind in "OT":
        return "" if found.tolist() == expected.tolist() else "other texts"
    if expected.dtype.fields is None and found.dtype.kind in "VSU" and found.dtype.itemsize == expected.dtype.itemsize:
        same = found.tobytes() == expected.astype(expected.dtype.newbyteorder(found.dtype.byteorder)).tobytes()
    else:
        same = numpy.array_equal(found, expected, equal_nan=expected.dtype.kind in "fcMm")
    return "" if same else f"other elements ({expected.dtype}, {found.dtype})"


def main():
    folder, shardkit = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        samples = json.load(file)
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        for sample in samples:
            expected = numpy.load(os.path.join(folder, sample["expected"]), allow_pickle=True)
            for location in locations(sample, folder):
                try:
                    reason = difference(sample, expected, read(shardkit, location, expected, work))
                except ValueError as failure:
                    reason = str(failure)
                wrong += bool(reason)
                print(f"{sample['id']}: {reason or 'right'}")
    print(f"manifest: {len(samples)} samples, {wrong} reads wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
