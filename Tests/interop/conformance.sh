#!/usr/bin/env bash
# Runs the RFC checkers for HTTP/1.1 and WebSocket against a built polymock.
#
#     Tests/interop/conformance.sh BINARY [SHARED_DIR]
#
# Most checkers are not part of this repository; without SHARED_DIR/conformance (default: ../shared beside the
# repository) only echo/large.py is run, and the script says so. Exit status 0: no check failed.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    printf 'usage: %s BINARY [SHARED_DIR]\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
tools=${2:-$here/../../../shared}/conformance

scratch=$(mktemp -d)
. "$here/lib/common.sh"
end_cleanly
need_python

# Messages up to 16 MiB and 262,144 fragments, where the limits are raised.
printf '{ limits: { messageBytes: 16777216, writeBufferBytes: 67108864 } }' >"$scratch/large.json5"
start_server "$binary" --echo --log quiet --config "$scratch/large.json5"
say "## WebSocket, echo of large messages"
python3 "$here/echo/large.py" "ws${base#http}/_mock/echo" </dev/null || die "large messages"
stop_server || die "the server did not stop cleanly"

if [ ! -f "$tools/http_conformance.py" ]; then
    printf 'conformance: the rest is skipped, no checkers in %s\n' "$tools"
    exit 0
fi
command -v curl >/dev/null || apt_install curl

start_server "$binary" --echo --log quiet
say "polymock at $base"

# field NAME: one string of a JSON object on standard input.
field() { python3 -c 'import json,sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }

failed=0
check() {
    say
    say "## $1"
    shift
    if ! "$@" </dev/null; then failed=1; fi
    server_is_alive || die "the server is gone"
}

check "HTTP/1.1" python3 "$tools/http_conformance.py" "$base" \
    --get /_mock/health --post /api/v1/access-token \
    --header "X-Token: webchat" --header "X-Host: example.com" \
    --max-body 1048576

check "WebSocket, echo" python3 "$tools/ws_conformance.py" --mode echo \
    --max-message 2097152 "ws${base#http}/_mock/echo"

# A session takes ten connections: few jobs, since a connection may still be closing when the next one opens,
# and not the check that opens 200 at once (LM-012, which the echo has passed).
token=$(curl -sS -f -X POST "$base/api/v1/access-token" -H 'X-Token: webchat' -H 'X-Host: example.com' |
    field access_token)
session=$(curl -sS -f -X POST "$base/api/v1/sessions" -H "Authorization: Bearer $token" | field session_id)
check "WebSocket, messaging endpoint" python3 "$tools/ws_conformance.py" --mode any --jobs 3 --skip LM-012 \
    --max-message 131072 "ws${base#http}/ws?access_token=$token&session_id=$session"

# The same echo with compression, in a build that has it (Debian: zlib1g-dev).
stop_server || die "the server did not stop cleanly"
if has_zlib "$binary"; then
    start_server "$binary" --echo --deflate --log quiet
    check "WebSocket, deflate" python3 "$tools/ws_conformance.py" --mode echo \
        --max-message 2097152 "ws${base#http}/_mock/echo"
else
    say
    say "## WebSocket, deflate: skipped. $(cat "$scratch/zlib.log")"
fi

say
if [ "$failed" != 0 ]; then
    say "FAIL conformance"
    exit 1
fi
say "conformance: no failures"
