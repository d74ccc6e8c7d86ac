"""The programs that read and write arrays in an S3 bucket: shardkit, tensorstore, zarr-python with obstore, zarrs."""

import uuid

import numpy
import obstore.store
import tensorstore
import zarr
import zarr.storage

from checks import run

REGION = "us-east-1"


class Bucket:
    """A new prefix in a bucket. The access key is that of AWS's environment variables."""

    def __init__(self, endpoint, bucket, shardkit):
        self.endpoint = endpoint
        self.bucket = bucket
        self.shardkit = [*shardkit, "--s3-endpoint", endpoint, "--s3-region", REGION]
        self.prefix = f"interop-{uuid.uuid4()}"

    def run(self, *arguments, statuses=(0,)):
        return run(self.shardkit, *arguments, statuses=statuses)

    def url(self, name):
        return f"s3://{self.bucket}/{self.prefix}/{name}"

    def by_shardkit(self, name):
        return numpy.frombuffer(self.run("read", self.url(name), "--format", "raw"), "<u2")

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

    def by_zarrs(self, name):
        """The Rust crate, in zarr-python's place for chunks; it gets the settings of obstore's store."""
        with zarr.config.set({"codec_pipeline.path": "zarrs.ZarrsCodecPipeline", "codec_pipeline.strict": True}):
            return zarr.open_array(self.zarr_store(name), mode="r")[...]

    def readers(self):
        return self.by_shardkit, self.by_tensorstore, self.by_zarr_python, self.by_zarrs
