"""Opens the links that `shardkit serve` prints in neuroglancer's client, in headless Chromium.

Usage: neuroglancer_check.py SHARDKIT FOLDER

SHARDKIT is the command. FOLDER must not exist. Needs the packages numpy, zarr, pillow and neuroglancer of PyPI, which
holds the built client, and Debian's chromium. The client is a local copy, so the part of a link before "#" is replaced;
the rest, the state of the viewer, is used as it is printed. All connections stay on this machine.
"""

import importlib.metadata
import io
import json
import os
import struct
import subprocess
import sys
import threading

import neuroglancer
import numpy as np
import zarr
from PIL import Image

SHAPE = (16, 64, 80)
BLOCK = (16, 32, 40)
BROWSER = [
    "chromium", "--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--window-size=900,700",
]


def values():
    """Gray levels that rise from left to right, over the whole range of the data type."""
    row = np.linspace(0, 65535, SHAPE[2]).astype("u2")
    return np.ascontiguousarray(np.broadcast_to(row, SHAPE))


def blocks():
    """The position and the elements of each block of [z, y, x]."""
    for z, y, x in np.ndindex(*(n // b for n, b in zip(SHAPE, BLOCK))):
        at = [i * b for i, b in zip((z, y, x), BLOCK)]
        yield (z, y, x), values()[tuple(slice(a, a + b) for a, b in zip(at, BLOCK))]


def write_zarr(folder):
    zarr.create_array(folder, shape=SHAPE, chunks=(4, 16, 16), shards=(8, 32, 32), dtype="u2")[:] = values()


def write_n5(folder):
    os.makedirs(folder)
    with open(folder + "/attributes.json", "w") as out:
        json.dump({
            "dimensions": SHAPE[::-1], "blockSize": BLOCK[::-1], "dataType": "uint16",
            "compression": {"type": "raw"}}, out)
    for (z, y, x), block in blocks():
        os.makedirs(folder + "/%d/%d" % (x, y), exist_ok=True)
        with open(folder + "/%d/%d/%d" % (x, y, z), "wb") as out:
            out.write(struct.pack(">HHIII", 0, 3, *BLOCK[::-1]) + block.astype(">u2").tobytes())


def write_precomputed(folder):
    os.makedirs(folder + "/8_8_8")
    with open(folder + "/info", "w") as out:
        json.dump({
            "@type": "neuroglancer_multiscale_volume", "type": "image", "data_type": "uint16", "num_channels": 1,
            "scales": [{
                "key": "8_8_8", "size": SHAPE[::-1], "resolution": [8, 8, 8], "voxel_offset": [0, 0, 0],
                "chunk_sizes": [BLOCK[::-1]], "encoding": "raw"}]}, out)
    for at, block in blocks():
        name = "_".join("%d-%d" % (i * b, (i + 1) * b) for i, b in zip(at[::-1], BLOCK[::-1]))
        with open(folder + "/8_8_8/" + name, "wb") as out:
            out.write(block.astype("<u2").tobytes())


def write_ome(folder, shardkit):
    write_zarr(folder + ".source")
    subprocess.run([shardkit, "pyramid", folder + ".source", folder, "--axes", "z,y,x", "--chunk-shape", "8,16,16"],
                   check=True)


def gray_levels(picture):
    """The number of gray levels, black and white left out, that cover more than a line of text does."""
    is_gray = (picture[..., 0] == picture[..., 1]) & (picture[..., 1] == picture[..., 2])
    levels, counts = np.unique(picture[..., 0][is_gray], return_counts=True)
    return int((counts[(levels > 8) & (levels < 247)] > 30).sum())


def picture(url, viewer, profile):
    """Returns what the viewer has drawn once all data is there."""
    browser = subprocess.Popen(
        BROWSER + ["--user-data-dir=" + profile, url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shots = []
    thread = threading.Thread(target=lambda: shots.append(viewer.screenshot(size=[400, 300])), daemon=True)
    try:
        thread.start()
        thread.join(300)
    finally:
        browser.terminate()
        browser.wait()
    if not shots:
        sys.exit("neuroglancer drew nothing within five minutes")
    return np.asarray(Image.open(io.BytesIO(shots[0].screenshot.image)).convert("RGB")).astype(int)


def check(shardkit, folder, name):
    viewer = neuroglancer.UnsynchronizedViewer()
    client = viewer.get_viewer_url().split("#")[0]
    server = subprocess.Popen(
        [shardkit, "serve", folder + "/" + name, "--port", "0", "--allow-origin", "/".join(client.split("/")[:3])],
        stdout=subprocess.PIPE, text=True)
    try:
        server.stdout.readline()
        link = server.stdout.readline().split(": ", 1)[1].strip()
        levels = gray_levels(picture(client + link[link.index("#"):], viewer, folder + "/browser-" + name))
    finally:
        server.terminate()
        server.wait()
    if levels < 20:
        sys.exit("%s: expected at least 20 gray levels of data, found %d" % (name, levels))
    print("neuroglancer %s drew %s: %d gray levels" % (importlib.metadata.version("neuroglancer"), name, levels))


def main(shardkit, folder):
    os.makedirs(folder)
    neuroglancer.set_server_bind_address("127.0.0.1", 0)
    for name, write in ("zarr", write_zarr), ("n5", write_n5), ("precomputed", write_precomputed):
        write(folder + "/" + name)
        check(shardkit, folder, name)
    write_ome(folder + "/ome", shardkit)
    check(shardkit, folder, "ome")


if __name__ == "__main__":
    main(*sys.argv[1:])
