#!/usr/bin/env bash
# Bad clients against a built polymock, while a good one keeps talking.
#
#     Tests/interop/abuse.sh BINARY [SHARED_DIR] [--quick] [--ahead]
#
# First the bad clients that are here: slow readers under every fault that delays, bodies that were not asked for,
# uploads that drip (abuse/slow.py), attacks while a good client and its twin work (abuse/twins.py), each kind of memory
# filled and freed (abuse/memory.py), and outputs that are taken away (outputs/run.py). Then four runs: the good client
# echoes, or holds a conversation; without and with --deflate. --quick is one run of the worst attacks; --ahead comes before the machine's
# other work (Linux, as root). abuse/run.py says what has to hold.
#
# The bad clients of those are not part of this repository; without SHARED_DIR/conformance (default: ../shared beside the
# repository) they are left out, and the script says so. Exit status 0: all of it held.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    printf 'usage: %s BINARY [SHARED_DIR] [--quick] [--ahead]\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../../../shared/conformance
flags=()
quick=
for word in "$@"; do
    case $word in
    --quick) quick=yes flags+=(--quick) ;;
    --ahead) flags+=(--ahead) ;;
    *) tools=$word/conformance ;;
    esac
done

if [ ! -d /proc/self/fd ]; then
    printf 'abuse: skipped, memory is read from /proc\n'
    exit 0
fi

scratch=$(mktemp -d)
. "$here/lib/common.sh"
end_cleanly
need_python

failed=0
say "## outputs that are taken away"
python3 "$here/outputs/run.py" "$binary" </dev/null || failed=1

say
say "## attacks, a good client, and its twin at a server that is left alone"
# Started in the group of processes that --ahead puts first.
case " ${flags[*]-} " in *" --ahead "*) echo -19 >/proc/self/autogroup || true ;; esac
python3 "$here/abuse/twins.py" "$binary" ${quick:+--quick} </dev/null || failed=1
if [ -z "$quick" ]; then
    say
    say "## a mixture of the attacks and 1 GiB; each kind of memory filled and freed"
    python3 "$here/abuse/twins.py" "$binary" --stand 60 </dev/null || failed=1
    python3 "$here/abuse/memory.py" "$binary" </dev/null || failed=1
fi

say
say "## slow readers under faults, early bodies, uploads that drip"
start_server "$binary" --log quiet
python3 "$here/abuse/slow.py" --base "$base" --pid "$server_pid" ${quick:+--quick} </dev/null || failed=1
server_is_alive || die "the server is gone"
stop_server || die "the server did not stop cleanly"

if [ ! -f "$tools/abuse.py" ]; then
    printf 'abuse: the rest is skipped, no bad clients in %s\n' "$tools"
    if [ "$failed" != 0 ]; then exit 1; fi
    exit 0
fi

# attack TITLE SERVER_FLAG... -- FLAG...: one server, one run.
attack() {
    local title=$1 server=()
    shift
    while [ "$1" != -- ]; do
        server+=("$1")
        shift
    done
    shift
    say
    say "## $title"
    # Started in the group of processes that --ahead puts first.
    case " ${flags[*]-} " in *" --ahead "*) echo -19 >/proc/self/autogroup || true ;; esac
    start_server "$binary" --echo --log quiet ${server[@]+"${server[@]}"}
    if ! python3 "$here/abuse/run.py" --tool "$tools/abuse.py" --base "$base" --pid "$server_pid" \
        ${flags[@]+"${flags[@]}"} "$@" </dev/null; then failed=1; fi
    server_is_alive || die "the server is gone"
    stop_server || die "the server did not stop cleanly"
}

if has_zlib "$binary"; then deflate=(--deflate); else deflate=(); fi
if [ -n "$quick" ]; then
    attack "a conversation among the worst clients" ${deflate[@]+"${deflate[@]}"} -- --talk
else
    attack "echo" --
    attack "a conversation" -- --talk
    if [ ${#deflate[@]} != 0 ]; then
        attack "echo, deflate" --deflate --
        attack "a conversation, deflate" --deflate -- --talk
    else
        say
        say "## deflate: skipped. $(cat "$scratch/zlib.log")"
    fi
fi

say
if [ "$failed" != 0 ]; then
    say "FAIL abuse"
    exit 1
fi
say "abuse: nothing failed"
