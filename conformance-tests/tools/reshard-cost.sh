#!/usr/bin/env bash
# What it costs to change the layout of a 1 GiB array, beside a copy of its files: CPU time (user and system), wall time
# and the most memory, with a heap of 64 MiB. Inner chunks are not compressed, so that the size is what it says.
#
#   reshard-cost.sh DIR      DIR must have 4 GiB free; DIR/reshard-cost is made and removed
#
# SHARDKIT names the command, by default that of this clone. Needs GNU time. The first line is the cost of starting the
# command, which every other line of it has in it.
set -euo pipefail

shardkit=${SHARDKIT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/shardkit}
mkdir -p "$1"
dir=$(cd "$1" && pwd)/reshard-cost
mkdir "$dir"
trap 'rm -rf "$dir"' EXIT

run() { # $1: what is measured; the rest: the command
  local name=$1
  shift
  /usr/bin/time -f "%U %S %e %M" -o "$dir/time" "$@" >"$dir/out"
  awk -v name="$name" '{ printf "%-34s cpu %5.2f s (user %5.2f, system %5.2f)  wall %6.2f s  memory %4d MiB\n",
    name, $1 + $2, $1, $2, $3, $4 / 1024 }' "$dir/time"
}

"$shardkit" create "$dir/a" --shape 1024,1024,512 --data-type uint16 --chunk-shape 64,64,64 --shard-shape 256,256,256 \
  --codecs '[]'
head -c 1073741824 /dev/urandom | "$shardkit" write "$dir/a" --from -
export JAVA_TOOL_OPTIONS="${JAVA_TOOL_OPTIONS:-} -Xmx64m"
exec 2>/dev/null # where the JVM says that it took up the options
run "nothing to do" "$shardkit" reshard "$dir/a" --chunks-per-shard 4
for i in 1 2; do
  rm -rf "$dir/copy"
  run "cp -r (32 shards)" cp -r "$dir/a" "$dir/copy"
done
run "reshard (32 to 4 shards)" "$shardkit" reshard "$dir/copy" --chunks-per-shard 8
run "reshard (4 to 32 shards)" "$shardkit" reshard "$dir/copy" --chunks-per-shard 4
run "reshard (32 to 1 shard of 1 GiB)" "$shardkit" reshard "$dir/copy" --shard-shape 1024,1024,512
run "unshard (1 shard to 2,048 chunks)" "$shardkit" unshard "$dir/copy"
run "shard (2,048 chunks to 32 shards)" "$shardkit" shard "$dir/copy" --chunks-per-shard 4
