"""Random datasets go through shardkit, and xarray opens source and result.

    xarray_check.py DIR COUNT SHARDKIT [SEED]

SHARDKIT is the command (its jars are taken from the folder that it runs from), a folder of its jars, or a class path.
COUNT datasets of xarray_datasets.py are made. Each goes through the commands that apply to it: copy (plain, with other
codecs, shards, into an archive), convert (to another folder, in place), references, concat (also --virtual), export,
import, mv, consolidate and serve (/__v3/). xarray opens what was there before and what is there afterwards, decoded and
as stored, and compares values, data types, dimensions, coordinates and attributes. LEGAL lists the differences that are
no faults. A command that leaves something out must name it.
SEED repeats a run, SEED:NUMBER one dataset of it. Datasets of wrong checks stay in DIR.
Needs the libraries of xarray-requirements.txt.
"""

import collections
import io
import os
import pathlib
import re
import shutil
import sys
import time
import warnings

import numpy as np
import xarray as xr
import zarr

import xarray_datasets as datasets
from one_process import OneProcess

LEGAL = {
    "byte order": "Zarr v3 has no byte order in its data types; codec bytes keeps it, and readers give native numbers",
    "text": "readers of text choose object, StringDType or U; Zarr v3 has string and fixed_length_utf32",
    "one element": "NetCDF does not distinguish an attribute of one element from a number or text; netCDF4 gives the number",
    "ASCII": "text that a file declares as ASCII is read as UTF-8 if it is",
    "decoding": "xarray's own to_zarr of the stored dataset decodes alike: the width of a float32 scale_factor is lost in JSON, "
    "xarray cannot decode what it has written for some values of _Unsigned",
    "mask of bytes": "xarray opens no array of Zarr v3 whose bytes have _FillValue; kerchunk gives each a space",
    "left out": "a variable that the command has named as left out took its attribute coordinates with it",
    "scalar bytes": "NumPy's scalars of bytes have the size of their value, not that of the type; xarray keeps these scalars",
    "list": "JSON has lists where NumPy has arrays, and no sizes of numbers: float32 is widened, which is exact",
}
DECODING = ("mask_and_scale", "decode_times", "decode_timedelta", "concat_characters", "decode_coords")
ZARR = {"consolidated": False}


class Wrong(Exception):
    pass


def canonical(value):
    """An attribute without what JSON cannot hold (LEGAL: one element, list)."""
    if isinstance(value, np.ndarray):
        value = list(value) if value.ndim else [value[()]]
    if isinstance(value, list | tuple):
        items = [canonical(v) for v in value]
        return items[0] if len(items) == 1 and not isinstance(items[0], list) else items
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    if isinstance(value, dict):
        return {k: canonical(v) for k, v in value.items()}
    if isinstance(value, np.floating):
        return float(value)
    if isinstance(value, np.generic):
        return canonical(value.item())
    return value


def same_value(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return np.array_equal(np.float64(a), np.float64(b), equal_nan=True) and np.signbit(a) == np.signbit(b) or (a != a and b != b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_value, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_value(a[k], b[k]) for k in a)
    return type(a) is type(b) and a == b


def kind_of(dtype):
    """LEGAL: byte order, text."""
    if dtype.kind in "OTU":
        return "text"
    return str(dtype.newbyteorder("="))


def same_elements(a, b):
    if a.shape != b.shape:
        return False
    if a.dtype.kind in "OTU" or b.dtype.kind in "OTU":
        return all(same_value(canonical(x), canonical(y)) or x == y for x, y in zip(a.ravel().tolist(), b.ravel().tolist()))
    if a.dtype.kind in "fc":
        return np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a.real), np.signbit(b.real)) or np.array_equal(np.isnan(a), np.isnan(b)) and np.array_equal(a, b, equal_nan=True)
    if a.dtype.kind in "mM":
        return np.array_equal(a, b, equal_nan=True)
    return np.array_equal(a, b)


def differences(expected, found, names=True, left_out=()):
    """Yields what differs between two datasets."""
    for what, a, b in (("variables", expected.variables, found.variables), ("coordinates", expected.coords, found.coords)):
        missing, more = set(a) - set(b) - set(left_out), set(b) - set(a)
        if left_out and what == "coordinates":
            missing -= set(found.variables)  # LEGAL: left out
        if missing or more:
            yield f"{what}: missing {sorted(missing)}, more {sorted(more)}"
    yield from attribute_differences("dataset", expected.attrs, found.attrs)
    for name in expected.variables:
        if name not in found.variables:
            continue
        a, b = expected.variables[name], found.variables[name]
        if a.dims != b.dims and (names or len(a.dims) != len(b.dims)):
            yield f"{name}: dimensions {a.dims}, found {b.dims}"
        if kind_of(a.dtype) != kind_of(b.dtype):
            yield f"{name}: data type {a.dtype}, found {b.dtype}"
        elif not same_elements(a.values, b.values):
            yield f"{name}: elements {short(a.values)}, found {short(b.values)}"
        yield from attribute_differences(name, a.attrs, b.attrs)


def short(values):
    return re.sub(r"\s+", " ", str(values))[:160]


def attribute_differences(where, a, b):
    for name in sorted(a.keys() | b.keys()):
        if name not in a:
            yield f"{where}: attribute {name!r} is new: {short(b[name])}"
        elif name not in b:
            yield f"{where}: attribute {name!r} {short(a[name])} is missing"
        elif not same_value(canonical(a[name]), canonical(b[name])):
            yield f"{where}: attribute {name!r} {a[name]!r:.80}, found {b[name]!r:.80}"


def opened(source, decoded, group=None):
    """The datasets of all groups, by path."""
    options = {} if decoded else dict.fromkeys(DECODING, False)
    groups = xr.open_groups(source.opened, engine=source.engine, **source.options, **options)
    return {path: ds.load() for path, ds in groups.items()}


class Check:
    def __init__(self, folder, number, kind, shardkit, server, told):
        self.folder, self.number, self.shardkit, self.server, self.told = folder, number, shardkit, server, told
        self.done = self.wrong = 0
        self.source = None
        self.own = {}
        self.faults = set()

    def judge(self, what, action):
        self.done += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = list(action())
        except Exception as e:
            found = [f"{type(e).__name__}: {str(e)[:500]}"]
        if found:
            self.wrong += 1
            for one in [f for f in found if f not in self.faults][:6] or ["as before"]:
                self.faults.add(one)
                print(f"WRONG {self.told} {self.source.kind if self.source else ''}: {what}: {one}", flush=True)

    def run(self, *words, statuses=(0,)):
        status, out, err = self.shardkit.run(*words)
        if status not in statuses:
            raise Wrong(f"status {status}: {' '.join(map(str, words))}: {err.decode().strip()[:400]}")
        return status, out, err.decode()

    def same(self, result, left_out=(), decoded=False):
        yield from self.equal(result, left_out, False)
        if decoded and self.expected(True) is not None:
            try:
                found = list(self.equal(result, left_out, True))
            except Exception as e:
                found = [f"{type(e).__name__}: {str(e)[:500]}"]
            if found and not self.decodes_alike(result, left_out):
                yield from found

    def equal(self, result, left_out, decoded, expected=None):
        expected, found = expected or self.expected(decoded), opened(result, decoded)
        if expected.keys() != found.keys():
            yield f"groups {sorted(expected)}, found {sorted(found)}"
        for path in expected.keys() & found.keys():
            out = [o.rpartition("/")[2] for o in left_out if "/" + o.rpartition("/")[0] == path]
            for one in differences(expected[path], found[path], self.source.names, out):
                yield f"{'decoded' if decoded else 'stored'} {path} {one}"

    def decodes_alike(self, result, left_out):
        """LEGAL: decoding."""
        version = 2 if result.kind == "references" else 3
        if version not in self.own:
            path = self.folder / f"own{version}.zarr"
            for group, ds in self.expected(False).items():
                for v in ds.variables.values():
                    # As in shardkit's results: without this, xarray adds _FillValue to floats, and then decodes to another type.
                    v.encoding = {} if "_FillValue" in v.attrs else {"_FillValue": None}
                ds.to_zarr(path, group=group, mode="a", zarr_format=version, consolidated=False)
            try:
                self.own[version] = opened(self.result(path), True)
            except Exception as e:
                self.own[version] = e
        try:
            return not any(True for _ in self.equal(result, left_out, True, self.own[version]))
        except Exception as e:
            return type(e) is type(self.own[version]) and str(e) == str(self.own[version])

    def expected(self, decoded):
        if decoded not in self.opened:
            try:
                self.opened[decoded] = self.without_bytes_mask(opened(self.source, decoded), decoded)
            except Exception as e:
                if not decoded:
                    raise
                self.opened[decoded] = None  # no calendar has such a date; the stored values are compared
        return self.opened[decoded]

    def without_bytes_mask(self, groups, decoded):
        """LEGAL: mask of bytes."""
        for path, ds in groups.items():
            for name, v in ds.variables.items():
                if decoded and self.expected(False)[path].variables[name].dtype.kind == "S" and v.dtype.kind == "O":
                    ds[name] = (v.dims, self.expected(False)[path].variables[name].values, v.attrs)
                elif not decoded and isinstance(v.attrs.get("_FillValue"), bytes):
                    del v.attrs["_FillValue"]
        return groups

    def make(self, rng):
        """Makes a dataset that its library writes and xarray opens."""
        for attempt in range(10):
            shutil.rmtree(self.folder, ignore_errors=True)
            try:
                self.source, self.opened = datasets.write(rng, self.folder), {}
                self.expected(False)
                return
            except Exception as e:
                reason = e
        raise reason

    def result(self, path, **options):
        place = zarr.storage.ZipStore(path, mode="r") if str(path).endswith(".zip") else str(path)
        return datasets.Source("result", str(path), "zarr", place, ZARR | options)

    def all(self, rng):
        source = self.source
        copy = self.folder / "copy.zarr"

        def copied(name, *words):
            to = self.folder / name
            self.run("copy", source.location, to, *words)
            yield from self.same(self.result(to), decoded=not words)

        self.judge("copy", lambda: copied("copy.zarr"))
        if not copy.exists():
            return
        self.judge("copy --codecs", lambda: copied("codecs.zarr", "--codecs", "gzip:1,crc32c"))
        self.judge("copy to zip", lambda: copied("copy.zip"))

        def layout(*words):
            self.run(*words, statuses=(0, 1))
            yield from self.same(self.result(copy))

        self.judge("shard", lambda: layout("shard", copy, "--chunks-per-shard", "2"))
        self.judge("unshard", lambda: layout("unshard", copy))

        def moved():
            to = self.folder / "moved.zarr"
            self.run("mv", copy, to)
            self.run("consolidate", to)
            yield from self.same(self.result(to, consolidated=True))

        self.judge("mv, consolidate", moved)
        if source.engine == "zarr" and not source.location.startswith("reference:") and (pathlib.Path(source.opened) / ".zgroup").exists():
            self.judge("convert --to", lambda: self.converted(True))
            self.judge("convert in place", lambda: self.converted(False))
        self.judge("serve", self.served)
        if source.engine != "zarr":
            self.judge("references", self.referred)
        self.exports(rng)
        self.concatenations(rng)

    def converted(self, to):
        out = self.folder / ("converted.zarr" if to else "inplace.zarr")
        if to:
            self.run("convert", self.source.location, f"--to={out}")
        else:
            shutil.copytree(self.source.opened, out)
            self.run("convert", out, "--numcodecs-names")  # without, chunks of these codecs are decoded into another place
        yield from self.same(self.result(out, zarr_format=3), decoded=True)

    def served(self):
        url = self.shardkit.begin("serve", self.source.location, "--port", "0", "--no-links")
        base = re.search(r" at (http\S+)", url)[1]
        try:
            yield from self.same(self.result(base + "__v3/", consolidated=None), decoded=True)
        finally:
            self.shardkit.end()

    def referred(self):
        document = self.folder / "references.json"
        words = ("references", self.source.location, "-o", document, "--url", f"file://{self.folder}")
        status, _, err = self.run(*words, statuses=(0, 1))
        left_out = []
        if status:
            _, _, err = self.run(*words, "--skip-unsupported", statuses=(1,))
            left_out = re.findall(r"left out: .*?: (.*?): ", err)
            if not left_out:
                yield f"status 1, and nothing named: {err}"
        yield from ("by fsspec: " + one for one in self.same(datasets.references("references", document), left_out, True))
        copy = self.folder / "referred.zarr"
        self.run("copy", f"reference:{document}", copy)
        yield from ("copied: " + one for one in self.same(self.result(copy), left_out, True))

    def exports(self, rng):
        groups = self.expected(False)
        arrays = [(path, name) for path, ds in groups.items() for name, v in ds.variables.items()]
        separator = "!" if self.source.engine != "zarr" or self.source.location.startswith("reference:") else "/"
        for i in rng.permutation(len(arrays))[:3]:
            path, name = arrays[i]
            place = f"{self.source.location}{separator}{(path.strip('/') + '/' + name).strip('/')}"
            values = groups[path][name].values
            self.judge(f"export {name}", lambda: self.exported(place, values))

    def exported(self, place, values):
        npy, again = self.folder / "out.npy", self.folder / "again.zarr"
        status, _, err = self.run("export", place, "-o", npy, statuses=(0, 1, 2))
        if status:
            if values.dtype.kind not in "OTU" or "size varies" not in err:
                yield f"npy: {err}"
        else:
            found = alike(np.load(npy), values)
            if kind_of(found.dtype) != kind_of(values.dtype) or not same_elements(values, found):
                yield f"npy: {found.dtype} {short(found)}, expected {values.dtype} {short(values)}"
            self.run("import", npy, again, "--overwrite")
            read = alike(np.asarray(zarr.open_array(str(again), mode="r")[...]), values)
            if kind_of(read.dtype) != kind_of(values.dtype) or not same_elements(values, read):
                yield f"import: {read.dtype} {short(read)}, expected {values.dtype} {short(values)}"
        if values.ndim in (1, 2) and values.dtype.kind != "c" and values.size:
            yield from self.table(place, values)

    def table(self, place, values):
        import csv

        file = self.folder / "out.csv"
        self.run("export", place, "-o", file)
        with open(file, newline="", encoding="utf-8") as f:
            rows = list(csv.reader(f))
        expected = values.reshape(len(values), -1) if values.ndim == 1 else values
        if values.ndim == 2 and 1 in values.shape:
            return
        flat = [cell for row in rows for cell in (row or [""])]
        want = expected.ravel().tolist()
        if len(flat) != len(want):
            yield f"csv: {len(flat)} cells of {len(want)}"
            return
        for a, b in zip(want, flat):
            if not same_cell(a, b, values.dtype):
                yield f"csv: {b!r}, expected {a!r}"
                return


    def concatenations(self, rng):
        names = list(datasets.VARIATIONS)
        variation = names[rng.integers(len(names))] if rng.random() < 0.7 else None
        for name, made, differs in (("v", datasets.pair(rng, variation), variation), ("time", datasets.time_pair(rng), "units")):
            folder = self.folder / f"concat-{name}"
            folder.mkdir()
            parts = datasets.write_pair(rng, folder, made)
            self.judge(f"concat {name}, {parts[0].kind}, {differs}", lambda: self.concatenated(folder, parts, name, differs))

    def concatenated(self, folder, parts, name, differs):
        places = [p.location + ("/" if p.engine == "zarr" else "!") + name for p in parts]
        if differs == "units" and name == "time":
            units = [opened(p, False)["/"][name].attrs["units"] for p in parts]
            if not same_units(*units):
                yield from self.refused(folder, parts, places, differs)
                yield from self.recoded(folder, parts, places, name)
                return
        elif differs:
            yield from self.refused(folder, parts, places, differs)
            return
        out = folder / "joined.zarr"
        self.run("group", out)
        self.run("concat", *self.copies(folder, parts, places), "--axis", "time", "--to", f"{out}/{name}")
        yield from self.joined(parts, self.result(out), name)
        document = folder / "joined.json"
        self.run("concat", "--virtual", *places, "--axis", "time", "-o", document)
        copy = folder / "virtual.zarr"
        self.run("group", copy)
        self.run("copy", f"reference:{document}", f"{copy}/{name}")
        yield from self.joined(parts, self.result(copy), name)

    def copies(self, folder, parts, places):
        """The arrays, which are copied if they are those of Zarr v2: concat without --virtual takes Zarr v3."""
        if parts[0].kind != "zarr2":
            return places
        made = [folder / f"part{i}-v3.zarr" for i in range(len(places))]
        for place, copy in zip(places, made):
            if not copy.exists():
                self.run("copy", place, copy)
        return made

    def refused(self, folder, parts, places, attribute):
        for words in (("--to", folder / "refused.zarr"), ("--virtual", "-o", folder / "refused.json")):
            own = self.copies(folder, parts, places) if "--to" in words else places
            _, _, err = self.run("concat", *own, "--axis", "time", *words, statuses=(1,))
            if attribute not in err.replace("fill_value", "_FillValue") or not all(f"part{i}" in err for i in range(len(places))):
                yield f"refused without the attribute and both places: {err}"

    def recoded(self, folder, parts, places, name):
        out = folder / "recoded.zarr"
        self.run("group", out)
        own = self.copies(folder, parts, places)
        status, _, err = self.run("concat", *own, "--axis", "time", "--to", f"{out}/{name}", "--recode-times", statuses=(0, 1))
        if status == 0:
            yield from self.joined(parts, self.result(out), name, decoded_only=True)
        elif "exact" not in err:
            yield f"not recoded: {err}"

    def joined(self, parts, result, name, decoded_only=False):
        for decoded in (True,) if decoded_only else (False, True):
            both = [opened(p, decoded)["/"][[name]] for p in parts]
            expected = xr.concat(both, "time", data_vars="all", combine_attrs="override")
            yield from differences(expected, opened(result, decoded)["/"])


def same_units(a, b):
    """Whether two units of time mean the same."""
    return a.removesuffix(" 00:00:00") == b.removesuffix(" 00:00:00")


def alike(found, expected):
    """LEGAL: xarray makes bool of int8 with the attribute dtype, also where it is to decode nothing. LEGAL: scalar bytes."""
    if expected.dtype.kind == "S" and expected.ndim == 0 and found.dtype.kind == "S" and found.dtype.itemsize >= expected.dtype.itemsize:
        return found.astype(expected.dtype) if found.astype(expected.dtype) == found else found
    return found.astype(bool) if expected.dtype.kind == "b" and found.dtype == np.int8 else found


def same_cell(value, cell, dtype):
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace") == cell or "\ufffd" in value.decode("utf-8", "replace")
    if isinstance(value, bool):
        return cell in (str(value).lower(), str(int(value)))
    if isinstance(value, float):
        return same_value(float(dtype.type(float(cell))), value)
    return str(value) == cell


def command_jars(shardkit):
    """The jars of a command, or a class path."""
    path = pathlib.Path(shardkit)
    if os.pathsep in shardkit or path.is_dir():
        return shardkit
    os.spawnl(os.P_WAIT, str(path.resolve()), str(path), "--version")  # builds it, if need be
    for folder in (path.resolve().parent / "apps/cli/target/lib", path.resolve().parents[1] / "lib"):
        if folder.is_dir():
            return str(folder)
    raise SystemExit(f"no jars beside {shardkit}")


def main():
    directory = pathlib.Path(sys.argv[1]).resolve()
    seed, _, number = (sys.argv[4] if len(sys.argv) > 4 else str(time.time_ns() % 10**9)).partition(":")
    print(f"xarray: seed {seed}", flush=True)
    zarr.config.set({"array.rectilinear_chunks": True})
    shutil.rmtree(directory, ignore_errors=True)
    shardkit = OneProcess(command_jars(sys.argv[3]))
    done = wrong = 0
    for i in [int(number)] if number else range(int(sys.argv[2])):
        rng = np.random.default_rng([int(seed), i])
        folder = directory / str(i)
        check = Check(folder, i, None, shardkit, None, f"{seed}:{i}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check.make(rng)
        check.all(rng)
        done += check.done
        wrong += check.wrong
        if not check.wrong:
            shutil.rmtree(folder)
    shardkit.close()
    print(f"xarray: {done} checks, {wrong} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
