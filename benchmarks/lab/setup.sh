#!/usr/bin/env bash
# Installs and builds the peers and the data below $LAB_HOME (default: .work beside this file), each peer by its own
# package client, and builds shardkit. Needs python 3.11+ with venv, node 20.15+ (for zlib.crc32), JDK 17+, Maven,
# cargo and go; a few GB. MAVEN_ARGS are handed on (-o, say). With JAVA_HOME_25 set, the plug-in of native codecs is
# built too.
set -euo pipefail
LAB="$(cd "$(dirname "$0")" && pwd)"
export LAB_HOME="${LAB_HOME:-$LAB/.work}"
mkdir -p "$LAB_HOME"
cd "$LAB_HOME"

echo "== shardkit"
# shellcheck disable=SC2086
(cd "$LAB/../.." && mvn -B -ntp -q ${MAVEN_ARGS:-} -Pbenchmarks -pl benchmarks -am -Dmaven.test.skip=true package)

if [ -n "${JAVA_HOME_25:-}" ]; then
  echo "== shardkit's native codecs (JDK 25)"
  # shellcheck disable=SC2086
  (cd "$LAB/../.." && JAVA_HOME=$JAVA_HOME_25 mvn -B -ntp -q ${MAVEN_ARGS:-} -pl codecs/ffm -am \
    -Dmaven.test.skip=true package dependency:copy-dependencies -DincludeGroupIds=io.airlift \
    -DoutputDirectory=target/lib)
fi

echo "== python peers"
[ -x venv/bin/python ] || python3 -m venv venv
venv/bin/pip install -q zarr zarrs tensorstore fsspec aiohttp obstore numpy zstandard lz4 google-crc32c numcodecs isal zlib-ng

venv/bin/pip install -q acquire-zarr || echo "without acquire-zarr, which needs Python 3.12 or newer"

echo "== zarrita"
mkdir -p js && cp "$LAB"/drivers/js/* js/ && npm --prefix js install --silent

echo "== zarrs (Rust)"
mkdir -p rust && cp -r "$LAB"/drivers/rust/. rust/ && (cd rust && cargo build --release -q)

echo "== static server"
go build -o server "$LAB/server.go"

echo "== data"
PYTHONDONTWRITEBYTECODE=1 venv/bin/python "$LAB/gen.py"
