#!/usr/bin/env bash
# Soaks: conformance-tests/campaigns/soak/soak.sh [MINUTES [SEED]] (default 2 minutes); see dev.shardkit.soak.Soak.
# A stream of frames with a pyramid, whose heap is resident from the start: soak.sh --stream [MINUTES [MEGABYTES_PER_SECOND [FOLDER]]]; see StreamSoak.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. conformance-tests/campaigns/build.sh
build_campaign soak >&2
jar=$(find conformance-tests/campaigns/soak/target -maxdepth 1 -name 'shardkit-soak-*.jar' ! -name '*-sources.jar' ! -name '*-javadoc.jar')
if [ "${1:-}" = --stream ]; then
  exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xms512m -Xmx512m -XX:+AlwaysPreTouch -cp "$jar:conformance-tests/campaigns/soak/target/lib/*" \
    dev.shardkit.soak.StreamSoak "${2:-2}" "${@:3}"
fi
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx256m -Dsun.net.httpserver.nodelay=true -cp "$jar:conformance-tests/campaigns/soak/target/lib/*" \
  dev.shardkit.soak.Soak "${1:-2}" "${@:2}"
