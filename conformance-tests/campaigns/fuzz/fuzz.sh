#!/usr/bin/env bash
# Fuzzes with Jazzer, starting from the kept corpora.
#
#   conformance-tests/campaigns/fuzz/fuzz.sh [SECONDS [TARGET ...]]     each target for SECONDS (default 10); all targets by default
#   conformance-tests/campaigns/fuzz/fuzz.sh --keep [TARGET ...]        adds the new inputs below target/fuzz that cover more to the corpora
#
# Prints a line for each target, and "fuzz: N checks, N wrong" at the end: a check is a target, wrong is one with a finding.
# New inputs and findings lie below conformance-tests/campaigns/fuzz/target/fuzz/TARGET; the status is 1 if there is a finding.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=conformance-tests/campaigns/fuzz
keep=
seconds=10
if [ "${1:-}" = --keep ]; then keep=1; shift; elif [ $# -gt 0 ]; then seconds=$1; shift; fi
targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <(ls "$here/corpus")

. conformance-tests/campaigns/build.sh
build_campaign fuzz >&2

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
options=(-XX:+UseSerialGC -Xmx768m)
version=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
[ "$version" -lt 25 ] || options+=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow)
jars=$(find "$PWD/$here/target" -maxdepth 1 -name 'shardkit-fuzz-*.jar' ! -name '*-sources.jar' ! -name '*-javadoc.jar'):$PWD/$here/target/lib/*

wrong=0
for target in "${targets[@]}"; do
  corpus=$PWD/$here/corpus/$target
  out=$PWD/$here/target/fuzz/$target
  mkdir -p "$out/inputs" "$corpus"
  jazzer=("$java" "${options[@]}" "-Dshardkit.fuzz.target=$target" "-Dshardkit.fuzz.corpus=$corpus" -cp "$jars"
    com.code_intelligence.jazzer.Jazzer
    --target_class=dev.shardkit.fuzz.FuzzMain '--instrumentation_includes=dev.shardkit.**' "--reproducer_path=$out")
  if [ -n "$keep" ]; then
    (cd "$out" && "${jazzer[@]}" -merge=1 -max_len=4096 "$corpus" "$out/inputs" >merge.log 2>&1)
    echo "$target: $(ls "$corpus" | wc -l) inputs kept"
    continue
  fi
  status=0
  (cd "$out" && "${jazzer[@]}" "$out/inputs" "$corpus" "-max_total_time=$seconds" -timeout=300 -print_final_stats=1 \
    >fuzz.log 2>&1) || status=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/fuzz.log")
  echo "$target: ${runs:-0} executions in $seconds s, $([ "$status" -eq 0 ] && echo no || echo one) finding"
  if [ "$status" -ne 0 ] || [ "${runs:-0}" -eq 0 ]; then
    wrong=$((wrong + 1))
    sed -n '/^== Java Exception\|ERROR: /,/^$/p' "$out/fuzz.log" | sed -n 1,40p # head would end the script by SIGPIPE
  fi
done
[ -n "$keep" ] || echo "fuzz: ${#targets[@]} checks, $wrong wrong"
[ "$wrong" -eq 0 ]
