#!/bin/sh
# Peak memory of a full read, of 100 single reads and of one inner chunk of a sparse shard of 4 GiB, each in a JVM of its
# own: with the JVM's own choices, and with little heap.
#
#   memory.sh ARRAY     an array to read in full, of 256 MiB: the lab's, data/A_zstd
set -eu
here=$(cd "$(dirname "$0")" && pwd)
array=$1
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
path=${SHARDKIT_CLASSPATH:-$here/target/classes:$here/target/lib/*}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

measure() { # the options of the JVM, what is read
  options=$1
  shift
  printf '| %s ' "${options:-the defaults}"
  # shellcheck disable=SC2086
  "$java" $options -cp "$path" dev.shardkit.benchmarks.memory.PeakMemory "$@"
}

printf '| JVM | read | peak heap MiB | direct buffers MiB | peak RSS MiB | heap limit MiB |\n|---|---|---|---|---|---|\n'
measure '' full "$array"
measure '-Xmx320m -XX:+UseG1GC' full "$array"
measure '' singles "$array"
measure '-Xmx64m' singles "$array"
measure '-Xmx64m' sparse "$folder/sparse.zarr"
