#!/usr/bin/env bash
# Lets processes update one shard of an S3 bucket at once, and counts the lost updates.
#
#   s3-race.sh ENDPOINT LOCATION [PROCESSES] [UPDATES]     4 processes of 500 updates if nothing is said
#
# For example, beside .ci/versitygw run 7070 and a bucket "tests":
#
#   s3-race.sh http://127.0.0.1:7070 s3://tests/race
#
# S3_RACE_KEYS holds the access key as ID:SECRET (default: that of .ci/versitygw). Exit status 1: an update was lost.
# Compiles through Maven first. MAVEN_ARGS are handed on (-o, say).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$here/.."
# shellcheck disable=SC2086
mvn -B -ntp -q ${MAVEN_ARGS:-} test-compile dependency:build-classpath -Dmdep.outputFile=target/race.classpath \
  -pl conformance-tests -am
cd "$here"
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xshare:auto -XX:+UseSerialGC \
  -cp "target/test-classes:$(cat target/race.classpath)" dev.shardkit.clouds.RaceMain "$@"
