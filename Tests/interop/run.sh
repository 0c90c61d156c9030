#!/usr/bin/env bash
# Drives a built polymock with clients that are not ours: Node ws, Chromium, Python websockets, curl.
#
#     Tests/interop/run.sh BINARY [curl|connectors|control|node|python|browser|fault|extensions|deflate|init ...]
#
# Installs what is missing (Debian packages as root, websockets from PyPI into a temporary folder), runs all
# scripts at the same time against one server, and prints one line per check. Exit status 0: nothing failed.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    printf 'usage: %s BINARY [curl|connectors|control|node|python|browser|fault|extensions|deflate|init ...]\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
shift
if [ $# = 0 ]; then set -- curl connectors control node python browser fault extensions deflate init; fi

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
children=()

finish() {
    for child in ${children[@]+"${children[@]}"}; do kill "$child" 2>/dev/null || true; done
    stop_server || true
    # A browser that was stopped may still write into its profile.
    rm -rf "$scratch" 2>/dev/null || { sleep 1; rm -rf "$scratch"; }
}
. "$here/lib/common.sh"
trap finish EXIT
trap 'exit 130' INT TERM

command -v curl >/dev/null || apt_install curl
need_python_websockets
for name in "$@"; do
    case $name in
    node | fault | extensions | deflate | init) need_node ;;
    browser) need_node && need_chromium ;;
    python | curl | connectors | control) ;;
    *) die "no script is called $name" ;;
    esac
done

start_server "$binary" --log text
say "polymock at $base"

launch() {
    case $1 in
    node) node "$here/node/quickstart.mjs" "$base" ;;
    browser)
        node "$here/browser/run.mjs" "$base" "$chromium" "$scratch/profile" &&
            node "$here/browser/run.mjs" "$base" "$chromium" "$scratch/profile2" control.html
        ;;
    control) bash "$here/curl/control.sh" "$base" ;;
    python) "$python" "$here/python/quickstart.py" "$base" ;;
    curl) bash "$here/curl/rest.sh" "$base" ;;
    connectors) bash "$here/curl/connectors.sh" "$binary" ;;
    fault) bash "$here/fault.sh" "$binary" "$python" ;;
    extensions) bash "$here/extensions.sh" "$binary" "$python" ;;
    deflate) bash "$here/deflate.sh" "$binary" "$python" ;;
    init) bash "$here/init.sh" "$binary" "$python" ;;
    esac
}

for name in "$@"; do
    launch "$name" >"$scratch/$name.out" 2>&1 </dev/null &
    children+=($!)
done

failed=()
index=0
for name in "$@"; do
    if ! wait "${children[$index]}"; then failed+=("$name"); fi
    index=$((index + 1))
    say
    say "## $name"
    cat "$scratch/$name.out"
done
children=()

say
if ! server_is_alive; then
    failed+=("server")
    say "FAIL the server is gone"
elif stop_server; then
    say "ok the server stops on SIGTERM with exit status 0"
else
    failed+=("server")
    say "FAIL the server did not stop cleanly on SIGTERM"
fi
# Right behind the first line, when it has only just begun to serve.
for _ in {1..10}; do
    start_server "$binary"
    if ! stop_server; then
        failed+=("early stop")
        say "FAIL the server did not stop cleanly on a SIGTERM right behind its first line"
        break
    fi
done
if [ ${#failed[@]} -gt 0 ]; then
    say "--- the server's last lines"
    tail -40 "$scratch/server.log"
    say "FAIL interop: ${failed[*]}"
    exit 1
fi
say "interop: all scripts passed"
