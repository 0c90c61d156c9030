# Shared by run.sh and conformance.sh: installing what is missing, starting polymock, stopping it.
# Sourced, never run. Expects `set -euo pipefail` and a variable `scratch` naming a temporary folder.

say() { printf '%s\n' "$*"; }

# Has polymock stopped and the temporary folder removed when the script ends, however it does.
end_cleanly() {
    trap 'stop_server || true; rm -rf "$scratch"' EXIT
    trap 'exit 130' INT TERM
}

# Python for tools that are not ours, and leaves nothing beside them.
need_python() {
    command -v python3 >/dev/null || apt_install python3
    export PYTHONDONTWRITEBYTECODE=1
}

die() {
    printf 'FAIL %s\n' "$*" >&2
    exit 1
}

# make_venv FOLDER: a new, empty Python environment.
make_venv() {
    if python3 -m venv --clear "$1" >"$scratch/venv.log" 2>&1; then return; fi
    apt_install python3-venv
    python3 -m venv --clear "$1" >"$scratch/venv.log" 2>&1 ||
        { cat "$scratch/venv.log"; die "python3 -m venv failed"; }
}

# apt_install PACKAGE...: Debian packages, with one refresh of the lists per run.
apt_install() {
    command -v apt-get >/dev/null || die "needs $*, and this machine has no apt-get: install them by hand"
    [ "$(id -u)" = 0 ] || die "needs $*; as root: apt-get install $*"
    export DEBIAN_FRONTEND=noninteractive
    if [ -z "${POLYMOCK_APT_READY:-}" ]; then
        apt-get update -qq >"$scratch/apt.log" 2>&1 || { cat "$scratch/apt.log"; die "apt-get update failed"; }
        export POLYMOCK_APT_READY=1
    fi
    say "installing $*"
    apt-get install -y -qq --no-install-recommends "$@" >"$scratch/apt.log" 2>&1 ||
        { tail -20 "$scratch/apt.log"; die "apt-get install $* failed"; }
}

# Node 18 is the first with a global fetch that is not experimental.
need_node() {
    if ! command -v node >/dev/null || [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 18 ]; then
        apt_install nodejs
    fi
    for folder in /usr/share/nodejs /usr/lib/nodejs; do
        if [ -f "$folder/ws/package.json" ]; then break; fi
    done
    if [ ! -f "$folder/ws/package.json" ] && ! node -e 'require("ws")' 2>/dev/null; then
        apt_install node-ws
        folder=/usr/share/nodejs
    fi
    export NODE_PATH="${NODE_PATH:+$NODE_PATH:}$folder"
    node -e 'require("ws")' || die "node cannot load ws from $NODE_PATH"
}

# Sets `chromium` to a browser that runs here.
need_chromium() {
    for chromium in chromium chromium-browser google-chrome; do
        if command -v "$chromium" >/dev/null; then return; fi
    done
    apt_install chromium
    chromium=chromium
}

# Sets `python` to an interpreter that has the websockets package with its asyncio client.
need_python_websockets() {
    command -v python3 >/dev/null || apt_install python3 python3-venv
    python=python3
    if "$python" -c 'import websockets.asyncio.client' 2>/dev/null; then return; fi
    make_venv "$scratch/venv"
    python="$scratch/venv/bin/python"
    say "installing websockets"
    "$python" -m pip install --quiet --disable-pip-version-check 'websockets>=13,<18' ||
        die "pip could not install websockets"
}

server_pid=

# start_server BINARY FLAG...: on a free port, in an empty folder; sets `base` to its URL.
start_server() {
    local binary=$1 line=
    shift
    mkdir -p "$scratch/cwd"
    rm -f "$scratch/announcement"
    mkfifo "$scratch/announcement"
    (cd "$scratch/cwd" && exec "$binary" --port 0 "$@") \
        >"$scratch/announcement" 2>"$scratch/server.log" </dev/null &
    server_pid=$!
    exec 7<"$scratch/announcement"
    IFS= read -r -t 30 line <&7 || true
    case $line in
    "polymock listening on http://127.0.0.1:"*) base=${line#polymock listening on } ;;
    *)
        cat "$scratch/server.log" >&2
        die "the first line was '$line', not 'polymock listening on http://127.0.0.1:PORT'"
        ;;
    esac
    cat <&7 >>"$scratch/server.log" 7<&- &
    exec 7<&-
}

# has_zlib BINARY: false for a build that cannot compress; what it says is in $scratch/zlib.log.
has_zlib() {
    # Either way it does not start: zlib is missed before the fixture is.
    "$1" --deflate --port 0 --fixture no-such-fixture >"$scratch/zlib.log" 2>&1 </dev/null || true
    ! grep -q zlib "$scratch/zlib.log"
}

# Returns the server's exit status: 0 when it stopped cleanly on SIGTERM.
stop_server() {
    local pid=$server_pid status=0
    [ -n "$pid" ] || return 0
    server_pid=
    kill -TERM "$pid" 2>/dev/null || true
    # A server that ignores SIGTERM is killed after ten seconds, and that shows in the status.
    timeout 10 tail --pid="$pid" -f /dev/null || kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || status=$?
    return "$status"
}

server_is_alive() { [ -n "$server_pid" ] && kill -0 "$server_pid" 2>/dev/null; }
