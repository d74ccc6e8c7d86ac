"""Images and plates that are being recorded, read between two flushes by other programs.

    stream_check.py DIR CAMERA...

CAMERA is the command of dev.shardkit.crash.RecordingMain without its folder. After each flush, and with frames behind it
on their way, zarr-python, ome-zarr-py (which napari uses) and tensorstore open every level, while the camera's process
holds the files. All flushed frames must be there, no frame torn, and all levels must agree with level 0.
"""

import pathlib
import subprocess
import sys

import numpy
import ome_zarr.io
import ome_zarr.reader
import tensorstore
import zarr

HEIGHT, WIDTH, CHANNELS = 96, 80, 2


def frames(count, channels):
    """The frames of the camera, with a dimension for channels if there are several."""
    t, c, y, x = numpy.ogrid[:count, :channels, :HEIGHT, :WIDTH]
    values = (1 + (t * 4999 + c * 1009 + y * 31 + x * 17) % 60000).astype("uint16")
    return values if channels > 1 else values[:, 0]


def halved(values):
    *outer, height, width = values.shape
    blocks = values.reshape(*outer, height // 2, 2, width // 2, 2)
    return numpy.rint(blocks.mean(axis=(-3, -1), dtype="float64")).astype("uint16")


def check(name, found, flushed, channels, level):
    found = numpy.asarray(found)
    if found.shape[0] < flushed:
        raise SystemExit(f"{name}: {flushed} frames are flushed, found {found.shape}")
    expected = frames(found.shape[0], channels)
    for _ in range(level):
        expected = halved(expected)
    if found.shape != expected.shape or not numpy.array_equal(found[:flushed], expected[:flushed]):
        raise SystemExit(f"{name}: expected {expected.shape}, found other frames, {found.shape}")
    later = found[flushed:].reshape(-1, *found.shape[-2:])   # of a channel that is behind, a frame may be missing
    for i, frame in enumerate(later):
        if frame.any() and not numpy.array_equal(frame, expected[flushed:].reshape(later.shape)[i]):
            raise SystemExit(f"{name}: frame {i} behind the flush is torn")


def image(path, flushed, channels):
    """Opens an image anew by each reader, as a viewer does. Returns how many levels were compared."""
    count = 0
    group = zarr.open_group(path, mode="r")
    datasets = group.attrs["ome"]["multiscales"][0]["datasets"]
    for level, dataset in enumerate(datasets):
        check(f"zarr-python {path} {level}", group[dataset["path"]][:], flushed, channels, level)
        array = tensorstore.open({"driver": "zarr3", "kvstore": {
            "driver": "file", "path": str(path / dataset["path"])}}, open=True, read=True).result()
        check(f"tensorstore {path} {level}", array.read().result(), flushed, channels, level)
        count += 2
    node = list(ome_zarr.reader.Reader(ome_zarr.io.parse_url(str(path)))())[0]
    if len(node.data) != len(datasets):
        raise SystemExit(f"ome-zarr-py {path}: {len(node.data)} levels")
    for level, data in enumerate(node.data):
        check(f"ome-zarr-py {path} {level}", data, flushed, channels, level)
        count += 1
    return count


def main(directory, camera):
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen([*camera, str(directory)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    compared = 0
    for end in (0, 1, 3, 4, 9, 16, 21, 40):
        if end:
            process.stdin.write(f"{end}\n")
            process.stdin.flush()
        line = process.stdout.readline().strip()
        if line != f"at {end}":
            raise SystemExit(f"expected at {end}, found {line!r}")
        compared += image(directory / "image.ome.zarr", end, 1)
        plate = directory / "plate.ome.zarr"
        wells = zarr.open_group(plate, mode="r").attrs["ome"]["plate"]["wells"]
        for well in wells:
            compared += image(plate / well["path"] / "0", end, CHANNELS)
        if end and not list(ome_zarr.reader.Reader(ome_zarr.io.parse_url(str(plate)))()):
            raise SystemExit("ome-zarr-py finds no plate")
    process.stdin.close()
    if process.wait() != 0:
        raise SystemExit("the camera failed")
    print(f"{compared} levels read between flushes, all equal")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
