"""Workload CAM: a camera's frames, streamed into shards as fast as they are taken.

For each regime (raw, lz4, zstd) and `rounds` times, every peer in turn writes two arrays in a fresh process; the second
one counts. Prints MB/s, the processor's seconds a GB (which a busy machine changes little), the percentiles of a single
write and the peak memory (medians over the rounds), and writes JSON below $LAB_HOME/results. The frames are Poisson
noise over a smooth signal. What a peer has written is read with zarr-python and compared.

With --pyramid, each peer also writes the coarser levels of means, in the same pass: shardkit `Pyramid.stream`,
acquire-zarr its downsampling, tensorstore the means of each shard before it is written. With --rate 1000, frames come at
that rate: `late` counts those that were written more than the time of one frame after they came, and `most late` is the
longest of these delays (a camera drops frames when it exceeds what its ring of buffers holds).

With --tiles 4, a frame comes in 4 x 4 tiles, one after the other. shardkit takes them; for the others, the loop copies
them into a frame first, in the time of the write.

    .work/venv/bin/python streams.py [--rounds 3] [--regimes raw,lz4] [--peers shardkit,acquire-zarr] [--small] [--tiles 4]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

import numpy as np

import lab

# edge of a frame, depth of a shard, depth and edge of an inner chunk, number of frames
LARGE, SMALL = (2048, 64, 32, 256, 192), (512, 256, 64, 128, 2048)
DISTINCT = 8
SHARDKIT = {"shardkit": "auto", "shardkit-buffered": "buffered"}
PEERS = [*SHARDKIT, "acquire-zarr", "tensorstore"]
BUDGET_MIB = 1024
STREAMS = 2


def make_frames(edge):
    """Writes the frames, once; returns their file."""
    file = os.path.join(lab.HOME, f"frames{edge}.raw")
    if not os.path.exists(file):
        os.makedirs(lab.HOME, exist_ok=True)
        y, x = np.mgrid[0:edge, 0:edge]
        rng = np.random.default_rng(lab.SEED + 1)
        signal = [200 + 100 * np.sin(x / 200 + f) * np.cos(y / 150) for f in range(DISTINCT)]
        np.stack([rng.poisson(s) for s in signal]).astype("<u2").tofile(file)
    return file


def tiled(frames, edge, tiles):
    """Returns the tiles of each frame, one after the other."""
    side = edge // tiles
    grid = frames.reshape(len(frames), tiles, side, tiles, side)
    return np.ascontiguousarray(grid.transpose(0, 1, 3, 2, 4)).reshape(len(frames), tiles * tiles, side, side)


class Assembly:
    """The frames, put together from tiles if they come in tiles."""

    def __init__(self, frames, edge, tiles):
        self.frames, self.tiles, self.side = frames, tiles, edge // tiles
        self.parts = None if tiles == 1 else tiled(frames, edge, tiles)
        self.frame = np.empty((edge, edge), frames.dtype)

    def next(self, i):
        if self.parts is None:
            return self.frames[i % DISTINCT]
        for tile, pixels in enumerate(self.parts[i % DISTINCT]):
            y, x = tile // self.tiles * self.side, tile % self.tiles * self.side
            self.frame[y:y + self.side, x:x + self.side] = pixels
        return self.frame


class Pace:
    """The moments at which frames come."""

    def __init__(self, rate):
        self.period, self.late, self.latest, self.first = 1 / rate if rate else 0, 0, 0.0, None

    def wait(self, i):
        """Waits for a frame; returns the time."""
        now = time.perf_counter()
        if not self.period:
            return now
        self.first = self.first or now
        due = self.first + i * self.period
        while now < due:
            time.sleep(due - now)
            now = time.perf_counter()
        self.late += now - due > self.period
        self.latest = max(self.latest, now - due)
        return now


def level_edges(edge, chunk_edge):
    """Returns the edges of the levels: the last one is not larger than an inner chunk."""
    edges = [edge]
    while edges[-1] > chunk_edge:
        edges.append((edges[-1] + 1) // 2)
    return edges


def acquire(frames, folder, regime, pace, pyramid, edge, depth, chunk, chunk_edge, count):
    import acquire_zarr as aqz

    blosc = {"lz4": aqz.CompressionCodec.BLOSC_LZ4, "zstd": aqz.CompressionCodec.BLOSC_ZSTD}
    compression = {} if regime == "raw" else {"compression": aqz.CompressionSettings(
        compressor=aqz.Compressor.BLOSC1, codec=blosc[regime], level=1, shuffle=1)}
    space = {"kind": aqz.DimensionType.SPACE, "array_size_px": edge, "chunk_size_px": chunk_edge,
             "shard_size_chunks": edge // chunk_edge}
    dimensions = [aqz.Dimension(name="t", kind=aqz.DimensionType.TIME, array_size_px=0, chunk_size_px=chunk,
                                shard_size_chunks=depth // chunk),
                  aqz.Dimension(name="y", **space), aqz.Dimension(name="x", **space)]
    if pyramid:
        compression["downsampling_method"] = aqz.DownsamplingMethod.MEAN
    array = aqz.ArraySettings(dimensions=dimensions, data_type=aqz.DataType.UINT16, **compression)
    settings = aqz.StreamSettings(arrays=[array], store_path=folder, overwrite=True)
    times, start = [], time.perf_counter()
    stream = aqz.ZarrStream(settings)
    for i in range(count):
        begun = pace.wait(i)
        stream.append(frames.next(i))
        times.append(time.perf_counter() - begun)
    del stream   # waits until all is written
    return time.perf_counter() - start, times


def tensorstore(frames, folder, regime, pace, pyramid, edge, depth, chunk, chunk_edge, count):
    """Collects the frames of a shard and writes them, and the means of them."""
    import tensorstore as ts

    inner = [{"name": "bytes", "configuration": {"endian": "little"}}]
    if regime != "raw":
        inner.append({"name": "blosc", "configuration": {
            "cname": regime, "clevel": 1, "shuffle": "shuffle", "typesize": 2, "blocksize": 0}})
    times, start = [], time.perf_counter()
    levels = []
    for level, side in enumerate(level_edges(edge, chunk_edge) if pyramid else [edge]):
        sharding = {"name": "sharding_indexed", "configuration": {"chunk_shape": [chunk, chunk_edge, chunk_edge],
                                                                  "codecs": inner}}
        path = os.path.join(folder, str(level)) if pyramid else folder
        levels.append(ts.open({"driver": "zarr3", "kvstore": {"driver": "file", "path": path}, "metadata": {
            "shape": [count, side, side], "data_type": "uint16", "codecs": [sharding],
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [depth, side, side]}}}},
            create=True, delete_existing=True).result())
    shard = np.empty((depth, edge, edge), "<u2")
    for i in range(count):
        begun = pace.wait(i)
        shard[i % depth] = frames.next(i)
        if i % depth == depth - 1 or i == count - 1:
            slab, writes = ts.array(shard[:i % depth + 1]), []
            for level, array in enumerate(levels):
                if level:
                    slab = ts.array(ts.downsample(slab, [1, 2, 2], "mean").read().result())
                writes.append(array[i - i % depth:i + 1].write(slab))
            for write in writes:
                write.result()
        times.append(time.perf_counter() - begun)
    return time.perf_counter() - start, times


def run_python(peer, folder, regime, tiles, pyramid, rate, sizes):
    """The process of a peer in Python: prints as FrameStream does."""
    frames = np.fromfile(make_frames(sizes[0]), "<u2").reshape(DISTINCT, sizes[0], sizes[0])
    frames = Assembly(frames, sizes[0], tiles)
    for stream in range(STREAMS):
        cpu, pace = time.process_time(), Pace(rate)
        seconds, times = {"acquire-zarr": acquire, "tensorstore": tensorstore}[peer](
            frames, os.path.join(folder, str(stream)), regime, pace, pyramid, *sizes)
        print(seconds, time.process_time() - cpu, pace.late, int(pace.latest * 1e9), *(int(t * 1e9) for t in times), flush=True)


def command(peer, folder, regime, sizes, options):
    if peer not in SHARDKIT:
        return [sys.executable, os.path.abspath(__file__), "--process", peer, folder, regime, str(options.tiles),
                str(int(options.pyramid)), str(options.rate), *map(str, sizes)]
    edge, depth, chunk, chunk_edge, count = map(str, sizes)
    path = os.environ.get("SHARDKIT_CLASSPATH") or ":".join(
        os.path.join(lab.ROOT, "benchmarks", "target", part) for part in ("classes", "lib/*"))
    return ["java", *os.environ.get("SHARDKIT_JAVA_OPTS", "").split(), "-cp", path,
            "dev.shardkit.benchmarks.lab.FrameStream", make_frames(sizes[0]), folder, regime, SHARDKIT[peer],
            str(BUDGET_MIB), edge, depth, chunk, chunk_edge, count, str(options.tiles), str(STREAMS),
            str(options.pyramid).lower(), str(options.rate)]


def check(place, sizes, pyramid):
    """Compares the first frame, the last one and one between with what was streamed, and level 1 with their means."""
    import zarr

    edge, chunk_edge, count = sizes[0], sizes[3], sizes[4]
    frames = np.fromfile(make_frames(edge), "<u2").reshape(DISTINCT, edge, edge)
    levels = [place]
    if pyramid:
        levels = [os.path.join(place, name) for name in sorted(os.listdir(place)) if name.isdigit()]
        if len(levels) != len(level_edges(edge, chunk_edge)):
            raise RuntimeError(f"expected {len(level_edges(edge, chunk_edge))} levels, found {levels}")
    nodes = [zarr.open(level, mode="r") for level in levels]
    arrays = [node if isinstance(node, zarr.Array) else next(iter(node.arrays()))[1] for node in nodes]
    for array, side in zip(arrays, level_edges(edge, chunk_edge)):
        if array.shape != (count, side, side):
            raise RuntimeError(f"expected {(count, side, side)}, found {array.shape}")
    for i in (0, min(count // 2 + 1, count - 1), count - 1):
        frame = frames[i % DISTINCT]
        if not np.array_equal(arrays[0][i], frame):
            raise RuntimeError(f"frame {i} has other values")
        mean = frame.reshape(edge // 2, 2, edge // 2, 2).mean(axis=(1, 3))
        if pyramid and np.abs(arrays[1][i].astype("f8") - mean).max() >= 1:
            raise RuntimeError(f"frame {i} of level 1 has other values than the mean")


def measure(peer, regime, sizes, options):
    folder = os.path.join(lab.OUT, "streams")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    load = os.getloadavg()[0]
    process = subprocess.Popen(command(peer, folder, regime, sizes, options), stdout=subprocess.PIPE, text=True)
    lines = process.stdout.read().splitlines()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0 or len(lines) != STREAMS:
        raise RuntimeError(f"{peer} failed with status {status}")
    check(os.path.join(folder, str(STREAMS - 1)), sizes, options.pyramid)
    shutil.rmtree(folder)
    seconds, cpu, late, latest, *nanos = lines[-1].split()
    times = sorted(int(n) / 1e6 for n in nanos)
    megabytes = sizes[0] ** 2 * 2 * sizes[4] / 1e6
    return {"MBps": megabytes / float(seconds), "cpu_s_GB": float(cpu) / megabytes * 1e3, "p50_ms": times[len(times) // 2],
            "p99_ms": times[len(times) * 99 // 100], "max_ms": times[-1], "late": int(late),
            "latest_ms": int(latest) / 1e6, "rss_MiB": usage.ru_maxrss / 1024, "load": load}


def main():
    if sys.argv[1:2] == ["--process"]:
        peer, folder, regime, tiles, pyramid, rate, *sizes = sys.argv[2:]
        run_python(peer, folder, regime, int(tiles), pyramid == "1", int(rate), tuple(map(int, sizes)))
        return
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--regimes", default="raw,lz4,zstd")
    arguments.add_argument("--peers", default=",".join(PEERS))
    arguments.add_argument("--small", action="store_true", help="frames of 512 x 512")
    arguments.add_argument("--tiles", type=int, default=1, help="tiles along each edge of a frame")
    arguments.add_argument("--pyramid", action="store_true", help="write coarser levels of means, too")
    arguments.add_argument("--rate", type=int, default=0, help="frames in a second; 0: as fast as they are taken")
    arguments.add_argument("--frames", type=int, help="the number of frames, to try it out")
    options = arguments.parse_args()
    sizes = SMALL if options.small else LARGE
    if sizes[0] % options.tiles:
        arguments.error(f"expected a divisor of {sizes[0]}, found --tiles {options.tiles}")
    if options.pyramid and options.tiles > 1:
        arguments.error("expected --tiles 1 with --pyramid: a pyramid takes whole frames")
    sizes = (*sizes[:4], options.frames or sizes[4])
    names, results = options.peers.split(","), []
    keys = ["MBps", "cpu_s_GB", "p50_ms", "p99_ms", "max_ms", "late", "latest_ms", "rss_MiB", "load"]
    print("| regime | peer | MB/s | CPU s/GB | p50 ms | p99 ms | most ms | late | most late ms | peak MiB | load |\n|"
          + "---|" * 11)
    for regime in options.regimes.split(","):
        runs = {name: [] for name in names}
        for r in range(options.rounds):
            for name in names[r % len(names):] + names[:r % len(names)]:
                try:
                    runs[name].append(measure(name, regime, sizes, options))
                except Exception as e:   # whatever a peer does must not end the others' run
                    print(f"| {regime} | {name} | ERR {e} |", flush=True)
        for name in (n for n in names if runs[n]):
            record = {key: statistics.median(run[key] for run in runs[name]) for key in keys}
            results.append({"work": "CAM", "peer": name, "regime": regime, "frame": sizes[0],
                            "tiles": options.tiles, "pyramid": options.pyramid, "rate": options.rate, **record, "runs": runs[name]})
            print(f"| {regime} | {name} | " + " | ".join(f"{record[k]:.1f}" for k in keys) + " |", flush=True)
    os.makedirs(lab.RESULTS, exist_ok=True)
    with open(os.path.join(lab.RESULTS, time.strftime("streams-%Y%m%d-%H%M%S.json")), "w") as f:
        json.dump({"machine": os.uname().nodename, "results": results}, f, indent=1)


if __name__ == "__main__":
    main()
