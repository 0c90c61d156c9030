#!/usr/bin/env bash
# Tests of fault over the control API, in Python and in Node: fault.sh BINARY PYTHON
#
# They stop the clock, so they have a server of their own.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
. "$here/lib/common.sh"
trap 'stop_server || true; rm -rf "$scratch"' EXIT

need_node
start_server "$(realpath "$1")" --log text
failed=0
"$2" "$here/python/fault.py" "$base" || failed=1
node "$here/node/fault.mjs" "$base" || failed=1
if [ $failed = 1 ]; then tail -30 "$scratch/server.log"; fi
exit $failed
