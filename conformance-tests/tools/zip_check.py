"""ZIP archives that other programs write, read by shardkit, and the other way round.

    zip_check.py DIR SHARDKIT...

SHARDKIT is the command with its arguments. zarr-python's ZipStore, ngff-zarr (.ozx) and the archives of ozx-tck's kind
(ZIP64 in every header, deflated, unsorted, duplicate names) are read by `shardkit read`; archives that shardkit writes
and copies are read by zarr-python, by Python's zipfile and by ngff-zarr. Ends with a line "zip: N checks, N wrong".
"""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import warnings
import zipfile

import numpy
import zarr
import zarr.storage

from checks import Checks, run

CHECKS = Checks("zip")
VALUES = numpy.random.default_rng(7).integers(0, 60000, (96, 80), dtype="uint16")


def read(shardkit, location):
    raw = run(shardkit, "read", location, "--format", "raw")
    return numpy.frombuffer(raw, "<u2")


def tree(path, **zip_options):
    """A group with an array in shards and one in chunks, by zarr-python's ZipStore."""
    store = zarr.storage.ZipStore(path, mode="w", **zip_options)
    group = zarr.create_group(store, attributes={"ome": {"version": "0.5"}})
    for name, shards in (("sharded", (32, 40)), ("chunked", None)):
        group.create_array(name, shape=VALUES.shape, chunks=(16, 20), shards=shards, dtype="uint16")[...] = VALUES
    store.close()


def python_writes(directory, shardkit):
    for name, options in (("stored", {}), ("deflated", {"compression": zipfile.ZIP_DEFLATED})):
        path = directory / f"{name}.zip"
        tree(path, **options)
        for array in ("sharded", "chunked"):
            CHECKS.equal(f"zarr-python, {name}, {array}", lambda: read(shardkit, f"zip:{path}!{array}"), VALUES)
        CHECKS.equal(f"zarr-python, {name}, pipeline", lambda: read(shardkit, f"{path}|zip:sharded|zarr3:"), VALUES)
    with zipfile.ZipFile(directory / "stored.zip") as source:
        entries = [(i.filename, source.read(i)) for i in source.infolist()]
    for name, force, shuffle in (("zip64", True, False), ("unsorted", False, True)):
        path = directory / f"{name}.ozx"
        if shuffle:
            random.Random(1991).shuffle(entries)
        with zipfile.ZipFile(path, "w") as target:
            for entry, value in entries:
                with target.open(entry, "w", force_zip64=force) as out:
                    out.write(value)
        CHECKS.equal(f"zipfile, {name}", lambda: read(shardkit, f"zip:{path}!sharded"), VALUES)
    path = directory / "duplicates.zip"
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as target:
        warnings.simplefilter("ignore")
        target.writestr("sharded/zarr.json", b"{}")
        for entry, value in entries:
            target.writestr(entry, value)
    CHECKS.equal("zipfile, the last of duplicates", lambda: read(shardkit, f"zip:{path}!sharded#duplicates=last"), VALUES)


def zip_tool_writes(directory, shardkit):
    if not shutil.which("zip"):
        print("absent Info-ZIP")
        return
    folder = directory / "unpacked"
    with zipfile.ZipFile(directory / "stored.zip") as source:
        source.extractall(folder)
    for name, level in (("info0", "-0"), ("info9", "-9")):
        path = (directory / f"{name}.zip").resolve()
        subprocess.run(["zip", "-q", "-r", level, str(path), "."], cwd=folder, check=True)
        CHECKS.equal(f"Info-ZIP, {name}", lambda: read(shardkit, f"zip:{path}!sharded"), VALUES)


def check_archive(path, name):
    """What shardkit has written, by zarr-python and by Python's zipfile."""
    with zipfile.ZipFile(path) as archive:
        if archive.testzip():
            raise RuntimeError(f"{name}: a wrong checksum")
        names = archive.namelist()
        documents = [n for n in names if n.endswith("zarr.json")]
        ordered = names[0] == "zarr.json" and names[: len(documents)] == documents
        places = [i.header_offset for i in archive.infolist()[: len(documents)]]
        stored = all(i.compress_type == zipfile.ZIP_STORED for i in archive.infolist())
        comment = archive.comment
    if not (ordered and stored and places == sorted(places) and places[0] == 0):
        raise RuntimeError(f"{name}: not in the order of RFC-9: {names[:5]}")
    store = zarr.storage.ZipStore(path, mode="r")
    group = zarr.open_group(store, mode="r")
    for array in ("sharded", "chunked"):
        CHECKS.equal(f"{name}, {array} by zarr-python", lambda: group[array][...], VALUES)
    store.close()
    return comment


def shardkit_writes(directory, shardkit):
    path = directory / "copy.ozx"
    run(shardkit, "copy", directory / "stored.zip", path)
    comment = json.loads(check_archive(path, "copied by shardkit"))
    expected = {"ome": {"version": "0.5", "zipFile": {"centralDirectory": {"jsonFirst": True}}}}
    if comment != expected:
        raise RuntimeError(f"copied by shardkit: comment {comment}")
    path = directory / "written.zip"
    raw = directory / "values.raw"
    raw.write_bytes(VALUES.tobytes())
    shape = ",".join(map(str, VALUES.shape))
    for array, shards in (("sharded", ("--shard-shape", "32,40")), ("chunked", ())):
        place = f"zip:{path}!{array}"
        run(shardkit, "create", place, "--shape", shape, "--data-type", "uint16", "--chunk-shape", "16,20", *shards)
        run(shardkit, "write", place, "--from", raw)
    with zipfile.ZipFile(path) as archive:
        if archive.testzip():
            raise RuntimeError("written by shardkit: a wrong checksum")
    store = zarr.storage.ZipStore(path, mode="r")
    for array in ("sharded", "chunked"):
        CHECKS.equal(f"written by shardkit, {array}", lambda: zarr.open_array(store, path=array, mode="r")[...], VALUES)
    store.close()
    run(shardkit, "verify", f"zip:{path}!sharded")


def ngff(directory, shardkit):
    try:
        import ngff_zarr
    except ImportError:
        print("absent ngff-zarr")
        return
    image = ngff_zarr.to_ngff_image(VALUES, dims=["y", "x"])
    scales = ngff_zarr.to_multiscales(image, scale_factors=[2], chunks=32)
    path = directory / "ngff.ozx"
    ngff_zarr.to_ngff_zarr(str(path), scales, version="0.5")
    with zipfile.ZipFile(path) as archive:
        first = json.loads(archive.read("zarr.json"))
    place = first["attributes"]["ome"]["multiscales"][0]["datasets"][0]["path"]
    CHECKS.equal("written by ngff-zarr", lambda: read(shardkit, f"{path}|zip:{place}"), VALUES)
    copy = directory / "ngff-copy.ozx"
    run(shardkit, "copy", path, copy)
    back = ngff_zarr.from_ngff_zarr(str(copy))
    CHECKS.equal("copied for ngff-zarr", lambda: back.images[0].data[...].compute(), VALUES)


def main():
    directory = pathlib.Path(sys.argv[1])
    shardkit = sys.argv[2:]
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    for steps in (python_writes, zip_tool_writes, shardkit_writes, ngff):
        CHECKS.steps(steps.__name__, lambda s=steps: s(directory, shardkit))
    CHECKS.end()


main()
