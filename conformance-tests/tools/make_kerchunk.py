"""Writes an HDF5 and a NetCDF3 file with the reference documents that kerchunk makes of them: make_kerchunk.py OUT.zip

Elements are beside them, NAME.bin: little-endian, C order. Needs kerchunk, h5py and scipy.
"""

import json
import os
import sys
import tempfile
import zipfile

import h5py
import numpy as np
from kerchunk.hdf import SingleHdf5ToZarr
from kerchunk.netCDF3 import NetCDF3ToZarr
from scipy.io import netcdf_file

os.chdir(tempfile.mkdtemp())
packed = (np.arange(20 * 12).reshape(20, 12) * 37 % 1000).astype("<u2")
plain = np.linspace(-1, 1, 35).reshape(5, 7)
with h5py.File("a.h5", "w") as file:
    file.attrs["title"] = "of kerchunk"
    file.create_dataset("packed", data=packed, chunks=(8, 5), compression="gzip", shuffle=True, track_times=False)
    file.create_dataset("in/plain", data=plain, track_times=False)
    file["packed"].attrs["units"] = "m"
document = SingleHdf5ToZarr("a.h5", "a.h5", inline_threshold=0).translate()
json.dump(document, open("a.json", "w"))
packed.tofile("packed.bin")
plain.astype("<f8").tofile("plain.bin")

air = (np.arange(4 * 3 * 5).reshape(4, 3, 5) * 0.5 - 7).astype(">f4")
lat = np.array([10, 20, 30], ">i2")
with netcdf_file("b.nc", "w") as file:
    for name, length in (("time", None), ("lat", 3), ("lon", 5)):
        file.createDimension(name, length)
    file.createVariable("air", ">f4", ("time", "lat", "lon"))[:] = air
    file.variables["air"].units = "K"
    file.createVariable("lat", ">i2", ("lat",))[:] = lat
document = NetCDF3ToZarr("b.nc", inline_threshold=0).translate()
json.dump(document, open("b.json", "w"))
air.astype("<f4").tofile("air.bin")
lat.astype("<i2").tofile("lat.bin")

with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    for name in sorted(os.listdir(".")):
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, open(name, "rb").read())
