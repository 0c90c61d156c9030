#!/usr/bin/env bash
# Lets the RFC checker misbehave towards the SDK's WebSocket client.
#
#     Tests/interop/client_conformance.sh CLIENT_RIG [SHARED_DIR]
#
# As with conformance.sh, the checkers are not part of this repository. Exit status 0: no check failed.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    printf 'usage: %s CLIENT_RIG [SHARED_DIR]\n' "$0" >&2
    exit 2
fi
rig=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
tools=${2:-$here/../../../shared}/conformance

if [ ! -f "$tools/ws_client_conformance.py" ]; then
    printf 'client conformance: skipped, no checkers in %s\n' "$tools"
    exit 0
fi
. "$here/lib/common.sh"
command -v python3 >/dev/null || apt_install python3
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$tools/ws_client_conformance.py" --command "$rig" </dev/null
