#!/usr/bin/env bash
# Takes the power from recorded writers at every change, and looks at what a device may hold then.
#
#   power-loss.sh [STATES] [SEED]     100,000 states if nothing is said; the seed is printed
#
# Three fifths are of forced writers (old or new, nothing committed is lost), the others of writers that force nothing
# (errors are declared ones; what a killed process leaves is old or new). Exit status 1: a promise of docs/durability.md
# does not hold. Compiles through Maven first. MAVEN_ARGS are handed on (-o, say).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$here/.."
# shellcheck disable=SC2086
mvn -B -ntp -q ${MAVEN_ARGS:-} test-compile dependency:build-classpath -Dmdep.outputFile=target/crash.classpath \
  -pl conformance-tests -am
cd "$here"
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xshare:auto -XX:+UseSerialGC \
  -cp "target/test-classes:$(cat target/crash.classpath)" dev.shardkit.crash.PowerLossMain "${1:-100000}" ${2:+"$2"}
