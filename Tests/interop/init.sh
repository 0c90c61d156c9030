#!/usr/bin/env bash
# New projects of `polymock init`, whose first tests pass at once with pytest and Node: init.sh BINARY PYTHON
# packages/run.py has the one in Swift.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
. "$here/lib/common.sh"
trap 'rm -rf "$scratch"' EXIT

binary=$(realpath "$1") python=$2 failed=0
if ! "$python" -c 'import pytest' 2>/dev/null; then
    "$python" -m venv "$scratch/venv" >"$scratch/venv.log" 2>&1 || { cat "$scratch/venv.log"; die "python3 -m venv failed"; }
    python=$scratch/venv/bin/python
    "$python" -m pip install --quiet --disable-pip-version-check pytest || die "pip could not install pytest"
fi
need_node
first_test() { # LANGUAGE WORDS COMMAND...
    local language=$1 words=$2
    shift 2
    if "$binary" init "$scratch/$language" --language "$language" >/dev/null &&
        (cd "$scratch/$language" && timeout 60 "$@") >"$scratch/log" 2>&1 && grep -q "$words" "$scratch/log"; then
        echo "ok init, $language: $words"
    else
        echo "FAIL init, $language" && tail -20 "$scratch/log"
        failed=1
    fi
}
first_test python "1 passed" "$python" -m pytest
first_test node "pass 1" node --test tests/agent.test.mjs
exit $failed
