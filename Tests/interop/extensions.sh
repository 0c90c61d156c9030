#!/usr/bin/env bash
# The extensions of the Messaging API, in Python and in Node, next to a client that does not know them:
# extensions.sh BINARY PYTHON
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
. "$here/lib/common.sh"
trap 'stop_server || true; rm -rf "$scratch"' EXIT

need_node
start_server "$(realpath "$1")" --log text --fixtures "$here/extensions" --fixture second-thoughts
failed=0
"$2" "$here/python/extensions.py" "$base" "$here/extensions/plain.txt" || failed=1
node "$here/node/extensions.mjs" "$base" || failed=1
for line in "an edit without text" "the percentage falls" "no message has this id" "file refused"; do
    if grep -q "$line" "$scratch/server.log"; then
        say "ok the log says: $line"
    else
        say "FAIL the log does not say: $line"
        failed=1
    fi
done
if [ $failed = 1 ]; then tail -30 "$scratch/server.log"; fi
exit $failed
