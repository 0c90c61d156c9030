#!/usr/bin/env bash
# Drives the pages that a polymock serves with Debian's Chromium, by role and name, as their users do.
#
#     Tests/interop/web/run.sh BINARY [--fast] [--shots FOLDER] [--pages FOLDER] [chat|inspect|runs|foreign|C-001 ...]
#
# Installs playwright and axe-playwright-python from PyPI below ~/.cache/polymock-web, runs the unit tests of the
# modules, then the checks: one line each with number and verdict, what is left out and why, "N passed, N failed".
# --fast leaves out edge cases; screenshots go to FOLDER (a temporary one unless given). --pages serves the pages of a
# folder, such as Server/Pages/web, in place of the binary's own. Exit status 0: nothing failed.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    printf 'usage: %s BINARY [--fast] [--shots FOLDER] [--pages FOLDER] [chat|inspect|runs|foreign|C-001 ...]\n' "$0" >&2
    exit 2
fi
binary=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
server_pid=
. "$here/../lib/common.sh"
end_cleanly

need_python
need_node
need_chromium
cache=${XDG_CACHE_HOME:-$HOME/.cache}/polymock-web
[ -x "$cache/bin/python" ] || make_venv "$cache"
if ! "$cache/bin/python" -c 'import playwright, axe_playwright_python' 2>/dev/null; then
    say "installing playwright"
    "$cache/bin/python" -m pip install --quiet --disable-pip-version-check 'playwright>=1.50,<2' 'axe-playwright-python>=0.1.4,<1' ||
        die "pip could not install playwright"
fi

if ! node --test "$here/unit" >"$scratch/unit.log" 2>&1; then
    cat "$scratch/unit.log"
    die "unit tests of the pages' modules"
fi
say "ok unit tests of the pages' modules: $(grep -c '^ok' "$scratch/unit.log")"
POLYMOCK_CHROMIUM=$(command -v "$chromium") "$cache/bin/python" "$here/run.py" "$binary" "$@"
