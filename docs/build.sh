#!/usr/bin/env bash
# Builds the documentation site: docs/build.sh [--pages]
# The pages of docs/, the Javadoc and the Kotlin API become target/site; dead links fail. --pages leaves the API out.
# Needs Python 3.11 or newer, its package index and, without --pages, Maven.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv/site
wanted=$(sha256sum docs/site/requirements.txt)
if [ "$(cat "$venv/requirements.sha256" 2>/dev/null)" != "$wanted" ]; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check -r docs/site/requirements.txt
  echo "$wanted" >"$venv/requirements.sha256"
fi

rm -rf target/site target/api-docs api/kotlin/target/dokka
if [ "${1:-}" = --pages ]; then
  export SHARDKIT_PAGES_ONLY=1
else
  modules=$(git ls-files '*/src/main/java/module-info.java' | grep -vE '^(apps/cli|codecs/ffm|conformance/suite)/')
  mvn -B -ntp -Pdocs -Dmaven.test.skip=true -pl apps/cli,conformance/testkit,stores/micrometer,api/kotlin,bridges/imglib2,bridges/arrow,bridges/multik,bridges/dataframe -am \
    compile dependency:build-classpath -Dmdep.outputFile=target/classpath dokka:dokka
  # Only exported packages, on the class path: on the module path, javadoc does not see a module's Kotlin classes.
  sources=()
  for module in $modules; do
    for package in $(sed -n 's/^ *exports \([a-z0-9.]*\);$/\1/p' "$module"); do
      sources+=("$(dirname "$module")/${package//.//}"/*.java)
    done
  done
  classpath=$(cat {apps/cli,conformance/testkit,stores/micrometer,api/kotlin,bridges/imglib2,bridges/arrow,bridges/multik,bridges/dataframe}/target/classpath | paste -sd:)
  mkdir -p target/api-docs
  "${JAVA_HOME:+$JAVA_HOME/bin/}javadoc" -quiet -notimestamp -Xdoclint:none -d target/api-docs/javadoc \
    -windowtitle shardkit -doctitle "shardkit for Java" -classpath "$classpath" "${sources[@]}"
  cp -R api/kotlin/target/dokka target/api-docs/kotlin
fi
NO_MKDOCS_2_WARNING=1 "$venv/bin/mkdocs" build --strict 2>&1 | { grep -v "^INFO" || true; }
echo "target/site/index.html"
