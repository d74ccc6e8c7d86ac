"""Runs the lab: chosen peers x workloads, interleaved, and prints tables (and JSON below $LAB_HOME/results).

    python run.py [--peers a,b] [--work R1,R2] [--arrays A_zstd,...] [--rounds 5] [--cpus 0] [--warmup S | --young] [--tag NAME] [--quick]

README.md tells the rules. Needs setup.sh's peers and data, and tensorstore, which checks what was written.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import time

import numpy as np

import lab
import memory
import peers
import tables
import versions
from workloads import FAR_REGIONS, MEMORY, WORKLOADS

SLOW_S = 2          # slower repetitions are done three times, not more,
VERY_SLOW_S = 40    # and these once
YOUNG_S = 2         # how long a young process works


def written_right(path, array, regions, source):
    """Reads what was written with tensorstore and compares it with what it should be."""
    import tensorstore as ts
    store = {"driver": "zarr3", "kvstore": {"driver": "file", "path": path + "/"}}
    got = ts.open(store, open=True).result().read().result()
    want = lab.raw_map(array)
    if source == "U":
        want, update, at = np.array(want), np.fromfile(lab.raw_file("U"), "<u2"), 0
        for region in regions:
            n = int(np.prod(region[1]))
            lab.cut(want, region)[...] = update[at:at + n].reshape(region[1])
            at += n
    return bool(np.array_equal(got, want))


def column(work, name, latency):
    """The heading of a cell: what differs from the workload's other cells."""
    far = [] if latency is None else [f"+{latency} ms"]
    return " ".join(far if far and len(work.arrays) == 1 else [name, *far])


class Lab:
    """One run: the drivers' processes are kept from workload to workload."""

    def __init__(self, options):
        self.options = options
        self.arrays = lab.arrays()
        self.specs = peers.load(options.peers_file)
        self.names = options.peers.split(",") if options.peers else [n for n in self.specs if self._installed(n)]
        self.drivers, self.servers, self.results = {}, {}, []
        os.makedirs(lab.RESULTS, exist_ok=True)
        self.file = os.path.join(lab.RESULTS, f"{options.tag}-{time.strftime('%Y%m%d-%H%M%S')}.json")

    def _installed(self, name):
        lacks = peers.missing(self.specs[name])
        if lacks:
            print(f"{name} is left out: there is no {lacks}")
        return not lacks

    def driver(self, name):
        if name not in self.drivers:
            self.drivers[name] = peers.Driver(name, self.specs[name], self.options.cpus)
        return self.drivers[name]

    def save(self):
        with open(self.file, "w") as f:
            json.dump({"machine": tables.machine(), "date": time.strftime("%Y-%m-%d"), "seed": lab.SEED,
                       "python": platform.python_version(), "versions": versions.installed(), "records": self.results}, f, indent=1)

    def close(self):
        for driver in self.drivers.values():
            driver.close()
        for server in self.servers.values():
            server.close()
        self.save()

    def server(self, work):
        """The server of a workload."""
        if work.s3 not in self.servers:
            used = sorted({name for w in WORKLOADS.values() if w.s3 for name in w.arrays})
            self.servers[work.s3] = peers.S3(used) if work.s3 else peers.Server()
        return self.servers[work.s3]

    def who(self, key, work):
        """The peers that take part in a workload."""
        able = {"write": work.op == "write", "http": work.http, "s3": work.s3, "cache": work.cache,
                "formats": work.formats, "readers": work.readers > 0}
        return [n for n in self.names if key in self.specs[n].get("only", [key])
                and all(self.specs[n].get(ability) for ability, needed in able.items() if needed)]

    def run(self, key):
        work = WORKLOADS[key]
        names = self.who(key, work)
        print(f"\n## {key}: {work.title}   [load {os.getloadavg()[0]:.2f}]", flush=True)
        cells = {}
        for name in work.arrays:
            if self.options.arrays and name not in self.options.arrays.split(","):
                continue
            for latency in work.latencies:
                cell = Cell(self, key, name, latency)
                for record in cell.run(names):
                    self.results.append(record)
                    cells[record["peer"], column(work, name, latency)] = record
            self.save()
        tables.workload(names, cells)


class Cell:
    """One workload on one array: every peer in turn, round after round."""

    def __init__(self, run, key, name, latency):
        self.run_, self.key, self.name, self.latency = run, key, name, latency
        self.options, self.work, self.array = run.options, WORKLOADS[key], run.arrays[name]
        self.regions = self.work.regions(self.array, self.options.quick)
        if latency:
            self.regions = self.regions[:FAR_REGIONS.get(key, len(self.regions))]
        self.nbytes = lab.bytes_of(self.array, self.regions)
        crc = lab.crc_of_each if self.work.readers else lab.crc_of
        self.want = crc(self.array, self.regions) if self.work.op == "read" else None

    def run(self, names):
        got = {name: [] for name in names}
        for r in range(self.options.rounds):
            first = r % max(1, len(names))
            for name in names[first:] + names[:first]:
                if not self._enough(got[name]):
                    got[name].append(self._answer(name, r))
        return [self._record(name, got[name]) for name in names]

    @staticmethod
    def _enough(answers):
        if not answers:
            return False
        first = answers[0]
        return not first["ok"] or first["reps"][0] > VERY_SLOW_S or (len(answers) >= 3 and first["reps"][0] > SLOW_S)

    def _answer(self, name, r):
        job = self._job(r)
        if self.work.op == "write":
            job.update(array=self._prepared(name, r), source=lab.raw_file(self.work.source))
        load, begun = os.getloadavg()[0], time.perf_counter()
        try:
            if self.latency is not None:
                self._before_http(name, job, r)
            load, begun = os.getloadavg()[0], time.perf_counter()
            answer = self._young(name, job) if self.options.young else self.run_.driver(name).job(job)
        except Exception as e:   # whatever a peer does must not end the others' run
            answer = {"ok": False, "error": f"{type(e).__name__}: {e}"}
            if name in self.run_.drivers:
                self.run_.drivers.pop(name).kill()
        answer.update(wall=time.perf_counter() - begun, load=load)
        if self.latency is not None:
            answer["http"] = self.run_.server(self.work).stats()
        if answer["ok"] and self.want and any(crc != self.want for crc in answer["crc"]):
            answer.update(ok=False, error=f"WRONG DATA: crc {answer['crc'][0]}, should be {self.want}")
        return answer

    def _young(self, name, job):
        """A new process repeats the job in its first two seconds. The time is the mean of all repetitions."""
        if name in self.run_.drivers:
            self.run_.drivers.pop(name).close()
        driver, begun, answers = self.run_.driver(name), time.perf_counter(), []
        while not answers or (answers[-1]["ok"] and time.perf_counter() - begun < YOUNG_S):
            answers.append(driver.job(job))
        mean = statistics.mean(s for a in answers for s in a.get("reps", [0]))
        return {**answers[-1], "reps": [mean], "crc": [c for a in answers for c in a.get("crc", [])]}

    def _job(self, r):
        near_first = r == 0 and self.latency is None and not self.options.young
        place = lab.location(self.array, os.path.join(lab.DATA, self.name))
        job = {"op": self.work.op, "array": place, "dtype": self.array["dtype"],
               "regions": self.regions, "reps": 1, "warmup_reps": 1 if near_first else 0,
               "warmup_s": max(self.work.warmup_s, self.options.warmup) if near_first and not self.options.quick else 0,
               "cache": self.work.cache, "fresh": self.work.fresh}
        if self.work.readers:
            job.update(readers=self.work.readers, style=self.work.style)
        if self.options.cpus and "," not in self.options.cpus:
            job["threads"] = 1
        return job

    def _before_http(self, name, job, r):
        server = self.run_.server(self.work)
        if r == 0 and not self.options.young:   # warms up without latency
            warm = {**job, **server.place(self.array, self.name, 0), "warmup_reps": 1}
            self.run_.driver(name).job({**warm, "warmup_s": 0 if self.options.quick else max(2, self.options.warmup)})
        job.update(server.place(self.array, self.name, self.latency))
        server.reset()

    def _prepared(self, name, r):
        """The folder that is written: with the shards to be updated, or with metadata alone."""
        path = os.path.join(lab.OUT, name, self.name)
        if r == 0:
            shutil.rmtree(path, ignore_errors=True)
            origin = os.path.join(lab.DATA, self.name)
            if self.work.fresh:
                os.makedirs(path)
                shutil.copy(os.path.join(origin, "zarr.json"), path)
            else:
                shutil.copytree(origin, path)
        return path

    def _record(self, name, answers):
        driver = self.run_.drivers.get(name)
        record = {"work": self.key, "array": self.name, "peer": name, "latency_ms": self.latency,
                  "unit": self.work.unit, "raw_bytes": self.nbytes, "n": len(self.regions), "cpus": self.options.cpus,
                  "version": driver.ready.get("version") if driver else None}
        failed = next((a for a in answers if not a["ok"]), None)
        if failed or not answers:
            record["error"] = failed.get("error", "?") if failed else "no result"
        else:
            self._fill(record, answers)
        if self.work.op == "write":
            self._check(record, os.path.join(lab.OUT, name, self.name))
        return record

    def _fill(self, record, answers):
        values = [self.work.value(s, len(self.regions), self.nbytes) for a in answers for s in a["reps"]]
        record.update(best=self.work.best(values), median=statistics.median(values), values=values, rounds=len(values),
                      p50_us=statistics.median(a["p50_us"] for a in answers),
                      p95_us=statistics.median(a["p95_us"] for a in answers),
                      p99_us=statistics.median(a.get("p99_us", a["p95_us"]) for a in answers),
                      open_s=statistics.median(a.get("open_s", 0) for a in answers), load=[a["load"] for a in answers])
        if self.latency is not None:
            record["http"] = answers[-1]["http"]

    def _check(self, record, path):
        if "error" not in record:
            if not written_right(path, self.array, self.regions, self.work.source):
                record["error"] = "WRONG DATA written"
            record["stored"] = sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(path) for f in fs)
        shutil.rmtree(path, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="names, with commas between them; all that are installed if absent")
    parser.add_argument("--work", help="workloads; all if absent")
    parser.add_argument("--arrays", help="arrays; those of the workload if absent")
    parser.add_argument("--cpus", help="cores for the drivers, as for taskset; one core: threads=1")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--warmup", type=float, default=0, help="seconds each peer warms up at least, for each cell")
    parser.add_argument("--young", action="store_true", help="a new process for each round, in its first two seconds")
    parser.add_argument("--tag", default="run", help="how the result file's name begins")
    parser.add_argument("--quick", action="store_true", help="a smoke run: fewer regions, no warm-up by time")
    parser.add_argument("--peers-file", action="append", default=[], help="more peers, as peers.json")
    run = Lab(parser.parse_args())
    versions.show()
    try:
        for key in run.options.work.split(",") if run.options.work else [*WORKLOADS, MEMORY]:
            if key == MEMORY:
                run.results += memory.measure(run.names, run.specs, run.options.cpus)
            else:
                run.run(key)
    finally:
        run.close()
    print("\nresults:", os.path.relpath(run.file, lab.HOME), " load", os.getloadavg()[0])


if __name__ == "__main__":
    main()
