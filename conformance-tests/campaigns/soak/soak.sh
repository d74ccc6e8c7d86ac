#!/usr/bin/env bash
# Soaks: conformance-tests/campaigns/soak/soak.sh [MINUTES [SEED]] (default 2 minutes); see dev.shardkit.soak.Soak.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. conformance-tests/campaigns/build.sh
build_campaign soak >&2
jar=$(find conformance-tests/campaigns/soak/target -maxdepth 1 -name 'shardkit-soak-*.jar' ! -name '*-sources.jar' ! -name '*-javadoc.jar')
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx256m -Dsun.net.httpserver.nodelay=true -cp "$jar:conformance-tests/campaigns/soak/target/lib/*" \
  dev.shardkit.soak.Soak "${1:-2}" "${@:2}"
