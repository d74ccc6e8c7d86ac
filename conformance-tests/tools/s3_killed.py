"""Commands that write to a bucket and are killed (SIGKILL) amid the uploads of large shards."""

import os
import signal
import subprocess
import time

import numpy

SHARDS = 2
ELEMENTS = 9 << 20  # a shard is 18 MiB, sent in parts
KILLS = 2
OLD_SECONDS = 2 * 24 * 3600


def uploads(objects):
    """The uploads in parts that versitygw has begun, by their folders."""
    return sorted(objects.glob(".sgwtmp/multipart/*/*"))


def kill_amid_uploads(bucket, name, raw, objects, number):
    """Kills a writer when it has begun its upload NUMBER; returns whether it was still running."""
    process = subprocess.Popen(
        [*bucket.shardkit, "write", bucket.url(name), "--from", str(raw)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    seen = set()
    while process.poll() is None and len(seen) < number:
        seen.update(uploads(objects))
        time.sleep(0.001)
    alive = process.poll() is None
    os.killpg(process.pid, signal.SIGKILL) if alive else None
    process.wait()
    return alive


def is_old_or_new(values, old, new):
    """Each shard is a whole one, of the version before or of the one that the killed writer wrote."""
    rows = numpy.asarray(values).reshape(SHARDS, ELEMENTS)
    return all(numpy.array_equal(row, old[i]) or numpy.array_equal(row, new[i]) for i, row in enumerate(rows))


def killed_writers(checks, bucket, folder, objects):
    random = numpy.random.default_rng(13)
    name, raw = "killed", folder / "raw"
    layout = ["--data-type", "uint16", "--chunk-shape", f"1,{1 << 20}", "--shard-shape", f"1,{ELEMENTS}"]
    bucket.run("create", bucket.url(name), "--shape", f"{SHARDS},{ELEMENTS}", *layout)
    old = numpy.zeros((SHARDS, ELEMENTS), "uint16")
    for kill in range(1, KILLS + 1):
        new = random.integers(0, 1 << 16, (SHARDS, ELEMENTS), dtype="uint16")
        raw.write_bytes(new.tobytes())
        checks.true(f"kill {kill}, amid uploads", lambda: kill_amid_uploads(bucket, name, raw, objects, kill))
        for reader in bucket.readers():
            checks.true(f"kill {kill}, {reader.__name__}", lambda r=reader: is_old_or_new(r(name), old, new))
        old = numpy.array(bucket.by_tensorstore(name))
    leftovers_are_named_and_removed(checks, bucket, name, objects)
    bucket.run("write", bucket.url(name), "--from", raw)
    checks.equal("written after the kills", lambda: bucket.by_zarr_python(name), new)


def leftovers_are_named_and_removed(checks, bucket, name, objects):
    left = uploads(objects)
    checks.true(f"{len(left)} uploads stay behind", lambda: left)
    young = bucket.run("verify", bucket.url(name)).decode()
    checks.true("verify does not name them on the same day", lambda: "upload" not in young)
    for upload in left:
        os.utime(upload, (time.time() - OLD_SECONDS,) * 2)
    old = bucket.run("verify", bucket.url(name), statuses=(0, 1)).decode()
    checks.true("verify names them", lambda: old.count("upload") >= len(left))
    named = bucket.run("repair", bucket.url(name), statuses=(0, 1)).decode()
    checks.true("repair names them, and removes none", lambda: named.count("upload") >= len(left) == len(uploads(objects)))
    bucket.run("repair", bucket.url(name), "--apply")
    checks.true("repair --apply removes them", lambda: not uploads(objects))
    bucket.run("verify", bucket.url(name))
