"""Random datasets of xarray, netCDF4, h5netcdf, h5py, GDAL and kerchunk, for xarray_check.py.

`write` makes one below a folder and returns a Source: where it is, and how xarray opens it. The values and attributes
are made as they are stored (scale_factor, _FillValue, units and so on are attributes), so that every encoding of the CF
conventions can occur, also those that xarray decodes and never writes.
"""

import dataclasses
import json
import pathlib
import string

import h5netcdf
import h5py
import kerchunk.hdf
import netCDF4
import numcodecs
import numpy as np
import rasterio
import rasterio.shutil
import rasterio.transform
import xarray as xr
import zarr.codecs

INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
CALENDARS = ["standard", "proleptic_gregorian", "noleap", "all_leap", "360_day", "julian", None]
TEXTS = ["", "a", "µm", "station of Zürich", "日本", "line\nbreak", "degrees_north", '"quoted"', "a,b"]


@dataclasses.dataclass
class Source:
    kind: str
    location: str  # as shardkit names it
    engine: str
    opened: str  # as xarray names it
    options: dict
    names: bool = True  # all dimensions have names

    def with_location(self, location, opened):
        return dataclasses.replace(self, location=str(location), opened=str(opened))


def chance(rng, probability):
    return rng.random() < probability


def numbers(rng, dtype, shape):
    """Values of any size, with those at the edges of the type."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        small = rng.integers(0, 100, shape)
        edges = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 1], dtype)
        return np.where(rng.random(shape) < 0.2, rng.choice(edges, shape), small.astype(dtype)).astype(dtype)
    if dtype.kind == "c":
        return (numbers(rng, f"f{dtype.itemsize // 2}", shape) + 1j * rng.normal(0, 1, shape)).astype(dtype)
    edges = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, np.finfo(dtype).max, np.finfo(dtype).tiny, 1e-3], dtype)
    return np.where(rng.random(shape) < 0.25, rng.choice(edges, shape), rng.normal(0, 100, shape)).astype(dtype)


def masked(rng, values, *missing):
    return np.where(rng.random(values.shape) < 0.3, rng.choice(np.array(missing, values.dtype), values.shape), values)


def text(rng):
    if chance(rng, 0.5):
        return TEXTS[rng.integers(len(TEXTS))]
    return "".join(rng.choice(list(string.ascii_letters + "äöüß€ "), rng.integers(1, 12))).strip() or "x"


def attributes(rng, json_only):
    """Attributes that say nothing about the elements. With json_only those that netCDF cannot hold, too."""
    made = {}
    for i in range(rng.integers(0, 5)):
        kind = rng.integers(0, 12 if json_only else 9)
        if kind == 0:
            value = text(rng)
        elif kind == 1:
            value = np.float32(rng.choice([1e20, 9.96921e36, 0.1, 1e-45, np.nan, np.inf, -np.inf, 16777216.0, rng.normal()]))
        elif kind == 2:
            value = np.float64(rng.choice([1e20, 0.1, np.nan, np.inf, -np.inf, 5e-324, 2.0**53, rng.normal()]))
        elif kind == 3:
            dtype = np.dtype(str(rng.choice(INTEGERS)))
            value = dtype.type([np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 7][rng.integers(4)])
        elif kind == 4:
            value = numbers(rng, str(rng.choice(INTEGERS[:-1])), rng.integers(2, 5))
        elif kind == 5:
            value = numbers(rng, str(rng.choice(["f4", "f8"])), rng.integers(2, 5))
        elif kind == 6:
            value = [text(rng) or "x" for _ in range(rng.integers(2, 4))]
        elif kind == 7:
            value = np.float32(rng.normal())
        elif kind == 8:
            value = str(rng.integers(0, 100))
        elif kind == 9:
            value = {"nested": {"list": [1, 2.5, None, "x", [True]], "nan": float("nan")}}
        elif kind == 10:
            value = bool(rng.integers(0, 2))
        else:
            value = None
        made[str(rng.choice(["long_name", "comment", "standard_name", "größe", "cell_methods", "a b", f"extra{i}"]))] = value
    return {name: plain(value) for name, value in made.items()} if json_only else made


def plain(value):
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return value


def packed(rng, shape):
    dtype = np.dtype(str(rng.choice(["i1", "u1", "i2", "u2", "i4"])))
    scale = np.dtype(str(rng.choice(["f4", "f8"]))).type
    values, attrs = numbers(rng, dtype, shape), {}
    if chance(rng, 0.8):
        attrs["scale_factor"] = scale(rng.choice([0.1, 0.01, 2, 1 / 3]))
    if chance(rng, 0.6):
        attrs["add_offset"] = scale(rng.choice([273.15, -5, 0.1]))
    missing = []
    if chance(rng, 0.7):
        missing.append(dtype.type([0, 1, np.iinfo(dtype).max, np.iinfo(dtype).min][rng.integers(4)]))
        attrs["_FillValue"] = missing[0]
    if chance(rng, 0.3):
        missing.append(missing[0] if missing and chance(rng, 0.7) else dtype.type(99))
        attrs["missing_value"] = missing[-1]
    if chance(rng, 0.3):
        attrs["valid_range"] = np.array([0, 90], dtype)
    if chance(rng, 0.2):
        attrs["valid_min"] = dtype.type(1)
    return (masked(rng, values, *missing) if missing else values), attrs


def unsigned(rng, shape):
    dtype = np.dtype(str(rng.choice(["i1", "i2", "u1"])))
    attrs = {"_Unsigned": "false" if dtype.kind == "u" else "true"}
    if chance(rng, 0.7):
        attrs["_FillValue"] = dtype.type(-1 if dtype.kind == "i" else 255)
    if chance(rng, 0.3):
        attrs["scale_factor"] = np.float32(0.5)
    return numbers(rng, dtype, shape), attrs


def floats(rng, shape, half):
    dtype = np.dtype(str(rng.choice(["f4", "f8", "f2"] if half else ["f4", "f8"])))
    values, attrs = numbers(rng, dtype, shape), {}
    kind = rng.integers(0, 6)
    if kind == 0:
        attrs["_FillValue"] = dtype.type(np.nan)
    elif kind == 1:
        attrs["_FillValue"] = dtype.type(rng.choice([60000.0, -9999, 0, 0.1]))
    elif kind == 2 and dtype.itemsize > 2:
        attrs["_FillValue"] = attrs["missing_value"] = dtype.type(rng.choice([1e20, 9.969209968386869e36]))
    elif kind == 3 and dtype.itemsize > 2:
        attrs["missing_value"] = dtype.type(1e20)
    missing = {v for name, v in attrs.items() if name in ("_FillValue", "missing_value")}
    return (masked(rng, values, *missing) if missing else values), attrs


def times(rng, shape):
    unit = str(rng.choice(["days", "hours", "minutes", "seconds", "milliseconds"]))
    since = str(rng.choice(["1970-01-01", "2000-01-01 12:00:00", "1850-01-01 00:00:00", "2001-2-3 04:05:06"]))
    dtype = np.dtype(str(rng.choice(["i4", "i8", "f8", "f4"])))
    attrs = {"units": f"{unit} since {since}"}
    calendar = CALENDARS[rng.integers(len(CALENDARS))]
    if calendar:
        attrs["calendar"] = calendar
    values = np.sort(rng.integers(0, 20000, shape), axis=None).reshape(shape).astype(dtype)
    if dtype.kind == "f":
        values += dtype.type(0.5)
    if chance(rng, 0.2) and shape:
        attrs["_FillValue"] = dtype.type(np.nan) if dtype.kind == "f" else dtype.type(-999)
        values = masked(rng, values, attrs["_FillValue"])
    return values, attrs


def timedeltas(rng, shape):
    unit = str(rng.choice(["days", "hours", "minutes", "seconds", "milliseconds"]))
    dtype = np.dtype(str(rng.choice(["i4", "i8", "f8"])))
    attrs = {"units": unit}
    if chance(rng, 0.6):
        attrs["dtype"] = "timedelta64[ns]"
    return rng.integers(0, 1000, shape).astype(dtype), attrs


def flags(rng, shape):
    attrs = {"flag_values": np.array([0, 1, 2], "i1"), "flag_meanings": "clear cloudy unknown"}
    if chance(rng, 0.4):
        attrs["flag_masks"] = np.array([1, 2, 4], "i1")
    return rng.integers(0, 3, shape).astype("i1"), attrs


def booleans(rng, shape):
    return rng.integers(0, 2, shape).astype("i1"), {"dtype": "bool"}


def crs(rng):
    wkt = 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],UNIT["degree",0.0174532925199433]]'
    return xr.Variable(
        (),
        np.int32(rng.integers(0, 2)),
        {"crs_wkt": wkt, "grid_mapping_name": "latitude_longitude", "semi_major_axis": 6378137.0, "inverse_flattening": np.float32(298.25723)},
    )


def strings(rng, shape):
    made = np.empty(shape, object)
    made.ravel()[:] = [text(rng) for _ in range(made.size)]
    return made


def fixed_bytes(rng, shape):
    width = rng.integers(1, 6)
    words = [text(rng).encode()[:width] or b"x" for _ in range(int(np.prod(shape)))]
    return np.array(words, f"S{width}").reshape(shape)


def variable(rng, dims, sizes, zarr_only):
    shape = tuple(sizes[d] for d in dims)
    kind = rng.integers(0, 13 if zarr_only else 11)
    attrs = {}
    if kind == 0:
        data = numbers(rng, str(rng.choice(INTEGERS)), shape)
        if chance(rng, 0.3):
            attrs["_FillValue"] = data.dtype.type(rng.choice([0, 1, 99]))
    elif kind in (1, 2):
        data, attrs = packed(rng, shape)
    elif kind in (3, 4):
        data, attrs = floats(rng, shape, half=zarr_only)
    elif kind == 5:
        data, attrs = unsigned(rng, shape)
    elif kind == 6:
        data, attrs = times(rng, shape)
    elif kind == 7:
        data, attrs = timedeltas(rng, shape)
    elif kind == 8:
        data, attrs = (flags if chance(rng, 0.6) else booleans)(rng, shape)
    elif kind == 9:
        data = strings(rng, shape)
    elif kind == 10:
        data = fixed_bytes(rng, shape)
    elif kind == 11:
        data = numbers(rng, str(rng.choice(["?", "c8", "c16"])), shape)
    else:
        data = strings(rng, shape).astype(str)
    return xr.Variable(dims, data, attributes(rng, zarr_only) | attrs)


def dataset(rng, zarr_only=False, sizes=None):
    """A dataset as it is stored. zarr_only: what NetCDF cannot hold, too."""
    if sizes is None:
        names = rng.permutation(["time", "y", "x", "lat", "lon", "level", "größe"])[: rng.integers(1, 4)]
        sizes = {str(n): int(rng.integers(1, 8)) for n in names}
    ds = xr.Dataset(attrs=attributes(rng, zarr_only))
    for name, size in sizes.items():
        if chance(rng, 0.25):
            continue  # a dimension without a coordinate
        attrs = {"units": "degrees_north", "axis": "Y"} if chance(rng, 0.5) else attributes(rng, zarr_only)
        if name == "time":
            data, attrs = times(rng, (size,))
        elif chance(rng, 0.2):
            data = np.array([f"s{i}ü" for i in range(size)], object)
        else:
            data = (np.arange(size) * 1.5 + rng.integers(0, 9)).astype(str(rng.choice(["f4", "f8", "i4"])))
        if chance(rng, 0.2) and name != "time":
            attrs["bounds"] = f"{name}_bnds"
            ds[f"{name}_bnds"] = ((name, "bnds"), numbers(rng, "f8", (size, 2)))
        ds[name] = ((name,), data, attrs)
    others = []
    for i in range(rng.integers(1, 6)):
        dims = tuple(str(d) for d in rng.permutation(list(sizes))[: rng.integers(0, len(sizes) + 1)])
        name = str(rng.choice([f"v{i}", f"v{i}", f"größe {i}", f"a.b-{i}"]))
        ds[name] = variable(rng, dims, sizes, zarr_only)
        others.append(name)
    if chance(rng, 0.4):
        ds["spatial_ref"] = crs(rng)
        ds[others[0]].attrs["grid_mapping"] = "spatial_ref"
    if chance(rng, 0.3):
        ds["height"] = ((), np.float64(2.0), {"units": "m"})
        ds[others[-1]].attrs["coordinates"] = "height"
    return ds


def netcdf_encoding(rng, ds):
    encoding = {}
    for name, v in ds.variables.items():
        made = {}
        if v.dims and 0 not in v.shape and v.dtype.kind != "S" and chance(rng, 0.6):
            made["chunksizes"] = tuple(int(rng.integers(1, n + 1)) for n in v.shape)
            if v.dtype.kind != "O":
                if chance(rng, 0.6):
                    made |= {"zlib": True, "shuffle": chance(rng, 0.5), "complevel": int(rng.integers(1, 9))}
                made["fletcher32"] = chance(rng, 0.2)
        elif v.dims and v.dtype.kind != "O":
            made["contiguous"] = True
        encoding[name] = made
    return encoding


def zarr_encoding(rng, ds, version):
    encoding = {}
    for name, v in ds.variables.items():
        made = {}
        if v.dims and 0 not in v.shape and chance(rng, 0.7):
            made["chunks"] = tuple(int(rng.integers(1, n + 1)) for n in v.shape)
            if version == 3 and chance(rng, 0.3):
                made["shards"] = tuple(c * int(rng.integers(1, 3)) for c in made["chunks"])
        kind = rng.integers(0, 4)
        if version == 2:
            compressors = [numcodecs.Zlib(1), numcodecs.Zstd(1), numcodecs.Blosc("lz4"), numcodecs.GZip(1)]
            made["compressors"] = None if kind == 3 and chance(rng, 0.5) else [compressors[kind]]
            if v.dtype.kind in "iu" and chance(rng, 0.2):
                made["filters"] = [numcodecs.Shuffle(v.dtype.itemsize)]
        elif kind:
            zstd = zarr.codecs.ZstdCodec(level=1)
            made["compressors"] = [(zstd,), (zarr.codecs.GzipCodec(),), (zarr.codecs.BloscCodec(typesize=4),)][kind - 1]
        encoding[name] = made
    return encoding


def put(groups, write):
    for i, (path, ds) in enumerate(groups.items()):
        write(ds, path, "w" if i == 0 else "a")


def tree(rng, zarr_only):
    """Datasets by the path of their group."""
    groups = {"": dataset(rng, zarr_only)}
    if chance(rng, 0.25):
        groups["sub"] = dataset(rng, zarr_only)
        if chance(rng, 0.5):
            groups["sub/deep er"] = dataset(rng, zarr_only)
    return groups


def by_xarray_zarr(rng, folder, version):
    path = folder / f"xarray{version}.zarr"
    consolidated = chance(rng, 0.5)

    def store(ds, group, mode):
        ds.to_zarr(path, group=group or None, mode=mode, zarr_format=version, consolidated=False, encoding=zarr_encoding(rng, ds, version))

    put(tree(rng, True), store)
    if consolidated:
        zarr.consolidate_metadata(str(path))
    return Source(f"xarray, Zarr v{version}", str(path), "zarr", str(path), {"consolidated": consolidated})


def by_xarray_netcdf(rng, folder, engine):
    path = folder / f"xarray-{engine}.nc"

    def store(ds, group, mode):
        ds.to_netcdf(path, group=group or None, mode=mode, engine=engine, encoding=netcdf_encoding(rng, ds))

    put(tree(rng, False), store)
    return Source(f"xarray, {engine}", str(path), engine, str(path), {})


def by_netcdf4(rng, folder):
    path = folder / "netcdf4.nc"
    with netCDF4.Dataset(path, "w") as f:
        f.set_auto_maskandscale(False)
        f.createDimension("time", None if chance(rng, 0.6) else 4)
        f.createDimension("x", 3)
        f.createDimension("nchar", 5)
        f.title = text(rng)
        f.number = np.float32(1e20)
        f.texts = ["a", "µ"]
        if chance(rng, 0.7):
            t = f.createVariable("time", "f8", ("time",))
            t.units, t[:] = "hours since 1900-01-01", np.arange(4.0)
        for i in range(rng.integers(1, 5)):
            group = f.createGroup("forecast") if chance(rng, 0.3) else f
            dtype = str(rng.choice([*INTEGERS, "f4", "f8"]))
            dims = [("time", "x"), ("x",), (), ("time",)][rng.integers(4)]
            fill = [None, False, 7][rng.integers(3)]
            options = {"zlib": True, "shuffle": chance(rng, 0.5)} if dims and chance(rng, 0.5) else {}
            v = group.createVariable(f"n{i}", dtype, dims, fill_value=fill, endian=str(rng.choice(["native", "big"])), **options)
            v.set_auto_maskandscale(False)
            shape = tuple({"time": 4, "x": 3}[d] for d in dims)
            if chance(rng, 0.8) or not dims or fill is False:  # without a fill value, libraries differ in what is left
                v[...] = numbers(rng, dtype, shape)
            elif dims[0] == "time":
                begin, end = np.sort(rng.integers(0, 5, 2))  # may be shorter than its dimension
                v[begin:end] = numbers(rng, dtype, (end - begin, *shape[1:]))
            if chance(rng, 0.4):
                v.missing_value = np.dtype(dtype).type(99)
            if chance(rng, 0.3):
                v.scale_factor = np.float32(0.1)
        if chance(rng, 0.5):
            c = f.createVariable("name", "S1", ("x", "nchar"))
            if chance(rng, 0.5):
                c._Encoding = "utf-8"
            c.set_auto_chartostring(False)
            c[:] = np.array([b"abc", b"de", b""], "S5").view("S1").reshape(3, 5)
        if chance(rng, 0.5):
            s = f.createVariable("words", str, ("x",))
            s[:] = np.array(["Zürich", "", "b"], object)
        if chance(rng, 0.4):
            kinds = f.createEnumType(np.uint8, "kind_t", {"clear": 0, "cloudy": 1, "unknown": 255})
            e = f.createVariable("kind", kinds, ("x",), fill_value=255)
            e[:] = np.array([0, 1, 255], "u1")
    return Source("netCDF4", str(path), "netcdf4", str(path), {})


def by_h5py(rng, folder):
    """Files of HDF5 that know nothing of NetCDF: most datasets have no dimension scales."""
    path = folder / "h5py.h5"
    scales = chance(rng, 0.5)
    with h5py.File(path, "w", libver=str(rng.choice(["earliest", "latest"]))) as f:
        for name, value in (("f4", np.float32(1e20)), ("text", "µm"), ("bytes", np.bytes_("abc")), ("list", np.array([1.5, np.nan], "f4"))):
            if chance(rng, 0.5):
                f.attrs[name] = value
        if scales:
            for name, size in (("row", 4), ("column", 3)):
                f[name] = np.arange(size) * (1.5 if chance(rng, 0.5) else 1)
                f[name].make_scale(name)
        for i in range(rng.integers(1, 6)):
            group = f.require_group("group") if chance(rng, 0.3) else f
            shape = (4, 3) if scales else [(4, 3), (5,), (), (2, 2, 2), (4, 4)][rng.integers(5)]
            dtype = str(rng.choice([*INTEGERS, "f2", "f4", "f8", ">f4", ">i2", "?", "S3", "O"]))
            if dtype == "O":
                data, kind = strings(rng, shape), h5py.string_dtype()
            elif dtype == "S3":
                data = kind = None
                data = fixed_bytes(rng, shape).astype("S3")
                kind = data.dtype
            else:
                data, kind = numbers(rng, dtype, shape), np.dtype(dtype)
            options = {}
            if shape and chance(rng, 0.5):
                options = {"chunks": tuple(int(rng.integers(1, n + 1)) for n in shape)}
                if dtype != "O":
                    options |= {"compression": [None, "gzip", "lzf"][rng.integers(3)], "shuffle": chance(rng, 0.3)}
            if kind.kind in "iuf" and chance(rng, 0.3):
                options["fillvalue"] = 1
            d = group.create_dataset(f"d{i}", shape, kind, **options)
            if chance(rng, 0.85) or dtype == "O":
                d[...] = data
            elif shape:
                d[1:] = data[1:]
            if kind.kind in "iuf" and chance(rng, 0.3):
                d.attrs["_FillValue"] = np.array([1], kind)
            for name, value in attributes(rng, False).items():
                d.attrs[name] = value
            if scales and len(shape) == 2:
                for axis, name in enumerate(("row", "column")):
                    d.dims[axis].attach_scale(f[name])
    return Source("h5py", str(path), "h5netcdf", str(path), {"phony_dims": "sort"}, scales)


def by_gdal(rng, folder):
    dtype = str(rng.choice(["uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"]))
    bands, height, width = int(rng.integers(1, 4)), int(rng.integers(2, 40)), int(rng.integers(2, 40))
    form = str(rng.choice(["ZARR_V2", "ZARR_V3", "NC4"]))
    nodata = rng.choice([None, 0, 99, np.nan if dtype[0] == "f" else 1]) if form == "NC4" else None  # its Zarr has none
    common = dict(width=width, height=height, count=bands, dtype=dtype, nodata=nodata, crs="EPSG:4326")
    common["transform"] = rasterio.transform.from_origin(5.5, 47.5, 0.1, 0.1)
    compress = str(rng.choice(["NONE", "DEFLATE" if form == "NC4" else "ZSTD"]))
    path, driver = folder / ("gdal.nc" if form == "NC4" else "gdal.zarr"), "netCDF" if form == "NC4" else "Zarr"
    with rasterio.open(folder / "gdal.tif", "w", driver="GTiff", **common) as f:
        f.write(numbers(rng, dtype, (bands, height, width)))
        f.update_tags(unit="µm")
    rasterio.shutil.copy(folder / "gdal.tif", path, driver=driver, FORMAT=form, COMPRESS=compress)
    engine = "h5netcdf" if form == "NC4" else "zarr"
    return Source(f"GDAL, {form}", str(path), engine, str(path), {} if form == "NC4" else {"consolidated": None})


def by_kerchunk(rng, folder):
    source = by_xarray_netcdf(rng, folder, str(rng.choice(["netcdf4", "h5netcdf"]))) if chance(rng, 0.7) else by_netcdf4(rng, folder)
    with open(source.opened, "rb") as f:
        document = kerchunk.hdf.SingleHdf5ToZarr(f, source.opened, inline_threshold=int(rng.choice([0, 100]))).translate()
    path = folder / "kerchunk.json"
    path.write_text(json.dumps(document))
    return references("kerchunk", path)


def references(kind, path):
    options = {"consolidated": False, "storage_options": {"fo": str(path), "remote_protocol": "file"}}
    return Source(kind, f"reference:{path}", "zarr", "reference://", options)


KINDS = {
    "zarr2": (5, lambda rng, folder: by_xarray_zarr(rng, folder, 2)),
    "zarr3": (4, lambda rng, folder: by_xarray_zarr(rng, folder, 3)),
    "netcdf4": (3, lambda rng, folder: by_xarray_netcdf(rng, folder, "netcdf4")),
    "h5netcdf": (3, lambda rng, folder: by_xarray_netcdf(rng, folder, "h5netcdf")),
    "netCDF4": (3, by_netcdf4),
    "h5py": (3, by_h5py),
    "gdal": (2, by_gdal),
    "kerchunk": (3, by_kerchunk),
}


def write(rng, folder, kind=None):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    kinds = [name for name, (share, _) in KINDS.items() for _ in range(share)]
    return KINDS[kind or str(rng.choice(kinds))][1](rng, folder)


# Attributes that say how elements are decoded, with another value; None: an attribute that says nothing about them.
VARIATIONS = {
    None: lambda rng, a: a | {"comment": "of the second file"},
    "units": lambda rng, a: a | {"units": "km"},
    "scale_factor": lambda rng, a: a | {"scale_factor": 0.2},
    "add_offset": lambda rng, a: a | {"add_offset": 7.5},
    "_FillValue": lambda rng, a: a | {"_FillValue": np.int16(-3)},
    "missing_value": lambda rng, a: a | {"missing_value": np.int16(-4)},
    "_Unsigned": lambda rng, a: a | {"_Unsigned": "true"},
    "valid_range": lambda rng, a: a | {"valid_range": np.array([0, 5], "i2")},
    "flag_meanings": lambda rng, a: a | {"flag_meanings": "c d"},
    "grid_mapping": lambda rng, a: a | {"grid_mapping": "other_crs"},
    "dtype": lambda rng, a: a | {"dtype": "bool"},
}


def pair(rng, variation):
    """Two datasets of one variable along time. The second has other attributes if `variation` names one."""
    attrs = {"units": "m", "scale_factor": 0.1, "_FillValue": np.int16(-1), "missing_value": np.int16(-1), "flag_meanings": "a b"}
    attrs |= {"valid_range": np.array([0, 9], "i2"), "grid_mapping": "crs", "long_name": "größe"}
    for name in list(attrs):
        if name != variation and name not in ("units", "scale_factor") and chance(rng, 0.5):
            del attrs[name]
    made = []
    for i in range(2):
        own = VARIATIONS[variation](rng, attrs) if i else attrs
        made.append(xr.Dataset({"v": (("time", "x"), numbers(rng, "i2", (4, 3)), own)}))
    return made


def time_pair(rng):
    """Two datasets whose coordinate of time has other reference dates, units or calendars, as xarray writes them."""
    dtype = str(rng.choice(["i4", "i8", "f8"]))
    calendar = str(rng.choice(CALENDARS[:-1]))
    units = ["hours since 2000-01-01", "hours since 2000-01-05 06:00:00"]
    kind = rng.integers(0, 4)
    if kind == 0:
        units = ["hours since 2000-01-01", "days since 1999-12-01"]
    elif kind == 1:
        units = ["days since 2000-01-01", "days since 2000-01-01 00:00:00"]
    elif kind == 2:
        units = ["seconds since 1950-01-01", f"{rng.choice(['minutes', 'days', 'hours'])} since 2000-03-01 12:30:00"]
    made = []
    for i in range(2):
        attrs = {"units": units[i], "calendar": calendar}
        values = (np.arange(4) + 10 * i).astype(dtype)
        if dtype[0] == "f" and "gregorian" in calendar:  # xarray decodes NaN of others as their reference date
            attrs["_FillValue"] = np.float64(np.nan)
            values[rng.integers(4)] = np.nan
        made.append(xr.Dataset({"time": (("time",), values, attrs)}))
    return made


def write_pair(rng, folder, made):
    """The sources of a pair, in one format."""
    form = str(rng.choice(["zarr2", "zarr3", "netcdf4", "h5netcdf"]))
    sources = []
    for i, ds in enumerate(made):
        path = folder / (f"part{i}.zarr" if form.startswith("zarr") else f"part{i}.nc")
        if form.startswith("zarr"):
            encoding = {name: {"chunks": (2, *v.shape[1:])} for name, v in ds.variables.items()}
            ds.to_zarr(path, zarr_format=int(form[-1]), consolidated=False, encoding=encoding, mode="w")
            sources.append(Source(form, str(path), "zarr", str(path), {"consolidated": False}))
        else:
            encoding = {name: {"chunksizes": (2, *v.shape[1:])} for name, v in ds.variables.items()}
            ds.to_netcdf(path, engine=form, encoding=encoding)
            sources.append(Source(form, str(path), form, str(path), {}))
    return sources
