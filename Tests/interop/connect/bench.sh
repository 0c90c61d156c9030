#!/usr/bin/env bash
# Measures what contacts of Amazon Connect chat cost a release build of polymock: ratios of one run, with verdicts.
#
#     Tests/interop/connect/bench.sh BINARY [--rounds N] [--quick] [--case send|page|idle|upload]...
#
# SendMessage on 64 kept connections beside the Messaging API's round trip and an aiohttp server that answers out of a
# dictionary; transcript pages of long and short chats; memory of idle contacts beside idle sessions; uploads of 20 MB.
# Exit status 0: everything could be measured, whatever the figures. Some three minutes; --quick half a minute.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    printf 'usage: %s BINARY [--rounds N] [--quick] [--case send|page|idle|upload]...\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
. "$here/../lib/common.sh"
. "$here/venv.sh"
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

need_connect_venv
command -v cc >/dev/null || apt_install gcc libc6-dev
cc -O2 -std=gnu11 -Wall -Wextra -Wno-unused-function -o "$scratch/load" "$here/bench/load.c" || die "cc could not build load.c"
cc -O2 -std=gnu11 -Wall -Wextra -o "$scratch/session-load" "$here/../bench/load.c" || die "cc could not build bench/load.c"
ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
"$connect_python" "$here/bench/bench.py" --binary "$binary" --load "$scratch/load" --session-load "$scratch/session-load" "$@"
