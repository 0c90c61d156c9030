#!/usr/bin/env bash
# Measures a release build beside its peers in one run: Node (http, ws; an echo, and a mock that does what ours does),
# C (libwebsockets), C++ (uWebSockets), Python (websockets, aiohttp), nginx.
#
#     Tests/interop/bench.sh [BINARY [SHARED_DIR]] [--rounds N] [--case NAME]... [--quick] [--static BINARY]
#         [--ahead] [--json FILE] [--earlier BINARY] [--builds COMMIT]
#     Tests/interop/bench.sh BINARY [SHARED_DIR] --beside OTHER_BINARY [--rounds N] [--case NAME]... [--ahead]
#
# Prints medians, ratios, and of each target whether it is met. BINARY is by default the release build in .build.
# Exit status 0: everything could be measured, whatever the figures. wsload is built from SHARED_DIR/bench (default: ../shared beside the repository); without it echoes are
# measured by our own client and connecting is left out. Then come the ratios of agent runs and of contacts
# (agui/run.sh BINARY bench, connect/bench.sh), unless cases are named. --ahead (as root) runs everything at a higher priority than
# the machine's other work, for a machine that is busy. Some fifteen minutes; --quick three.
#
# --beside measures two builds of polymock and none of the peers: round-trip-64, pace-500, idle-10000 and start in
# alternating rounds, and the ratios of ours to the other. --earlier adds an earlier build to those cases of the whole
# table; --builds adds clean builds of this commit and of that one (bench/builds.py).
set -euo pipefail

usage() {
    printf 'usage: %s [BINARY [SHARED_DIR]] [--rounds N] [--case NAME]... [--quick] [--static BINARY]\n' \
        "$0" >&2
    printf '    [--beside BINARY] [--ahead] [--json FILE] [--earlier BINARY] [--builds COMMIT]\n' >&2
    exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -eq 0 ] || [ "${1#--}" != "$1" ]; then
    set -- "$here/../../.build/release/polymock" "$@"
    if [ ! -x "$1" ]; then echo 'no release build in .build: swift build -c release, or name a binary' >&2; fi
fi
if [ ! -x "$1" ] || [ -d "$1" ]; then usage; fi
binary=$(realpath "$1")
shift
shared=$here/../../../shared
if [ $# -gt 0 ] && [ "${1#--}" = "$1" ]; then
    shared=$1
    shift
fi
options=()
others=()
beside=
named=
builds=
while [ $# -gt 0 ]; do
    case $1 in
    --quick | --ahead)
        options+=("$1")
        if [ "$1" = --quick ]; then others+=("$1"); fi
        ;;
    --rounds | --case)
        [ $# -ge 2 ] || usage
        options+=("$1" "$2")
        if [ "$1" = --case ]; then named=1; else others+=("$1" "$2"); fi
        shift
        ;;
    --builds)
        [ $# -ge 2 ] || usage
        builds=$2
        shift
        ;;
    --static | --json | --beside | --earlier)
        [ $# -ge 2 ] || usage
        if [ "$1" = --beside ]; then
            beside=$(realpath "$2")
            if [ ! -x "$beside" ] || [ -d "$beside" ]; then usage; fi
        fi
        options+=("$1" "$(realpath "$2")")
        shift
        ;;
    *) usage ;;
    esac
    shift
done

scratch=$(mktemp -d)
finish() { rm -rf "$scratch"; }
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"
trap finish EXIT
trap 'exit 130' INT TERM

# The only ones of these scripts with packages that take a while: they are kept for the next run.
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/polymock-bench
need_python_peers() {
    command -v python3 >/dev/null || apt_install python3 python3-venv
    python=$cache/bin/python
    if "$python" -c 'import aiohttp, websockets.asyncio.server' 2>/dev/null; then return; fi
    make_venv "$cache"
    say "installing websockets and aiohttp"
    "$python" -m pip install --quiet --disable-pip-version-check 'websockets>=13,<18' 'aiohttp>=3.9,<4' ||
        die "pip could not install websockets and aiohttp"
}

need_nginx() {
    # Not always on an ordinary user's path.
    nginx=$(PATH=$PATH:/usr/sbin command -v nginx || true)
    if [ -n "$nginx" ]; then return; fi
    # Debian starts a service that it installs, but not in run level 1.
    RUNLEVEL=1 apt_install nginx
    nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || die "nginx is not there after its installation"
}

# Sets `lws` to the echo on libwebsockets, where it can be had; its loops are packages of their own.
need_lws() {
    if [ ! -f /usr/include/libwebsockets.h ] || ! ls /usr/lib/*/libwebsockets-evlib_ev.so >/dev/null 2>&1; then
        (apt_install libwebsockets-dev libwebsockets-evlib-ev) || true
    fi
    if cc -O2 -std=gnu11 -Wall -Wextra -o "$scratch/lws" "$here/bench/peers/lws_echo.c" -lwebsockets \
        2>"$scratch/lws.log"; then
        lws=$scratch/lws
    else
        say "the echoes are without libwebsockets: $(grep -m1 error "$scratch/lws.log" || echo 'cc fails')"
    fi
}

# Sets `uws` to the echo on uWebSockets and its library, which the Python package socketify has for amd64.
need_uws() {
    local library
    need_python_peers
    "$python" -c 'import socketify' 2>/dev/null ||
        "$python" -m pip install --quiet --disable-pip-version-check socketify 2>"$scratch/uws.log" || true
    library=$(find "$cache" -name "libsocketify_linux_$(uname -m | sed s/x86_64/amd64/).so" | head -1)
    loads() { "$python" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$library" 2>"$scratch/uws.log"; }
    if [ -n "$library" ] && ! loads; then (apt_install libuv1) || true; fi
    if [ -n "$library" ] && loads && cc -O2 -std=gnu11 -Wall -Wextra -o "$scratch/uws" "$here/bench/peers/uws_echo.c" -ldl; then
        uws="$scratch/uws $library"
    else
        say "the echoes are without uWebSockets: $(tail -1 "$scratch/uws.log" 2>/dev/null || echo 'no library here')"
    fi
}

command -v cc >/dev/null || apt_install gcc libc6-dev
node='' python='' nginx='' lws='' uws=''
if [ -z "$beside" ]; then
    need_node
    node=$(command -v node)
    need_python_peers
    need_nginx
    need_lws
    need_uws
fi
cc -O2 -std=gnu11 -Wall -Wextra -o "$scratch/load" "$here/bench/load.c" || die "cc could not build load.c"
allocations=$scratch/allocations.so
cc -O2 -shared -fPIC -o "$allocations" "$here/bench/allocations.c" 2>"$scratch/allocations.log" || {
    say "allocations are not counted: $(grep -m1 error "$scratch/allocations.log" || echo 'cc fails')"
    allocations=
}
wsload=
if [ -f "$shared/bench/wsload.c" ] && cc -O2 -std=gnu11 -o "$scratch/wsload" "$shared/bench/wsload.c"; then
    wsload=$scratch/wsload
else
    say "no wsload.c in $shared/bench: load.c measures the echoes"
fi

hard=$(ulimit -Hn)
ulimit -n "$hard" 2>/dev/null || true
if [ "$(ulimit -n)" != unlimited ] && [ "$(ulimit -n)" -lt 10100 ]; then
    say "only $(ulimit -n) descriptors are allowed: idle-10000 is left out"
fi

export PYTHONDONTWRITEBYTECODE=1
cd "$scratch"
python3 "$here/bench/bench.py" --binary "$binary" --load "$scratch/load" --wsload "$wsload" \
    --node "$node" --python "$python" --nginx "$nginx" --lws "$lws" --uws "$uws" --allocations "$allocations" \
    ${options[@]+"${options[@]}"}

if [ -z "$beside$named" ]; then
    printf '\nAgent runs\n'
    "$here/agui/run.sh" "$binary" bench ${others[@]+"${others[@]}"}
    printf '\nContacts of Amazon Connect chat\n'
    "$here/connect/bench.sh" "$binary" ${others[@]+"${others[@]}"}
fi
if [ -n "$builds" ]; then python3 "$here/bench/builds.py" "$builds"; fi
