#!/usr/bin/env bash
# One parser under libFuzzer, which follows the paths through the code; the seeds are those of Tests/Data/fuzz.
#
#   bash Tests/Fuzzing/libfuzzer.sh <target> [words for libFuzzer, such as -max_total_time=60]
#
# Inputs that lead somewhere new are kept in .build-libfuzzer/corpus/<target>; one that breaks a rule is left in
# .build-libfuzzer/found. Linked with lld: the gold linker of Debian 12 ends with an internal error here.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${1:?usage: libfuzzer.sh <target> [words for libFuzzer]}
shift
scratch=.build-libfuzzer
swift build -c release --scratch-path "$scratch" --product Fuzzing \
    -Xswiftc -sanitize=fuzzer -Xswiftc -DLIBFUZZER -Xswiftc -use-ld=lld
fuzzing=$(swift build -c release --scratch-path "$scratch" --show-bin-path)/Fuzzing

mkdir -p "$scratch/corpus/$target" "$scratch/found"
"$fuzzing" --target "$target" --words >"$scratch/$target.dict"
# Not every parser has words, and libFuzzer wants none that is empty.
if [ -s "$scratch/$target.dict" ]; then set -- -dict="$scratch/$target.dict" "$@"; fi
FUZZ_TARGET=$target exec "$fuzzing" "$scratch/corpus/$target" "Tests/Data/fuzz/$target" \
    -max_len=8192 -timeout=10 -rss_limit_mb=1024 \
    -artifact_prefix="$scratch/found/$target-" "$@"
