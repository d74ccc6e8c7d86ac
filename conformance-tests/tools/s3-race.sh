#!/usr/bin/env bash
# Lets processes update one shard of an S3 bucket at once, and counts the lost updates.
#
#   s3-race.sh ENDPOINT LOCATION [PROCESSES] [UPDATES]     4 processes of 500 updates if nothing is said
#   s3-race.sh versitygw|minio|moto [PROCESSES] [UPDATES]  the same on the server of that script in .ci, after the
#                                                          conditions that it honours (s3_conditions.py)
#
# S3_RACE_KEYS holds the access key as ID:SECRET (default: that of the scripts). Exit status 1: an update was lost.
# Compiles through Maven first. MAVEN_ARGS are handed on (-o, say).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$here/.."
server=
trap '[ -z "$server" ] || kill "$server"' EXIT
case ${1:-} in
  versitygw | minio | moto)
    python=$(dirname "$(.ci/moto)")/python # it has boto3
    port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    ".ci/$1" run "$port" &
    server=$!
    "$python" "$here/tools/s3_conditions.py" "http://127.0.0.1:$port"
    shift
    set -- "http://127.0.0.1:$port" s3://tests/race "$@"
    ;;
esac
# shellcheck disable=SC2086
mvn -B -ntp -q ${MAVEN_ARGS:-} test-compile dependency:build-classpath -Dmdep.outputFile=target/race.classpath \
  -pl conformance-tests -am
cd "$here"
"${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xshare:auto -XX:+UseSerialGC \
  -cp "target/test-classes:$(cat target/race.classpath)" dev.shardkit.clouds.RaceMain "$@"
