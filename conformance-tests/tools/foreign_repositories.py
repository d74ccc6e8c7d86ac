"""Reads the arrays in copies of foreign repositories with shardkit and with the libraries of their formats.

    python foreign_repositories.py [--only TEXT] [--details] DIR SHARDKIT...

Each folder in DIR is a copy of a repository, or of the parts of it that hold arrays: Zarr v2 and v3 (in ZIP archives
too), the draft of Zarr v3, N5, neuroglancer precomputed, webknossos-wrap, b2nd. SHARDKIT... is the command, or the folder
of its jars, apps/cli/target/lib, which one Java process then runs. It reads each array whole (of a large one, a corner).
zarr-python, tensorstore, z5py, wkw and blosc2 read it too; libraries that are not installed are left out.

Prints a table by repository, then every array whose outcome is not "equal", by its reason:
equal      shardkit and a library read the same elements
alone      shardkit reads it; no library does
named      shardkit refuses it, and names a codec or format of the list NAMED
rejected   shardkit refuses it, and so does every library: damaged on purpose, or no sound array
judged     the libraries are known to differ, and we say who is right (JUDGED)
wrong      other elements, or shardkit refuses what a library reads
--details adds what the libraries say, --only takes the locations that contain TEXT. The exit status is 1 if an array is
wrong, or none was found.
"""

import argparse
import base64
import collections
import concurrent.futures
import functools
import os
import re
import sys
import tempfile
import warnings

import numpy
from foreign_arrays import arrays_below
from foreign_readers import libraries
from manifest_check import difference, output, read_any
from one_process import OneProcess

OUTCOMES = ("equal", "alone", "named", "rejected", "judged", "wrong")
NAMED = re.compile(r"pickle|zfp|pcodec|jpegxl|compresso\b|jxl|crackle|icechunk|szip")
JUDGED = {  # a part of the location or of shardkit's error
    "/str_v2_fv_0.zarr": "fill value 0 of text is the empty text for shardkit and zarrs, 0 for zarr-python",
    '"C" and "F" are from drafts': "the specification forbids the orders C and F, which tensorstore reads",
    "several entries named": "the archive has two versions of a document; #duplicates=last takes the last",
    "(metalayer ": "the file has no elements of its own",
}


def cause(failure):
    """The first line of an error, without places, so that equal errors are counted together."""
    lines = str(failure).strip().splitlines() or [type(failure).__name__]
    line = re.sub(r" \[(at|array|node|tensorstore_spec=).*", "", lines[0].removeprefix("shardkit: "))
    return re.sub(r'"[^"]*/[^"]*"', '"..."', line)[:200]


def printed(elements):
    """Elements of varying size as shardkit's JSON has them: bytes in base64."""
    if elements.dtype.kind != "O":
        return elements
    texts = [base64.b64encode(e).decode() if isinstance(e, bytes) else e for e in elements.ravel()]
    found = numpy.empty(len(texts), dtype=object)
    found[:] = texts
    return found.reshape(elements.shape)


def judge(array, run):
    """Returns the outcome, its reason, and what the libraries said that did not read the array."""
    found = refusal = None
    with tempfile.TemporaryDirectory() as work:
        try:
            found = read_any(run, array.location, ["--follow-links", *array.region()], work)
        except ValueError as failure:
            refusal = cause(failure)
    said, unequal = [], []
    for name, read in libraries(array):
        try:
            expected = printed(numpy.asarray(read(None if found is None else found.shape)))
        except Exception as failure:
            said.append(f"{name}: {cause(failure)}")
            continue
        reason = refusal or difference({"exact": array.exact}, expected, found)
        if not reason:
            return "equal", "", said
        unequal.append(f"{name} reads it; shardkit: {reason}")
    if refusal and NAMED.search(refusal):
        return "named", refusal, said
    for part, reason in JUDGED.items():
        if part in array.location or part in str(refusal):
            return "judged", reason, said
    if unequal:
        return "wrong", "; ".join(unequal), said
    return ("rejected", refusal, said) if refusal else ("alone", "no library reads it", said)


def print_table(counts):
    print("| repository | arrays | " + " | ".join(OUTCOMES) + " |")
    print("| --- |" + " --- |" * (1 + len(OUTCOMES)))
    for name, count in [*sorted(counts.items()), ("all", sum(counts.values(), collections.Counter()))]:
        print(f"| {name} | {count.total()} | " + " | ".join(str(count[outcome]) for outcome in OUTCOMES) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("dir")
    parser.add_argument("shardkit", nargs="+")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    root = os.path.abspath(options.dir)
    arrays = [array for array in arrays_below(root) if options.only in array.location]
    counts = collections.defaultdict(collections.Counter)
    reasons = collections.defaultdict(list)
    jars = os.path.isdir(options.shardkit[0])
    run = OneProcess(options.shardkit[0]) if jars else functools.partial(output, *options.shardkit)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        judged = pool.map(lambda array: judge(array, run), arrays)
        for array, (outcome, reason, said) in zip(arrays, judged):
            counts[os.path.relpath(array.file, root).split(os.sep)[0]][outcome] += 1
            if reason:
                reasons[outcome, reason].append((array.location.replace(root + os.sep, ""), said))
    print_table(counts)
    for (outcome, reason), places in sorted(reasons.items()):
        print(f"\n{outcome}, {len(places)}: {reason}")
        for location, said in places:
            print(f"  {location}" + (f"  ({'; '.join(said)})" if options.details else ""))
    return 1 if not arrays or any(count["wrong"] for count in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
