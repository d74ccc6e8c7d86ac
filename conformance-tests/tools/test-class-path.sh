#!/usr/bin/env bash
# Prints the test class path of a compiled module: of its target/test.classpath, of a report of surefire, or by Maven.
#
#   test-class-path.sh MODULE
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=$root/$1/target
if [ ! -s "$target/test.classpath" ]; then
  report=$(find "$target" -path '*/surefire-reports/TEST-*.xml' -print -quit)
  if [ -n "$report" ]; then
    sed -n '/name="surefire.test.class.path"/{s/.*name="surefire.test.class.path" value="\([^"]*\)".*/\1/; s/&amp;/\&/g; p; q}' "$report" \
      >"$target/test.classpath"
  fi
fi
if [ ! -s "$target/test.classpath" ]; then
  (cd "$root" && ./mvnw -o -B -q -ntp -pl "$1" -am test-compile \
    org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
    -Dmdep.outputFile="target/others.classpath" -DincludeScope=test) >&2
  echo "$target/test-classes:$target/classes:$(cat "$target/others.classpath")" >"$target/test.classpath"
fi
cat "$target/test.classpath"
