#!/usr/bin/env bash
# Reads all fixtures and runs the codec suites on the JVM of another processor: Debian's openjdk-17, emulated by qemu.
#
#   emulated.sh s390x|aarch64 [MODULE[:CLASS,...]...]     by default the codecs, codec-sharding, codec-crc32c and the
#                                                         fixtures
#
# s390x is big-endian. aarch64 (ARM) orders accesses to memory more weakly than x86-64, which qemu cannot show on such a
# host: what runs there tests the JVM's compiled code for ARM, not races, and says nothing about speed.
#
# Build the modules first (mvn test-compile or more). Installs what it needs: qemu-user-static by apt-get (root), the JVM
# (65 MB) from Debian's archive into ~/.cache/shardkit/PROCESSOR or the folder that SHARDKIT_EMULATED names.
# Exit status 1: a test failed; 3: no qemu or no JVM here.
set -euo pipefail

case ${1:-} in
  s390x) debian=s390x ;;
  aarch64) debian=arm64 ;;
  *) sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
processor=$1
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
place=${SHARDKIT_EMULATED:-${XDG_CACHE_HOME:-$HOME/.cache}/shardkit}/$processor
jvm=$place/root/usr/lib/jvm/java-17-openjdk-$debian
local_repository=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
missing() { echo "$processor: skipped: $*" >&2; exit 3; }

if ! command -v "qemu-$processor-static" >/dev/null; then
  { apt-get install -y -q qemu-user-static || { apt-get update -q && apt-get install -y -q qemu-user-static; }; } >/dev/null 2>&1 ||
    missing "no qemu-$processor-static here, and apt-get did not install it"
fi
if [ ! -x "$jvm/bin/java" ]; then
  mkdir -p "$place/lists/partial" "$place/cache/archives/partial"
  apt=(apt-get -q "-oAPT::Architecture=$debian" "-oAPT::Architectures=$debian" -oAPT::Sandbox::User=root
    "-oDir::State::Lists=$place/lists" "-oDir::Cache=$place/cache" -oDir::State::status=/dev/null)
  "${apt[@]}" update >/dev/null 2>&1 || missing "apt-get brought no lists for $debian"
  "${apt[@]}" -y --no-install-recommends --download-only install openjdk-17-jre-headless libc-bin >/dev/null 2>&1 ||
    missing "apt-get brought no openjdk-17-jre-headless for $debian"
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
    (cd "$root/$module" && LC_ALL=C.UTF-8 timeout -k 5 7200 "qemu-$processor-static" -L "$place/root" "$jvm/bin/java" \
      -XX:+UseSerialGC -Xmx1500m -Dshardkit.rounds=1 -Dshardkit.interop=false -cp "$path:$work/runner:$launcher" \
      Runner "$work/classes" "$work/out" 900 "$work/excluded" >"$work/console" 2>&1) || true
    ! tail -1 "$work/out" 2>/dev/null | grep -q '^END' || break
    last=$(tail -1 "$work/out.done" || true)
    grep -qsF "HANG	$last	" "$work/out" || echo "HANG	$last	the JVM ended" >>"$work/out"
  done
  count() { grep -c "^$1	" "$work/out" || true; }
  grep -E '^(FAIL|HANG)	' "$work/out" | cut -c1-400 | sed 's/^/  /' || true
  p=$(count PASS) f=$(count FAIL) h=$(count HANG)
  echo "$processor: $module: $p passed, $f failed, $h hung, $(count SKIP) skipped; $((SECONDS - begun)) s"
  passed=$((passed + p)) wrong=$((wrong + f + h))
done
echo "$processor: $((passed + wrong)) checks, $wrong wrong"
[ "$wrong" -eq 0 ] && [ "$passed" -gt 0 ]
