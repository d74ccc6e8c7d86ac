"""Opens an array that `shardkit serve` serves in neuroglancer's client, in headless Chromium.

Usage: neuroglancer_check.py SHARDKIT FOLDER

SHARDKIT is the command. FOLDER must not exist. Needs the packages numpy, zarr and neuroglancer of PyPI, which holds
the built client, and Debian's chromium. All connections stay on this machine.
"""

import importlib.metadata
import io
import subprocess
import sys
import threading

import neuroglancer
import numpy as np
import zarr
from PIL import Image

SHADER = "void main() { emitRGB(vec3(0.0, 1.0, toNormalized(getDataValue()))); }"
BROWSER = [
    "chromium", "--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--window-size=900,700",
]


def main(shardkit, folder):
    values = np.arange(64 * 80, dtype="u2").reshape(1, 64, 80)
    array = zarr.create_array(
        folder + "/a.zarr", shape=(16, 64, 80), chunks=(4, 16, 16), shards=(8, 32, 32), dtype="u2")
    array[:] = np.broadcast_to(values, array.shape)
    neuroglancer.set_server_bind_address("127.0.0.1", 0)
    viewer = neuroglancer.Viewer()
    origin = "/".join(viewer.get_viewer_url().split("/")[:3])
    server = subprocess.Popen(
        [shardkit, "serve", folder + "/a.zarr", "--port", "0", "--allow-origin", origin],
        stdout=subprocess.PIPE, text=True)
    url = server.stdout.readline().split(" at ")[1].split()[0]
    with viewer.txn() as state:
        state.layers["data"] = neuroglancer.ImageLayer(source="zarr://" + url, shader=SHADER)
        state.layout = "xy"
        state.show_axis_lines = False
    browser = subprocess.Popen(
        BROWSER + ["--user-data-dir=" + folder + "/browser", viewer.get_viewer_url()],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shots = []
    thread = threading.Thread(target=lambda: shots.append(viewer.screenshot(size=[300, 200])), daemon=True)
    try:
        thread.start()
        thread.join(300)
    finally:
        browser.terminate()
        browser.wait()
        server.terminate()
        server.wait()
    if not shots:
        sys.exit("neuroglancer drew nothing within five minutes")
    pixels = np.asarray(Image.open(io.BytesIO(shots[0].screenshot.image)).convert("RGB"))
    drawn = int(((pixels[..., 0] == 0) & (pixels[..., 1] == 255)).sum())
    if drawn < 500:
        sys.exit("expected at least 500 pixels of data, found %d" % drawn)
    print("neuroglancer %s drew %d pixels of data" % (importlib.metadata.version("neuroglancer"), drawn))


if __name__ == "__main__":
    main(*sys.argv[1:])
