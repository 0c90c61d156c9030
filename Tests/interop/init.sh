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
# A program that writes to stderr before it starts, as a wrapper or a loader does.
printf '#!/bin/sh\necho "{warning}" >&2\nexec "%s" "$@"\n' "$binary" >"$scratch/noisy"
# One that ends at once: its reason is shown.
printf '#!/bin/sh\necho "no such colour" >&2\nexit 1\n' >"$scratch/broken"
chmod +x "$scratch/noisy" "$scratch/broken"
start() { # NAME PROGRAM WORDS COMMAND...: the made test with another program.
    local name=$1 words=$3
    export POLYMOCK=$scratch/$2
    (cd "$scratch/${name%%,*}" && timeout 60 "${@:4}") >"$scratch/log" 2>&1 || true
    unset POLYMOCK
    if grep -q "$words" "$scratch/log"; then echo "ok init, $name: $words"; else
        echo "FAIL init, $name" && tail -20 "$scratch/log"
        failed=1
    fi
}
first_test python "1 passed" "$python" -m pytest
first_test node "pass 1" node --test tests/agent.test.mjs
start "python, words on stderr" noisy "1 passed" "$python" -m pytest
start "node, words on stderr" noisy "pass 1" node --test tests/agent.test.mjs
start "python, no start" broken "polymock did not start: no such colour" "$python" -m pytest
start "node, no start" broken "polymock did not start: no such colour" node --test tests/agent.test.mjs
start "python, no program" none "none cannot be run; set POLYMOCK to your polymock" "$python" -m pytest
start "node, no program" none "none cannot be run; set POLYMOCK to your polymock" node --test tests/agent.test.mjs
# A reply that is not what the test expects: its rule is named.
for language in python node; do
    sed -i 's/"We are open from nine to five."/"We are open from ten to six."/' "$scratch/$language/fixtures/agent.json5"
done
ln -s "$binary" "$scratch/program"
rule="answered by rule hours, .*agent.json5:[1-9]"
start "python, another reply" program "$rule" "$python" -m pytest
start "node, another reply" program "$rule" node --test tests/agent.test.mjs
exit $failed
