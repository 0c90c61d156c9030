#!/usr/bin/env bash
# Compares the schema of fixtures with `polymock check`, on the shipped fixtures and on a hundred spoilt copies.
#
#     Tests/interop/schema/run.sh BINARY [--seed N] [--count N] [--keep FOLDER]
#
# Puts the jsonschema and json5 packages from PyPI into a temporary folder, unless this Python has them. A line per
# fixture, then "N passed, N failed"; exit status 0 when nothing failed.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    printf 'usage: %s BINARY [--seed N] [--count N] [--keep FOLDER]\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
shift

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. "$here/../lib/common.sh"

command -v python3 >/dev/null || apt_install python3 python3-venv
python=python3
if ! "$python" -c 'import json5, jsonschema' 2>/dev/null; then
    make_venv "$scratch/venv"
    python="$scratch/venv/bin/python"
    say "installing json5 and jsonschema"
    "$python" -m pip install --quiet --disable-pip-version-check 'json5>=0.9.28,<1' 'jsonschema>=4.18,<5' ||
        die "pip could not install json5 and jsonschema"
fi

"$python" "$here/check_schema.py" "$binary" "$@"
