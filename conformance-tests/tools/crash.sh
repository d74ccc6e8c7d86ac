#!/usr/bin/env bash
# Kills writers at random moments (SIGKILL) and looks at what they leave.
#
#   crash.sh [ROUNDS] [SEED]     1,000 kills if nothing is said; the seed is printed
#
# Each kill ends a process that writes six arrays at once, of all strategies, index locations, with and without
# checksums, compression and nesting. Exit status 1: an inner chunk was torn or lost, or an array could not be used any
# more. A last, short part without durability shows that torn shards are seen; it is only counted.
# Compiles through Maven first. MAVEN_ARGS are handed on (-o, say).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$here/.."
# shellcheck disable=SC2086
mvn -B -ntp -q ${MAVEN_ARGS:-} test-compile dependency:build-classpath -Dmdep.outputFile=target/crash.classpath \
  -pl conformance-tests -am
cd "$here"
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xshare:auto -XX:+UseSerialGC \
  -cp "target/test-classes:$(cat target/crash.classpath)" dev.shardkit.crash.CrashMain "${1:-1000}" ${2:+"$2"}
