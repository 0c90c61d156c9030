#!/usr/bin/env bash
# Shows that the sweep finds a reconnect mistake of the SDK, and nothing where there is none.
#
#     Tests/interop/sweep/run.sh [SCRATCH]
#
# Copies the repository to a temporary folder, builds it, sweeps every shipped fixture, applies
# Tests/Data/sweep/reconnect-bug.patch, builds again and sweeps the booking fixture. Builds go to SCRATCH, or to
# the temporary folder. Exit status 0: as expected.
set -euo pipefail

root=$(cd "$(dirname "$0")/../../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build=${1:-$scratch/build}
copy=$scratch/copy

fail() {
    printf 'FAIL %s\n' "$1" >&2
    exit 1
}

mkdir -p "$copy"
tar -C "$root" --exclude='.build*' --exclude=.git -cf - . | tar -C "$copy" -xf -
cd "$copy"

swift build --scratch-path "$build" -c release --product polymock
polymock=$(swift build --scratch-path "$build" -c release --show-bin-path)/polymock
cp "$polymock" "$scratch/clean"

"$scratch/clean" sweep >"$scratch/all.txt" || { cat "$scratch/all.txt"; fail "a shipped fixture differs"; }
fixtures=$(ls fixtures/*.json5 | wc -l)
swept=$(cut -d: -f1 "$scratch/all.txt" | sort -u | wc -l)
[ "$swept" -eq "$fixtures" ] || fail "$swept of $fixtures fixtures were swept"
printf 'ok %s fixtures, no difference\n' "$swept"
"$scratch/clean" sweep --connect >"$scratch/contacts.txt" || { cat "$scratch/contacts.txt"; fail "a contact differs"; }
printf 'ok the same fixtures over Amazon Connect chat\n'

start=$(date +%s%N)
"$scratch/clean" sweep booking >/dev/null
printf 'ok booking in %s ms\n' $((($(date +%s%N) - start) / 1000000))

patch -p1 --quiet <Tests/Data/sweep/reconnect-bug.patch || fail "the patch does not apply"
swift build --scratch-path "$build" -c release --product polymock

"$polymock" sweep booking >"$scratch/found.txt" && fail "the mistake was not found"
line=$(sed -n 's/^Again: polymock //p' "$scratch/found.txt" | head -1)
[ -n "$line" ] || fail "no line shows it again"
printf 'ok found; again: polymock %s\n' "$line"

eval "\"$polymock\" $line" >"$scratch/again.txt" && fail "the line does not show it again"
eval "\"$scratch/clean\" $line" >/dev/null || fail "the line finds something without the mistake"
cat "$scratch/again.txt"
printf 'ok the line shows it again, and only with the mistake\n'
