#!/usr/bin/env bash
# Reads all fixtures and runs the codec suites on a big-endian JVM: Debian's openjdk-17 for s390x, emulated by qemu.
# That is right for the order of bytes; it says nothing about speed or about races.
#
#   big-endian.sh [MODULE[:CLASS,...]...]     by default the codecs, codec-sharding, codec-crc32c and the fixtures
#
# Build the modules first (mvn test-compile or more). Installs what it needs: qemu-user-static by apt-get (root), the JVM
# (65 MB) from Debian's archive into ~/.cache/shardkit/s390x or the folder that SHARDKIT_S390X names.
# Exit status 1: a test failed; 3: no qemu or no JVM here.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
place=${SHARDKIT_S390X:-${XDG_CACHE_HOME:-$HOME/.cache}/shardkit/s390x}
jvm=$place/root/usr/lib/jvm/java-17-openjdk-s390x
local_repository=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
missing() { echo "big-endian: skipped: $*" >&2; exit 3; }

if ! command -v qemu-s390x-static >/dev/null; then
  apt-get install -y -q qemu-user-static >/dev/null 2>&1 || missing "no qemu-s390x-static here, and apt-get did not install it"
fi
if [ ! -x "$jvm/bin/java" ]; then
  mkdir -p "$place/lists/partial" "$place/cache/archives/partial"
  apt=(apt-get -q -oAPT::Architecture=s390x -oAPT::Architectures=s390x -oAPT::Sandbox::User=root
    "-oDir::State::Lists=$place/lists" "-oDir::Cache=$place/cache" -oDir::State::status=/dev/null)
  "${apt[@]}" update >/dev/null 2>&1 || missing "apt-get brought no lists for s390x"
  "${apt[@]}" -y --no-install-recommends --download-only install openjdk-17-jre-headless libc-bin >/dev/null 2>&1 ||
    missing "apt-get brought no openjdk-17-jre-headless for s390x"
  for package in openjdk-17-jre-headless libc6 libc-bin zlib1g libgcc-s1 libstdc++6 libcrypt1; do
    dpkg -x "$place"/cache/archives/"$package"_*.deb "$place/root"
  done
  rm -rf "$place/lists" "$place/cache"
fi

modules=("$@")
[ ${#modules[@]} -gt 0 ] || modules=(codec-crc32c codec-sharding codecs/data-types codecs/grids codecs/numcodecs
  codecs/standard codecs/transformers codecs/zstd conformance-tests:FixturesTest)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/excluded"
javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac
passed=0 wrong=0
for item in "${modules[@]}"; do
  module=${item%%:*}
  classes=$root/$module/target/test-classes
  path=$("$root/conformance-tests/tools/test-class-path.sh" "$module")
  engine=$(grep -o 'junit-platform-engine-[0-9.]*jar' <<<"$path" | head -1 | sed 's/junit-platform-engine-\(.*\)\.jar/\1/')
  launcher=$local_repository/org/junit/platform/junit-platform-launcher/$engine/junit-platform-launcher-$engine.jar
  "$javac" --release 17 -nowarn -d "$work/runner" -cp "$launcher:$path" "$root/conformance-tests/tools/windows/Runner.java"
  pattern='.*'
  [ "$item" = "$module" ] || pattern="(^|\\.)($(tr ',' '|' <<<"${item#*:}"))\$"
  (cd "$classes" && find . -name '*.class' | sed 's|^\./||; s|\.class$||' | grep -v '\$' | grep -E '(Test|Spec)$' | tr / . |
    grep -E "$pattern" | sort) >"$work/classes"
  rm -f "$work/out" "$work/out.done"
  begun=$SECONDS
  for _ in $(seq 20); do
    (cd "$root/$module" && LC_ALL=C.UTF-8 timeout -k 5 7200 qemu-s390x-static -L "$place/root" "$jvm/bin/java" \
      -XX:+UseSerialGC -Xmx1500m -Dshardkit.rounds=1 -Dshardkit.interop=false -cp "$path:$work/runner:$launcher" \
      Runner "$work/classes" "$work/out" 900 "$work/excluded" >"$work/console" 2>&1) || true
    ! tail -1 "$work/out" 2>/dev/null | grep -q '^END' || break
    tail -1 "$work/out" 2>/dev/null | grep -q '^HANG' || echo "HANG	$(tail -1 "$work/out.done" || true)	the JVM ended" >>"$work/out"
  done
  count() { grep -c "^$1	" "$work/out" || true; }
  grep -E '^(FAIL|HANG)	' "$work/out" | cut -c1-400 | sed 's/^/  /' || true
  p=$(count PASS) f=$(count FAIL) h=$(count HANG)
  echo "big-endian: $module: $p passed, $f failed, $h hung, $(count SKIP) skipped; $((SECONDS - begun)) s"
  passed=$((passed + p)) wrong=$((wrong + f + h))
done
echo "big-endian: $((passed + wrong)) checks, $wrong wrong"
[ "$wrong" -eq 0 ] && [ "$passed" -gt 0 ]
