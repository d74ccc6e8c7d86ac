"""Arrays in an S3 bucket that other programs write, read and resharded in place by shardkit, and the other way round.

    s3_check.py ENDPOINT BUCKET SHARDKIT...

SHARDKIT is the command with its arguments. The access key is that of AWS's environment variables. tensorstore reads and
writes by its s3 driver, zarr-python by obstore.
"""

import pathlib
import subprocess
import sys
import tempfile
import uuid

import numpy
import obstore.store
import tensorstore
import zarr
import zarr.storage

VALUES = numpy.random.default_rng(7).integers(0, 60000, (96, 80), dtype="uint16")
REGION = "us-east-1"


class Bucket:
    """The three programs on one bucket."""

    def __init__(self, endpoint, bucket, shardkit):
        self.endpoint = endpoint
        self.bucket = bucket
        self.shardkit = [*shardkit, "--s3-endpoint", endpoint, "--s3-region", REGION]
        self.prefix = f"interop-{uuid.uuid4()}"

    def run(self, command, *arguments):
        done = subprocess.run([*self.shardkit, command, *map(str, arguments)], capture_output=True)
        if done.returncode:
            raise SystemExit(f"{command} {arguments}: {done.stderr.decode() or done.stdout.decode()}")
        return done.stdout

    def url(self, name):
        return f"s3://{self.bucket}/{self.prefix}/{name}"

    def by_shardkit(self, name):
        return numpy.frombuffer(self.run("read", self.url(name), "--format", "raw"), "<u2").reshape(VALUES.shape)

    def spec(self, name):
        return {
            "driver": "zarr3",
            "kvstore": {
                "driver": "s3",
                "bucket": self.bucket,
                "path": f"{self.prefix}/{name}/",
                "endpoint": self.endpoint,
                "aws_region": REGION,
                "aws_credentials": {"type": "environment"},
            },
        }

    def by_tensorstore(self, name):
        return tensorstore.open(self.spec(name)).result().read().result()

    def zarr_store(self, name):
        store = obstore.store.S3Store(
            self.bucket,
            prefix=f"{self.prefix}/{name}",
            endpoint=self.endpoint,
            region=REGION,
            client_options={"allow_http": True},
        )
        return zarr.storage.ObjectStore(store)

    def by_zarr_python(self, name):
        return zarr.open_array(self.zarr_store(name), mode="r")[...]

    def expect(self, name, expected):
        """All three read the same values."""
        for reader in (self.by_shardkit, self.by_tensorstore, self.by_zarr_python):
            if not numpy.array_equal(reader(name), expected):
                raise SystemExit(f"{name}, {reader.__name__}: other values")
            print("equal", name, reader.__name__, flush=True)


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


def tensorstore_writes(bucket):
    """A bucket that tensorstore has written is read, resharded in place and changed."""
    metadata = {
        "shape": list(VALUES.shape),
        "data_type": "uint16",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [32, 40]}},
        "codecs": [sharded([{"name": "zstd", "configuration": {"level": 1, "checksum": False}}])],
    }
    array = tensorstore.open({**bucket.spec("tensorstore"), "metadata": metadata}, create=True).result()
    array.write(VALUES).result()
    bucket.expect("tensorstore", VALUES)
    bucket.run("reshard", bucket.url("tensorstore"), "--shard-shape", "96,80")
    bucket.run("verify", bucket.url("tensorstore"))
    bucket.expect("tensorstore", VALUES)
    changed = write_rows(bucket, "tensorstore", VALUES)
    array = tensorstore.open(bucket.spec("tensorstore")).result()
    changed[50:60, 30:] = 9
    array[50:60, 30:].write(9).result()
    bucket.expect("tensorstore", changed)


def write_rows(bucket, name, values):
    """Rows 10 to 13, by shardkit."""
    changed = values.copy()
    changed[10:13] = 7
    with tempfile.TemporaryDirectory() as folder:
        rows = pathlib.Path(folder) / "rows"
        rows.write_bytes(changed[10:13].tobytes())
        bucket.run("write", bucket.url(name), "--from", rows, "--region", "10:13,:")
    return changed


def zarr_python_writes(bucket):
    array = zarr.create_array(
        bucket.zarr_store("zarr-python"), shape=VALUES.shape, chunks=(16, 20), shards=(32, 40), dtype="uint16"
    )
    array[...] = VALUES
    bucket.expect("zarr-python", VALUES)
    bucket.expect("zarr-python", write_rows(bucket, "zarr-python", VALUES))


def shardkit_writes(bucket):
    with tempfile.TemporaryDirectory() as folder:
        elements = pathlib.Path(folder) / "elements"
        elements.write_bytes(VALUES.tobytes())
        layout = ["--data-type", "uint16", "--chunk-shape", "16,20", "--shard-shape", "32,40"]
        bucket.run("create", bucket.url("shardkit"), "--shape", "96,80", *layout)
        bucket.run("write", bucket.url("shardkit"), "--from", elements)
    bucket.expect("shardkit", VALUES)
    bucket.run("copy", bucket.url("shardkit"), bucket.url("copied"))
    bucket.expect("copied", VALUES)


def main():
    bucket = Bucket(sys.argv[1], sys.argv[2], sys.argv[3:])
    tensorstore_writes(bucket)
    zarr_python_writes(bucket)
    shardkit_writes(bucket)


if __name__ == "__main__":
    main()
