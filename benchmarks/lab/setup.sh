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
newest_python() {
  for python in "$HOME"/.pyenv/versions/*/bin/python /usr/bin/python3.[0-9]* "$(command -v python3)"; do
    "$python" -c 'import sys, venv; v = sys.version_info; print(v[0] * 100 + v[1], sys.executable)' 2>/dev/null || true
  done | sort -n | tail -1 | cut -d' ' -f2-
}
[ -x venv/bin/python ] || "${LAB_PYTHON:-$(newest_python)}" -m venv venv
venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 12))' || {
  echo "The peers need Python 3.12 or newer: found $(venv/bin/python -V) in $LAB_HOME/venv." >&2
  echo "Delete that folder, and name another Python in LAB_PYTHON." >&2
  exit 1
}
venv/bin/pip install -q -r "$LAB/requirements.txt"

echo "== zarrita"
mkdir -p js && cp "$LAB"/drivers/js/* js/ && npm --prefix js install --silent

echo "== zarrs (Rust)"
mkdir -p rust && cp -r "$LAB"/drivers/rust/. rust/ && (cd rust && cargo build --release -q)

echo "== static server"
go build -o server "$LAB/server.go"

echo "== data"
PYTHONDONTWRITEBYTECODE=1 venv/bin/python "$LAB/gen.py"
