#!/bin/sh
# Three rows beside plain Java loops, in less than a minute: the ratios are printed, and no time fails.
#
#   loops.sh [ROUNDS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx1g -cp "${SHARDKIT_CLASSPATH:-$here/target/classes:$here/target/lib/*}" \
  dev.shardkit.benchmarks.baseline.PlainLoops "$folder" "$@"
