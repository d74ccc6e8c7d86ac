#!/usr/bin/env bash
# Runs the tests of the file store on disks that are poorer than those of Linux: ext4 that ignores upper and lower case
# (casefold), FAT and exFAT (no links, times of two seconds), and NTFS by ntfs-3g with ignore_case. Each is a file that
# is mounted; what this kernel or machine does not have is skipped with a line that says so.
#
#   disks.sh [DISK...]      by default casefold vfat exfat ntfs
#
# Needs root. Exit status 1: a test failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
maven=${MAVEN:-./mvnw}
work=$(mktemp -d)
clean() {
  umount "$work"/mnt-* 2>/dev/null || true
  rm -rf "$work"
}
trap clean EXIT
cd "$root"

tests='FileContractsTest,FileContractsTest$*,FileStoreTest,FileLinksTest,FilePatchTest,LockedObjectsTest,HeldLocksTest,ReservedFolderLinksTest'
tests+=',FoldedNamesTest'
# ntfs-3g replaces a file in two steps; proof: while `mv -f` runs in a loop, `cat` of the target fails now and then
two_steps='!FileContractsTest$Concurrency#put_besideReaders_isSeenWholeOrNotAtAll'

# mounted DISK IMAGE FOLDER: makes a file system in the file and mounts it
mounted() {
  truncate -s 512M "$2"
  case $1 in
    casefold)
      mkfs.ext4 -q -O casefold -E encoding=utf8 "$2" && mount -o loop "$2" "$3" && mkdir "$3/folded" && chattr +F "$3/folded" ;;
    vfat) mkfs.vfat "$2" && mount -o loop "$2" "$3" ;;
    exfat) mkfs.exfat "$2" && mount -o loop -t exfat "$2" "$3" ;;
    ntfs) mkntfs -F -q "$2" && lowntfs-3g -o ignore_case "$2" "$3" ;;
    *) echo "disks: no disk \"$1\"; expected casefold, vfat, exfat or ntfs" >&2; exit 2 ;;
  esac
}

failed=0
for disk in ${*:-casefold vfat exfat ntfs}; do
  mkdir "$work/mnt-$disk"
  if ! mounted "$disk" "$work/$disk.img" "$work/mnt-$disk" >"$work/log" 2>&1; then
    echo "disks: $disk: skipped: $(tail -1 "$work/log")"
    continue
  fi
  folder=$work/mnt-$disk/folded
  mkdir -p "$folder"
  selected=$tests
  [ "$disk" != ntfs ] || selected+=,$two_steps
  rm -rf stores/target/surefire-reports
  if "$maven" -B -q -ntp -pl stores -am test "-Dtest=$selected" -Dsurefire.failIfNoSpecifiedTests=false \
    "-Dtest.jvm.extra=-Djava.io.tmpdir=$folder" >"$work/log" 2>&1; then
    echo "disks: $disk: $(cat stores/target/surefire-reports/TEST-*.xml | grep -c '<testcase') tests, none failed"
  else
    grep -E '^\[ERROR\]' "$work/log" | head -100
    echo "disks: $disk: FAILED"
    failed=1
  fi
done
exit $failed
