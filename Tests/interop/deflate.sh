#!/usr/bin/env bash
# permessage-deflate with the compressing clients of Python and Node: deflate.sh BINARY PYTHON
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
. "$here/lib/common.sh"
trap 'stop_server || true; rm -rf "$scratch"' EXIT

if ! has_zlib "$1"; then
    say "skipped: $(cat "$scratch/zlib.log")"
    exit 0
fi
need_node
start_server "$(realpath "$1")" --echo --deflate --log text
failed=0
"$2" "$here/python/deflate.py" "$base" || failed=1
node "$here/node/deflate.mjs" "$base" || failed=1
if [ $failed = 1 ]; then tail -30 "$scratch/server.log"; fi
exit $failed
