#!/usr/bin/env bash
# Compares the jars of two builds of the same sources in different folders: those in the target folders of a build, and
# those of a Maven repository that `mvn deploy -Prelease` of another folder has filled. Javadoc is left out, because only
# the release has it, and so are the jars of the profile spark, which a clean build does not make.
# Prints how many jars were compared, and those that differ (status 1).
#
# The first build must be a clean one, and its sums are taken before anything is built again in its folder: when classes
# of an earlier build are there, Kotlin's compiler sees that packages of Java are @NullMarked, which it does not see in
# their sources, and leaves out some checks for null.
# Usage: same-jars.sh --sums FOLDER >SUMS
#        same-jars.sh SUMS REPOSITORY
set -euo pipefail

here() { # NAME SUM of each jar that the build has made
  find "$1" -path '*/target/shardkit*.jar' -not -path '*/lib/*' -not -path '*/target/*/*' -print0 |
    xargs -0 sha256sum | sed -E 's#^([0-9a-f]+) .*/#\1 #' | awk '{ print $2, $1 }' | sort -u
}

published() { # the same of the repository, in which the names of snapshots carry the time of the build
  find "$1" -name '*.jar' -not -name '*-javadoc.jar' \
    -not -name 'shardkit-spark_*' -not -name 'shardkit-store-hadoop-*' -print0 |
    xargs -0 sha256sum | sed -E 's#^([0-9a-f]+) .*/#\1 #; s/-[0-9]{8}\.[0-9]{6}-[0-9]+/-SNAPSHOT/' |
    awk '{ print $2, $1 }' | sort -u
}

if [ "$1" = --sums ]; then
  here "$2"
  exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
published "$2" >"$work/published"
count=$(wc -l <"$work/published")
if [ "$count" -lt 50 ]; then
  echo "expected at least 50 jars, found $count"
  exit 1
fi
differ=$(comm -13 "$1" "$work/published")
if [ -n "$differ" ]; then
  echo "$differ"
  echo "$count jars compared, $(wc -l <<<"$differ") differ"
  exit 1
fi
echo "$count jars compared, 0 differ"
