"""Arrays that shardkit concatenates, read with zarr-python.

    concat_check.py DIR SHARDKIT...

SHARDKIT is the command with its arguments. zarr-python writes the sources; `shardkit concat` copies them into one
array, then moves them into another, and zarr-python must read both as numpy.concatenate has them. Where chunk shapes
differ the result has a rectilinear chunk grid, which zarr-python reads from 3.2 on; before, these cases are left out.
"""

import pathlib
import shutil
import subprocess
import sys

import numpy
import zarr

# name, axis, then shape, chunk shape and shard shape of each source
CASES = [
    ("chunks", 0, ((8, 6), (4, 3), None), ((10, 6), (4, 3), None)),
    ("shards", 1, ((8, 12), (2, 3), (4, 6)), ((8, 20), (2, 3), (4, 6))),
    ("unequal_chunks", 0, ((8, 6), (4, 3), None), ((10, 6), (5, 3), None), ((7, 6), (4, 3), None)),
    ("unequal_shards", 0, ((16, 8), (2, 4), (8, 8)), ((12, 8), (2, 4), (4, 8)), ((7, 8), (2, 4), (6, 8))),
]


def reads_rectilinear():
    try:
        zarr.config.set({"array.rectilinear_chunks": True})
        return tuple(int(n) for n in zarr.__version__.split(".")[:2]) >= (3, 2)
    except (KeyError, ValueError):
        return False


def write(path, shape, chunks, shards, rng):
    array = zarr.create_array(str(path), shape=shape, chunks=chunks, shards=shards, dtype="int32", fill_value=-1)
    array[:, : shape[1] // 2 + 1] = rng.integers(0, 1000, (shape[0], shape[1] // 2 + 1))  # the rest stays missing
    return array[...]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr or done.stdout}")


def check(directory, shardkit, case, rng):
    name, axis, *sources = case
    folders = [directory / f"{name}-{i}" for i in range(len(sources))]
    values = numpy.concatenate([write(f, *s, rng) for f, s in zip(folders, sources)], axis)
    wrong = 0
    for way in ((), ("--move",)):
        out = directory / f"{name}-{'moved' if way else 'copied'}"
        run(*shardkit, "concat", *map(str, folders), "--axis", str(axis), "--to", str(out), *way)
        read = zarr.open_array(str(out), mode="r")
        equal = read.shape == values.shape and (read[...] == values).all()
        gone = not any(any(f.rglob("zarr.json")) for f in folders)
        right = gone == bool(way)
        print(f"{out.name}: {'as numpy has it' if equal else 'DIFFERS'}{'' if right else ', SOURCES WRONG'}")
        wrong += not (equal and right)
    return wrong


def main():
    directory = pathlib.Path(sys.argv[1])
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    rng = numpy.random.default_rng(7)
    cases = CASES if reads_rectilinear() else CASES[:2]
    wrong = sum(check(directory, sys.argv[2:], case, rng) for case in cases)
    if cases is not CASES:
        print(f"left out: unequal chunks, as zarr-python {zarr.__version__} reads no rectilinear chunk grids")
    print(f"concat: {2 * len(cases)} checks, {wrong} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
