"""Arrays in clouds that other programs write, read by shardkit, and the other way round.

    clouds_check.py DIR SHARDKIT...

SHARDKIT is the command with its arguments. Starts fake-gcs-server and Azurite (`.ci/fake-gcs run`, `.ci/azurite run`).
zarr-python with obstore, and with gcsfs and adlfs, reads what shardkit has written there, and writes what shardkit
reads. Ends with a line "clouds: N checks, N wrong".
"""

import json
import os
import pathlib
import shutil
import sys
import urllib.request

import numpy
import zarr
from zarr.storage import FsspecStore, ObjectStore

from checks import Checks, run, server

VALUES = numpy.random.default_rng(7).integers(0, 60000, (96, 80), dtype="uint16")
ACCOUNT = "devstoreaccount1"
# The key of every Azurite; its documentation names it.
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


def google(port):
    """The option of shardkit, the root of locations, and zarr-python's stores of a prefix."""
    from obstore.store import GCSStore

    url = f"http://127.0.0.1:{port}"
    os.environ["STORAGE_EMULATOR_HOST"] = url
    os.environ["GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT"] = "false"  # gcsfs would ask over gRPC and TLS
    key = json.dumps(
        {"gcs_base_url": url, "disable_oauth": True, "client_email": "", "private_key": "", "private_key_id": ""}
    )
    body = urllib.request.Request(
        f"{url}/storage/v1/b?project=p", data=b'{"name":"box"}', headers={"Content-Type": "application/json"}
    )
    urllib.request.urlopen(body).close()

    def stores(prefix):
        yield "obstore", lambda: ObjectStore(
            GCSStore("box", prefix=prefix, service_account_key=key, client_options={"allow_http": True})
        )
        yield "gcsfs", lambda: FsspecStore.from_url(
            f"gs://box/{prefix}",
            storage_options={"endpoint_url": url, "token": "anon", "project": "p", "asynchronous": True},
        )

    return ["--gs-endpoint", url], "gs://box", stores


def azure(port):
    from azure.storage.blob import BlobServiceClient
    from obstore.store import AzureStore

    url = f"http://127.0.0.1:{port}/{ACCOUNT}"
    connection = f"DefaultEndpointsProtocol=http;AccountName={ACCOUNT};AccountKey={KEY};BlobEndpoint={url};"
    os.environ["AZURE_STORAGE_KEY"] = KEY
    BlobServiceClient.from_connection_string(connection).create_container("box")

    def stores(prefix):
        yield "obstore", lambda: ObjectStore(
            AzureStore(
                "box",
                prefix=prefix,
                account_name=ACCOUNT,
                account_key=KEY,
                endpoint=url,
                client_options={"allow_http": True},
            )
        )
        yield "adlfs", lambda: FsspecStore.from_url(
            f"az://box/{prefix}", storage_options={"connection_string": connection, "asynchronous": True}
        )

    return ["--az-endpoint", url], "az://box", stores


def check(cloud, options, root, stores, directory, shardkit):
    raw = directory / "raw"
    raw.write_bytes(VALUES.tobytes())
    shape = ["--shape", "96,80", "--data-type", "uint16", "--chunk-shape", "16,20", "--shard-shape", "32,40"]
    run(shardkit, *options, "create", f"{root}/ours", *shape)
    run(shardkit, *options, "write", f"{root}/ours", "--from", raw)
    for peer, open_store in stores("ours"):
        yield f"{cloud}: {peer} reads", lambda s=open_store: zarr.open_array(s(), mode="r")[...]
    for peer, _ in stores("theirs"):
        if (cloud, peer) == ("google", "obstore"):
            continue  # it writes by the XML API, which fake-gcs-server does not know

        def theirs(peer=peer):
            place = f"theirs-{peer}"
            store = dict(stores(place))[peer]()
            array = zarr.create_array(store, shape=VALUES.shape, chunks=(16, 20), shards=(32, 40), dtype="uint16")
            array[...] = VALUES
            read = run(shardkit, *options, "read", f"{root}/{place}", "--format", "raw")
            run(shardkit, *options, "reshard", f"{root}/{place}", "--shard-shape", "96,80")
            again = zarr.open_array(dict(stores(place))[peer](), mode="r")[...]
            return numpy.stack([numpy.frombuffer(read, "<u2").reshape(VALUES.shape), again])

        yield f"{cloud}: {peer} writes, shardkit reads and reshards", theirs


def main():
    directory = pathlib.Path(sys.argv[1])
    shardkit = sys.argv[2:]
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    checks = Checks("clouds")
    for cloud, script, peer in (("google", "fake-gcs", google), ("azure", "azurite", azure)):
        process, port = server(script)
        try:
            for name, found in check(cloud, *peer(port), directory, shardkit):
                checks.true(name, lambda: (numpy.asarray(found()) == VALUES).all())
        finally:
            process.kill()
            process.wait()
    checks.end()


main()
