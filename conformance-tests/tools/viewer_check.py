"""Images that `shardkit serve` shows in neuroglancer, in a real browser.

    viewer_check.py DIR SHARDKIT...

SHARDKIT is the command with its arguments. It makes pyramids and a volume, serves each one, and opens the link that
`serve` prints in the neuroglancer of the package `neuroglancer`, with Chromium. A plane on the screen is compared with
the elements. Needs chromium and chromedriver.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import urllib.parse

import neuroglancer
import numpy
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

Z, Y, X = numpy.mgrid[0:40, 0:160, 0:240]
VALUES = (((Z // 8 + Y // 20 + X // 30) % 2) * 150 + 50).astype("uint8")
PLANE = 21
PATIENCE_SECONDS = 180


def run(shardkit, *arguments):
    done = subprocess.run([*shardkit, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{arguments}: {done.stderr or done.stdout}")


def serve(shardkit, folder, origin):
    """The server's process and the state of the viewer that its link to neuroglancer holds."""
    server = subprocess.Popen(
        [*shardkit, "serve", str(folder), "--port", "0", "--allow-origin", origin], stdout=subprocess.PIPE, text=True
    )
    for line in server.stdout:
        link = re.match(r"neuroglancer: [^#]*#!(\S+)", line)
        if link:
            return server, json.loads(urllib.parse.unquote(link[1]))
    raise SystemExit(f"{folder}: serve printed no link to neuroglancer")


def browser():
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1000,800",
                     "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]:
        options.add_argument(argument)
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def screenshot(viewer):
    """One pixel an element of a plane, as soon as the viewer has loaded all of it."""
    height, width = VALUES.shape[1:]
    answers = []
    asking = threading.Thread(target=lambda: answers.append(viewer.screenshot(size=[width, height])), daemon=True)
    asking.start()
    asking.join(PATIENCE_SECONDS)
    if not answers:
        raise SystemExit(f"the viewer is not ready after {PATIENCE_SECONDS} s")
    return answers[0].screenshot.image_pixels[..., 0]


def shown(chrome, viewer, state, begin):
    """The gray values of the plane on the screen, of elements that begin at this coordinate along each dimension."""
    viewer.set_state(state)
    chrome.get(viewer.get_viewer_url())
    screenshot(viewer)  # from now on the viewer knows the dimensions
    for _ in range(10):
        with viewer.txn() as change:
            change.display_dimensions = ["x", "y", "z"]
            change.position = [begin + PLANE + 0.5, begin + VALUES.shape[1] / 2, begin + VALUES.shape[2] / 2]
            change.layout = "xy"
            change.cross_section_scale = 1
            change.show_axis_lines = False
            change.show_scale_bar = False
            change.show_default_annotations = False
            change.layers[0].shader = "void main() { emitGrayscale(toNormalized(getDataValue())); }"
        pixels = screenshot(viewer)
        # The page may still have sent an older state, which replaces this one.
        taken = viewer.state.to_json()
        if taken.get("displayDimensions") == ["x", "y", "z"] and taken.get("layout") == "xy":
            return pixels
    raise SystemExit("the viewer does not take the view")


def sources(shardkit, folder):
    """Images in several formats: yields a name, a folder, and the coordinate at which the first element begins."""
    numpy.save(folder / "values.npy", VALUES)
    array = folder / "values.zarr"
    run(shardkit, "import", folder / "values.npy", array, "--dimension-names", "z,y,x",
        "--chunk-shape", "32,32,32", "--shard-shape", "64,64,64")
    yield "sharded array", array, 0
    for version in ("0.5", "0.4"):
        image = folder / f"image-{version}.zarr"
        run(shardkit, "pyramid", array, image, "--axes", "z,y,x", "--levels", "3", "--ome-version", version)
        yield f"OME-Zarr {version}", image, -0.5  # coordinates of OME-Zarr are those of the middle of an element


def main():
    folder = pathlib.Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shardkit = sys.argv[2:]
    neuroglancer.set_server_bind_address("127.0.0.1")
    viewer = neuroglancer.Viewer()
    origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(viewer.get_viewer_url()))
    checks = wrong = 0
    chrome = browser()
    try:
        for name, image, begin in sources(shardkit, folder):
            server, state = serve(shardkit, image, origin)
            try:
                difference = numpy.abs(shown(chrome, viewer, state, begin).astype(int) - VALUES[PLANE])
            finally:
                server.terminate()
                server.wait()
            checks += 1
            wrong += bool((difference > 1).any())
            print(f"{name}: {(difference > 1).sum()} of {difference.size} pixels differ", flush=True)
    finally:
        chrome.quit()
    print(f"viewer: {checks} checks, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
