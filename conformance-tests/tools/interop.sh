#!/usr/bin/env bash
# The interop check.
#
#   interop.sh prepare               makes the environment (Python venv; the zarrs and zarrita readers where cargo
#                                    and npm are there; the libraries of other formats) under
#                                    conformance-tests/target/interop; kept while the pins are the same
#   interop.sh fresh DIR [SEED]      writes fresh fixtures with zarr-python into DIR (seed: a new one each day by default)
#   interop.sh v2 DIR [SEED]         writes arrays of Zarr v2 with zarr-python into DIR
#   interop.sh read MANIFEST...      reads arrays back with every reader, compares, prints a table (see read_back.py)
#   interop.sh adopt DIR SHARDKIT...   HDF5 files that shardkit adopts, compared (see hdf5_adopt.py)
#   interop.sh concat DIR SHARDKIT...  arrays that shardkit concatenates, compared (see concat_check.py)
#   interop.sh hdf5 DIR FILES SHARDKIT...  random HDF5 files, opened and referred to (see hdf5_check.py)
#   interop.sh tiff DIR FILES SHARDKIT...  random TIFF files, referred to (see tiff_references_check.py)
#   interop.sh xarray DIR COUNT SHARDKIT [SEED]  random datasets through every command, opened by xarray (see
#                                    xarray_check.py)
#   interop.sh cf DIR COUNT SHARDKIT [SEED]  random datasets of the CF conventions, decoded by xarray (see cf_check.py)
#   interop.sh cf DIR files SHARDKIT  files in the forms of public data sets, the same way (see cf_files.py)
#   interop.sh zip DIR SHARDKIT...     ZIP archives, written and read by others and by shardkit (see zip_check.py)
#   interop.sh ome DIR SHARDKIT...     OME-Zarr images, written and read by others and by shardkit (see ome_check.py)
#   interop.sh stream DIR            images and plates that are being recorded, read by others (see stream_check.py);
#                                    the tests of conformance-tests are compiled
#   interop.sh clouds DIR SHARDKIT...  arrays in clouds, written and read by others and by shardkit (see clouds_check.py)
#   interop.sh s3 DIR SHARDKIT...      arrays in an S3 bucket, written and read by others and by shardkit, and writers
#                                    that are killed (see s3_check.py)
#   interop.sh foreign DIR             data of neuroglancer, webknossos-wrap, N5 and shardedstore that shardkit has made
#                                    and changed, changed again by their libraries (see foreign_check.py)
#   interop.sh registry DIR            arrays of every data type and codec of zarr-python (see make_registry.py)
#   interop.sh arrow DIR               files of Arrow, written and read by pyarrow and by shardkit (see arrow_check.py)
#   interop.sh viewer DIR SHARDKIT...  planes that neuroglancer shows of what shardkit serves (see viewer_check.py)
#   interop.sh all DIR [SEED]        prepare, then fresh fixtures in DIR/fresh and a read-back of them and of every
#                                    manifest.json in the other folders of DIR
#
# PYTHON names the interpreter (3.11 or newer); without it the first of python3.14 ... python3.11, python3 that is
# new enough. INTEROP_PEERS=python leaves zarrs and zarrita out, INTEROP_PEERS=zarrs zarrita only, which starts a
# process for each read and takes most of the time.
set -euo pipefail

tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${INTEROP_HOME:-$tools/../target/interop}
say() { printf 'interop: %s\n' "$*" >&2; }

find_python() {
  local candidate
  for candidate in ${PYTHON:-python3.14 python3.13 python3.12 python3.11 python3}; do
    if "$candidate" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  say "no Python 3.11 or newer with venv (set PYTHON)"
  return 1
}

digest() { cat "$@" | { sha256sum 2>/dev/null || shasum -a 256; } | cut -c1-16; }

# ready NAME STAMP: the part is there with these pins
ready() { [ "$(cat "$home/$1.stamp" 2>/dev/null)" = "$2" ]; }

# environment NAME PINS: makes a Python environment
environment() {
  local stamp
  stamp=$(digest "$tools/$2")
  ready "$1" "$stamp" && return
  mkdir -p "$home"
  ( # two tests may want it at once
    ! command -v flock >/dev/null || flock 9
    ready "$1" "$stamp" || make_environment "$1" "$2" "$stamp"
  ) 9>"$home/$1.lock"
}

make_environment() { # NAME PINS STAMP
  local python
  python=$(find_python) || return
  say "making a Python environment of $2 ($("$python" --version 2>&1))"
  rm -rf "${home:?}/$1"
  "$python" -m venv "$home/$1" &&
    "$home/$1/bin/python" -m pip install --quiet --disable-pip-version-check -r "$tools/$2" &&
    echo "$3" >"$home/$1.stamp"
}

prepare_zarrs() {
  local stamp
  stamp=$(digest "$tools/zarrs_peer/Cargo.toml" "$tools/zarrs_peer/Cargo.lock" "$tools/zarrs_peer/src/main.rs")
  ready zarrs "$stamp" && return
  command -v cargo >/dev/null || { say "no cargo: the zarrs crate is left out"; return; }
  say "building the zarrs reader (minutes, once)"
  if CARGO_TARGET_DIR="$home/zarrs" cargo build --quiet --release --locked \
      --manifest-path "$tools/zarrs_peer/Cargo.toml" >"$home/zarrs.log" 2>&1; then
    echo "$stamp" >"$home/zarrs.stamp"
  else
    say "the zarrs reader can't be built and is left out (see $home/zarrs.log)"
  fi
}

prepare_zarrita() {
  local stamp
  stamp=$(digest "$tools/zarrita_peer/package.json" "$tools/zarrita_peer/read.mjs")
  ready zarrita "$stamp" && return
  command -v npm >/dev/null && command -v node >/dev/null || { say "no npm: zarrita is left out"; return; }
  mkdir -p "$home/zarrita"
  cp "$tools/zarrita_peer/package.json" "$tools/zarrita_peer/read.mjs" "$home/zarrita/"
  if (cd "$home/zarrita" && npm install --silent --no-audit --no-fund) >"$home/zarrita.log" 2>&1; then
    echo "$stamp" >"$home/zarrita.stamp"
  else
    say "zarrita can't be installed and is left out (see $home/zarrita.log)"
  fi
}

prepare() {
  environment venv requirements.txt
  if [ "${INTEROP_PEERS:-all}" != python ]; then
    prepare_zarrs
    [ "${INTEROP_PEERS:-all}" = zarrs ] || prepare_zarrita
  fi
}

python() {
  local name
  export PYTHONDONTWRITEBYTECODE=1
  if [ "${INTEROP_PEERS:-all}" != python ]; then
    name=$home/zarrs/release/zarrs_peer
    [ -x "$name" ] && export ZARRS_PEER=${ZARRS_PEER:-$name}
    [ "${INTEROP_PEERS:-all}" = all ] && [ -f "$home/zarrita.stamp" ] && export ZARRITA_PEER=${ZARRITA_PEER:-$home/zarrita/read.mjs}
  fi
  "$home/venv/bin/python" "$@"
}

fresh() {
  rm -rf "$1"
  python "$tools/make_fixtures.py" --out "$1" --seed "${2:-$(date +%Y%m%d)}"
}

version2() {
  rm -rf "$1"
  python "$tools/make_v2.py" --out "$1" --seed "${2:-$(date +%Y%m%d)}"
}

all() {
  local dir=$1 manifests=() m
  prepare
  fresh "$dir/fresh" "${2:-}"
  for m in "$dir"/*/manifest.json; do
    [ -f "$m" ] && manifests+=("$m")
  done
  python "$tools/read_back.py" "${manifests[@]}"
}

case ${1:-} in
  prepare) prepare && environment foreign foreign-requirements.txt && environment clouds clouds-requirements.txt ;;
  fresh) prepare && fresh "$2" "${3:-}" ;;
  v2) prepare && version2 "$2" "${3:-}" ;;
  read) shift && prepare && python "$tools/read_back.py" "$@" ;;
  adopt | concat)
    environment newest newest-requirements.txt
    script=hdf5_adopt.py
    [ "$1" = adopt ] || script=concat_check.py
    shift
    PYTHONDONTWRITEBYTECODE=1 "$home/newest/bin/python" -W ignore "$tools/$script" "$@"
    ;;
  hdf5 | tiff)
    environment hdf5 hdf5-requirements.txt
    script=hdf5_check.py
    [ "$1" = hdf5 ] || script=tiff_references_check.py
    shift
    PYTHONDONTWRITEBYTECODE=1 "$home/hdf5/bin/python" -W ignore "$tools/$script" "$@"
    ;;
  xarray | cf)
    # The newest libraries need a newer Python than 3.11, which pyenv may have without naming it.
    PYTHON=${PYTHON:-$(ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[2-9].*/bin/python 2>/dev/null | sort -V | tail -1)}
    environment xarray xarray-requirements.txt
    script=${1}_check.py
    shift
    PYTHONDONTWRITEBYTECODE=1 "$home/xarray/bin/python" -W ignore "$tools/$script" "$@"
    ;;
  zip | clouds | s3)
    environment clouds clouds-requirements.txt
    script=$tools/$1_check.py
    shift
    PYTHONDONTWRITEBYTECODE=1 "$home/clouds/bin/python" -W ignore "$script" "$@"
    ;;
  ome)
    environment ome ome-requirements.txt
    shift
    PYTHONDONTWRITEBYTECODE=1 "$home/ome/bin/python" -W ignore "$tools/ome_check.py" "$@"
    ;;
  stream)
    environment stream stream-requirements.txt
    PYTHONDONTWRITEBYTECODE=1 "$home/stream/bin/python" -W ignore "$tools/stream_check.py" "$2" \
      "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$("$tools/test-class-path.sh" conformance-tests)" \
      dev.shardkit.crash.RecordingMain
    ;;
  foreign)
    environment foreign foreign-requirements.txt
    PYTHONDONTWRITEBYTECODE=1 "$home/foreign/bin/python" -W ignore "$tools/foreign_check.py" "$2"
    ;;
  registry)
    environment newest newest-requirements.txt
    PYTHONDONTWRITEBYTECODE=1 "$home/newest/bin/python" -W ignore "$tools/make_registry.py" "$2"
    ;;
  arrow)
    environment arrow arrow-requirements.txt
    PYTHONDONTWRITEBYTECODE=1 "$home/arrow/bin/python" -W ignore "$tools/arrow_check.py" "$2"
    ;;
  viewer)
    environment viewer viewer-requirements.txt
    shift
    PYTHONDONTWRITEBYTECODE=1 "$home/viewer/bin/python" -W ignore "$tools/viewer_check.py" "$@"
    ;;
  all) all "$2" "${3:-}" ;;
  *) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
