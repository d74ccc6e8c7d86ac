"""Arrays in an S3 bucket that other programs write, read and resharded in place by shardkit, and the other way round.

    s3_check.py DIR SHARDKIT...

SHARDKIT is the command with its arguments. Starts `.ci/versitygw run` with its objects below DIR, unless
S3_CHECK_ENDPOINT names another server; S3_CHECK_BUCKET is its bucket then, and AWS's environment variables hold the
key. tensorstore reads and writes by its s3 driver, zarr-python by obstore, and zarrs reads. Writers are killed amid
uploads (s3_killed.py), on versitygw only. Ends with a line "s3: N checks, N wrong".
"""

import os
import pathlib
import shutil
import sys

import numpy
import tensorstore
import zarr

from checks import Checks, server
from s3_bucket import Bucket
from s3_killed import killed_writers

VALUES = numpy.random.default_rng(7).integers(0, 60000, (96, 80), dtype="uint16")


def expect(checks, bucket, name, expected):
    """All of them read the same values."""
    for reader in bucket.readers():
        checks.equal(f"{name}, {reader.__name__}", lambda r=reader: r(name), expected)


def sharded(inner):
    return {
        "name": "sharding_indexed",
        "configuration": {
            "chunk_shape": [16, 20],
            "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, *inner],
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}],
            "index_location": "end",
        },
    }


def tensorstore_writes(checks, bucket, folder):
    """A bucket that tensorstore has written is read, resharded in place and changed."""
    metadata = {
        "shape": list(VALUES.shape),
        "data_type": "uint16",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [32, 40]}},
        "codecs": [sharded([{"name": "zstd", "configuration": {"level": 1, "checksum": False}}])],
    }
    array = tensorstore.open({**bucket.spec("tensorstore"), "metadata": metadata}, create=True).result()
    array.write(VALUES).result()
    expect(checks, bucket, "tensorstore", VALUES)
    bucket.run("reshard", bucket.url("tensorstore"), "--shard-shape", "96,80")
    bucket.run("verify", bucket.url("tensorstore"))
    expect(checks, bucket, "tensorstore", VALUES)
    changed = write_rows(bucket, "tensorstore", VALUES, folder)
    array = tensorstore.open(bucket.spec("tensorstore")).result()
    changed[50:60, 30:] = 9
    array[50:60, 30:].write(9).result()
    expect(checks, bucket, "tensorstore", changed)


def write_rows(bucket, name, values, folder):
    """Rows 10 to 13, by shardkit."""
    changed = values.copy()
    changed[10:13] = 7
    rows = folder / "rows"
    rows.write_bytes(changed[10:13].tobytes())
    bucket.run("write", bucket.url(name), "--from", rows, "--region", "10:13,:")
    return changed


def zarr_python_writes(checks, bucket, folder):
    array = zarr.create_array(
        bucket.zarr_store("zarr-python"), shape=VALUES.shape, chunks=(16, 20), shards=(32, 40), dtype="uint16"
    )
    array[...] = VALUES
    expect(checks, bucket, "zarr-python", VALUES)
    expect(checks, bucket, "zarr-python", write_rows(bucket, "zarr-python", VALUES, folder))


def shardkit_writes(checks, bucket, folder):
    elements = folder / "elements"
    elements.write_bytes(VALUES.tobytes())
    layout = ["--data-type", "uint16", "--chunk-shape", "16,20", "--shard-shape", "32,40"]
    bucket.run("create", bucket.url("shardkit"), "--shape", "96,80", *layout)
    bucket.run("write", bucket.url("shardkit"), "--from", elements)
    expect(checks, bucket, "shardkit", VALUES)
    bucket.run("copy", bucket.url("shardkit"), bucket.url("copied"))
    expect(checks, bucket, "copied", VALUES)


def check(bucket, folder, objects):
    checks = Checks("s3")
    for steps in (tensorstore_writes, zarr_python_writes, shardkit_writes):
        checks.steps(steps.__name__, lambda s=steps: s(checks, bucket, folder))
    if objects:
        checks.steps("killed writers", lambda: killed_writers(checks, bucket, folder, objects))
    checks.end()


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    shardkit = sys.argv[2:]
    shutil.rmtree(folder, ignore_errors=True)
    objects = folder / "objects"
    bucket = os.environ.get("S3_CHECK_BUCKET", "tests")
    (objects / bucket).mkdir(parents=True)
    if "S3_CHECK_ENDPOINT" in os.environ:
        check(Bucket(os.environ["S3_CHECK_ENDPOINT"], bucket, shardkit), folder, None)
    os.environ.update(AWS_ACCESS_KEY_ID="testing", AWS_SECRET_ACCESS_KEY="testing12")
    process, port = server("versitygw", objects)
    try:
        check(Bucket(f"http://127.0.0.1:{port}", bucket, shardkit), folder, objects / bucket)
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
