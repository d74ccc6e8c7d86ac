"""Files as h5netcdf, netCDF4, GDAL and ESMF write them, in the forms of public data sets, for cf_check.py.

`files` makes 40: reanalyses, climate models in their calendars, satellites, stations, profiles and trajectories, ocean
models, rasters of GDAL (NetCDF and Zarr), and the grids, meshes and weights that ESMF reads and writes (made with netCDF4
by its documentation). Each has few elements, and the dimensions, attributes and encodings of its kind.
"""

import h5netcdf
import h5py
import netCDF4
import numpy as np
import rasterio
import rasterio.shutil
import rasterio.transform


class Netcdf4:
    """A file of netCDF4; variables are written as they are stored."""

    def __init__(self, path):
        self.file = netCDF4.Dataset(path, "w")
        self.file.set_auto_maskandscale(False)

    def dimension(self, name, size):
        self.file.createDimension(name, size)

    def attribute(self, **attributes):
        for name, value in attributes.items():
            self.file.setncattr(name, value)

    def variable(self, name, dims, values, fill=None, **attributes):
        values = np.asarray(values)
        kind = str if values.dtype.kind in "OU" else values.dtype
        options = {"zlib": True, "shuffle": True} if values.ndim > 1 and kind is not str else {}
        made = self.file.createVariable(name, kind, dims, fill_value=fill, **options)
        made.set_auto_maskandscale(False)
        made.set_auto_chartostring(False)
        for key, value in attributes.items():
            made.setncattr(key, value)
        made[...] = values.astype(object) if kind is str else values
        return made

    def close(self):
        self.file.close()


class H5netcdf:
    """The same file, written by h5netcdf."""

    def __init__(self, path):
        self.file = h5netcdf.File(path, "w")

    def dimension(self, name, size):
        self.file.dimensions[name] = size

    def attribute(self, **attributes):
        for name, value in attributes.items():
            self.file.attrs[name] = value

    def variable(self, name, dims, values, fill=None, **attributes):
        values = np.asarray(values)
        if values.dtype.kind in "OU":
            made = self.file.create_variable(name, dims, dtype=h5py.string_dtype(), data=values.astype(object))
        else:
            options = {"compression": "gzip", "shuffle": True} if values.ndim > 1 else {}
            made = self.file.create_variable(name, dims, dtype=values.dtype, data=values, fillvalue=fill, **options)
        for key, value in attributes.items():
            made.attrs[key] = value
        return made

    def close(self):
        self.file.close()


def grid(f, lat, lon, dtype="f4", names=("latitude", "longitude")):
    for name, values, units in ((names[0], lat, "degrees_north"), (names[1], lon, "degrees_east")):
        f.dimension(name, len(values))
        f.variable(name, (name,), np.asarray(values, dtype), units=units, standard_name=("latitude", "longitude")[units == "degrees_east"])


def time(f, values, units, calendar="standard", dtype="i4", name="time", **attributes):
    f.dimension(name, len(values))
    f.variable(name, (name,), np.asarray(values, dtype), units=units, calendar=calendar, standard_name="time", **attributes)


def characters(texts, width):
    return np.array([t.encode() for t in texts], f"S{width}").view("S1").reshape(len(texts), width)


def reanalysis(rng, f):
    time(f, np.arange(6) * 6 + 1051896, "hours since 1900-01-01 00:00:00.0", "gregorian")
    grid(f, np.linspace(60, 40, 9), np.linspace(-10, 10, 11))
    for name, units in (("t2m", "K"), ("tp", "m")):
        values = rng.integers(-32766, 32767, (6, 9, 11)).astype("i2")
        values[rng.random(values.shape) < 0.05] = -32767
        f.variable(name, ("time", "latitude", "longitude"), values, np.int16(-32767), scale_factor=0.0015625, add_offset=270.25,
                   missing_value=np.int16(-32767), units=units)


def reanalysis_steps(rng, f):
    """The newer form: times in seconds, a step, and texts."""
    time(f, 1577836800 + np.arange(4) * 3600, "seconds since 1970-01-01", "proleptic_gregorian", "i8", "valid_time")
    f.dimension("number", 2)
    f.variable("number", ("number",), np.arange(2), units="1", standard_name="realization")
    grid(f, np.linspace(50, 48, 5), np.linspace(0, 3, 7), "f8")
    f.variable("expver", ("valid_time",), np.array(["0001", "0001", "0005", "0005"]))
    f.variable("d2m", ("number", "valid_time", "latitude", "longitude"), rng.normal(280, 3, (2, 4, 5, 7)).astype("f4"),
               np.float32(np.nan), units="K", coordinates="expver")


def climate(calendar, units):
    def make(rng, f):
        days = np.arange(15.5, 360, 30)
        time(f, days, units, calendar, "f8", bounds="time_bnds", axis="T")
        grid(f, np.linspace(-87.5, 87.5, 8), np.arange(0, 360, 40.0), "f8", ("lat", "lon"))
        f.dimension("bnds", 2)
        f.variable("time_bnds", ("time", "bnds"), np.stack([days - 15, days + 15], 1))
        f.variable("lat_bnds", ("lat", "bnds"), np.stack([np.linspace(-90, 65, 8), np.linspace(-65, 90, 8)], 1))
        f.variable("height", (), np.float64(2.0), units="m", positive="up", standard_name="height")
        values = rng.normal(280, 10, (12, 8, 9)).astype("f4")
        values[rng.random(values.shape) < 0.1] = 1e20
        f.variable("tas", ("time", "lat", "lon"), values, np.float32(1e20), units="K", missing_value=np.float32(1e20),
                   coordinates="height", cell_methods="area: time: mean")
    return make


def geostationary(rng, f):
    for name, size in (("y", 8), ("x", 10)):
        f.dimension(name, size)
        f.variable(name, (name,), np.arange(size, dtype="i2"), scale_factor=0.000056 if name == "x" else -0.000056,
                   add_offset=-0.101332 if name == "x" else 0.128212, units="rad", axis=name.upper(), standard_name=f"projection_{name}_coordinate")
    f.variable("t", (), np.float64(626184000.25), units="seconds since 2000-01-01 12:00:00", standard_name="time")
    f.variable("goes_imager_projection", (), np.int32(-2147483647), grid_mapping_name="geostationary", perspective_point_height=35786023.0)
    f.variable("Rad", ("y", "x"), rng.integers(-4096, 4096, (8, 10)).astype("i2"), np.int16(4095), _Unsigned="true", scale_factor=0.1,
               add_offset=-20.0, valid_range=np.array([0, 4094], "i2"), units="W m-2 sr-1 um-1", coordinates="t y x", grid_mapping="goes_imager_projection")
    f.variable("DQF", ("y", "x"), rng.integers(0, 5, (8, 10)).astype("i1"), np.int8(-1), _Unsigned="true", units="1",
               flag_values=np.array([0, 1, 2, 3, 4], "i1"), flag_meanings="good conditionally_usable out_of_range no_value focal_plane")


def sea_surface(rng, f):
    time(f, [1262347200], "seconds since 1981-01-01 00:00:00", "standard")
    grid(f, np.linspace(-2, 2, 9), np.linspace(100, 104, 9), names=("lat", "lon"))
    values = rng.integers(-300, 4500, (1, 9, 9)).astype("i2")
    values[0, 0] = -32768
    f.variable("analysed_sst", ("time", "lat", "lon"), values, np.int16(-32768), scale_factor=0.001, add_offset=298.15, units="kelvin",
               valid_min=np.int16(-32767), valid_max=np.int16(32767))
    f.variable("mask", ("time", "lat", "lon"), rng.choice([1, 2, 5, 9, 13], (1, 9, 9)).astype("i1"), np.int8(-128),
               flag_masks=np.array([1, 2, 4, 8, 16], "i1"), flag_meanings="water land optional_lake_surface sea_ice optional_river_surface")


def interpolated(rng, f):
    time(f, np.arange(3) + 15339.5, "days since 1978-01-01 12:00:00", "standard", "f4")
    f.dimension("zlev", 1)
    f.variable("zlev", ("zlev",), np.zeros(1, "f4"), units="meters", positive="down")
    grid(f, np.arange(-1.875, 2, 0.25), np.arange(0.125, 3, 0.25), names=("lat", "lon"))
    f.variable("sst", ("time", "zlev", "lat", "lon"), rng.integers(-1800, 3300, (3, 1, 16, 12)).astype("i2"), np.int16(-999),
               add_offset=0.0, scale_factor=0.01, valid_min=np.int16(-300), valid_max=np.int16(4500), units="Celsius")


def precipitation(rng, f):
    time(f, [1592179200], "seconds since 1970-01-01 00:00:00 UTC", "julian")
    grid(f, np.arange(40.05, 41, 0.1), np.arange(-5.95, -5, 0.1), names=("lat", "lon"))
    values = rng.gamma(1, 2, (1, 10, 10)).astype("f4")
    values[0, 3] = -9999.9
    f.variable("precipitation", ("time", "lon", "lat"), values, np.float32(-9999.9), units="mm/hr", CodeMissingValue="-9999.9")
    f.variable("probability", ("time", "lon", "lat"), rng.integers(0, 101, (1, 10, 10)).astype("i2"), np.int16(-9999), units="percent")


def weather_model(rng, f):
    for name, size in (("Time", 3), ("DateStrLen", 19), ("south_north", 5), ("west_east", 6)):
        f.dimension(name, size)
    f.variable("Times", ("Time", "DateStrLen"), characters([f"2005-08-28_{h:02d}:00:00" for h in (0, 3, 6)], 19))
    f.variable("XTIME", ("Time",), np.arange(3, dtype="f4") * 180, units="minutes since 2005-08-28 00:00:00")
    y, x = np.meshgrid(np.arange(5), np.arange(6), indexing="ij")
    for name, values in (("XLAT", 25 + y + 0.1 * x), ("XLONG", -90 + x - 0.1 * y)):
        f.variable(name, ("Time", "south_north", "west_east"), np.repeat(values[None].astype("f4"), 3, 0), units="degree_north" if name == "XLAT" else "degree_east")
    f.variable("T2", ("Time", "south_north", "west_east"), rng.normal(300, 2, (3, 5, 6)).astype("f4"), units="K", coordinates="XLONG XLAT XTIME")
    f.variable("LU_INDEX", ("Time", "south_north", "west_east"), rng.integers(1, 24, (3, 5, 6)).astype("f4"))


def ocean_model(rng, f):
    time(f, np.arange(3) * 86400.0, "seconds since 2006-01-01 00:00:00", "gregorian", "f8", "ocean_time")
    for name, size in (("s_rho", 4), ("eta_rho", 6), ("xi_rho", 7)):
        f.dimension(name, size)
    f.variable("s_rho", ("s_rho",), np.linspace(-0.875, -0.125, 4), positive="up", standard_name="ocean_s_coordinate_g2",
               formula_terms="s: s_rho C: Cs_r eta: zeta depth: h depth_c: hc")
    f.variable("Cs_r", ("s_rho",), np.linspace(-0.8, -0.1, 4))
    f.variable("hc", (), np.float64(250.0), units="meter")
    y, x = np.meshgrid(np.linspace(40, 41, 6), np.linspace(-70, -69, 7), indexing="ij")
    f.variable("lat_rho", ("eta_rho", "xi_rho"), y + 0.02 * x, units="degree_north", standard_name="latitude")
    f.variable("lon_rho", ("eta_rho", "xi_rho"), x - 0.02 * y, units="degree_east", standard_name="longitude")
    f.variable("mask_rho", ("eta_rho", "xi_rho"), rng.integers(0, 2, (6, 7)).astype("f8"), flag_values=np.array([0.0, 1.0]), flag_meanings="land water")
    temp = rng.normal(12, 3, (3, 4, 6, 7)).astype("f4")
    temp[:, :, 0] = 1e37
    f.variable("temp", ("ocean_time", "s_rho", "eta_rho", "xi_rho"), temp, np.float32(1e37), units="Celsius", coordinates="lon_rho lat_rho s_rho ocean_time")


def floats(rng, f):
    for name, size in (("N_PROF", 3), ("N_LEVELS", 6), ("STRING8", 8), ("DATE_TIME", 14)):
        f.dimension(name, size)
    f.variable("PLATFORM_NUMBER", ("N_PROF", "STRING8"), characters(["1900722", "1900723", "590"], 8), b" ", long_name="Float unique identifier")
    f.variable("REFERENCE_DATE_TIME", ("DATE_TIME",), characters(["19500101000000"], 14)[0], b" ")
    f.variable("JULD", ("N_PROF",), np.array([20819.25, 999999.0, 20839.7071]), np.float64(999999.0), units="days since 1950-01-01 00:00:00 UTC", axis="T")
    f.variable("LATITUDE", ("N_PROF",), np.array([-40.3, 99999.0, -41.0]), np.float64(99999.0), units="degree_north", valid_min=-90.0, valid_max=90.0)
    pressure = np.sort(rng.random((3, 6)), 1).astype("f4") * 2000
    pressure[1, 4:] = 99999
    f.variable("PRES", ("N_PROF", "N_LEVELS"), pressure, np.float32(99999.0), units="decibar", C_format="%7.1f")
    f.variable("PRES_QC", ("N_PROF", "N_LEVELS"), np.where(pressure > 90000, b" ", b"1").astype("S1"), b" ")


def stations(rng, f):
    for name, size in (("station", 4), ("name_strlen", 6)):
        f.dimension(name, size)
    time(f, np.arange(5) * 3600, "seconds since 2015-06-01T00:00:00+02:00", "standard")
    f.variable("station_name", ("station", "name_strlen"), characters(["Zug", "Bern", "Genève"[:5], ""], 6), cf_role="timeseries_id")
    f.variable("lat", ("station",), np.array([47.2, 46.9, 46.2, 46.0]), units="degrees_north", standard_name="latitude")
    f.variable("lon", ("station",), np.array([8.5, 7.4, 6.1, 8.9]), units="degrees_east", standard_name="longitude")
    f.variable("humidity", ("station", "time"), rng.random((4, 5)).astype("f4"), np.float32(-999.0), units="1", coordinates="lat lon station_name")
    f.variable("code", ("station", "time"), rng.integers(0, 4, (4, 5)).astype("u1"), np.uint8(255), flag_values=np.arange(4, dtype="u1"), flag_meanings="ok suspect bad none")
    f.attribute(featureType="timeSeries", Conventions="CF-1.8")


def station_texts(rng, f):
    f.dimension("station", 3)
    time(f, np.arange(4), "days since 2001-01-01", "standard", "f8")
    f.variable("station_id", ("station",), np.array(["Zürich", "", "Ørsta"]), cf_role="timeseries_id")
    f.variable("alt", ("station",), np.array([408, -3, 12], "i2"), units="m", positive="up", axis="Z")
    f.variable("wind", ("time", "station"), rng.integers(0, 200, (4, 3)).astype("u2"), np.uint16(65535), scale_factor=0.1, units="m s-1", coordinates="alt station_id")
    f.variable("is_open", ("station",), np.array([1, 0, 1], "i1"), dtype="bool")


def profiles(rng, f):
    for name, size in (("profile", 3), ("z", 5)):
        f.dimension(name, size)
    f.variable("profile", ("profile",), np.arange(3, dtype="i4"), cf_role="profile_id")
    f.variable("z", ("z",), np.array([10, 20, 50, 100, 200], "f4"), units="m", positive="down", axis="Z")
    f.variable("time", ("profile",), np.array([-1, 36000, 72000], "i4"), np.int32(-1), units="seconds since 2010-01-01")
    f.variable("salinity", ("profile", "z"), rng.normal(35, 1, (3, 5)), np.float64(-9999.0), units="1e-3", coordinates="time z")


def trajectories(rng, f):
    """A contiguous ragged array."""
    for name, size in (("trajectory", 2), ("obs", 9)):
        f.dimension(name, size)
    f.variable("rowSize", ("trajectory",), np.array([4, 5], "i4"), sample_dimension="obs")
    f.variable("time", ("obs",), np.array([0, 1, 2, 3, 0, 1, 2, 3, 4], "f8") / 24, units="days since 1970-01-01 00:00:00")
    f.variable("lon", ("obs",), rng.uniform(-180, 180, 9).astype("f4"), units="degrees_east")
    f.variable("lat", ("obs",), rng.uniform(-90, 90, 9).astype("f4"), units="degrees_north")
    f.variable("temp", ("obs",), rng.integers(0, 400, 9).astype("i2"), np.int16(-1), scale_factor=0.1, coordinates="time lat lon")


def rotated(rng, f):
    time(f, np.arange(3) * 24 + 12, "hours since 1949-12-01 00:00:00", "365_day", "f8")
    for name, size, letter in (("rlat", 5, "Y"), ("rlon", 6, "X")):
        f.dimension(name, size)
        f.variable(name, (name,), np.arange(size) * 0.44 - 1, units="degrees", axis=letter, standard_name=f"grid_{'latitude' if letter == 'Y' else 'longitude'}")
    y, x = np.meshgrid(np.linspace(45, 47, 5), np.linspace(5, 8, 6), indexing="ij")
    f.variable("lat", ("rlat", "rlon"), y + 0.1 * x, units="degrees_north", standard_name="latitude")
    f.variable("lon", ("rlat", "rlon"), x, units="degrees_east", standard_name="longitude")
    f.variable("rotated_pole", (), np.array(b"", "S1"), grid_mapping_name="rotated_latitude_longitude", grid_north_pole_latitude=39.25, grid_north_pole_longitude=-162.0)
    f.variable("pr", ("time", "rlat", "rlon"), rng.gamma(1, 1e-5, (3, 5, 6)).astype("f4"), np.float32(1e20), units="kg m-2 s-1",
               coordinates="lon lat", grid_mapping="rotated_pole")


def forecast(rng, f):
    f.dimension("step", 4)
    f.variable("time", (), np.int64(1577836800), units="seconds since 1970-01-01", calendar="proleptic_gregorian", standard_name="forecast_reference_time")
    f.variable("step", ("step",), np.array([0.0, 6.5, 12, 18]), units="hours", dtype="timedelta64[ns]", standard_name="forecast_period")
    f.variable("valid_time", ("step",), 1577836800 + np.array([0, 23400, 43200, 64800]), units="seconds since 1970-01-01", calendar="proleptic_gregorian")
    f.variable("u10", ("step",), rng.normal(size=4).astype("f4"), np.float32(np.nan), units="m s**-1", coordinates="time valid_time")


def swath(rng, f):
    for name, size in (("ground_pixel", 7), ("scanline", 5)):
        f.dimension(name, size)
    y, x = np.meshgrid(np.linspace(60, 50, 5), np.linspace(-30, 20, 7), indexing="ij")
    f.variable("latitude", ("scanline", "ground_pixel"), (y + 0.05 * x).astype("f4"), np.float32(9.96921e36), units="degrees_north", standard_name="latitude")
    f.variable("longitude", ("scanline", "ground_pixel"), x.astype("f4"), np.float32(9.96921e36), units="degrees_east", standard_name="longitude")
    f.variable("delta_time", ("scanline",), np.arange(5, dtype="i4") * 840 + 1000, units="milliseconds since 2019-03-05 00:00:00")
    f.variable("qa_value", ("scanline", "ground_pixel"), rng.integers(0, 101, (5, 7)).astype("u1"), np.uint8(255), scale_factor=0.01, add_offset=0.0,
               coordinates="longitude latitude")
    f.variable("no2", ("scanline", "ground_pixel"), rng.normal(1e-5, 1e-6, (5, 7)).astype("f4"), np.float32(9.96921e36), units="mol m-2", coordinates="longitude latitude")


def land_cover(rng, f):
    grid(f, np.linspace(50, 49, 6), np.linspace(8, 9, 6), "f8", ("lat", "lon"))
    time(f, [730485], "days since 0001-01-01", "proleptic_gregorian", "i8")
    f.variable("lccs_class", ("time", "lat", "lon"), rng.choice([10, 11, 190, 210], (1, 6, 6)).astype("u1"), np.uint8(0),
               flag_values=np.array([0, 10, 11, 190, 210], "u1"), flag_meanings="no_data cropland herbaceous urban water", valid_range=np.array([1, 220], "u1"))
    f.variable("change_count", ("time", "lat", "lon"), rng.integers(0, 100, (1, 6, 6)).astype("i4"))


def nanoseconds(rng, f):
    time(f, 1500000000123456789 + np.arange(3) * 1000000007, "nanoseconds since 1970-01-01", "proleptic_gregorian", "i8")
    f.variable("arrival", ("time",), np.array([np.iinfo("i8").max, 5, 7]), np.int64(np.iinfo("i8").max), units="nanoseconds since 2001-09-09")
    f.variable("count", ("time",), np.array([2**63 - 1, -(2**63), 2**53 + 1]))
    f.variable("energy", ("time",), rng.random(3))


def paleo(rng, f):
    time(f, np.array([-2000.5, -1, 0, 17.25]), "days since 1500-01-01", "standard", "f8")
    f.variable("d18O", ("time",), rng.normal(size=4), np.float64(-999.99), missing_value=-999.99, units="permil")


def scrip(rng, f):
    """A grid of the SCRIP form, which ESMF reads and writes."""
    for name, size in (("grid_size", 12), ("grid_corners", 4), ("grid_rank", 2)):
        f.dimension(name, size)
    f.variable("grid_dims", ("grid_rank",), np.array([4, 3], "i4"))
    lat, lon = np.repeat(np.array([-60.0, 0, 60]), 4), np.tile(np.array([45.0, 135, 225, 315]), 3)
    f.variable("grid_center_lat", ("grid_size",), lat, units="degrees")
    f.variable("grid_center_lon", ("grid_size",), lon, units="degrees")
    f.variable("grid_corner_lat", ("grid_size", "grid_corners"), lat[:, None] + np.array([-30, -30, 30, 30]), units="degrees")
    f.variable("grid_corner_lon", ("grid_size", "grid_corners"), lon[:, None] + np.array([-45, 45, 45, -45]), units="degrees")
    f.variable("grid_imask", ("grid_size",), rng.integers(0, 2, 12).astype("i4"), units="unitless")
    f.attribute(title="SCRIP grid")


def mesh(rng, f):
    """An unstructured mesh of ESMF."""
    for name, size in (("nodeCount", 9), ("elementCount", 5), ("maxNodePElement", 4), ("coordDim", 2)):
        f.dimension(name, size)
    f.variable("nodeCoords", ("nodeCount", "coordDim"), np.stack(np.meshgrid([0.0, 10, 20], [10.0, 20, 30]), -1).reshape(9, 2), units="degrees")
    connections = np.array([[1, 2, 5, 4], [2, 3, 5, -1], [3, 6, 5, -1], [4, 5, 8, 7], [5, 6, 9, 8]], "i4")
    f.variable("elementConn", ("elementCount", "maxNodePElement"), connections, np.int32(-1), long_name="Node indices", start_index=np.int32(1))
    f.variable("numElementConn", ("elementCount",), np.array([4, 3, 3, 4, 4], "i1"))
    f.variable("elementMask", ("elementCount",), np.array([1, 0, 1, 1, 1], "i4"))
    f.variable("origGridDims", ("coordDim",), np.array([3, 3], "i4"))
    f.attribute(gridType="unstructured mesh", version="0.9")


def ugrid(rng, f):
    for name, size in (("node", 5), ("face", 4), ("three", 3)):
        f.dimension(name, size)
    time(f, np.arange(2), "days since 2015-07-01", "standard", "f8")
    f.variable("Mesh2", (), np.int32(0), cf_role="mesh_topology", topology_dimension=np.int32(2), node_coordinates="node_lon node_lat", face_node_connectivity="faces")
    f.variable("node_lat", ("node",), np.array([0.0, 0, 2, 2, 1]), units="degrees_north", standard_name="latitude")
    f.variable("node_lon", ("node",), np.array([0.0, 2, 2, 0, 1]), units="degrees_east", standard_name="longitude")
    f.variable("faces", ("face", "three"), np.array([[1, 2, 5], [2, 3, 5], [3, 4, 5], [4, 1, 5]], "i4"), cf_role="face_node_connectivity", start_index=np.int32(1))
    f.variable("zeta", ("time", "node"), rng.normal(size=(2, 5)), np.float64(-99999.0), units="m", mesh="Mesh2", location="node", coordinates="node_lon node_lat")


def weights(rng, f):
    """Weights of a regridding."""
    for name, size in (("n_a", 6), ("n_b", 4), ("n_s", 9), ("nv_a", 4), ("src_grid_rank", 2)):
        f.dimension(name, size)
    f.variable("src_grid_dims", ("src_grid_rank",), np.array([3, 2], "i4"))
    f.variable("yc_a", ("n_a",), rng.uniform(-90, 90, 6), units="degrees")
    f.variable("xv_a", ("n_a", "nv_a"), rng.uniform(0, 360, (6, 4)), units="degrees")
    f.variable("mask_a", ("n_a",), np.ones(6, "i4"), units="unitless")
    f.variable("frac_b", ("n_b",), rng.random(4), units="unitless")
    f.variable("col", ("n_s",), rng.integers(1, 7, 9).astype("i4"))
    f.variable("row", ("n_s",), rng.integers(1, 5, 9).astype("i4"))
    f.variable("S", ("n_s",), rng.random(9))
    f.attribute(normalization="destarea", map_method="Conservative remapping", ESMF_version="8.6.0")


def gridspec(rng, f):
    """A logically rectangular grid of the CF form, with corners and cells that are masked."""
    for name, size in (("j", 4), ("i", 5), ("vertices", 4)):
        f.dimension(name, size)
        if name != "vertices":
            f.variable(name, (name,), np.arange(size, dtype="i4"), units="1")
    y, x = np.meshgrid(np.linspace(66, 88, 4), np.linspace(0, 288, 5), indexing="ij")
    f.variable("latitude", ("j", "i"), y, np.float64(1e20), units="degrees_north", standard_name="latitude", bounds="vertices_latitude")
    f.variable("longitude", ("j", "i"), x, np.float64(1e20), units="degrees_east", standard_name="longitude", bounds="vertices_longitude")
    f.variable("vertices_latitude", ("j", "i", "vertices"), y[..., None] + np.array([-1, -1, 1, 1]), np.float64(1e20))
    f.variable("vertices_longitude", ("j", "i", "vertices"), x[..., None] + np.array([-1, 1, 1, -1]), np.float64(1e20))
    area = rng.random((4, 5)).astype("f4")
    area[2] = 1e20
    f.variable("areacello", ("j", "i"), area, np.float32(1e20), units="m2", missing_value=np.float32(1e20), coordinates="latitude longitude")


def tile(rng, f):
    """A tile of a mosaic, with texts in characters."""
    for name, size in (("string", 12), ("ny", 3), ("nx", 4), ("nyp", 4), ("nxp", 5)):
        f.dimension(name, size)
    f.variable("tile", ("string",), characters(["tile1"], 12)[0], standard_name="grid_tile_spec", geometry="spherical")
    f.variable("x", ("nyp", "nxp"), rng.uniform(0, 360, (4, 5)), units="degree_east", standard_name="geographic_longitude")
    f.variable("y", ("nyp", "nxp"), rng.uniform(-90, 90, (4, 5)), units="degree_north", standard_name="geographic_latitude")
    f.variable("area", ("ny", "nx"), rng.random((3, 4)), units="m2")


FORMS = [
    (reanalysis, "nh"), (reanalysis_steps, "nh"), (climate("360_day", "days since 1850-01-01"), "nh"), (climate("noleap", "days since 0001-01-01"), "n"),
    (climate("proleptic_gregorian", "days since 1850-01-01 00:00:00"), "h"), (climate("all_leap", "hours since 2000-02-29"), "n"), (geostationary, "nh"),
    (sea_surface, "nh"), (interpolated, "n"), (precipitation, "h"), (weather_model, "n"), (ocean_model, "nh"), (floats, "n"), (stations, "n"),
    (station_texts, "nh"), (profiles, "h"), (trajectories, "n"), (rotated, "n"), (forecast, "nh"), (swath, "h"), (land_cover, "h"), (nanoseconds, "n"),
    (paleo, "n"), (scrip, "n"), (mesh, "n"), (ugrid, "n"), (weights, "n"), (gridspec, "n"), (tile, "n"),
]  # fmt: skip
# zarr-python does not open integers of GDAL without nodata in Zarr v3, whose fill value is null
RASTERS = [("NC4", "float32", -9999.0, 1), ("NC4", "uint8", 0, 3), ("ZARR_V2", "int16", None, 2), ("ZARR_V3", "float32", None, 1)]


def raster(rng, folder, form, dtype, nodata, bands):
    common = dict(width=9, height=7, count=bands, dtype=dtype, nodata=nodata, crs="EPSG:32632")
    common["transform"] = rasterio.transform.from_origin(500000, 5200000, 30, 30)
    with rasterio.open(folder / "source.tif", "w", driver="GTiff", **common) as f:
        f.write(rng.integers(0, 200, (bands, 7, 9)).astype(dtype))
    path, driver = (folder / "data.nc", "netCDF") if form == "NC4" else (folder / "data.zarr", "Zarr")
    rasterio.shutil.copy(folder / "source.tif", path, driver=driver, FORMAT=form)
    return path


def files(rng, folder):
    """Makes the files; yields the name of each, the path and the options by which xarray opens it."""
    for make, writers in FORMS:
        for letter in writers:
            writer, engine = {"n": (Netcdf4, "netcdf4"), "h": (H5netcdf, "h5netcdf")}[letter]
            name = f"{make.__qualname__.split('.')[0]}-{engine}-{len(list(folder.iterdir()))}"
            (folder / name).mkdir()
            file = writer(folder / name / "data.nc")
            try:
                make(rng, file)
            finally:
                file.close()
            yield name, folder / name / "data.nc", {"engine": engine}
    for form, dtype, nodata, bands in RASTERS:
        name = f"gdal-{form}-{dtype}"
        (folder / name).mkdir()
        path = raster(rng, folder / name, form, dtype, nodata, bands)
        yield name, path, {"engine": "netcdf4"} if form == "NC4" else {"engine": "zarr", "consolidated": False}
