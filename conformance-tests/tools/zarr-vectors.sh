#!/usr/bin/env bash
# Has PyPI's zarr-vectors write 24 stores, changes their layout with the shardkit command, and compares what zarr-vectors
# and zarr-python read before and after each change.
#
#   zarr-vectors.sh [DIR]      DIR is made anew (by default a temporary folder)
#
# PYTHON names the interpreter (3.11 or newer); SHARDKIT the command, by default that of this clone. The environment is
# kept under conformance-tests/target/zarr-vectors while the pins are the same. Exit status 1: something differs.
set -euo pipefail

tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${ZARR_VECTORS_HOME:-$tools/../target/zarr-vectors}
pins=$tools/zarr-vectors-requirements.txt
if ! cmp -s "$pins" "$home/pins"; then
  python=${PYTHON:-}
  for candidate in python3.14 python3.13 python3.12 python3.11 python3; do
    [ -n "$python" ] && break
    "$candidate" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && python=$candidate
  done
  [ -n "$python" ] || { echo "zarr-vectors: no Python 3.11 or newer with venv (set PYTHON)" >&2; exit 1; }
  rm -rf "$home"
  mkdir -p "$home"
  "$python" -m venv "$home/venv"
  "$home/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$pins"
  cp "$pins" "$home/pins"
fi
dir=${1:-}
if [ -z "$dir" ]; then
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
fi
rm -rf "$dir/stores"
mkdir -p "$dir"
PYTHONDONTWRITEBYTECODE=1 "$home/venv/bin/python" "$tools/zarr_vectors_check.py" \
  "${SHARDKIT:-$tools/../../shardkit}" "$dir/stores"
