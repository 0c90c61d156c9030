#!/usr/bin/env bash
# Drives the agent runs of a polymock with the published clients of AG-UI, and has their judges look at every stream.
#
#     Tests/interop/agui/run.sh BINARY [S3|S3-04|S9 ...]
#     Tests/interop/agui/run.sh BINARY bench [--rounds N] [--quick] [--case NAME]...
#
# Installs what packages.txt names into .build/interop-agui, starts the binary on a free port, and prints one line per
# check by its number, what was left out and why, "N passed, N failed". AGUI_CLIENT=FOLDER, an npm installation of
# @ag-ui/client, has that client run too. Exit status 0: nothing failed.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ] || [ -d "$1" ]; then
    printf 'usage: %s BINARY [S3|S3-04|S9 ...]\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
. "$here/../lib/common.sh"
end_cleanly

need_python
envs=${POLYMOCK_AGUI_ENVS:-$here/../../../.build/interop-agui}
mkdir -p "$envs"
envs=$(realpath "$envs")
if ! cmp -s "$here/packages.txt" "$envs/packages.txt"; then
    for line in v0 v1; do
        say "installing the clients of the $line line"
        make_venv "$envs/$line"
        awk -v line="$line" '$1 == line { print $2 }' "$here/packages.txt" >"$scratch/$line.txt"
        "$envs/$line/bin/python" -m pip install --quiet --disable-pip-version-check -r "$scratch/$line.txt" ||
            die "pip could not install the clients of the $line line"
    done
    cp "$here/packages.txt" "$envs/packages.txt"
fi
if [ "${1:-}" = bench ]; then
    shift
    command -v cc >/dev/null || apt_install gcc libc6-dev
    need_node
    "$envs/v1/bin/python" "$here/bench.py" "$binary" "$@"
    exit
fi
need_chromium
POLYMOCK_CHROMIUM=$(command -v "$chromium") "$envs/v1/bin/python" "$here/run.py" "$binary" "$envs/v0/bin/python" "$@"
