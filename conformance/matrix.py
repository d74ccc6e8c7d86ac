#!/usr/bin/env python3
"""The matrix of the field: what the implementations in adapters/ make of every row.

    matrix.py --home DIR [--python python3.13] [--shardkit 'shardkit conformance-batch'] [--reuse] [--page FILE]

makes the environments with pinned versions in DIR, runs run.py, writing.py and partial.py over each implementation, keeps
the reports in DIR/reports, and writes docs/conformance-matrix.md (or FILE) and conformance-cases.html beside it. --reuse
makes the pages from the reports that there are.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

import matrix_pages

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parent / "conformance-tests/fixtures"
ADAPTERS = HERE / "adapters"


def environment(home, python, name, pins):
    folder = home / name
    if not (folder / "bin/python").exists():
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
    subprocess.run([str(folder / "bin/python"), "-m", "pip", "install", "-q", "-r", str(ADAPTERS / pins)], check=True)
    return folder / "bin/python"


def commands(home, python):
    """The batch command of each implementation; those whose tools are not here are left out."""
    new = environment(home, python, "new", "requirements.txt")
    old = environment(home, python, "zarr-3.1", "requirements-zarr-3.1.txt")
    found = {
        "zarr-python-new": f"'{new}' '{ADAPTERS}/zarr_python.py'",
        "zarr-python-3.1": f"'{old}' '{ADAPTERS}/zarr_python.py'",
        "tensorstore": f"'{new}' '{ADAPTERS}/tensorstore_python.py'",
    }
    if shutil.which("cargo"):
        build = ["cargo", "build", "-q", "--release", "--locked", "--target-dir", str(home / "zarrs")]
        subprocess.run([*build, "--manifest-path", str(ADAPTERS / "zarrs/Cargo.toml")], check=True)
        found["zarrs"] = f"'{home}/zarrs/release/zarrs_adapter'"
    if shutil.which("npm"):
        shutil.copytree(ADAPTERS / "zarrita", home / "zarrita", dirs_exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=home / "zarrita", check=True)
        found["zarrita"] = f"node '{home}/zarrita/read.mjs'"
    if shutil.which("mvn") and shutil.which("javac"):
        found.update(zarr_java(home))
    return found


def zarr_java(home):
    """Its batch command where Maven finds all that it needs; its version is the one in the pom."""
    source, jars, classes = ADAPTERS / "zarr_java", home / "zarr-java.classpath", home / "zarr-java"
    jars.unlink(missing_ok=True)
    plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath"
    maven = ["mvn", "-B", "-q", "-f", str(source / "pom.xml"), plugin, f"-Dmdep.outputFile={jars}"]
    if subprocess.run(maven, stdout=subprocess.DEVNULL, check=False).returncode or not jars.exists():
        print("matrix.py: zarr-java is left out: Maven does not find what it needs", file=sys.stderr)
        return {}
    path = jars.read_text("utf-8").strip()
    version = re.search(r"zarr-java-([^/]*?)\.jar", path).group(1)
    subprocess.run(["javac", "-cp", path, "-d", str(classes), str(source / "ZarrJava.java")], check=True)
    return {"zarr-java": f"java -Xmx1g -cp '{classes}:{path}' ZarrJava {version}"}


# What the adapters do beside reading from folders.
WRITERS = {"zarr-python-new", "zarr-python-3.1", "tensorstore", "zarrs", "shardkit"}
REMOTE = {"zarr-python-new", "tensorstore", "zarrita", "shardkit"}


def version(command):
    """What the tool says of itself in its first line."""
    p = subprocess.run(command, shell=True, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    said = json.loads(p.stdout.splitlines()[0])
    return f"{said['tool']} {said['version']}"


def run(script, file, command, options, tool):
    report = ["--batch", command, "--report", "json", "-o", str(file)]
    subprocess.run([sys.executable, str(HERE / script), *report, *options], check=False)
    found = json.loads(file.read_text("utf-8"))
    found["tool"] = tool
    file.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def run_all(tools, reports):
    for old in reports.glob("*.json"):
        old.unlink()
    here = ["--fixtures", str(FIXTURES)]
    for name, command in tools.items():
        tool = version(command)
        run("run.py", reports / f"{name}.reading.json", command, here, tool)
        if name in WRITERS:
            readers = [c for n, c in tools.items() if n != name and n in WRITERS - {"zarr-python-3.1"}]
            options = [*here, *(x for r in readers for x in ("--reader", r))]
            run("writing.py", reports / f"{name}.writing.json", command, options, tool)
        if name in REMOTE:
            run("partial.py", reports / f"{name}.partial.json", command, ["--jobs", "1"], tool)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--home", type=pathlib.Path, required=True)
    p.add_argument("--python", default=sys.executable, help="Python 3.12 or newer, for the environments")
    p.add_argument("--shardkit", help="shardkit's batch command")
    p.add_argument("--reuse", action="store_true")
    p.add_argument("--page", type=pathlib.Path, default=HERE.parent / "docs/conformance-matrix.md")
    a = p.parse_args()
    home = a.home.resolve()
    reports = home / "reports"
    reports.mkdir(parents=True, exist_ok=True)
    if not a.reuse:
        tools = {**commands(home, a.python), **({"shardkit": a.shardkit} if a.shardkit else {})}
        run_all(tools, reports)
    found = {
        kind: [json.loads(f.read_text("utf-8")) for f in sorted(reports.glob(f"*.{kind}.json"))]
        for kind in ("reading", "writing", "partial")
    }
    if not found["reading"]:
        p.error(f"{reports} has no reports: run without --reuse")
    facts = matrix_pages.facts(FIXTURES)
    a.page.write_text(matrix_pages.markdown(found, facts), "utf-8")
    a.page.with_name(matrix_pages.CASES).write_text(matrix_pages.page(found, facts), "utf-8")


if __name__ == "__main__":
    main()
