"""OME-Zarr images that other programs write, read by shardkit, and the other way round.

    ome_check.py DIR SHARDKIT... [-- FOLDER...]

SHARDKIT is the command with its arguments. `shardkit pyramid` makes images that ome-zarr-py, ome-zarr-models and
ngff-zarr read; fresh samples of make_ome.py are checked and read by shardkit. FOLDERs are further images to check. With
NGFF_SPEC=CLONE of https://github.com/ome/ngff-spec, its runner calls `shardkit ome validate` with its cases.
"""

import json
import os
import pathlib
import stat
import subprocess
import sys

import make_ome
import ngff_zarr
import numpy
import ome_zarr.io
import ome_zarr.reader
import ome_zarr_models.v04
import ome_zarr_models.v05
import zarr

SHAPE = (2, 6, 40, 52)
SIZE = (1, 2, 0.5, 0.5)
VALUES = numpy.random.default_rng(11).integers(0, 60000, SHAPE, dtype="uint16")
LABELS = numpy.random.default_rng(12).integers(0, 3, SHAPE[1:], dtype="uint32")


def run(shardkit, *arguments, check=True):
    done = subprocess.run([*shardkit, *map(str, arguments)], capture_output=True)
    if check and done.returncode:
        raise SystemExit(f"{arguments}: {done.stderr.decode() or done.stdout.decode()}")
    return done


def expect(name, found, expected):
    if not numpy.array_equal(numpy.asarray(found), numpy.asarray(expected)):
        raise SystemExit(f"{name}: {found} is not {expected}")
    print("equal", name, flush=True)


def halved(values, axes, reduce):
    """Blocks of 2 along some axes, as numpy reduces them; all lengths are even."""
    shape = []
    for axis, length in enumerate(values.shape):
        shape += [length // 2, 2] if axis in axes else [length, 1]
    return reduce(values.reshape(shape), tuple(range(1, 2 * values.ndim, 2)))


def mean(blocks, axes):
    return numpy.rint(blocks.mean(axes, dtype="float64")).astype("uint16")


def mode(blocks, axes):
    return numpy.stack([(blocks == label).sum(axes) for label in range(3)]).argmax(0)


def shardkit_writes(directory, shardkit):
    zarr.create_array(directory / "volume.zarr", data=VALUES, chunks=(1, 3, 10, 13))
    zarr.create_array(directory / "labels.zarr", data=LABELS, chunks=(3, 10, 13))
    image, labels = directory / "image.ome.zarr", directory / "labels.ome.zarr"
    run(shardkit, "pyramid", directory / "volume.zarr", image, "--axes", "c,z,y,x", "--unit", "micrometer",
        "--pixel-size", ",".join(map(str, SIZE)), "--levels", 2)
    run(shardkit, "pyramid", directory / "labels.zarr", labels, "--labels", "--levels", 2)
    levels = [VALUES, halved(VALUES, (1, 2, 3), mean)]
    nodes = list(ome_zarr.reader.Reader(ome_zarr.io.parse_url(str(image)))())
    for level, expected in enumerate(levels):
        expect(f"ome-zarr-py, level {level}", nodes[0].data[level], expected)
    expect("ome-zarr-py, labels", list(ome_zarr.reader.Reader(ome_zarr.io.parse_url(str(labels)))())[0].data[1],
           halved(LABELS, (0, 1, 2), mode))
    scales = ngff_zarr.from_ngff_zarr(str(image), validate=True, version="0.5")
    for level, expected in enumerate(levels):
        found = scales.images[level]
        expect(f"ngff-zarr, level {level}", found.data, expected)
        expect(f"ngff-zarr, scale {level}", [found.scale[a] for a in "czyx"],
               [s * (2**level if a else 1) for a, s in enumerate(SIZE)])
        expect(f"ngff-zarr, translation {level}", [found.translation[a] for a in "czyx"],
               [s * level / 2 if a else 0 for a, s in enumerate(SIZE)])
    v2 = directory / "image-0.4.ome.zarr"
    run(shardkit, "pyramid", directory / "volume.zarr", v2, "--axes", "c,z,y,x", "--unit", "micrometer",
        "--pixel-size", ",".join(map(str, SIZE)), "--levels", 2, "--ome-version", "0.4")
    nodes = list(ome_zarr.reader.Reader(ome_zarr.io.parse_url(str(v2)))())
    scales = ngff_zarr.from_ngff_zarr(str(v2), validate=True, version="0.4")
    for level, expected in enumerate(levels):
        expect(f"ome-zarr-py, 0.4, level {level}", nodes[0].data[level], expected)
        expect(f"ngff-zarr, 0.4, level {level}", scales.images[level].data, expected)
    ome_zarr_models.v04.Image.from_zarr(zarr.open_group(v2, mode="r"))
    beside = directory / "beside.zarr"
    zarr.create_group(beside).create_array("0", data=LABELS, chunks=(3, 10, 13))
    run(shardkit, "pyramid", beside / "0", "--reducer", "mode", "--levels", 2)
    nodes = list(ome_zarr.reader.Reader(ome_zarr.io.parse_url(str(beside)))())
    expect("ome-zarr-py, beside", nodes[0].data[0], LABELS)
    expect("ome-zarr-py, beside, level 1", nodes[0].data[1], halved(LABELS, (0, 1, 2), mode))
    model = ome_zarr_models.v05.Image.from_zarr(zarr.open_group(image, mode="r"))
    expect("ome-zarr-models, levels", len(model.attributes.ome.multiscales[0].datasets), 2)


def shardkit_reads(directory, shardkit):
    make_ome.main(directory / "samples")
    for path in sorted((directory / "samples").glob("*.ome.zarr")):
        found = json.loads(run(shardkit, "ome", "validate", path, "--json", check=False).stdout)
        errors = [f for f in found["findings"] if f["severity"] == "error"]
        print(path.name, "errors:", errors, flush=True)
        info = json.loads(run(shardkit, "ome", "info", path, "--json").stdout)
        if "levels" in info:
            raw = run(shardkit, "read", path / info["levels"][0]["path"], "--format", "raw").stdout
            expect(f"read {path.name}", numpy.frombuffer(raw, "<u2"), make_ome.image().ravel())


def others(folders, shardkit):
    for folder in folders:
        info = json.loads(run(shardkit, "ome", "info", folder, "--json").stdout)
        print(folder, info["version"], len(info.get("levels", [])), "levels,", info.get("labels"),
              json.loads(run(shardkit, "ome", "validate", folder, "--json", check=False).stdout)["valid"])
        for level in info.get("levels", []):
            path = pathlib.Path(folder) / level["path"]
            raw = run(shardkit, "read", path, "--format", "raw").stdout
            expect(str(path), numpy.frombuffer(raw, numpy.dtype(level["data_type"]).newbyteorder("<")),
                   zarr.open_array(path, mode="r")[...].ravel())


def official(directory, shardkit, clone):
    """The runner takes a document on standard output, and status 0 also for invalid data."""
    for mode in ("attributes", "zarr"):
        for strictness, extra in (("spec", ""), ("strict", "--strict")):
            script = directory / f"dingus-{mode}-{strictness}"
            command = " ".join(f"'{word}'" for word in shardkit)
            script.write_text(f"#!/bin/sh\n{command} ome validate --metadata-only {extra} --json \"$@\"\n[ $? -lt 2 ]\n")
            script.chmod(script.stat().st_mode | stat.S_IXUSR)
            runner = [sys.executable, f"{clone}/conformance/ome_zarr_conformance.py", mode, "-X", "-p",
                      f"^{strictness}/", "--", str(script.resolve())]
            lines = subprocess.run(runner, capture_output=True, text=True, check=True).stdout.splitlines()
            passed = sum(line.endswith("\tpass") for line in lines)
            print(f"official runner, {mode}, {strictness}: {passed} of {len(lines)} pass", flush=True)
            print("\n".join(line for line in lines if not line.endswith("\tpass")), flush=True)


def main(directory, words):
    directory.mkdir(parents=True, exist_ok=True)
    cut = words.index("--") if "--" in words else len(words)
    shardkit, folders = words[:cut], words[cut + 1:]
    shardkit_writes(directory, shardkit)
    shardkit_reads(directory, shardkit)
    others(folders, shardkit)
    if "NGFF_SPEC" in os.environ:
        official(directory, shardkit, os.environ["NGFF_SPEC"])


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
