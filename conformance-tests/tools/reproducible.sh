#!/usr/bin/env bash
# Builds a release twice, from copies of the tracked files in two folders, and compares every jar, POM and list of
# dependencies. Prints how many files were compared, and those that differ (status 1).
# Usage: reproducible.sh [MAVEN OPTIONS], such as -o
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for build in first second; do
  mkdir -p "$work/$build/source"
  git ls-files -z | tar --null -T - -cf - | tar -xf - -C "$work/$build/source"
  (cd "$work/$build/source" && mvn -B -ntp -q deploy -Prelease -DskipTests \
    "-DaltDeploymentRepository=staging::file:$work/$build/staging" "$@")
done

# The names of snapshots carry the time of the build.
list() {
  (cd "$work/$1/staging" && find . -type f \( -name '*.jar' -o -name '*.pom' -o -name '*.json' -o -name '*.zip' \) -print0 |
    xargs -0 sha256sum | sed -E 's/-[0-9]{8}\.[0-9]{6}-[0-9]+/-SNAPSHOT/' | sort -k 2)
}
list first >"$work/first.sums"
list second >"$work/second.sums"
count=$(wc -l <"$work/first.sums")
if [ "$count" -lt 50 ]; then
  echo "expected at least 50 files, found $count"
  exit 1
fi
if ! diff "$work/first.sums" "$work/second.sums"; then
  echo "$count files compared: they differ"
  exit 1
fi
echo "$count files compared, 0 differ"
