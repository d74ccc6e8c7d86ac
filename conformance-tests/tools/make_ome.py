#!/usr/bin/env python3
"""Makes formats/ome/src/test/resources/dev/shardkit/ome/samples.zip: images and a plate of OME-Zarr as ome-zarr-py
and ngff-zarr write them. Element (c, z, y, x) of every image is 1000 c + 100 z + 10 y + x.

    make_ome.py FOLDER       needs the packages of ome-requirements.txt
"""
import shutil
import sys
import zipfile
from pathlib import Path

import dask.array
import ngff_zarr
import numpy as np
import ome_zarr.format
import ome_zarr.writer
import zarr

SHAPE = (2, 4, 24, 32)
AXES = ["c", "z", "y", "x"]


def image(shape=SHAPE, dtype="uint16"):
    c, z, y, x = np.indices(shape)
    return (1000 * c + 100 * z + 10 * y + x).astype(dtype)


def labels():
    return (np.indices(SHAPE[1:])[1] // 8).astype("uint8")


def with_ome_zarr(path, fmt):
    group = zarr.open_group(path, mode="w", zarr_format=fmt.zarr_format)
    ome_zarr.writer.write_image(image(), group, axes=AXES, fmt=fmt, scale_factors=(2, 4))
    ome_zarr.writer.write_labels(labels(), group, name="cells", axes=AXES[1:], fmt=fmt, scale_factors=(2, 4),
                                 label_metadata={"colors": [{"label-value": 1, "rgba": [255, 0, 0, 255]}],
                                                 "properties": [{"label-value": 1, "class": "nucleus"}]})


def plate(path, fmt):
    group = zarr.open_group(path, mode="w", zarr_format=fmt.zarr_format)
    ome_zarr.writer.write_plate_metadata(group, ["A", "B"], ["1", "2"], ["A/1", "B/2"], fmt=fmt, name="screen",
                                         acquisitions=[{"id": 0, "maximumfieldcount": 1}])
    for well in ("A/1", "B/2"):
        below = group.require_group(well)
        ome_zarr.writer.write_well_metadata(below, ["0"], fmt=fmt)
        ome_zarr.writer.write_image(image((1, 1, 8, 8)), below.require_group("0"), axes=AXES, fmt=fmt, scale_factors=(2,))


def with_ngff_zarr(path):
    data = ngff_zarr.to_ngff_image(dask.array.from_array(image()), dims=AXES,
                                   scale={"z": 0.5, "y": 0.2, "x": 0.2}, translation={"z": 0.0, "y": 1.0, "x": 2.0},
                                   axes_units={a: "micrometer" for a in "zyx"})
    scales = ngff_zarr.to_multiscales(data, scale_factors=[2], chunks=(1, 4, 8, 8),
                                      method=ngff_zarr.Methods.DASK_IMAGE_NEAREST)
    ngff_zarr.to_ngff_zarr(str(path), scales, version="0.5", chunks_per_shard=2)


def main(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with_ome_zarr(folder / "ome-zarr-0.4.ome.zarr", ome_zarr.format.FormatV04())
    with_ome_zarr(folder / "ome-zarr-0.5.ome.zarr", ome_zarr.format.FormatV05())
    plate(folder / "plate-0.4.ome.zarr", ome_zarr.format.FormatV04())
    plate(folder / "plate-0.5.ome.zarr", ome_zarr.format.FormatV05())
    with_ngff_zarr(folder / "ngff-zarr-0.5.ome.zarr")
    with zipfile.ZipFile(folder / "samples.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix != ".zip":
                archive.writestr(zipfile.ZipInfo(str(file.relative_to(folder))), file.read_bytes(),
                                 zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
