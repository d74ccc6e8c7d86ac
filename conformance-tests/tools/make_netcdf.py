"""A reanalysis as netCDF4 writes it, packed and with missing elements, and the references that kerchunk makes of it.

    make_netcdf.py OUT.zip

CfFormatsTest states the values, which xarray reads from both. Needs the libraries of xarray-requirements.txt.
"""

import json
import os
import sys
import tempfile
import zipfile

import netCDF4
import numpy as np
from kerchunk.hdf import SingleHdf5ToZarr

out = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp())
with netCDF4.Dataset("reanalysis.nc", "w") as file:
    file.set_auto_maskandscale(False)
    axes = {"time": (np.array([1051896, 1051902], "i4"), "hours since 1900-01-01 00:00:00.0"),
            "latitude": (np.array([60, 55, 50], "f4"), "degrees_north"), "longitude": (np.array([-10, 0, 10, 20], "f4"), "degrees_east")}
    for name, (values, units) in axes.items():
        file.createDimension(name, len(values))
        variable = file.createVariable(name, values.dtype, (name,))
        variable.units = units
        variable[:] = values
    file["time"].calendar = "gregorian"
    packed = file.createVariable("t2m", "i2", tuple(axes), fill_value=-32767, zlib=True, shuffle=True, chunksizes=(1, 2, 4))
    packed.set_auto_maskandscale(False)
    packed.setncatts({"scale_factor": 0.5, "add_offset": 270.0, "missing_value": np.int16(-32767), "units": "K"})
    stored = np.arange(24, dtype="i2").reshape(2, 3, 4) * 3 - 20
    stored[1, 2, 3] = -32767
    packed[:] = stored
json.dump(SingleHdf5ToZarr("reanalysis.nc", "reanalysis.nc", inline_threshold=0).translate(), open("reanalysis.json", "w"))
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    for name in ("reanalysis.json", "reanalysis.nc"):
        archive.writestr(zipfile.ZipInfo(name), open(name, "rb").read(), zipfile.ZIP_DEFLATED)
