#!/usr/bin/env bash
# Stops recorded streams with pyramids and acquisitions at random changes of the disk, and looks at what is left.
#
#   stream-stops.sh [STOPS] [SEED]     10,000 stops if nothing is said; the seed is printed
#
# One half of the stops kills the process, the other takes the power. No flushed frame may be lost, no frame torn; the
# next stream goes on where the last one stopped. Exit status 1: a promise of docs/durability.md does not hold. Compiles
# through Maven first. MAVEN_ARGS are handed on (-o, say).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$here/.."
# shellcheck disable=SC2086
mvn -B -ntp -q ${MAVEN_ARGS:-} test-compile dependency:build-classpath -Dmdep.outputFile=target/crash.classpath \
  -pl conformance-tests -am
cd "$here"
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xshare:auto -XX:+UseSerialGC \
  -cp "target/test-classes:$(cat target/crash.classpath)" dev.shardkit.crash.StreamStopsMain "${1:-10000}" ${2:+"$2"}
