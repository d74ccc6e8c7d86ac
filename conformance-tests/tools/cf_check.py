"""Random datasets of the CF conventions, decoded by shardkit as xarray decodes them.

    cf_check.py DIR COUNT SHARDKIT [SEED]       compare COUNT datasets
    cf_check.py DIR files SHARDKIT [SEED]       compare files in the forms of public data sets (see cf_files.py)
    cf_check.py --fixture FILE COUNT SEED       write an archive of datasets and the lines of xarray; CfSamplesTest
                                                reads formats/cf/src/test/resources/dev/shardkit/cf/samples.zip

SHARDKIT is the command, a folder of its jars, or a class path with the test classes of formats/cf; formats/cf/src/test/java/dev/shardkit/cf/CfLines.java prints what they read.
Each dataset has coordinates (ascending, descending, unsorted, float32, float64, integers, texts; with two dimensions,
with none, and named by the attribute coordinates), times of all calendars and units, and variables of all numeric types
with scale_factor, add_offset, _FillValue, missing_value, _Unsigned, valid ranges and flags, booleans, texts, character
arrays, time spans, datetime64 and timedelta64, in Zarr v2 and v3, with and without shards. Values, result types,
dimensions and selections must be equal: by labels and beside them, with and without tolerance, by lists, ranges,
periods, points and cyclic longitudes. Selections that xarray refuses must be refused. Then shardkit writes the values
into a copy without elements, which xarray must open with the same values. The command's physical statistics, first
values and CSV tables must be those of NumPy, xarray and pandas. Prints its seed; SEED:NUMBER repeats one dataset. Wrong
datasets stay in DIR.
Needs the libraries of xarray-requirements.txt.
"""

import csv
import datetime
import decimal
import functools
import io
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile

import cftime
import numpy as np
import pandas as pd
import xarray as xr
import zarr

import cf_files
from one_process import OneProcess
from xarray_check import command_jars

warnings.simplefilter("ignore")
CALENDARS = ["standard", "gregorian", "proleptic_gregorian", "julian", "noleap", "365_day", "all_leap", "366_day", "360_day"]
UNITS = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"]
NUMPY_UNITS = ["D", "h", "m", "s", "ms", "us", "ns"]
REFERENCES = ["2000-01-01", "1970-01-01 00:00:00", "1900-01-01T00:00:00+01:00", "1850-06-01 12:30", "0001-01-01", "1600-02-28"]
HERE = pathlib.Path(__file__).resolve().parent
LINES = HERE.parent.parent / "formats/cf/src/test/java/dev/shardkit/cf/CfLines.java"


def times(random, length):
    unit, reference = random.choice(UNITS), random.choice(REFERENCES)
    step = {"days": 1, "hours": 6, "minutes": 30, "seconds": 3600}.get(unit, 10 ** {"mil": 5, "mic": 8, "nan": 11}.get(unit[:3], 0))
    values = np.cumsum(random.integers(1, 4, length)) * step + random.integers(0, 1000) * step
    if random.random() < 0.4:
        values = values + random.choice([0, 0.25, 0.1, 1 / 3])
        values = values.astype(random.choice(["f4", "f8"])) if random.random() < 0.3 else values.astype("f8")
    else:
        values = values.astype("i8" if step > 10**6 else random.choice(["i4", "i8"]))
    attributes = {"units": f"{unit} since {reference}"}
    if random.random() < 0.85:
        attributes["calendar"] = str(random.choice(CALENDARS))
    return values, attributes


def axis(random, length, low, high):
    values = np.sort(random.choice(np.arange(low * 4, high * 4), length, replace=False)) / 4
    if random.random() < 0.5:
        values = values[::-1]
    if random.random() < 0.3:
        values = np.unique(np.rint(values).astype("i4"))
        return values + (random.choice([0, 2**53]) if low == 0 else 0), {}
    if random.random() < 0.1:
        random.shuffle(values)
    return values.astype(random.choice(["f4", "f8"])) + random.choice([0, 0.1]), {}


def packed(random, shape):
    """Stored numbers and their attributes."""
    kind = str(random.choice(["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]))
    dtype = np.dtype(kind)
    if dtype.kind == "f":
        values = random.choice([random.normal(size=shape), np.rint(random.normal(size=shape) * 3)]).astype(dtype)
        values = np.where(random.random(shape) < 0.1, np.nan, values).astype(dtype)
    else:
        info = np.iinfo(dtype)
        low, high = (info.min, info.max) if random.random() < 0.2 else (max(info.min, -50), min(info.max, 50))
        values = random.integers(low, high, shape, dtype=dtype, endpoint=True)
    attributes = {}
    is_scaled = kind != "f2"  # xarray computes with 16 bits, shardkit with 32
    if random.random() < 0.3:  # xarray and shardkit ignore it
        low, high = int(random.choice([-2, 0, 3])) if dtype.kind != "u" else 3, 40
        attributes.update({"valid_range": [low, high]} if random.random() < 0.5 else {"valid_min": low, "valid_max": high})
    if is_scaled and random.random() < 0.5:
        attributes["scale_factor"] = float(random.choice([0.1, 0.01, 2.5, 1e-5]))
    if is_scaled and random.random() < 0.4:
        attributes["add_offset"] = float(random.choice([273.15, -1.5, 1e4]))
    if random.random() < 0.1 and "add_offset" not in attributes and dtype.kind != "f":
        return values, {"scale_factor": 3}
    fill = values.flat[0] if values.size and not np.isnan(values.flat[0]) else dtype.type(7)
    choice = random.random()
    if choice < 0.3:
        attributes["_FillValue"] = fill
    elif choice < 0.45:
        attributes["missing_value"] = fill.item()
    elif choice < 0.6:
        attributes["_FillValue"] = fill
        attributes["missing_value"] = fill.item()
    elif choice < 0.7:
        attributes["missing_value"] = [fill.item(), (dtype.type(3)).item()]
    elif choice < 0.8 and dtype.kind == "f":
        attributes["_FillValue"] = dtype.type(np.nan)
    if dtype.kind == "i" and random.random() < 0.2 and "missing_value" not in attributes:
        attributes["_Unsigned"] = "true"
    if dtype.kind == "u" and random.random() < 0.2 and "missing_value" not in attributes:
        attributes["_Unsigned"] = "false"
    if dtype.kind in "iu" and random.random() < 0.3 and not {"scale_factor", "add_offset", "_Unsigned"} & set(attributes):
        attributes["flag_meanings"] = "none one several"
        which = random.random()
        if which < 0.7:
            attributes["flag_values"] = [0, 1, 6]
        if which > 0.4:
            attributes["flag_masks"] = [7, 1, 6]
    if random.random() < 0.3:
        attributes["units"] = str(random.choice(["K", "m s-1", "days", "percent"]))
    if attributes.get("units") == "days" and dtype.kind != "f" and ("_FillValue" in attributes or "missing_value" in attributes):
        del attributes["units"]  # xarray leaves the least int64 in place of missing elements
    return values, attributes


def dataset(random):
    variables, coordinates = {}, {}
    sizes = {"time": int(random.integers(2, 9)), "lat": int(random.integers(2, 9)), "lon": int(random.integers(2, 12))}
    coordinates["time"] = ("time", *times(random, sizes["time"]))
    lat, lat_attributes = axis(random, sizes["lat"], -90, 90)
    lon, lon_attributes = axis(random, sizes["lon"], 0, 360)
    coordinates["lat"] = ("lat", lat, lat_attributes)
    coordinates["lon"] = ("lon", lon, lon_attributes)
    sizes["lat"], sizes["lon"] = len(lat), len(lon)
    if random.random() < 0.4:
        coordinates["band"] = ("lat", axis(random, 40, 0, 100)[0][: sizes["lat"]])
    if random.random() < 0.3:
        coordinates["height"] = ((), 2.5, {"units": "m"})
    if random.random() < 0.3:
        coordinates["surface"] = (("lat", "lon"), *packed(random, (sizes["lat"], sizes["lon"])))
    if random.random() < 0.3:
        names = [f"{letter}\u00e9{i}" for i, letter in enumerate("dacb")]
        coordinates["station"] = ("station", np.array(names, dtype="U"))
        variables["v_station"] = (("station", "time"), *packed(random, (4, sizes["time"])))
    for i in range(int(random.integers(1, 6))):
        dims = [("time", "lat", "lon"), ("time",), ("lat", "lon"), ()][int(random.choice([0, 0, 0, 1, 2, 3]))]
        values, attributes = packed(random, tuple(sizes[d] for d in dims))
        variables[f"v{i}"] = (dims, values, attributes)
    if random.random() < 0.4:
        values, attributes = times(random, sizes["time"])
        if values.dtype.kind == "i":
            attributes["_FillValue"] = values[0]
        else:
            values[0] = np.nan
        variables["moment"] = ("time", values, attributes)
    if random.random() < 0.3:
        variables["flag"] = ("lat", random.random(sizes["lat"]) < 0.5)
    if random.random() < 0.3:
        variables["stored_flag"] = ("lat", random.integers(0, 2, sizes["lat"], dtype="i1"), {"dtype": "bool"})
    if random.random() < 0.3:
        variables["name"] = ("lat", np.array([f"n\u00e4me {i}" for i in range(sizes["lat"])], dtype="U"))
    if random.random() < 0.3:
        variables["letters"] = (("lat", "letters_len"), np.array([list(f"st{i:03d}"[:5]) for i in range(sizes["lat"])], dtype="S1"))
    if random.random() < 0.3:
        attributes = {"units": "hours", "dtype": "timedelta64[ns]"}
        variables["step"] = ("time", random.integers(0, 100, sizes["time"]), attributes)
    if random.random() < 0.3:
        bounds = np.stack([coordinates["time"][1], coordinates["time"][1] + 1], 1)
        coordinates["time"][2]["bounds"] = "time_bnds"
        variables["time_bnds"] = (("time", "bnds"), bounds)
    return xr.Dataset(variables, coordinates)


def write(stored, path, random):
    zarr_format = int(random.choice([2, 3]))
    encoding = {}
    for name, variable in stored.variables.items():
        if variable.ndim == 3:
            chunks = tuple(max(1, s // 2) for s in variable.shape)
            encoding[name] = {"chunks": chunks}
            if zarr_format == 3 and random.random() < 0.5:
                encoding[name]["shards"] = tuple(c * 2 for c in chunks)
        elif "_FillValue" not in variable.attrs and variable.dtype.kind == "f":
            encoding[name] = {"_FillValue": None}
    is_consolidated = bool(random.random() < 0.5)
    stored.to_zarr(path, mode="w", zarr_format=zarr_format, consolidated=is_consolidated, encoding=encoding)
    group = zarr.open_group(path, mode="r+", use_consolidated=False)
    for kind in [k for k in "Mm" if random.random() < 0.3]:  # xarray would write numbers with units
        unit = str(random.choice(NUMPY_UNITS))
        values = random.integers(-(10**5), 10**5, stored.sizes["time"]) * 10 ** {"s": 4, "ms": 7, "us": 10, "ns": 13}.get(unit, 0)
        values[0] = np.iinfo("i8").min
        named = {"dimension_names": ("time",)} if zarr_format == 3 else {"attributes": {"_ARRAY_DIMENSIONS": ["time"]}}
        group.create_array({"M": "instant", "m": "interval"}[kind], data=values.view(f"{kind}8[{unit}]"), **named)
    if is_consolidated:
        zarr.consolidate_metadata(path)


def moment(value):
    if value is None or value is np.nan or isinstance(value, float) or (isinstance(value, np.datetime64) and np.isnat(value)):
        return "NaT"
    if isinstance(value, np.datetime64) and np.datetime_data(value.dtype)[0] in "Dhm":
        value = value.astype("datetime64[s]")
    text = str(value) if isinstance(value, np.datetime64) else value.isoformat()
    return text.rstrip("0").rstrip(".") if "." in text else text


def line(array):
    values = np.asarray(array.values)
    kind = values.dtype.kind
    flat = values.ravel()
    if kind == "M" or kind == "O" and flat.size and any(isinstance(v, cftime.datetime) for v in flat):
        name, texts = "time", [moment(v) for v in flat]
    elif kind == "m":
        name, texts = "duration", ["NaT" if np.isnat(v) else str(v.astype("timedelta64[ns]").astype(np.int64)) for v in flat]
    elif kind == "b":
        name, texts = "boolean", [str(bool(v)).lower() for v in flat]
    elif kind in "OUTS":
        name = "text"
        texts = ["NaN" if isinstance(v, float) else "'" + (v.decode() if isinstance(v, bytes) else str(v)).replace(" ", "_") + "'" for v in flat]
    elif kind == "f":
        name = str(values.dtype)
        texts = ["NaN" if np.isnan(v) else str(np.float64(v).view(np.int64)) for v in flat]
    else:
        name, texts = str(values.dtype), [str(int(v)) for v in flat]
    name = "float32" if name == "float16" else name  # shardkit has no float16
    return "\t".join([name, ",".join(array.dims), " ".join(texts)])


def label(value):
    """The text of a label."""
    if isinstance(value, np.datetime64 | cftime.datetime):
        return moment(value)
    return str(value) if isinstance(value, str | int | np.integer) else repr(float(value))


def beside(one, random):
    """A label, or a value near it."""
    if isinstance(one, str):
        return one if random.random() < 0.8 else "zz"
    if isinstance(one, np.datetime64 | cftime.datetime):
        seconds = float(random.choice([0, 0, 1, -1, 0.25, 1020, 3600, -7200, 86400]))
        return one + (np.timedelta64(int(seconds * 1000), "ms") if isinstance(one, np.datetime64) else datetime.timedelta(seconds=seconds))
    if isinstance(one, np.integer):
        return int(one) + int(random.choice([0, 1, -1])) if random.random() < 0.6 or abs(one) > 2**50 else float(one) + 0.25
    return type(one)(one + random.choice([0, 0.25, 0.125, 0.3, -0.3]))


class Query:
    """Selections of one variable, with the answer of xarray: refused (None) if it raises a KeyError."""

    def __init__(self, array, random):
        self.answer, self.random, self.steps = array, random, []

    def select(self, step, choose):
        self.steps.append(step)
        if self.answer is not None:
            try:
                self.answer = choose(self.answer)
            except KeyError:
                self.answer = None

    def method(self, how, index):
        """The argument `method` of xarray, which counts positions in place of labels."""
        after = {"before": "ffill", "after": "bfill"} if index.is_monotonic_increasing else {"before": "bfill", "after": "ffill"}
        return {"exact": None, "nearest": "nearest"}.get(how, after.get(how))

    def along(self, name, labels, index):
        """Adds a selection by a coordinate with one dimension."""
        random = self.random
        is_text, is_time = isinstance(labels[0], str), isinstance(labels[0], np.datetime64 | cftime.datetime)
        is_sorted = index.is_monotonic_increasing or index.is_monotonic_decreasing
        ways = ["exact", "list"]
        if is_sorted and not is_text:
            ways += ["nearest", "before", "after", "range", "tolerance"]
        if is_sorted and is_time:
            ways += ["within", "within", "periods"]
        if is_sorted and name == "lon" and np.array_equal(labels * 4, np.rint(labels * 4)) and labels.max() < 360:
            ways += ["cyclic"] * 3
        how = str(random.choice(ways))
        one, other = beside(random.choice(labels), random), beside(random.choice(labels), random)
        low, high = (one, other) if is_text or one <= other else (other, one)
        first, last = (low, high) if index.is_monotonic_increasing else (high, low)
        if how == "list":
            how = str(random.choice(["exact", "nearest", "before", "after"])) if is_sorted and not is_text else "exact"
            chosen = [random.choice(labels) if random.random() < 0.8 else beside(random.choice(labels), random) for _ in range(random.integers(1, 5))]
            words = " ".join(label(value) for value in chosen)
            self.select(f"{name} list {how} {words}", lambda a: a.sel({name: chosen}, method=self.method(how, index)))
        elif how == "range":
            self.select(f"{name} range {label(other)} {label(one)}", lambda a: a.sel({name: slice(first, last)}))
        elif how == "tolerance":
            tolerance = random.choice([0, 1, 3600, 86400]) if is_time else random.choice([0, 0.1, 0.2, 0.26, 2])
            word = f"PT{tolerance}S" if is_time else repr(float(tolerance))
            limit = tolerance if not is_time else datetime.timedelta(seconds=int(tolerance))
            limit = np.timedelta64(limit) if isinstance(labels[0], np.datetime64) else limit
            self.select(f"{name} tolerance {label(one)} {word}", lambda a: a.sel({name: one}, method="nearest", tolerance=limit))
        elif how in ("within", "periods"):
            period = moment(low)[: random.choice([4, 7, 10, 13, 16, 19])]
            end = period if how == "within" else moment(high)[: random.choice([4, 7, 10, 13, 16, 19])]
            words = period if how == "within" else f"{period} {end}"
            self.select(f"{name} {how} {words}", lambda a: a.sel({name: slice(period, end)}))  # times ascend here
        elif how == "cyclic":
            self.cyclic(name, labels)
        else:
            self.select(f"{name} {how} {label(one)}", lambda a: a.sel({name: one}, method=self.method(how, index)))

    def cyclic(self, name, labels):
        """Compares with three turns of a coordinate beside each other."""
        random = self.random

        def turned(a):
            return xr.concat([a.assign_coords({name: a[name].astype("f8") + turn}) for turn in (-360, 0, 360)], name).sortby(name).transpose(*a.dims)

        value = float(random.choice(labels)) + float(random.choice([0, 0.1, -0.1])) + int(random.choice([-360, 0]))
        how = str(random.choice(["exact", "nearest", "before", "after", "range"]))
        if how == "range":
            end = value + float(random.choice([0, 0.5, 90, 359.5]))
            self.select(f"{name} cyclic range {value!r} {end!r}", lambda a: turned(a).sel({name: slice(value, end)}))
        else:
            method = {"nearest": "nearest", "before": "ffill", "after": "bfill"}.get(how)
            self.select(f"{name} cyclic {how} {value!r}", lambda a: turned(a).sel({name: value}, method=method))

    def points(self, labels, indexes):
        """Ends with a selection of points in all dimensions that remain."""
        is_sorted = all(i.is_monotonic_increasing for i in indexes.values()) and not any(isinstance(of[0], str) for of in labels.values())
        how = str(self.random.choice(["exact", "nearest", "before", "after"])) if is_sorted else "exact"
        count = self.random.integers(1, 5)
        chosen = {name: [self.random.choice(of) if how == "exact" else beside(self.random.choice(of), self.random) for _ in range(count)] for name, of in labels.items()}
        words = " ".join(f"{name}={','.join(label(v) for v in values)}" for name, values in chosen.items())
        wanted = {name: xr.DataArray(values, dims="point") for name, values in chosen.items()}
        method = self.method(how, next(iter(indexes.values())))
        self.select(f"points {how} {words}", lambda a: a.sel(wanted, method=method))

    def line(self, name):
        return f"{name}\t{';'.join(self.steps)}", "refused" if self.answer is None else line(self.answer)


def queries(data, random, names):
    """Selections of variables, each with the answer of xarray."""
    result = []
    for name in names:
        array = data[name]
        labels = {dim: data[dim].values for dim in array.dims}
        if any(of.dtype.kind == "O" and isinstance(of[0], float) for of in labels.values()):
            continue  # missing times
        indexes = {dim: data.indexes[dim] for dim in array.dims}
        for _ in range(3):
            query = Query(array, random)
            left = list(array.dims)
            for dim in array.dims:
                if random.random() < 0.2:
                    i = int(random.integers(len(labels[dim])))
                    query.select(f"{dim} index {i}", lambda a, dim=dim, i=i: a.isel({dim: i}))
                    left.remove(dim)
            try:
                if left and random.random() < 0.25:
                    query.points({dim: labels[dim] for dim in left}, {dim: indexes[dim] for dim in left})
                    left = []
                for dim in left:
                    if random.random() < 0.2:
                        continue
                    if dim == "lat" and "band" in array.coords and random.random() < 0.4:
                        query.answer = query.answer if query.answer is None else query.answer.set_xindex("band")
                        query.along("band", array["band"].values, pd.Index(array["band"].values))
                    else:
                        query.along(dim, labels[dim], indexes[dim])
            except (ValueError, OverflowError):  # pandas does not parse each year
                continue
            if query.steps:
                result.append(query.line(name))
    return result


def meanings(location):
    """The meanings of flags in a dataset, one line for each variable that has them."""
    stored = xr.open_zarr(location, consolidated=False, decode_cf=False)
    for name, array in stored.variables.items():
        if "flag_meanings" in array.attrs:
            names = array.attrs["flag_meanings"].split()
            masks, values = array.attrs.get("flag_masks", [-1] * len(names)), array.attrs.get("flag_values", [None] * len(names))
            flags = list(zip(names, masks, values, strict=True))
            texts = ["+".join(n for n, m, w in flags if ((v & m) != 0 if w is None else (v & m) == w)) for v in map(int, array.values.ravel())]
            yield f"{name}\tflags", " ".join(texts)


def opened(location):
    """Returns a dataset. xarray 2026.9 takes missing moments for the reference time where java.time has no calendar."""
    data = xr.open_zarr(location, consolidated=False).load()
    if "moment" in data and data["moment"].dtype.kind == "O":
        data["moment"].values[0] = None
    return data


def make(folder, seed, number):
    """Makes a dataset; returns the lines of xarray."""
    random = np.random.default_rng([seed, number])
    for _ in range(50):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            write(dataset(random), folder / "data.zarr", random)
            data = opened(folder / "data.zarr")
            break
        except (ValueError, OverflowError) as e:  # xarray does not decode each unit in each calendar
            refused = e
    else:
        raise refused
    lines = [f"{name}\t\t{line(data[name])}" for name in sorted(data.variables)]
    asked = queries(data, random, [n for n in data.data_vars if n.startswith("v") and data[n].ndim > 0])
    asked += meanings(folder / "data.zarr")
    (folder / "queries.txt").write_text("".join(query + "\n" for query, _ in asked))
    elements = functools.partial(filter, re.compile(r"c|\d+(\.\d+)*").fullmatch)
    shutil.copytree(folder / "data.zarr", folder / "copy.zarr", ignore=lambda _, names: set(elements(names)))
    return lines + [f"{query}\t{answer}" for query, answer in asked]


def made_files(folder, seed):
    """Makes the files of cf_files; returns the lines of xarray, and the datasets with their files, by name."""
    random = np.random.default_rng(seed)
    expected, opened_files = {}, {}
    for name, path, options in cf_files.files(random, folder):
        data = xr.open_dataset(path, **options).load()
        data.close()
        lines = [f"{variable}\t\t{line(data[variable])}" for variable in sorted(data.variables)]
        asked = queries(data, random, [n for n in data.data_vars if selectable(data, n)])
        (folder / name / "queries.txt").write_text("".join(query + "\n" for query, _ in asked))
        (folder / name / "location.txt").write_text(str(path))
        expected[name] = lines + [f"{query}\t{answer}" for query, answer in asked]
        opened_files[name] = (path, data)
    return expected, opened_files


def selectable(data, name):
    """Whether each dimension of a variable has sorted labels."""
    array = data[name]
    is_labelled = all(d in data.indexes and data.indexes[d].is_unique and data[d].dtype.kind in "fiuMO" for d in array.dims)
    is_sorted = is_labelled and all(data.indexes[d].is_monotonic_increasing or data.indexes[d].is_monotonic_decreasing for d in array.dims)
    return array.ndim > 0 and is_sorted and not any(data[d].dtype.kind == "O" and isinstance(data[d].values[0], str) for d in array.dims)


class Commands:
    """Compares what the command prints with xarray, NumPy and pandas."""

    def __init__(self, jars):
        self.run = OneProcess(jars)
        self.compared = self.wrong = 0

    def check(self, where, found, expected, same=None):
        self.compared += 1
        if not (same(found, expected) if same else found == expected):
            self.wrong += 1
            print(f"{where}: expected {str(expected)[:300]}\n{' ' * 8}found {str(found)[:300]}")

    def dataset(self, where, folder, random):
        location = folder / "data.zarr"
        data = opened(location)
        for name in data.data_vars:
            array = data[name]
            if array.dtype.kind in "fiub":
                self.statistics(f"{where}: stats {name}", f"{location}/{name}", array)
            self.table(f"{where}: export {name}", f"{location}/{name}", array, names_own=name in ("instant", "interval"))
            if array.dtype.kind == "f" and array.ndim == 3:
                self.part(f"{where}: part of {name}", f"{location}/{name}", array, random)

    def rewritten(self, where, folder, refused):
        """What shardkit wrote into the copy, which had no elements. `refused` has the reasons of variables without."""
        data, copy = opened(folder / "data.zarr"), opened(folder / "copy.zarr")
        stored = xr.open_zarr(folder / "data.zarr", consolidated=False, decode_cf=False)
        for name in data.variables:
            if name in refused:
                is_half = stored[name].dtype == "f2"
                numbers = stored[name].values.ravel()
                if "_Unsigned" in stored[name].attrs and numbers.dtype.itemsize == 8:
                    numbers = numbers.view("u8")
                is_large = numbers.dtype.kind in "iu" and max(abs(int(v)) for v in numbers) >= 2**53  # double rounds them
                self.check(f"{where}: {name} is not written: {refused[name]}", is_half or is_large, True)
            else:
                self.check(f"{where}: written {name}", copy[name], data[name], same_values)

    def file(self, where, path, data):
        for name in data.data_vars:
            array = data[name]
            location = f"{path}/{name}" if path.suffix == ".zarr" else f"{path}!{name}"
            if array.dtype.kind in "fiub" and array.size:
                self.statistics(f"{where}: stats {name}", location, array)
            self.table(f"{where}: export {name}", location, array, names_own=True)

    def statistics(self, where, location, array, *options):
        found = json.loads(self.run("stats", location, "--physical", "--json", *options))
        values = array.values.astype("f8" if array.dtype.kind in "fb" else array.dtype).ravel()
        there = values[~np.isnan(values)] if values.dtype.kind == "f" else values
        self.check(where, (found["elements"], found["missing"]), (values.size, values.size - there.size))
        finite = there[np.isfinite(there)] if values.dtype.kind == "f" else there
        if not finite.size:
            self.check(where, "mean" in found, False)
            return
        near = functools.partial(math.isclose, rel_tol=1e-12, abs_tol=1e-12 * float(np.abs(finite).max()))
        self.check(f"{where} min", np.float32(found["min"]) if array.dtype in ("f2", "f4") else found["min"], finite.min())
        self.check(f"{where} max", np.float32(found["max"]) if array.dtype in ("f2", "f4") else found["max"], finite.max())
        self.check(f"{where} mean", found["mean"], float(np.mean(finite.astype("f8"))), near)
        self.check(f"{where} histogram", sum(b["count"] for b in found["histogram"]), finite.size)

    def table(self, where, location, array, *options, names_own=False):
        found = list(csv.reader(io.StringIO(self.run("export", location, "--physical", "--format", "csv", "-o", "-", *options).decode())))
        if not array.ndim:  # no data frame of pandas
            self.check(where, len(found), 2)
            self.check(where, found[1][found[0].index(array.name)], array.values[()], same_cell)
            return
        frame = array.to_dataframe(name=array.name).reset_index()
        columns = sorted(frame.columns)
        if names_own:  # xarray gives it the coordinates that other variables name, too
            columns = sorted({array.name, *array.dims, *(c for c in found[0] if c in columns)})
        self.check(f"{where} columns", sorted(found[0]), columns)
        self.check(f"{where} first columns", found[0][: array.ndim], list(array.dims))
        if len(found) != len(frame) + 1:
            self.check(f"{where} rows", len(found) - 1, len(frame))
            return
        for column in found[0]:
            texts = [row[found[0].index(column)] for row in found[1:]]
            wanted = array[column].broadcast_like(array).transpose(*array.dims) if column != array.name else array
            for text, value in zip(texts, np.asarray(wanted.values).ravel(), strict=True):
                self.check(f"{where} {column}", text, value, same_cell)

    def part(self, where, location, array, random):
        """A part in time and latitude: its first values, its statistics and its table."""
        lat = array["lat"].values
        if array["time"].dtype.kind not in "M" or not lat.size:
            return
        moment = array["time"].values[random.integers(array.sizes["time"])]
        low, high = sorted(random.choice(lat, 2))
        part = array.sel(time=moment)
        part = part.isel(lat=np.nonzero((lat >= low) & (lat <= high))[0])
        chosen = f"time={str(moment)},lat={float(low)!r}..{float(high)!r}"
        if moment == np.datetime64(str(moment)[:19]):
            self.statistics(where, location, part, "--sel", chosen)
            self.table(where, location, part, "--sel", chosen)
            head = json.loads(self.run("head", location, "--physical", "--json", "-n", "3", "--sel", chosen))
            first = part.values[:3, :3]
            self.check(f"{where} head", np.shape(head), first.shape)
            for mine, theirs in zip(np.ravel(head), first.ravel(), strict=False):
                self.check(f"{where} head", mine, theirs, lambda a, b: math.isnan(b) if a is None else part.dtype.type(a) == b)


def same_values(found, expected):
    if line(found) == line(expected):
        return True
    if found.dims != expected.dims or found.dtype != expected.dtype:
        return False
    if found.dtype.kind == "f":  # dividing by a factor and multiplying again rounds
        return np.allclose(found, expected, rtol=1e-6 if found.dtype != "f8" else 1e-14, atol=0, equal_nan=True)
    # a fraction of a day, rounded to nanoseconds
    return found.dtype.kind == "M" and bool(np.all(np.isnat(expected) | (abs(found - expected).values <= np.timedelta64(1, "ns"))))


def same_cell(text, value):
    if value is None:
        return text == ""
    if isinstance(value, np.datetime64 | np.timedelta64 | float | np.floating) and np.isnan(value):
        return text == ""
    if isinstance(value, np.datetime64):
        return np.datetime64(text, "ns") == value
    if isinstance(value, cftime.datetime):
        return moment(value) == text
    if isinstance(value, np.timedelta64):
        days, clock = re.fullmatch(r"P(?:(-?\d+)D)?(?:T(.*))?", text).groups()  # pandas does not parse PT100H
        parts = {unit: decimal.Decimal(number) for number, unit in re.findall(r"(-?[\d.]+)([HMS])", clock or "")}
        seconds = int(days or 0) * 86400 + parts.get("H", 0) * 3600 + parts.get("M", 0) * 60 + parts.get("S", 0)
        return int(seconds * 10**9) == int(value.astype("timedelta64[ns]").astype("i8"))
    if isinstance(value, bool | np.bool_):
        return text == str(value).lower()
    if isinstance(value, float | np.floating):
        return type(value)(text) == value
    if isinstance(value, int | np.integer):
        return int(text) == value
    return text == (value.decode() if isinstance(value, bytes) else str(value))


def main():
    if sys.argv[1] == "--fixture":
        count, seed = int(sys.argv[3]), int(sys.argv[4])
        with tempfile.TemporaryDirectory() as made:
            root = pathlib.Path(made)
            for number in range(count):
                folder = root / str(number)
                lines = make(folder, seed, number)
                (folder / "expected.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
                shutil.rmtree(folder / "copy.zarr")
            with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as archive:
                for file in sorted(f for f in root.rglob("*") if f.is_file()):
                    archive.writestr(zipfile.ZipInfo(str(file.relative_to(root))), file.read_bytes(), zipfile.ZIP_DEFLATED)
        return 0
    root, jars = pathlib.Path(sys.argv[1]), command_jars(sys.argv[3])
    given = sys.argv[4] if len(sys.argv) > 4 else str(time.time_ns() % 10**9)
    seed = int(given.split(":")[0])
    print(f"seed {seed}")
    is_random = sys.argv[2] != "files"
    expected = {}
    if not is_random:
        root.mkdir(parents=True, exist_ok=True)
        expected, opened_files = made_files(root, seed)
    for number in ([int(given.split(":")[1])] if ":" in given else range(int(sys.argv[2]))) if is_random else []:
        try:
            expected[str(number)] = make(root / str(number), seed, number)
        except Exception as e:  # xarray cannot open what it wrote
            print(f"{seed}:{number}: left out: {type(e).__name__}: {e}")
    program = ["-cp", jars, "dev.shardkit.cf.CfLines"] if os.pathsep in jars else ["-cp", f"{jars}/*", str(LINES)]
    output = subprocess.run(["java", *program, *(str(root / n) for n in expected)], capture_output=True, text=True, encoding="utf-8")
    if output.returncode:
        print(output.stderr)
        return 1
    found, refused, current = {}, {}, None
    for text in output.stdout.split("\n"):
        if text.startswith("dataset\t"):
            number = text.split("\t")[1]
            current = found.setdefault(number, [])
            refused[number] = {}
        elif text.startswith("refused\t"):
            refused[number].update([text.split("\t")[1:]])
        elif text:
            current.append(text)
    commands = Commands(jars)
    wrong = compared = 0
    for number, lines in expected.items():
        bad = -commands.wrong
        if is_random:
            commands.dataset(f"{seed}:{number}", root / number, np.random.default_rng([seed, int(number), 1]))
            commands.rewritten(f"{seed}:{number}", root / number, refused.get(number, {}))
        else:
            commands.file(number, *opened_files[number])
        bad += commands.wrong
        for mine, theirs in zip(found.get(number, []) + [""] * len(lines), lines, strict=False):
            compared += 1
            if mine != theirs:
                bad += 1
                print(f"{seed}:{number}: xarray {theirs[:300]}\n{' ' * 8}shardkit {mine[:300]}")
        wrong += bad
        if not bad:
            shutil.rmtree(root / number)
    commands.run.close()
    print(f"{len(expected)} datasets, {compared} lines, {commands.compared} figures of commands and written variables")
    print(f"{'cf' if is_random else 'cf-files'}: {compared + commands.compared} checks, {wrong} wrong")
    return 1 if wrong or not compared or not commands.compared else 0


if __name__ == "__main__":
    sys.exit(main())
