#!/usr/bin/env bash
# Kills writers amid uploads in parts (SIGKILL), on a real S3 server (.ci/versitygw builds it).
#
#   s3-kills.sh [KILLS] [SEED]     60 kills if nothing is said: of puts in parts, and of copies by ranges
#
# After each kill the object must be old or new, and the upload that stays behind must be found and aborted. A reader
# reads the object all the time. Exit status 1: a reader saw a mixture, or parts stayed behind unnoticed.
# Runs through Maven. MAVEN_ARGS are handed on (-o, say).
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck disable=SC2086
exec mvn -B -ntp ${MAVEN_ARGS:-} test -pl stores/s3 -am -Dtest=KilledUploadsTest \
  -Dsurefire.failIfNoSpecifiedTests=false "-Dshardkit.rounds=${1:-60}" "-Dshardkit.s3.seed=${2:-11}"
