"""Selections by labels: shardkit beside xarray with zarr-python, on one dataset, job by job in turn.

    python labels.py DIR CLASSPATH [--rounds 9] [--small]

CLASSPATH has the jars of shardkit (a folder with /*). Makes DIR/data.zarr once: t2m(time, lat, lon), every 6 hours of a
year, 1 degree, int16 with scale_factor and add_offset, in inner chunks of 24 x 32 x 32 and shards of 240 x 192 x 192,
zstd. Both sides must have the same sums. Jobs: `open` opens the dataset and reads a point; `point` reads a point of an
open dataset; `points` reads 10,000 points; `box` reads a year of 47..55 N, 5..15 E. Needs Python 3.12 and the libraries of
conformance-tests/tools/xarray-requirements.txt.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import time

import numpy as np
import xarray as xr


def make(path, small):
    random = np.random.default_rng(7)
    days = 20 if small else 366
    lat, lon = np.arange(90, -91, -1.0), np.arange(0, 360, 1.0)
    moments = np.datetime64("2020-01-01") + np.arange(days * 4) * np.timedelta64(6, "h")
    season = 15 * np.sin(np.arange(len(moments)) / 232)[:, None, None] * np.sign(lat)[None, :, None]
    values = (288 - 40 * (np.abs(lat) / 90) ** 2)[None, :, None] + season + random.normal(0, 3, (len(moments), 1, len(lon)))
    data = xr.Dataset(
        {"t2m": (("time", "lat", "lon"), values.astype("f4"))},
        {"time": moments, "lat": lat, "lon": lon},
    )
    encoding = {"dtype": "i2", "scale_factor": 0.01, "add_offset": 273.15, "_FillValue": -32768}
    encoding |= {"chunks": (24, 32, 32), "shards": (240, 192, 192)}
    data.to_zarr(path, mode="w", zarr_format=3, encoding={"t2m": encoding})


class Xarray:
    def __init__(self, path):
        self.path = path
        self.data = xr.open_zarr(path, chunks=None)

    def __call__(self, job):
        words = job.split()
        triples = np.array(words[1:]).reshape(-1, 3) if words[0] != "box" else None
        begin = time.perf_counter_ns()
        if words[0] == "box":
            found = self.data["t2m"].sel(time=words[1], lat=slice(float(words[3]), float(words[2])), lon=slice(float(words[4]), float(words[5])))
        else:
            data = xr.open_zarr(self.path, chunks=None) if words[0] == "open" else self.data
            labels = {"time": triples[:, 0].astype("M8[ns]"), "lat": triples[:, 1].astype("f8"), "lon": triples[:, 2].astype("f8")}
            if words[0] == "points":
                labels = {name: xr.DataArray(values, dims="point") for name, values in labels.items()}
            else:
                labels = {name: values[0] for name, values in labels.items()}
            found = data["t2m"].sel(labels, method="nearest")
        numbers = np.asarray(found.values, "f8")
        took = time.perf_counter_ns() - begin
        return took, float(numbers.sum())


class Shardkit:
    def __init__(self, path, class_path):
        program = pathlib.Path(__file__).parent / "drivers/LabelReads.java"
        java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"
        self.process = subprocess.Popen([java, "-cp", class_path, str(program), str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, job):
        self.process.stdin.write(job + "\n")
        self.process.stdin.flush()
        took, total = self.process.stdout.readline().split()
        return int(took), float(total)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def jobs(random, kind, last):
    if kind == "box":
        return "box 2020 47 55 5 15"
    count = 10_000 if kind == "points" else 1
    moments = np.datetime64("2020-01-01T00:00:00") + random.integers(0, last * 86400, count) * np.timedelta64(1, "s")
    lat, lon = random.uniform(-90, 90, count), random.uniform(0, 359, count)
    return " ".join([kind, *(f"{t} {a:.6f} {b:.6f}" for t, a, b in zip(moments, lat, lon))])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("class_path")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--warm", type=int, default=6, help="rounds before those that count")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    path = options.folder / ("small.zarr" if options.small else "data.zarr")
    if not path.exists():
        make(path, options.small)
    peers = {"xarray": Xarray(path), "shardkit": Shardkit(path, options.class_path)}
    random = np.random.default_rng(1)
    print(f"load {os.getloadavg()[0]:.1f}\n| job | peer | best ms | median ms |\n|---|---|---|---|")
    for kind, repeats in (("open", 5), ("point", 50), ("points", 1), ("box", 1)):
        times = {name: [] for name in peers}
        for round_ in range(options.warm + options.rounds):
            for _ in range(repeats):
                job = jobs(random, kind, 19 if options.small else 365)
                order = list(peers) if round_ % 2 else list(peers)[::-1]
                answers = {name: peers[name](job) for name in order}
                sums = [total for _, total in answers.values()]
                if not np.isclose(*sums, rtol=1e-9):
                    raise SystemExit(f"{job[:80]}: other sums: {answers}")
                if round_ >= options.warm:
                    for name, (took, _) in answers.items():
                        times[name].append(took / 1e6)
        for name, seen in times.items():
            print(f"| {kind} | {name} | {min(seen):.2f} | {statistics.median(seen):.2f} |", flush=True)
    peers["shardkit"].close()


if __name__ == "__main__":
    main()
