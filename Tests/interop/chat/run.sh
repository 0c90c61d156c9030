#!/usr/bin/env bash
# Drives `polymock chat` through pipes and a pseudo-terminal against a polymock of the same binary.
#
#     Tests/interop/chat/run.sh BINARY [T-01 ...]
#
# One line per check, then "N passed, N failed". Exit status 0: nothing failed.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    printf 'usage: %s BINARY [T-01 ...]\n' "$0" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
exec python3 "$here/checks.py" "$(realpath "$1")" "${@:2}"
