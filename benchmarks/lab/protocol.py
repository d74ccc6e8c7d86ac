"""The protocol of github.com/LDeakin/zarr_benchmarks: whole arrays, in a fresh process each, cold and warm, with peak memory.

    .work/venv/bin/python protocol.py                                     # 2.15 GB, about 8 GB of disk
    ... protocol.py --shape 128,256,256 --rounds 1                        # a smoke run
    ... protocol.py --peers shardkit,zarrs --rows all,inner8 --arrays shard --states warm
    ... protocol.py --report .work/results/protocol-NAME.json             # the tables again

Prints tables, the published one beside them, and writes JSON below $LAB_HOME/results. README.md says what is measured.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import statistics
import time
import zlib

import numpy as np

import lab
import pagecache
import peers
import tables
import versions

HOME = os.path.join(lab.HOME, "protocol")
PEERS = ["shardkit", "shardkit-ffm", "zarrs", "tensorstore", "zarr-python", "zarr-python-fused", "zarr-py+zarrs"]
SHAPE = (512, 1024, 2048)
CHUNK, INNER = 256, 32
ARRAYS = {"none": "uncompressed", "blosc": "compressed", "shard": "compressed and sharded"}
# Row -> what it is, the edge of a region (0: the whole array), how many regions at once (0: one after the other).
ROWS = {"all": ("read all", 0, 0), "chunk1": ("stored chunk by stored chunk", CHUNK, 0), "chunk8": ("the same, 8 at once", CHUNK, 8),
        "inner1": ("inner chunk by inner chunk", INNER, 0), "inner8": ("the same, 8 at once", INNER, 8),
        "copy": ("round trip, stored chunk by stored chunk", CHUNK, 1),  # one for each core, in fact
        "lz4": ("the same into blosc's lz4, which all peers write", CHUNK, 1)}
COPIES = ("copy", "lz4")
STATES = ["cold", "warm"]

# Its measurements of 2025-04-17 (zarrs 0.20.0-beta.0, tensorstore 0.1.73, zarr-python 3.0.6, zarrs-python 0.1.3): seconds
# of whole processes, cold, on 12 cores; 1024 x 2048 x 2048 elements. There is no row of single inner chunks.
PUBLISHED_CORES, PUBLISHED_BYTES = 12, 2 * 1024 * 2048 * 2048
PUBLISHED_PEERS = ["zarrs", "tensorstore", "zarr-python", "zarr-py+zarrs"]
PUBLISHED = {
    ("all", "none"): (2.39, 2.88, 3.10, 2.99), ("all", "blosc"): (2.13, 2.51, 3.12, 2.57),
    ("all", "shard"): (1.61, 2.05, 29.54, 2.26),
    ("chunk1", "none"): (4.76, 5.74, 4.93, 6.62), ("chunk1", "blosc"): (4.11, 5.64, 6.25, 5.66),
    ("chunk1", "shard"): (2.42, 2.81, 36.58, 3.57),
    ("chunk8", "none"): (1.53, 2.15, 2.74, 2.63), ("chunk8", "blosc"): (0.69, 1.51, 2.21, 1.93),
    ("chunk8", "shard"): (1.16, 1.79, 29.38, 1.78),
    ("copy", "none"): (2.27, 9.70, 18.47, 5.01), ("copy", "blosc"): (1.30, 6.76, 15.34, 4.09),
    ("copy", "shard"): (2.84, 3.75, 180.90, 6.62)}


def metadata(kind, shape, cname="blosclz"):
    inner = [{"name": "bytes", "configuration": {"endian": "little"}}]
    if kind != "none":
        inner.append({"name": "blosc", "configuration": {"cname": cname, "clevel": 9, "shuffle": "bitshuffle",
                                                         "typesize": 2, "blocksize": 0}})
    if kind == "shard":
        index = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]
        inner = [{"name": "sharding_indexed", "configuration": {
            "chunk_shape": [INNER] * 3, "codecs": inner, "index_codecs": index, "index_location": "end"}}]
    return {"zarr_format": 3, "node_type": "array", "shape": list(shape), "data_type": "uint16", "fill_value": 0,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [CHUNK] * 3}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "codecs": inner,
            "attributes": {}}


def describe(place, kind, shape, **members):
    with open(os.path.join(place, "zarr.json"), "w") as f:
        json.dump(metadata(kind, shape, **members), f)


def make(shape):
    """Makes the raw data and the arrays, once; returns the folder of each and the raw file."""
    folder = os.path.join(HOME, "x".join(map(str, shape)))
    raw, done = os.path.join(folder, "raw"), os.path.join(folder, "done")
    if not os.path.exists(done):
        import tensorstore as ts
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        y, x = np.mgrid[0:shape[1], 0:shape[2]]
        with open(raw, "wb") as f:   # x + y^2 / 32 + z^3, modulo 2^16
            for z in range(shape[0]):
                f.write((x + y ** 2 // 32 + z ** 3).astype("<u2").tobytes())
        values = np.memmap(raw, "<u2", "r", shape=shape)
        for kind in ARRAYS:
            place = os.path.join(folder, kind)
            os.makedirs(place)
            describe(place, kind, shape)
            array = ts.open({"driver": "zarr3", "kvstore": {"driver": "file", "path": place + "/"}}, open=True,
                            read=True, write=True).result()
            for z in range(0, shape[0], CHUNK):
                end = min(z + CHUNK, shape[0])
                array[z:end].write(values[z:end]).result()
        open(done, "w").close()
    return {kind: os.path.join(folder, kind) for kind in ARRAYS}, raw


def regions(shape, edge):
    if edge == 0:
        return [[[0] * len(shape), list(shape)]]
    return [[list(at), [min(edge, n - o) for o, n in zip(at, shape)]]
            for at in itertools.product(*(range(0, n, edge) for n in shape))]


def checksum(values, where, each):
    """The CRC-32 that a driver answers for these regions; each: that of many readers."""
    crc = 0
    for region in where:
        part = np.ascontiguousarray(lab.cut(values, region)).view(np.uint8).reshape(-1).data
        crc = zlib.crc32(zlib.crc32(part).to_bytes(4, "little"), crc) if each else zlib.crc32(part, crc)
    return f"{crc:08x}"


def cores_of(cpus):
    """The number of cores of the drivers; cpus: a list as for taskset, such as 0-3,6."""
    if not cpus:
        return os.cpu_count()
    ranges = ([int(n) for n in part.split("-")] for part in cpus.split(","))
    return sum(ends[-1] - ends[0] + 1 for ends in ranges)


class Protocol:
    def __init__(self, options):
        self.options, self.specs = options, peers.load(options.peers_file)
        self.shape = tuple(map(int, options.shape.split(",")))
        self.nbytes = 2 * int(np.prod(self.shape))
        self.places, self.raw = make(self.shape)
        self.values = np.memmap(self.raw, "<u2", "r", shape=self.shape)
        self.want, self.records = {}, []

    def names(self):
        for name in self.options.peers.split(","):
            lacks = peers.missing(self.specs[name])
            if lacks:
                print(f"{name} is left out: there is no {lacks}")
            else:
                yield name

    def expected(self, row):
        _, edge, readers = ROWS[row]
        if (edge, readers > 0) not in self.want:
            self.want[edge, readers > 0] = checksum(self.values, regions(self.shape, edge), readers > 0)
        return self.want[edge, readers > 0]

    def once(self, name, row, kind, state):
        """One fresh process: its seconds and its peak memory."""
        _, edge, readers = ROWS[row]
        readers = cores_of(self.options.cpus) if row in COPIES else readers
        place, out = self.places[kind], os.path.join(lab.OUT, "protocol")
        job = {"op": "read", "array": place, "dtype": "uint16", "regions": regions(self.shape, edge), "reps": 1,
               "warmup_reps": 0, "warmup_s": 0, "cache": self.specs[name].get("cache", False)}
        if readers:
            job.update(readers=readers, style="threads")
        shutil.rmtree(out, ignore_errors=True)
        if row in COPIES:
            os.makedirs(out)
            describe(out, kind, self.shape, **({"cname": "lz4"} if row == "lz4" else {}))
            job.update(op="copy", target=out)
        left = pagecache.evict(place, self.options.cold) if state == "cold" else None
        if state == "warm":
            pagecache.load(place)
        load, driver = os.getloadavg()[0], peers.Driver(name, self.specs[name], self.options.cpus)
        try:
            answer = driver.job(job, timeout=3600)
            if not answer["ok"]:
                raise RuntimeError(answer["error"].split("\n")[0])
            peak = driver.peak_mib()
        finally:
            driver.close()
        self.check(row, kind, answer, out)
        return {"seconds": answer["reps"][0],
                "process_s": driver.start_s + answer.get("open_s", 0) + answer["reps"][0], "peak_MiB": peak, "load": load,
                "cached_share": left, "version": driver.ready["version"]}

    def check(self, row, kind, answer, out):
        if row not in COPIES:
            if answer["crc"] != [self.expected(row)]:
                raise RuntimeError(f"WRONG DATA: crc {answer['crc']}, should be {self.expected(row)}")
            return
        import tensorstore as ts
        got = ts.open({"driver": "zarr3", "kvstore": {"driver": "file", "path": out + "/"}}, open=True).result()
        for z in range(0, self.shape[0], CHUNK):
            end = min(z + CHUNK, self.shape[0])
            if not np.array_equal(got[z:end].read().result(), self.values[z:end]):
                raise RuntimeError("WRONG DATA written")
        shutil.rmtree(out)

    def cell(self, names, row, kind, state):
        runs = {name: [] for name in names}
        for r in range(self.options.rounds):
            for name in names[r % len(names):] + names[:r % len(names)]:
                try:
                    if runs[name] is not None and not (runs[name] and runs[name][0]["seconds"] > self.options.slow):
                        runs[name].append(self.once(name, row, kind, state))
                except Exception as e:   # whatever a peer does must not end the others' run
                    runs[name] = None
                    self.records.append({"row": row, "array": kind, "state": state, "peer": name, "error": str(e)[:200]})
        for name in (n for n in names if runs[n]):
            middle = {key: statistics.median(run[key] for run in runs[name])
                      for key in ("seconds", "process_s", "peak_MiB", "load")}
            self.records.append({"row": row, "array": kind, "state": state, "peer": name, **middle, "runs": runs[name]})

    def run(self):
        names = list(self.names())
        for row in self.options.rows.split(","):
            for kind in self.options.arrays.split(","):
                if (ROWS[row][1] == INNER and kind != "shard") or (row == "lz4" and kind == "none"):
                    continue
                for state in self.options.states.split(","):
                    self.cell(names, row, kind, state)
                print(f"{row} {kind} done   [load {os.getloadavg()[0]:.1f}]", flush=True)
                self.save()
        report(self.data())
        print("\nresults:", os.path.relpath(self.options.file, lab.HOME))

    def data(self):
        return {"machine": tables.machine(), "cores": cores_of(self.options.cpus), "date": time.strftime("%Y-%m-%d"), "bytes": self.nbytes,
                "shape": self.shape, "cold": pagecache.way(self.options.cold), "versions": versions.installed(),
                "records": self.records}

    def save(self):
        os.makedirs(lab.RESULTS, exist_ok=True)
        self.options.file = self.options.file or os.path.join(lab.RESULTS, time.strftime("protocol-%Y%m%d-%H%M%S.json"))
        with open(self.options.file, "w") as f:
            json.dump(self.data(), f, indent=1)


def published(row, kind, peer, data):
    """What the published seconds are for as many bytes on as many cores, if time grows with bytes / cores; None if there is none."""
    values = PUBLISHED.get((row, kind))
    if not values or peer not in PUBLISHED_PEERS:
        return None
    cores = PUBLISHED_CORES / data["cores"] if row != "chunk1" else 1
    return values[PUBLISHED_PEERS.index(peer)] * data["bytes"] / PUBLISHED_BYTES * cores


def report(data):
    shape = " x ".join(map(str, data["shape"]))
    print(f"\n{data['machine']}; {data['date']}; {shape} uint16, {data['bytes'] / 1e9:.3g} GB. {data['cold']}")
    print("Versions: " + "; ".join(f"{name} {version}" for name, version in data["versions"].items()))
    names = list(dict.fromkeys(record["peer"] for record in data["records"]))
    found = {(r["row"], r["array"], r["state"], r["peer"]): r for r in data["records"]}

    def cell(row, kind, state, peer):
        record = found.get((row, kind, state, peer))
        if not record:
            return ""
        if "error" in record:
            return "ERR " + record["error"][:60]
        return f"{tables.number(record['seconds'])} ({tables.number(record['process_s'])}), {record['peak_MiB']:.0f}"

    print("\nSeconds of the work alone, in brackets of the process from its start, and the peak memory in MiB; medians.\n")
    print("| row | array | state | " + " | ".join(names) + " |\n|" + "---|" * (3 + len(names)))
    for row, kind, state in dict.fromkeys(key[:3] for key in found):
        print(f"| {ROWS[row][0]} | {ARRAYS[kind]} | {state} | " + " | ".join(cell(row, kind, state, n) for n in names) + " |")
    print(f"\nScaled, not measured: the published seconds (whole processes, cold, {PUBLISHED_CORES} cores, "
          f"{PUBLISHED_BYTES / 1e9:.2g} GB) times the share of the bytes and, but for one chunk after the other, times "
          f"{PUBLISHED_CORES}/{data['cores']} for the cores. Beside it, the seconds of shardkit's process here, cold.\n")
    print("| row | array | shardkit, measured | " + " | ".join(f"{n}, scaled" for n in PUBLISHED_PEERS) + " |\n|"
          + "---|" * (3 + len(PUBLISHED_PEERS)))
    for row, kind in PUBLISHED:
        ours = found.get((row, kind, "cold", "shardkit"), {}).get("process_s")
        if ours:
            print(f"| {ROWS[row][0]} | {ARRAYS[kind]} | {tables.number(ours)} | "
                  + " | ".join(tables.number(published(row, kind, n, data)) for n in PUBLISHED_PEERS) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--peers-file", action="append", default=[], help="more peers, as peers.json")
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--arrays", default=",".join(ARRAYS))
    parser.add_argument("--states", default=",".join(STATES))
    parser.add_argument("--shape", default=",".join(map(str, SHAPE)), help="three sizes, each a multiple of 32")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slow", type=float, default=60, help="a peer that takes more seconds for a row runs it once")
    parser.add_argument("--cpus", help="cores for the drivers, as for taskset")
    parser.add_argument("--cold", choices=["drop", "files"], default="drop" if pagecache.may_drop() else "files",
                        help="empty the page cache as a whole (root), or of the array's files")
    parser.add_argument("--report", metavar="FILE", help="prints the tables of an earlier run")
    options = parser.parse_args()
    options.file = None
    if options.report:
        with open(options.report) as f:
            report(json.load(f))
    else:
        Protocol(options).run()


if __name__ == "__main__":
    main()
