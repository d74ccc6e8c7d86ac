"""Compares TIFF files that `shardkit export` writes with the arrays, by tifffile: pages, tiles, and BigTIFF.

Usage: tiff_check.py SHARDKIT FOLDER

SHARDKIT is the command. FOLDER must not exist; it needs 5 GiB. Needs the packages numpy, zarr and tifffile of PyPI.
"""

import os
import subprocess
import sys

import numpy as np
import tifffile
import zarr


def export(shardkit, folder, name, *options):
    file = folder + "/" + name + ".tif"
    subprocess.run([shardkit, "export", folder + "/" + name, "-o", file, *options], check=True)
    return file


def check(fact, text):
    if not fact:
        sys.exit("expected " + text)
    print(text)


def big(shardkit, folder):
    """Above 4 GiB: only two chunks of the array are stored."""
    array = zarr.create_array(
        folder + "/big", shape=(5, 32768, 32768), chunks=(1, 1024, 1024), dtype="u1", fill_value=3)
    array[0, :2, :2] = [[1, 2], [4, 5]]
    array[4, -2:, -2:] = [[6, 7], [8, 9]]
    file = export(shardkit, folder, "big")
    with tifffile.TiffFile(file) as tiff:
        check(tiff.is_bigtiff and len(tiff.pages) == 5, "a BigTIFF file of five pages")
        check(tiff.series[0].shape == array.shape, "the shape of the array")
        for index in 0, 4:
            page = tiff.pages[index].asarray()
            check(np.array_equal(page, array[index]), "the elements of page %d" % index)
    os.remove(file)


def small(shardkit, folder):
    """All kinds of numbers in strips."""
    for kind in "u1", "i2", "u4", "i8", "f2", "f4", "f8", "c8":
        values = np.arange(3 * 40 * 50).reshape(3, 40, 50).astype(kind)
        zarr.create_array(folder + "/" + kind, shape=values.shape, chunks=(1, 16, 16), dtype=kind)[:] = values
        read = tifffile.imread(export(shardkit, folder, kind))
        check(read.dtype == values.dtype and np.array_equal(read, values), "equal elements of type " + kind)


def tiled(shardkit, folder):
    """Tiles, by default in large images."""
    values = np.arange(70 * 4100).reshape(70, 4100).astype("f4")
    zarr.create_array(folder + "/wide", shape=values.shape, chunks=(64, 64), dtype="f4")[:] = values
    for options, tile in ((), 256), (("--tiles", "48"), 48), (("--tiles", "0"), None):
        with tifffile.TiffFile(export(shardkit, folder, "wide", *options)) as tiff:
            page = tiff.pages[0]
            check(page.is_tiled == (tile is not None) and (tile is None or page.tilewidth == tile), "tiles: %s" % tile)
            check(np.array_equal(page.asarray(), values), "equal elements")


def main(shardkit, folder):
    os.makedirs(folder)
    small(shardkit, folder)
    tiled(shardkit, folder)
    big(shardkit, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
