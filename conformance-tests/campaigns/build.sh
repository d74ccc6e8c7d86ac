# Sourced at the root of the repository: build_campaign NAME builds the campaign if its jar is missing, or older than a
# source of any module. CAMPAIGN_BUILD=1 builds in any case.
build_campaign() {
  local target=conformance-tests/campaigns/$1/target jar
  jar=$(find "$target" -maxdepth 1 -name "shardkit-$1-*.jar" ! -name '*-sources.jar' ! -name '*-javadoc.jar' 2>/dev/null) || true # no folder yet
  if [ -z "${CAMPAIGN_BUILD:-}" ] && [ -n "$jar" ] && [ -d "$target/lib" ] &&
    [ -z "$(find . \( -name target -o -name '.?*' \) -prune -o \( -path '*/src/main/*' -o -name pom.xml \) -type f \
      -newer "$jar" -print -quit)" ]; then
    return
  fi
  mvn -B -ntp package -Pcampaigns -pl "conformance-tests/campaigns/$1" -am -DskipTests
}
