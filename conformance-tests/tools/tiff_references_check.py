"""Random TIFF files, of which shardkit writes references.

    tiff_references_check.py DIR FILES SHARDKIT...

SHARDKIT is the command with its arguments. tifffile writes FILES files. `shardkit references FILE` writes a document for
all of them; `shardkit read` and, except for strips that the height cuts, zarr-python by fsspec must give tifffile's
elements. Needs the libraries of hdf5-requirements.txt.
"""

import json
import pathlib
import random
import subprocess
import sys

import fsspec
import imagecodecs.numcodecs
import numpy as np
import tifffile
import zarr

imagecodecs.numcodecs.register_codecs()


def write(path, rng):
    dtype = np.dtype(rng.choice(["u1", "<u2", ">u2", "<i4", "<f4", ">f8"]))
    byteorder = ">" if dtype.byteorder == ">" else "<"
    compression = rng.choice([None, "zlib", "lzw"])
    samples = rng.choice([1, 1, 3])
    separate = samples > 1 and rng.random() < 0.4
    height, width = rng.randint(1, 90), rng.randint(1, 90)
    pages = rng.choice([1, 1, 1, 4])
    shape = (pages,) * (pages > 1) + ((samples, height, width) if separate else (height, width) + (samples,) * (samples > 1))
    data = np.random.default_rng(rng.getrandbits(32)).integers(0, 99, shape).astype(dtype)
    options = {"compression": compression, "photometric": "rgb" if samples == 3 else "minisblack"}
    if compression and dtype.kind != "f" and rng.random() < 0.5:
        options["predictor"] = 2
    if samples == 3:
        options["planarconfig"] = "separate" if separate else "contig"
    if rng.random() < 0.5:
        options["tile"] = (16 * rng.randint(1, 4), 16 * rng.randint(1, 4))
    else:
        options["rowsperstrip"] = rng.randint(1, height)
    tifffile.imwrite(path, data, bigtiff=rng.random() < 0.5, byteorder=byteorder, metadata=None, **options)
    return tifffile.imread(path)


def main():
    directory = pathlib.Path(sys.argv[1]).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    count, shardkit = int(sys.argv[2]), sys.argv[3:]
    values = {}
    for number in range(count):
        values[f"t{number}"] = write(directory / f"t{number}.tif", random.Random(number))
    document = directory / "refs.json"
    files = [str(directory / f"{name}.tif") for name in values]
    subprocess.run([*shardkit, "references", *files, "-o", str(document), "--url", str(directory), "--skip-unsupported"], stderr=subprocess.DEVNULL)
    store = fsspec.filesystem("reference", fo=str(document), asynchronous=True, remote_protocol="file", remote_options={"asynchronous": True})
    group = zarr.open_group(zarr.storage.FsspecStore(store, read_only=True), mode="r", zarr_format=2)
    known = json.loads(document.read_text())["refs"]
    by_zarr = 0
    for name, expected in values.items():
        if f"{name}/.zarray" in known:
            found = group[name][...]
            assert found.shape == expected.shape and (found == expected).all(), f"{name} by fsspec"
            by_zarr += 1
    copy = directory / "copy.zarr"
    subprocess.run(["rm", "-rf", str(copy)], check=True)
    subprocess.run([*shardkit, "copy", f"reference:{document}#allow=*", str(copy), "--codecs", "zstd"], check=True)
    copied = zarr.open_group(str(copy), mode="r")
    by_shardkit = 0
    for name, expected in values.items():
        grid = json.loads((copy / name / "zarr.json").read_text())["chunk_grid"]["name"]
        if grid == "rectilinear":
            raw = subprocess.run([*shardkit, "read", str(copy / name), "--format", "raw"], capture_output=True, check=True).stdout
            found = np.frombuffer(raw, expected.dtype.newbyteorder("<")).reshape(expected.shape)
        else:
            found = copied[name][...]
        assert found.shape == expected.shape and (found == expected).all(), f"{name} by shardkit"
        by_shardkit += 1
    print(f"{count} files")
    print(f"tiff: {by_zarr + by_shardkit} checks, 0 wrong")


if __name__ == "__main__":
    main()
