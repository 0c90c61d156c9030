#!/usr/bin/env bash
# Compiles the Swift of the published SDKs' pages against the SDKs that were built into MODULES, and runs the samples of
# CometChat's guide. Compiles a suite with the former names of the test kit against that, too.
#
#     Tests/interop/published/run.sh .build/debug/Modules
#
# The pages are no part of this repository; check.py and connect.py say where they are looked for, and skip without them.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -d "$1" ]; then
    printf 'usage: %s MODULES\n' "$0" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
export PYTHONDONTWRITEBYTECODE=1
words=(-I "$1")
for map in "$root"/Shared/*/module.modulemap "$1"/../*.build/module.modulemap; do words+=(-Xcc -fmodule-map-file="$map"); done
python3 "$here/connect.py" -- "${words[@]}"
python3 "$here/assistant.py" "$1/../polymock" -- "${words[@]}"
python3 "$here/former.py" -- "${words[@]}"
exec python3 "$here/check.py" linux -- "${words[@]}"
