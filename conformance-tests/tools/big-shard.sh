#!/usr/bin/env bash
# One shard of ZEP 2's own example, shape (25000, 18000, 6000) uint8, shards of 2048^3, inner chunks of 64^3, grown slice
# by slice past 4 GiB with -Xmx512m, and then read in samples by tensorstore and zarr-python.
#
#   big-shard.sh DIR [IN_PLACE|APPEND] [SLICES] [none|zstd]     1,088 slices (4.25 GiB) without compression if nothing
#                                                               is said; DIR/big.zarr must not be there, and stays
#
# Exit status 1: a sample differs. Compiles through Maven first. MAVEN_ARGS are handed on (-o, say). Python is that of
# interop.sh (INTEROP_HOME), whose environment must have been prepared.
set -euo pipefail

tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
here=$tools/..
mkdir -p "$1"
dir=$(cd "$1" && pwd)
strategy=${2:-APPEND}
slices=${3:-1088}
if [ -z "${BIG_SHARD_CLASSPATH:-}" ]; then
  # shellcheck disable=SC2086
  (cd "$here/.." && mvn -B -ntp -q ${MAVEN_ARGS:-} test-compile dependency:build-classpath \
    -Dmdep.outputFile=target/big-shard.classpath -pl conformance-tests -am)
  BIG_SHARD_CLASSPATH=$here/target/test-classes:$(cat "$here/target/big-shard.classpath")
fi
"${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx512m -cp "$BIG_SHARD_CLASSPATH" \
  dev.shardkit.bigshard.BigShardMain "$dir/big.zarr" "$strategy" "$slices" "${4:-none}"
PYTHONDONTWRITEBYTECODE=1 "${INTEROP_HOME:-$here/target/interop}/venv/bin/python" "$tools/big_shard.py" \
  "$dir/big.zarr" "$slices"
