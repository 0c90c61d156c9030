#!/usr/bin/env bash
# Four shards of polymock behind Debian's nginx and HAProxy, with the configurations of many-machines.md.
#
#     Tests/interop/shards.sh BINARY [--quick]
#
# Clients in Python (websockets) and Node (ws) over wss, the SDK over ws: each session is on its shard and stays there, a
# reload of the proxy loses nothing, a shard that is killed takes its own sessions alone. Prints a line per check.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -x "$1" ] || { [ $# -eq 2 ] && [ "$2" != --quick ]; }; then
    printf 'usage: %s BINARY [--quick]\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# need_proxy NAME: sets the variable of that name to its path. Debian starts a service that it installs, but not in run
# level 1.
need_proxy() {
    local path
    if ! path=$(PATH=$PATH:/usr/sbin command -v "$1"); then
        RUNLEVEL=1 apt_install "$1"
        path=$(PATH=$PATH:/usr/sbin command -v "$1") || die "$1 is not there after its installation"
    fi
    printf -v "$1" '%s' "$path"
}

nginx='' haproxy=''
need_node
need_python
need_python_websockets
need_proxy nginx
need_proxy haproxy
command -v openssl >/dev/null || apt_install openssl

cd "$scratch"
"$python" "$here/shards/shards.py" --binary "$binary" --node "$(command -v node)" --nginx "$nginx" \
    --haproxy "$haproxy" "$@"
