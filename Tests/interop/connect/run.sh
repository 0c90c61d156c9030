#!/usr/bin/env bash
# Drives the Amazon Connect chat of a polymock with clients that are not ours: boto3, Python's websockets, raw
# sockets, and a page of another origin in Chromium.
#
#     Tests/interop/connect/run.sh BINARY [NUMBER ...] [page]
#
# Installs requirements.txt from PyPI into .build/interop-connect of the repository (POLYMOCK_CONNECT_VENV: elsewhere).
# One line per check, then "N passed, N failed, N skipped". 1 to 40 are scenarios of README.md beside this. Exit
# status 0: nothing failed. CONNECT_CHATJS names a file of amazon-connect-chatjs, which the page then loads as well.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    printf 'usage: %s BINARY [NUMBER ...] [page]\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
. "$here/../lib/common.sh"
. "$here/venv.sh"
trap 'rm -rf "$scratch"' EXIT

need_connect_venv
need_chromium
POLYMOCK_CHROMIUM=$(command -v "$chromium") "$connect_python" "$here/run.py" "$binary" "$@"
